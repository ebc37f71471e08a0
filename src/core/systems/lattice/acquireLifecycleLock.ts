// Owns: taking a lifecycle lock as the runtime does, byte for byte (spec/lattice.md 4.1), without the weaknesses of 4.7: nothing that
// lies in the way is ever deleted, a put-back never overwrites, what is recovered is kept in quarantine.
// Leaves to others: what an existing lock means (lockStanding.ts), displacing a stale one (recoverLifecycleLock.ts), giving back (releaseLifecycleLock.ts).
import { isDigest, isIdentifier } from "../../artifact/syntax.js";
import { ArtifactError } from "../../artifact/canonical.js";
import type { ClaimSnapshot, FileIdentity } from "../../claims/claim.js";
import { systemClock, systemRandom, type Clock, type Random } from "../../ports.js";
import { createProcessInspector } from "../../process/createProcessInspector.js";
import { writeStartText } from "../../process/lstart.js";
import type { ProcessObserver } from "../../process/processInspector.js";
import { ownTimeZone, resolveTimeZone, wallSecondsIn } from "../../process/timeZone.js";
import type { QuarantineOptions } from "../../quarantine/session.js";
import { createExclusiveDurable } from "../../storage/createSteps.js";
import { fileIdentityOf, isSameInode } from "../../storage/fileIdentity.js";
import type { FilePort } from "../../storage/filePort.js";
import { lookAt } from "../../storage/moveSteps.js";
import { nodeFilePort } from "../../storage/nodeFilePort.js";
import { isStartIdentity, sealLifecycleLock, sealStartIdentity } from "./lifecycleLock.js";
import { invalidArgument, LifecycleLockError } from "./lifecycleLockError.js";
import type { LifecycleLock, ProcessStartIdentity } from "./lifecycleLockRecord.js";
import { callersJudge, ownJudge, standingOf, type IdentityObserver, type OwnerJudge } from "./lockStanding.js";
import { recoverLifecycleLock } from "./recoverLifecycleLock.js";
import { lockPathOf, releaseLifecycleLock, type LockPlace } from "./releaseLifecycleLock.js";

export interface AcquireOptions extends LockPlace {
  readonly sessionNonceDigest: string;
  readonly operation: string;
  readonly requestId: string;
  /** Milliseconds to wait for a live owner; 0 tries once. Displacing a stale lock takes a second beyond that. */
  readonly timeoutMs: number;
  /** Milliseconds between two tries; default 10. */
  readonly retryIntervalMs?: number;
  /** Default: what `observer` says of this process; without one, the identity that its own `ps` would tell. */
  readonly ownIdentity?: ProcessStartIdentity;
  /** Default: our own observation and verdict, which is stricter than the runtime's. */
  readonly observer?: IdentityObserver;
  /** Asked only where `observer` has no answer. Default: the kernel; not permitted means exists. */
  readonly pidExists?: (pid: number) => boolean;
  readonly now?: () => Date;
  readonly port?: FilePort;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly processObserver?: ProcessObserver;
  readonly signal?: AbortSignal;
}

export interface LifecycleLockHandle {
  readonly lockPath: string;
  readonly lock: LifecycleLock;
  /** Runs at most once; later calls give the first one's outcome. @throws as releaseLifecycleLock does. */
  release(): Promise<void>;
}

/**
 * Takes the lock. While it is being written a reader may find it empty or torn, as with the runtime's own; the runtime would refuse
 * a file that is linked into place. A stale owner's lock is displaced by the repair protocol (design/quarantine.md), never deleted.
 * @throws LifecycleLockError RUN_BUSY at the deadline or on abort, RUN_LOCK_INVALID; errno errors of the disk pass through.
 */
export async function acquireLifecycleLock(options: AcquireOptions): Promise<LifecycleLockHandle> {
  const { port = nodeFilePort, clock = systemClock, random = systemRandom, signal } = options;
  const { timeoutMs, retryIntervalMs = 10 } = options;
  const path = lockPathOf(options);
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 0) throw invalidArgument("timeout");
  if (!Number.isSafeInteger(retryIntervalMs) || retryIntervalMs < 1) throw invalidArgument("retry interval");
  if (!isFunctionOrAbsent(options.observer)) throw invalidArgument("observer");
  if (!isFunctionOrAbsent(options.pidExists)) throw invalidArgument("pid check");
  const processObserver = options.processObserver ?? createProcessInspector();
  const { lock, bytes } = await seal(options, processObserver);
  const judge = options.observer === undefined ? ownJudge(processObserver) : callersJudge(options.observer, options.pidExists ?? doesPidExist);
  const quarantine: QuarantineOptions = { port, clock, random, observer: processObserver, signal, reinspect: reinspectWith(port, path, judge, clock) };
  const deadline = clock.monotonic() + timeoutMs;
  let hasRecovered = false;
  for (;;) {
    const created = await createExclusiveDurable(port, path, bytes, { mode: 0o600 });
    if (created.kind === "created" && (await isInPlace(port, path, created.identity))) return handleOf(path, lock, port);
    const standing = await standingOf(port, path, judge, clock);
    if (standing.kind === "missing" && clock.monotonic() < deadline + retryIntervalMs) continue;
    const isLate = clock.monotonic() >= deadline;
    if (standing.kind === "stale" && !(hasRecovered && isLate)) {
      const recovery = await recoverLifecycleLock(standing.claim, port, quarantine);
      // One displacement is worth more than the deadline: whoever gives no time still gets a lock that nobody holds.
      if (recovery === "freed" || (recovery === "unclear" && !hasRecovered)) {
        hasRecovered = true;
        continue;
      }
    }
    if (isLate) throw busy(standing.kind === "busy" ? standing.why : "The owner changed.");
    await clock.sleep(Math.min(retryIntervalMs, Math.max(1, deadline - clock.monotonic())), signal);
    if (signal?.aborted === true) throw busy("Aborted.", signal.reason);
  }
}

