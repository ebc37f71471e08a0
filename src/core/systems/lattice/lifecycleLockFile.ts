// Owns: one look at the place of a lock, whatever lies there: which file, which bytes. Shared by all lattice locks.
// Leaves to others: what the bytes mean (lifecycleLock.ts, weakLocks.ts), judging (inspectLifecycleLock.ts).
import { createHash } from "node:crypto";
import type { FileStat, ReadPort } from "../../storage/filePort.js";
import { readBounded } from "../../storage/readBounded.js";
import { checkLifecycleLock, type LifecycleLockCheck } from "./lifecycleLock.js";

/** What lies at a place. `stat` is null where it could not be had a moment later. */
export type LockFile =
  | { readonly kind: "missing" }
  /** A regular file; `sha256` lower-case hex of its bytes. */
  | { readonly kind: "read"; readonly stat: FileStat; readonly bytes: Uint8Array; readonly sha256: string }
  | { readonly kind: "not-regular"; readonly stat: FileStat | null; readonly type: FileStat["type"] }
  | { readonly kind: "too-large"; readonly stat: FileStat | null; readonly size: bigint }
  /** Somebody wrote or replaced it during the look. */
  | { readonly kind: "changing" }
  /** `code`: the errno. */
  | { readonly kind: "unreadable"; readonly code: string };

export function sha256Hex(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Looks once. Follows no link, opens nothing but a regular file, reads at most `maxBytes`, never writes, never hangs. */
export async function lookAtLock(port: ReadPort, path: string, maxBytes: number): Promise<LockFile> {
  const read = await readBounded(port, path, { maxBytes });
  switch (read.kind) {
    case "missing":
      return { kind: "missing" };
    case "read":
      // Its last name went away while it was read: what was read is nobody's lock any more.
      if (read.stat.linkCount === 0n) return { kind: "changing" };
      return lookOf(read.stat, read.bytes);
    case "not-regular":
      return { kind: "not-regular", type: read.type, stat: await statOrNull(port, path) };
    case "too-large":
      return { kind: "too-large", size: read.size, stat: await statOrNull(port, path) };
    case "changed-while-read":
      return { kind: "changing" };
    case "unreadable":
      return { kind: "unreadable", code: read.code };
  }
}

/** The look at a regular file whose whole content was read. */
export function lookOf(stat: FileStat, bytes: Uint8Array): LockFile {
  return { kind: "read", stat, bytes, sha256: sha256Hex(bytes) };
}

/** For the row only: what was refused was refused, whatever a second look says. */
async function statOrNull(port: ReadPort, path: string): Promise<FileStat | null> {
  try {
    return await port.lstat(path);
  } catch {
    return null;
  }
}

const checks = new WeakMap<Extract<LockFile, { kind: "read" }>, LifecycleLockCheck>();

/** What the bytes of a look are, found out once however often the look is judged. */
export function contentOf(look: Extract<LockFile, { kind: "read" }>): LifecycleLockCheck {
  const known = checks.get(look);
  if (known !== undefined) return known;
  const check = checkLifecycleLock(look.bytes);
  checks.set(look, check);
  return check;
}

/** The stat facts of what was looked at, where there are any. */
export function statOfLook(look: LockFile): FileStat | null {
  return "stat" in look ? look.stat : null;
}
