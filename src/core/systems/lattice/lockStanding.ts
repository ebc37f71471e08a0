// Owns: what an existing lock means to whoever wants it (spec/lattice.md 4.1 step 4, 4.2): wait, give up, or recover.
// Leaves to others: waiting and recovering (acquireLifecycleLock.ts), our own verdict (judgeLifecycleLock.ts).
import { dirname } from "node:path";
import type { ClaimSnapshot } from "../../claims/claim.js";
import type { Judgement, StaleReason } from "../../claims/verdict.js";
import type { Clock } from "../../ports.js";
import type { ProcessObserver } from "../../process/processInspector.js";
import type { FilePort } from "../../storage/filePort.js";
import { judgeLifecycleLock } from "./judgeLifecycleLock.js";
import { isStartIdentity, lifecycleLockMaxBytes } from "./lifecycleLock.js";
import { claimFrame, decided, ownerOf } from "./lifecycleLockClaim.js";
import { LifecycleLockError } from "./lifecycleLockError.js";
import { gatherLifecycleLockFacts } from "./lifecycleLockFacts.js";
import { contentOf, lookAtLock, type LockFile } from "./lifecycleLockFile.js";
import type { LifecycleLock } from "./lifecycleLockRecord.js";

/** The runtime's own kind of observer: the identity of a pid, nothing, or a throw when it cannot tell. */
export type IdentityObserver = (pid: number) => unknown;

/** Who tells about owners: the caller in the runtime's way, or our observer. */
export type OwnerJudge = (lock: LifecycleLock, path: string) => Promise<Judgement>;

export type LockStanding =
  | { readonly kind: "missing" }
  /** A live owner, one that cannot be judged, or a file that is being written. */
  | { readonly kind: "busy"; readonly why: string }
  | { readonly kind: "stale"; readonly claim: ClaimSnapshot };

/** @throws LifecycleLockError RUN_LOCK_INVALID for what is no lock, or an observation that is none. */
export async function standingOf(port: FilePort, path: string, judge: OwnerJudge, clock: Pick<Clock, "now">): Promise<LockStanding> {
  const look = await lookAtLock(port, path, lifecycleLockMaxBytes);
  const lock = lockOf(look);
  if (typeof lock === "string") return lock === "missing" ? { kind: "missing" } : { kind: "busy", why: lock };
  const { verdict, checks } = await judge(lock, path);
  if (verdict.kind !== "stale") return { kind: "busy", why: "reason" in verdict ? `${verdict.kind}: ${verdict.reason}` : verdict.kind };
  return { kind: "stale", claim: { ...claimFrame("lifecycle-lock", path, look, clock.now()), owner: ownerOf(lock), verdict, checks, facts: [] } };
}

/** The lock, or in a word why there is none now. */
function lockOf(look: LockFile): LifecycleLock | string {
  if (look.kind === "missing") return "missing";
  if (look.kind === "changing") return "The file is being written.";
  if (look.kind === "unreadable") throw Object.assign(new Error(`${look.code}: the lock cannot be read`), { code: look.code });
  if (look.kind !== "read" || look.stat.linkCount !== 1n) throw new LifecycleLockError("RUN_LOCK_INVALID", "What lies there is no regular file with one name.");
  const content = contentOf(look);
  if (content.kind === "invalid") throw new LifecycleLockError("RUN_LOCK_INVALID", content.diagnostic);
  return content.kind === "torn" ? content.diagnostic : content.lock;
}

/** Judges by our own observation: whatever is not proved gone is left alone. */
export function ownJudge(observer: ProcessObserver): OwnerJudge {
  return async (lock, path) => {
    observer.forget();
    return judgeLifecycleLock(lock, await gatherLifecycleLockFacts(observer, lock, dirname(path)));
  };
}

/** Judges in the runtime's own way (4.2), for callers that bring their own observation. */
export function callersJudge(observe: IdentityObserver, pidExists: (pid: number) => boolean): OwnerJudge {
  return async ({ owner_pid: pid, owner_process_start_identity: recorded }) => {
    let observed: unknown;
    try {
      observed = await observe(pid);
    } catch {
      // An observer that fails says nothing; the kernel's word on the pid decides.
      observed = null;
    }
    if (observed === null || observed === undefined) {
      return pidExists(pid) ? { verdict: { kind: "live", notes: [] }, checks: [decided("pid-exists", String(pid), "exists", "same")] } : staleBy("pid_absent", "pid-exists", String(pid), "no-such-process");
    }
    if (!isStartIdentity(observed) || observed.pid !== pid) throw new LifecycleLockError("RUN_LOCK_INVALID", "The observer gave no identity of that process.");
    const { identity_digest: digest } = observed;
    if (digest === recorded.identity_digest) return { verdict: { kind: "live", notes: [] }, checks: [decided("start-instant", recorded.identity_digest, digest, "same")] };
    return staleBy("start_identity_changed", "start-instant", recorded.identity_digest, digest);
  };
}

function staleBy(reason: StaleReason, id: string, recorded: string, observed: string): Judgement {
  const assumptions = ["host_not_recorded", "boot_not_recorded"];
  return { verdict: { kind: "stale", reason, proof: "weak", assumptions }, checks: [decided(id, recorded, observed)] };
}