/**
 * A recovery of the runtime that had judged an earlier lock stale may take ours away in the middle of our write, and deletes what
 * it cannot read (W4): then we own nothing, whatever the create said.
 */
async function isInPlace(port: FilePort, path: string, identity: FileIdentity): Promise<boolean> {
  const stat = await lookAt(port, path);
  return stat !== null && isSameInode(fileIdentityOf(stat), identity);
}

function isFunctionOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "function";
}

function busy(why: string, cause?: unknown): LifecycleLockError {
  return new LifecycleLockError("RUN_BUSY", why, { cause });
}

/** The re-check of the repair: the same place, judged again by the same judge. */
function reinspectWith(port: FilePort, path: string, judge: OwnerJudge, clock: Clock): (claim: ClaimSnapshot) => Promise<ClaimSnapshot> {
  return async (claim) => {
    const standing = await standingOf(port, path, judge, clock);
    if (standing.kind === "stale") return standing.claim;
    return { ...claim, verdict: standing.kind === "missing" ? { kind: "empty" } : { kind: "live", notes: [] }, ...(standing.kind === "missing" ? { file: null, sha256: null } : {}) };
  };
}

async function seal(options: AcquireOptions, observer: ProcessObserver): Promise<ReturnType<typeof sealLifecycleLock>> {
  const { sessionNonceDigest, operation, requestId, now = () => new Date() } = options;
  if (!isDigest(sessionNonceDigest)) throw invalidArgument("session nonce digest");
  if (!isIdentifier(operation)) throw invalidArgument("operation");
  if (!isIdentifier(requestId)) throw invalidArgument("request id");
  const identity = options.ownIdentity ?? (options.observer === undefined ? await ownStartIdentity(observer) : await observedSelf(options.observer));
  if (!isStartIdentity(identity) || identity.pid !== process.pid) throw invalidArgument("own identity");
  const at: unknown = typeof now === "function" ? now() : null;
  if (!(at instanceof Date) || Number.isNaN(at.getTime())) throw invalidArgument("clock");
  try {
    return sealLifecycleLock({
      owner_pid: process.pid,
      owner_process_start_identity: identity,
      session_nonce_digest: sessionNonceDigest,
      operation,
      request_id: requestId,
      acquired_at: at.toISOString(),
    });
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || ArtifactError.is(error)) throw new LifecycleLockError("RUN_LOCK_INVALID", "The lock cannot be recorded.", { cause: error });
    throw error;
  }
}

/** Whoever judges by his own observation records by it too, or nobody of his kind would recognise the owner. */
async function observedSelf(observe: IdentityObserver): Promise<unknown> {
  try {
    return await observe(process.pid);
  } catch (error) {
    throw new LifecycleLockError("RUN_LOCK_INVALID", "The observer cannot tell who this process is.", { cause: error });
  }
}

/**
 * This process as its own `ps -o lstart=` tells it, so that the runtime recognises us.
 * @throws LifecycleLockError RUN_LOCK_INVALID where that cannot be observed.
 */
export async function ownStartIdentity(observer: ProcessObserver): Promise<ProcessStartIdentity> {
  const start = await observer.startInstant(process.pid);
  const wall = start === null ? null : wallSecondsIn(resolveTimeZone(ownTimeZone(), start.systemTimeZone), start.epochSeconds);
  if (wall === null) throw new LifecycleLockError("RUN_LOCK_INVALID", "The start of this process cannot be observed.");
  return sealStartIdentity({ platform: observer.platform, pid: process.pid, started_identity: writeStartText(wall) });
}

function doesPidExist(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function handleOf(lockPath: string, lock: LifecycleLock, port: FilePort): LifecycleLockHandle {
  let released: Promise<void> | null = null;
  return { lockPath, lock, release: () => (released ??= releaseLifecycleLock({ lockPath, ownerDigest: lock.lock_digest, port })) };
}
