// Owns: the real observer, and looking at a claim again when the caller has not said how.
// Leaves to others: how each kind of claim is inspected (systems/*).
import type { ClaimSnapshot } from "../claims/claim.js";
import type { Clock } from "../ports.js";
import { createProcessInspector } from "../process/createProcessInspector.js";
import type { ProcessObserver } from "../process/processInspector.js";
import { fileIdentityOf } from "../storage/fileIdentity.js";
import type { FilePort } from "../storage/filePort.js";
import { lookAt } from "../storage/moveSteps.js";
import { inspectLifecycleLock } from "../systems/lattice/inspectLifecycleLock.js";
import { inspectWeakLock } from "../systems/lattice/weakLocks.js";
import { reinspectAmqClaim } from "../systems/pi-amq/reinspectClaim.js";
import { hashContent } from "./claimContent.js";

let shared: ProcessObserver | null = null;

/** One for the whole process: it joins questions and remembers answers for a moment. */
export function defaultObserver(): ProcessObserver {
  shared ??= createProcessInspector();
  return shared;
}

export interface ReinspectDeps {
  readonly port: FilePort;
  readonly observer: ProcessObserver;
  readonly clock: Clock;
}

export function defaultReinspect(deps: ReinspectDeps): (claim: ClaimSnapshot) => Promise<ClaimSnapshot> {
  return (claim) => {
    if (claim.system === "pi-amq") return reinspectAmqClaim(claim, deps);
    switch (claim.kind) {
      case "lifecycle-lock":
        return inspectLifecycleLock(claim.path, deps);
      case "cli-lock":
      case "registry-lock":
        return inspectWeakLock(claim.path, deps);
      case "leftover":
      case "supervisor-lease":
      case "worker-session-lease":
      case "lifecycle-guard":
        return lookAgain(claim, deps);
    }
  };
}

/**
 * A leftover has no owner to judge: its file is looked at again and the verdict stands while the file is the same and no process
 * is known to have it open. @throws errno errors.
 */
async function lookAgain(claim: ClaimSnapshot, { port, observer, clock }: ReinspectDeps): Promise<ClaimSnapshot> {
  const observedAt = clock.now();
  const stat = await lookAt(port, claim.path);
  if (stat === null) return { ...claim, verdict: { kind: "empty" }, file: null, sha256: null, linkCount: null, observedAt };
  const file = fileIdentityOf(stat);
  const content = claim.sha256 === null ? null : await hashContent(port, claim.path, stat);
  const open = stat.type === "directory" ? null : await observer.whoHasOpen(file);
  return {
    ...claim,
    verdict: open?.kind === "open" ? { kind: "live", notes: ["open_by_a_process"] } : claim.verdict,
    file,
    sha256: content?.kind === "hash" ? content.sha256 : null,
    linkCount: claim.linkCount === null ? null : Number(stat.linkCount),
    observedAt,
  };
}
