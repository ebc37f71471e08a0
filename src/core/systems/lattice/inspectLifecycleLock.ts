// Owns: inspecting one lifecycle lock on demand: look, look again when it may be in the middle of a write, judge.
// Leaves to others: looking (lifecycleLockFile.ts), judging (lifecycleLockClaim.ts), many locks at once (scan/).
import { resolve } from "node:path";
import type { ClaimSnapshot, FileIdentity } from "../../claims/claim.js";
import { systemClock, type Clock } from "../../ports.js";
import { createProcessInspector } from "../../process/createProcessInspector.js";
import type { ProcessObserver } from "../../process/processInspector.js";
import { ownTimeZone } from "../../process/timeZone.js";
import type { ReadPort } from "../../storage/filePort.js";
import { nodeFilePort } from "../../storage/nodeFilePort.js";
import { lifecycleLockMaxBytes } from "./lifecycleLock.js";
import { judgeLifecycleLockFile } from "./lifecycleLockClaim.js";
import { contentOf, lookAtLock, type LockFile } from "./lifecycleLockFile.js";
import { isFrozenByQuarantine } from "./lifecycleLockFrozen.js";

export interface InspectOptions {
  /** Default: the real one of this platform. */
  readonly observer?: ProcessObserver;
  /** Default: the real disk. */
  readonly port?: ReadPort;
  readonly clock?: Clock;
  /** Whether a file is held by an interrupted repair. Default: the quarantine beside the lock is asked. */
  readonly isFrozen?: (path: string, file: FileIdentity) => boolean | Promise<boolean>;
}

/** Milliseconds between two looks: a writer that was in the middle has finished by then. */
export const secondLookMs = 20;

/** Whether a second look may well show something else: a write under way, or one bad moment of the disk (pains.md 31, 37). */
export function isDoubtfulLook(look: LockFile): boolean {
  if (look.kind === "changing" || look.kind === "unreadable") return true;
  return look.kind === "read" && contentOf(look).kind !== "valid";
}

/**
 * The claim at a lifecycle lock's place, with verdict and evidence (spec/lattice.md 4, design/quarantine.md). Never writes, never
 * follows a link, reads at most 64 KiB of a regular file. Everything that can lie there has a verdict: kernel answers are not thrown.
 * A missing file is `empty`. The result is of one moment; whoever acts on it must look again.
 */
export async function inspectLifecycleLock(lockPath: string, options: InspectOptions = {}): Promise<ClaimSnapshot> {
  const { port = nodeFilePort, clock = systemClock, observer = createProcessInspector() } = options;
  const path = resolve(lockPath);
  const look = await lookTwice(() => lookAtLock(port, path, lifecycleLockMaxBytes), isDoubtfulLook, clock);
  return await judgeLifecycleLockFile(path, look, { observer, clock, timeZone: ownTimeZone(), isFrozen: options.isFrozen ?? ((at, file) => isFrozenByQuarantine(port, at, file)) });
}

/** Looks once more, a moment later, when the first look is doubtful. */
export async function lookTwice<Look>(look: () => Promise<Look>, isDoubtful: (look: Look) => boolean, clock: Pick<Clock, "sleep">): Promise<Look> {
  const first = await look();
  if (!isDoubtful(first)) return first;
  await clock.sleep(secondLookMs);
  return await look();
}
