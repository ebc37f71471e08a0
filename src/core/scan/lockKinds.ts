// Owns: which files of a lattice store are locks, and how each kind is read and judged.
// Leaves to others: the kinds themselves (systems/lattice).
import type { ClaimSnapshot } from "../claims/claim.js";
import { isDoubtfulLook } from "../systems/lattice/inspectLifecycleLock.js";
import { lifecycleLockMaxBytes, lifecycleLockName } from "../systems/lattice/lifecycleLock.js";
import { judgeLifecycleLockFile } from "../systems/lattice/lifecycleLockClaim.js";
import type { LockFile } from "../systems/lattice/lifecycleLockFile.js";
import { isDoubtfulWeakLook, judgeWeakLockFile, weakLockKindOf, weakLockMaxBytes, type WeakLockContext, type WeakLockKind } from "../systems/lattice/weakLocks.js";

export type LockKind = "lifecycle-lock" | WeakLockKind;

/** Which lock a file name means; null when none. */
export function lockKindOf(name: string): LockKind | null {
  return name === lifecycleLockName ? "lifecycle-lock" : weakLockKindOf(name);
}

export function maxBytesOf(kind: LockKind): number {
  return kind === "lifecycle-lock" ? lifecycleLockMaxBytes : weakLockMaxBytes;
}

/** Whether a second look a moment later may well show something else. */
export function isDoubtfulLock(kind: LockKind, look: LockFile): boolean {
  return kind === "lifecycle-lock" ? isDoubtfulLook(look) : isDoubtfulWeakLook(look);
}

export function judgeLock(kind: LockKind, path: string, look: LockFile, context: WeakLockContext): Promise<ClaimSnapshot> {
  return kind === "lifecycle-lock" ? judgeLifecycleLockFile(path, look, context) : judgeWeakLockFile(kind, path, look, context);
}
