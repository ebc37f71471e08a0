// Owns: putting a file or directory back to its place, the very inode, without ever replacing what the place holds.
// Leaves to others: whether it should go back (quarantine/).
import { dirname } from "node:path";
import type { FileIdentity } from "../claims/claim.js";
import { createExclusiveDurable } from "./createSteps.js";
import { syncDirectory } from "./directorySteps.js";
import { answerOr, errnoError, errnoOf, hasErrno } from "./errno.js";
import { fileIdentityOf } from "./fileIdentity.js";
import type { FilePort, FileStat } from "./filePort.js";
import { holdsInode, linkNoClobber, lookAt, renameWithRetry, unlinkIfSame, type RetryOptions } from "./moveSteps.js";

export type PutBack =
  /** `warnings`: `item-left` when the file has come back but its name in the quarantine could not be removed. */
  | { readonly kind: "put-back"; readonly warnings: readonly string[] }
  | { readonly kind: "occupied" }
  /** There is no item. */
  | { readonly kind: "missing" };

/**
 * Puts the file or directory at `item` back to `place`, the very same inode, without ever replacing what `place` holds.
 * Files: link, then unlink. Directories, and file systems without hard links: a placeholder of ours, made create-exclusive,
 * reserves the name and is then replaced by rename. Both directories are fsynced.
 * @throws other errno errors (ENOENT: the directory of `place` is gone); `item` or `place` (or both) then still name the file.
 */
export async function putBackNoClobber(port: FilePort, item: string, place: string, options: RetryOptions = {}): Promise<PutBack> {
  const stat = await lookAt(port, item);
  if (stat === null) return { kind: "missing" };
  if (stat.type === "directory") return await putBackOverPlaceholder(port, item, place, stat, options);
  const linked = await linkNoClobber(port, item, place);
  if (linked.kind === "no-hard-links") return await putBackOverPlaceholder(port, item, place, stat, options);
  // The item is there, so it is the directory of the place that is not.
  if (linked.kind === "missing" && (await lookAt(port, item)) !== null) throw errnoError("ENOENT", "link", place);
  if (linked.kind !== "linked") return linked;
  // The name is back before anything else can fail: from here on only the second name is in question.
  await syncDirectory(port, dirname(place), options);
  const warnings = await removeSecondName(port, item, stat);
  await syncDirectory(port, dirname(item), options);
  return { kind: "put-back", warnings };
}

async function removeSecondName(port: FilePort, item: string, stat: FileStat): Promise<readonly string[]> {
  return await answerOr(["item-left"], async () => {
    await unlinkIfSame(port, item, fileIdentityOf(stat));
    return [];
  });
}

async function putBackOverPlaceholder(port: FilePort, item: string, place: string, stat: FileStat, options: RetryOptions): Promise<PutBack> {
  const isDirectory = stat.type === "directory";
  const placeholder = isDirectory ? await placeDirectory(port, place) : await placeEmptyFile(port, place, options);
  if (placeholder === null) return { kind: "occupied" };
  // Windows renames no directory onto another, not even an empty one: there the place is free for a moment.
  const leavesFree = isDirectory && (options.platform ?? process.platform) === "win32";
  const isStillOurs = async (): Promise<boolean> =>
    leavesFree ? (await lookAt(port, place)) === null : await holdsInode(port, place, placeholder);
  try {
    if (leavesFree) await port.rmdir(place);
    await renameWithRetry(port, item, place, { ...options, verify: isStillOurs });
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    if (!(await holdsInode(port, place, fileIdentityOf(stat)))) {
      if (!leavesFree) await removePlaceholder(port, place, isDirectory, isStillOurs);
      if (hasErrno(error, "EEXIST", "ENOTEMPTY", "ENOTDIR", "EISDIR")) return { kind: "occupied" };
      throw error;
    }
  }
  await syncDirectory(port, dirname(place), options);
  await syncDirectory(port, dirname(item), options);
  return { kind: "put-back", warnings: [] };
}

/** One that somebody has filled, or that the disk does not give up, stays: the answer that led here says more. */
async function removePlaceholder(port: FilePort, place: string, isDirectory: boolean, isStillOurs: () => Promise<boolean>): Promise<void> {
  await answerOr(undefined, async () => {
    if (await isStillOurs()) await (isDirectory ? port.rmdir(place) : port.unlink(place));
  });
}

async function placeDirectory(port: FilePort, place: string): Promise<FileIdentity | null> {
  try {
    await port.mkdir(place, 0o700);
  } catch (error) {
    if (hasErrno(error, "EEXIST")) return null;
    throw error;
  }
  try {
    return fileIdentityOf(await port.lstat(place));
  } catch (error) {
    // Only an empty directory can be removed so, and that is ours.
    await removePlaceholder(port, place, true, () => Promise.resolve(true));
    throw error;
  }
}

async function placeEmptyFile(port: FilePort, place: string, options: RetryOptions): Promise<FileIdentity | null> {
  const created = await createExclusiveDurable(port, place, new Uint8Array(), { mode: 0o600, platform: options.platform });
  return created.kind === "created" ? created.identity : null;
}
