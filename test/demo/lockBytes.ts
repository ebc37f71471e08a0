// Owns: the bytes of a lifecycle lock as the runtime writes them for a process that is running now.
// Leaves to others: sealing (core/systems/lattice/lifecycleLock.ts), start instants (core/process).
import { createProcessInspector } from "../../src/core/process/createProcessInspector.js";
import { writeStartText } from "../../src/core/process/lstart.js";
import { resolveTimeZone, wallSecondsIn } from "../../src/core/process/timeZone.js";
import { sealLifecycleLock, sealStartIdentity } from "../../src/core/systems/lattice/lifecycleLock.js";

/** What `ps -o lstart= -p <pid>` prints for a running process, in the zone of its own environment, `shiftSeconds` later. */
export async function startText(pid: number, shiftSeconds = 0): Promise<string> {
  const observer = createProcessInspector();
  const start = await observer.startInstant(pid);
  if (start === null) throw new Error(`The start of process ${pid} cannot be observed.`);
  const zone = resolveTimeZone(start.ownerTimeZone, start.systemTimeZone);
  const wall = wallSecondsIn(zone, start.epochSeconds + shiftSeconds);
  if (wall === null) throw new Error(`The time zone of process ${pid} has no wall clock here.`);
  return writeStartText(wall);
}

export interface LockOwner {
  readonly pid: number;
  readonly started: string;
  /** `process.platform` of the writer; default: this one's. */
  readonly platform?: string;
}

/** A complete, sealed lock file. `acquiredAt`: milliseconds since the epoch. */
export function lockBytes(owner: LockOwner, about: { readonly operation: string; readonly requestId: string; readonly acquiredAt: number }): Uint8Array {
  const identity = sealStartIdentity({ platform: owner.platform ?? process.platform, pid: owner.pid, started_identity: owner.started });
  return sealLifecycleLock({
    owner_pid: owner.pid,
    owner_process_start_identity: identity,
    session_nonce_digest: identity.identity_digest,
    operation: about.operation,
    request_id: about.requestId,
    acquired_at: new Date(about.acquiredAt).toISOString(),
  }).bytes;
}
