// Owns: what a kind of claim is called.
// Leaves to others: everything else about a claim (explain.ts).
import type { ClaimKind } from "../core/claims/claim.js";
import type { Translate } from "./text.js";

export function claimLabel(kind: ClaimKind, t: Translate): string {
  switch (kind) {
    case "lifecycle-lock":
      return t("Lifecycle lock");
    case "cli-lock":
      return t("CLI lock");
    case "registry-lock":
      return t("Registry lock");
    case "supervisor-lease":
      return t("Supervisor lease");
    case "worker-session-lease":
      return t("Worker session lease");
    case "lifecycle-guard":
      return t("Lifecycle guard");
    case "leftover":
      return t("Leftover");
  }
}

/** The same inside a sentence. */
export function claimNoun(kind: ClaimKind, t: Translate): string {
  switch (kind) {
    case "lifecycle-lock":
      return t("lifecycle lock");
    case "cli-lock":
      return t("CLI lock");
    case "registry-lock":
      return t("registry lock");
    case "supervisor-lease":
      return t("supervisor lease");
    case "worker-session-lease":
      return t("worker session lease");
    case "lifecycle-guard":
      return t("lifecycle guard");
    case "leftover":
      return t("leftover");
  }
}
