// Owns: giving a lifecycle lock back (spec/lattice.md 4.4).
// Leaves to others: taking it (acquireLifecycleLock.ts).
import { dirname, isAbsolute, join } from "node:path";
import { isDigest } from "../../artifact/syntax.js";
import { syncDirectory } from "../../storage/directorySteps.js";
import { fileIdentityOf } from "../../storage/fileIdentity.js";
import type { FilePort } from "../../storage/filePort.js";
import { unlinkIfSame } from "../../storage/moveSteps.js";
import { nodeFilePort } from "../../storage/nodeFilePort.js";
import { lifecycleLockMaxBytes, lifecycleLockName } from "./lifecycleLock.js";
import { invalidArgument, LifecycleLockError } from "./lifecycleLockError.js";
import { contentOf, lookAtLock } from "./lifecycleLockFile.js";

/** Where a lock is: its own path, or the run directory that holds it. Absolute. */
export interface LockPlace {
  readonly lockPath?: string;
  readonly runDir?: string;
}

export interface ReleaseOptions extends LockPlace {
  /** `lock_digest` of the lock that the caller owns. */
  readonly ownerDigest: string;
  readonly port?: FilePort;
}

/** @throws LifecycleLockError RUN_LOCK_INVALID unless exactly one absolute path was given. */
export function lockPathOf({ lockPath, runDir }: LockPlace): string {
  const path = lockPath ?? (typeof runDir === "string" ? join(runDir, lifecycleLockName) : undefined);
  if (typeof path !== "string" || !isAbsolute(path)) throw invalidArgument("lock path");
  return path;
}

/**
 * Removes the lock whose digest is `ownerDigest`, and only that. Between the last look and the unlink lies a moment that no file
 * system closes; whoever displaces a live owner in it breaks the protocol, not we.
 * @throws LifecycleLockError RUN_LOCK_OWNER_MISMATCH when the lock is gone or another's; RUN_BUSY when it is being written;
 * RUN_LOCK_INVALID for bad arguments and for what is no lock (also while a repair holds it frozen by a second link: try again).
 */
export async function releaseLifecycleLock(options: ReleaseOptions): Promise<void> {
  const path = lockPathOf(options);
  const { ownerDigest, port = nodeFilePort } = options;
  if (!isDigest(ownerDigest)) throw invalidArgument("owner digest");
  const look = await lookAtLock(port, path, lifecycleLockMaxBytes);
  if (look.kind === "missing") throw new LifecycleLockError("RUN_LOCK_OWNER_MISMATCH", "The lock is gone.");
  if (look.kind === "changing") throw new LifecycleLockError("RUN_BUSY", "The lock is being written.");
  if (look.kind !== "read" || look.stat.linkCount !== 1n) throw new LifecycleLockError("RUN_LOCK_INVALID", "What lies there is no regular file with one name.");
  const content = contentOf(look);
  if (content.kind === "torn") throw new LifecycleLockError("RUN_BUSY", content.diagnostic);
  if (content.kind === "invalid") throw new LifecycleLockError("RUN_LOCK_INVALID", content.diagnostic);
  if (content.lock.lock_digest !== ownerDigest) throw new LifecycleLockError("RUN_LOCK_OWNER_MISMATCH", "The lock is another's.");
  const removed = await unlinkIfSame(port, path, fileIdentityOf(look.stat));
  if (removed !== "removed") throw new LifecycleLockError("RUN_LOCK_OWNER_MISMATCH", "The lock was replaced.");
  await syncDirectory(port, dirname(path));
}
