// Owns: steps on what exists: link, move to a fresh name, remove. None of them ever replaces what a name holds, except
// renameWithRetry, whose callers have made sure of it.
// Leaves to others: putting back (putBack.ts), which file should be moved, and what to do when it was another (quarantine/).
import { systemClock, type Clock } from "../ports.js";
import type { Platform } from "./directorySteps.js";
import { answerOr, errnoOf, hasErrno, isLinkUnsupported, isMissing, retryTransient } from "./errno.js";
import { areSameFile, fileIdentityOf, isSameInode, type InodeIdentity } from "./fileIdentity.js";
import type { FilePort, FileStat, ReadPort } from "./filePort.js";

export interface RetryOptions extends Platform {
  readonly clock?: Clock | undefined;
  /** Asked before each attempt but the first; false ends the attempts with the last error. */
  readonly verify?: (() => Promise<boolean>) | undefined;
}

const retryTotalMs = 10_000;
const retryFirstMs = 10;
const retryMostMs = 100;

/**
 * rename(2). On Windows a scanner that holds the file makes it fail for a moment (EPERM, EACCES, EBUSY): it is tried again,
 * for at most 10 s, each time after `verify`, because the name may hold another file by then (pains.md 41).
 * @throws the errno error of the last attempt.
 */
export async function renameWithRetry(port: FilePort, from: string, to: string, options: RetryOptions = {}): Promise<void> {
  const clock = options.clock ?? systemClock;
  const deadline = clock.monotonic() + retryTotalMs;
  for (let pause = retryFirstMs; ; pause = Math.min(pause * 2, retryMostMs)) {
    try {
      await port.rename(from, to);
      return;
    } catch (error) {
      const isHeld = (options.platform ?? process.platform) === "win32" && hasErrno(error, "EPERM", "EACCES", "EBUSY");
      if (!isHeld || clock.monotonic() + pause > deadline) throw error;
      await clock.sleep(pause);
      if (options.verify !== undefined && !(await options.verify())) throw error;
    }
  }
}

/** What a name holds now; null when nothing. @throws errno errors other than "no such file". */
export async function lookAt(port: ReadPort, path: string): Promise<FileStat | null> {
  try {
    return await port.lstat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export type Linked =
  | { readonly kind: "linked" }
  | { readonly kind: "occupied" }
  | { readonly kind: "missing" }
  | { readonly kind: "no-hard-links"; readonly code: string };

/**
 * A second name for the file at `from`; never replaces what `to` holds. Which file was linked is not checked: the name `from`
 * can change at any time, so the caller looks at `to`. Not yet durable. @throws other errno errors.
 */
export async function linkNoClobber(port: FilePort, from: string, to: string): Promise<Linked> {
  try {
    await port.link(from, to);
    return { kind: "linked" };
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    // A file server may repeat a link that had worked and answer EEXIST; other answers too can come after the fact.
    if (await answerOr(false, async () => areSameFile(await port.lstat(from), await port.lstat(to)))) return { kind: "linked" };
    if (hasErrno(error, "EEXIST")) return { kind: "occupied" };
    if (isMissing(error)) return { kind: "missing" };
    if (isLinkUnsupported(error)) return { kind: "no-hard-links", code: errnoOf(error) ?? "" };
    throw error;
  }
}

export type Moved =
  /** `stat`: of what lies at the new name, which need not be what the caller had seen at the old one. */
  | { readonly kind: "moved"; readonly stat: FileStat }
  | { readonly kind: "missing" }
  | { readonly kind: "occupied" }
  /** It was moved, and then the disk did not show it; `code`: the errno. */
  | { readonly kind: "in-doubt"; readonly code: string };

/**
 * Moves whatever `from` names to `to`, a name that nobody else would choose. rename(2) would replace what `to` holds; that
 * name is looked at first, and since it is fresh (it carries a random id) nobody takes it in between. Not yet durable.
 * An error answer is checked against the disk: what has moved counts as moved. @throws other errno errors.
 */
export async function moveToFreshName(port: FilePort, from: string, to: string, options: RetryOptions = {}): Promise<Moved> {
  if ((await lookAt(port, to)) !== null) return { kind: "occupied" };
  try {
    await renameWithRetry(port, from, to, options);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    const arrived = await lookAt(port, to);
    if (arrived !== null) return { kind: "moved", stat: arrived };
    if (isMissing(error)) return { kind: "missing" };
    throw error;
  }
  try {
    return { kind: "moved", stat: await retryTransient(() => port.lstat(to)) };
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    return { kind: "in-doubt", code };
  }
}

/** Whether `path` names the inode of `identity`. @throws errno errors other than "no such file". */
export async function holdsInode(port: ReadPort, path: string, identity: InodeIdentity): Promise<boolean> {
  const stat = await lookAt(port, path);
  return stat !== null && isSameInode(fileIdentityOf(stat), identity);
}

/**
 * Removes `path` if it still names the inode of `identity`. Between look and unlink lies a moment: use it only for names that
 * nobody else takes, or for files whose loss is none. @throws errno errors, when the name is then still there.
 */
export async function unlinkIfSame(
  port: FilePort,
  path: string,
  identity: InodeIdentity,
): Promise<"removed" | "missing" | "different"> {
  const stat = await lookAt(port, path);
  if (stat === null) return "missing";
  if (!isSameInode(fileIdentityOf(stat), identity)) return "different";
  try {
    await port.unlink(path);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    if (await holdsInode(port, path, identity)) throw error;
  }
  return "removed";
}
