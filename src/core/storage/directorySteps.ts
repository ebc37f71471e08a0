// Owns: durable steps on directories: make, check, fsync.
// Leaves to others: files (createSteps.ts, moveSteps.ts).
import { errnoOf, hasErrno, isMissing } from "./errno.js";
import type { FilePort, FileStat, ReadPort } from "./filePort.js";

/** Injected so that the behaviour of each platform can be tested on any. */
export interface Platform {
  /** Default: `process.platform`. */
  readonly platform?: NodeJS.Platform | undefined;
}

/**
 * Makes the entries of a directory durable. A file system that cannot is tolerated (EINVAL, ENOTSUP, EISDIR; on Windows, where
 * directories cannot be opened for this, EPERM and EACCES too: spec/lattice.md 4.6). @throws any other errno error.
 */
export async function syncDirectory(port: FilePort, path: string, options: Platform = {}): Promise<void> {
  try {
    await port.syncDirectory(path);
  } catch (error) {
    if (hasErrno(error, "EINVAL", "ENOTSUP", "EOPNOTSUPP", "EISDIR")) return;
    if ((options.platform ?? process.platform) === "win32" && hasErrno(error, "EPERM", "EACCES")) return;
    throw error;
  }
}

export type DirectoryCheck =
  | { readonly kind: "safe"; readonly stat: FileStat }
  | { readonly kind: "missing" }
  /** A symlink or something else that only looks like the directory: writing through it would write elsewhere. */
  | { readonly kind: "unsafe"; readonly type: FileStat["type"] }
  | { readonly kind: "unreadable"; readonly code: string };

/** Whether `path` itself is a real directory. Says nothing about its parents: check each that is not trusted. */
export async function assertSafeDirectory(port: ReadPort, path: string): Promise<DirectoryCheck> {
  try {
    const stat = await port.lstat(path);
    return stat.type === "directory" ? { kind: "safe", stat } : { kind: "unsafe", type: stat.type };
  } catch (error) {
    if (isMissing(error)) return { kind: "missing" };
    const code = errnoOf(error);
    if (code === null) throw error;
    return { kind: "unreadable", code };
  }
}

/**
 * Makes one directory unless it is there, and makes its entry durable. `created` says whether this call made it.
 * The parent must exist. @throws the errno error of the step that failed.
 */
export async function ensureDirectory(
  port: FilePort,
  parent: string,
  path: string,
  options: Platform & { readonly mode: number },
): Promise<DirectoryCheck & { readonly created: boolean }> {
  let check = await assertSafeDirectory(port, path);
  if (check.kind !== "missing") return { ...check, created: false };
  let created = true;
  try {
    await port.mkdir(path, options.mode);
  } catch (error) {
    // Made by another one in the same moment.
    if (!hasErrno(error, "EEXIST")) throw error;
    created = false;
  }
  await syncDirectory(port, parent, options);
  check = await assertSafeDirectory(port, path);
  return { ...check, created };
}
