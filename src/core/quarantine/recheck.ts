// Owns: comparing what is observed after the confirmation with what the person confirmed.
// Leaves to others: observing it (the injected reinspect), acting on the answer (executeQuarantine.ts).
import type { ClaimSnapshot } from "../claims/claim.js";
import type { Verdict } from "../claims/verdict.js";
import { isSameInode } from "../storage/fileIdentity.js";
import type { ChangedReason, QuarantinePlan } from "./quarantineEntry.js";

export interface Difference {
  readonly reason: ChangedReason;
  readonly detail: string | null;
}

/**
 * The first thing in which the claim differs from the plan, or null. A stronger proof of the same reason is no difference.
 * `linksUndone`: second links of ours that were taken away since the plan was made.
 */
export function differenceFrom(plan: QuarantinePlan, now: ClaimSnapshot, linksUndone = 0): Difference | null {
  const { file } = plan;
  if (now.verdict.kind === "empty" || file === null) return { reason: "missing", detail: null };
  if (now.file === null || !isSameInode(now.file, file)) return { reason: "file-replaced", detail: now.verdict.kind };
  if (now.file.size !== file.size || now.file.mtimeNs !== file.mtimeNs || now.sha256 !== plan.sha256) return { reason: "content-changed", detail: now.verdict.kind };
  if (now.linkCount !== plan.claim.linkCount && now.linkCount !== (plan.claim.linkCount ?? 0) - linksUndone) {
    return { reason: "link-count-changed", detail: String(now.linkCount) };
  }
  return verdictDifference(plan.claim.verdict, now.verdict);
}

function reasonOf(verdict: Verdict): string | null {
  return verdict.kind === "live" || verdict.kind === "empty" ? null : verdict.reason;
}

function verdictDifference(planned: Verdict, now: Verdict): Difference | null {
  if (planned.kind !== now.kind) return { reason: "verdict-changed", detail: now.kind };
  if (reasonOf(planned) !== reasonOf(now)) return { reason: "verdict-changed", detail: reasonOf(now) };
  if (planned.kind !== "stale" || now.kind !== "stale") return null;
  if (planned.proof === "strong" && now.proof === "weak") return { reason: "proof-weaker", detail: now.reason };
  const assumed = now.assumptions.find((assumption) => !planned.assumptions.includes(assumption));
  return assumed === undefined ? null : { reason: "proof-weaker", detail: assumed };
}
