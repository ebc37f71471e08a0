// Owns: durable steps that bring a file into being: create-exclusive, publish-by-link, replace-by-rename.
// Leaves to others: moving and removing what exists (moveSteps.ts), directories (directorySteps.ts).
import { dirname } from "node:path";
import type { FileIdentity } from "../claims/claim.js";
import { syncDirectory, type Platform } from "./directorySteps.js";
import { answerOr, errnoError, errnoOf, hasErrno, isLinkUnsupported } from "./errno.js";
import { fileIdentityOf } from "./fileIdentity.js";
import type { FilePort, OpenFile } from "./filePort.js";
import { holdsInode, lookAt, renameWithRetry, unlinkIfSame, type RetryOptions } from "./moveSteps.js";

export interface CreateOptions extends Platform {
  /** Permission bits, before the umask. */
  readonly mode: number;
}

export type Created = { readonly kind: "created"; readonly identity: FileIdentity } | { readonly kind: "exists" };

/**
 * Creates `path`, writes all bytes, fsyncs file and directory. The file is visible while it is being written: a reader may
 * find it empty or torn. After any failure the file that this call created (and no other) is removed again, as far as the
 * disk lets it. @throws the errno error of the step that failed; `EEXIST` is the result `exists`.
 */
export async function createExclusiveDurable(port: FilePort, path: string, bytes: Uint8Array, options: CreateOptions): Promise<Created> {
  const created = await writeNewFile(port, path, bytes, options.mode);
  if (created.kind === "exists") return created;
  try {
    await syncDirectory(port, dirname(path), options);
  } catch (error) {
    await removeOwn(port, path, created.identity);
    throw error;
  }
  return created;
}

export type Published =
  | { readonly kind: "published"; readonly identity: FileIdentity; readonly warnings: readonly string[] }
  | { readonly kind: "exists" }
  /** This file system has no hard links: nothing was published. */
  | { readonly kind: "no-hard-links"; readonly code: string };

/**
 * Creates `path` complete from its first visible moment: writes `temporary` (a fresh name on the same file system), links it
 * to `path`, unlinks `temporary`. For that last moment the file has two links. A temporary file that could not be removed is
 * the warning `temporary-left`, not a failure. @throws the errno error of the step that failed.
 */
export async function publishExclusive(
  port: FilePort,
  path: string,
  bytes: Uint8Array,
  options: CreateOptions & { readonly temporary: string },
): Promise<Published> {
  const { temporary } = options;
  const identity = await writeFreshFile(port, temporary, bytes, options.mode);
  try {
    await port.link(temporary, path);
  } catch (error) {
    // A file server may repeat a link that had worked and then answer EEXIST: the disk knows, the answer does not.
    if (!(await isInodeAt(port, path, identity))) {
      await removeOwn(port, temporary, identity);
      if (hasErrno(error, "EEXIST")) return { kind: "exists" };
      if (isLinkUnsupported(error)) return { kind: "no-hard-links", code: errnoOf(error) ?? "" };
      throw error;
    }
  }
  const isRemoved = await removeOwn(port, temporary, identity);
  try {
    await syncDirectory(port, dirname(path), options);
  } catch (error) {
    await removeOwn(port, path, identity);
    throw error;
  }
  return { kind: "published", identity, warnings: isRemoved ? [] : ["temporary-left"] };
}

export type Replaced =
  | { readonly kind: "replaced"; readonly identity: FileIdentity }
  /** What is there is a symlink, a directory or the like: replacing it would destroy what somebody set up. */
  | { readonly kind: "not-regular" };

/**
 * Makes `path` hold exactly `bytes`, old or new but never torn, also across a power cut: temporary file, fsync, rename, fsync
 * of the directory. Creates it when missing; replaces whatever regular file is there, so use it only for files of ours.
 * @throws the errno error of the step that failed; if that was the directory fsync the new bytes are already in place.
 */
export async function replaceDurable(
  port: FilePort,
  path: string,
  bytes: Uint8Array,
  options: CreateOptions & RetryOptions & { readonly temporary: string },
): Promise<Replaced> {
  const existing = await lookAt(port, path);
  if (existing !== null && existing.type !== "file") return { kind: "not-regular" };
  const { temporary } = options;
  const identity = await writeFreshFile(port, temporary, bytes, options.mode);
  try {
    await renameWithRetry(port, temporary, path, options);
  } catch (error) {
    if (!(await isInodeAt(port, path, identity))) {
      await removeOwn(port, temporary, identity);
      throw error;
    }
  }
  await syncDirectory(port, dirname(path), options);
  return { kind: "replaced", identity };
}

/** Writes a file under a name that nobody else can know: so the name alone says that it is ours, also after a failed create. */
async function writeFreshFile(port: FilePort, path: string, bytes: Uint8Array, mode: number): Promise<FileIdentity> {
  let created: Created;
  try {
    created = await writeNewFile(port, path, bytes, mode);
  } catch (error) {
    await answerOr(undefined, () => port.unlink(path));
    throw error;
  }
  if (created.kind === "created") return created.identity;
  throw errnoError("EEXIST", "open", path);
}

async function writeNewFile(port: FilePort, path: string, bytes: Uint8Array, mode: number): Promise<Created> {
  let file: OpenFile;
  try {
    file = await port.createExclusive(path, mode);
  } catch (error) {
    if (hasErrno(error, "EEXIST")) return { kind: "exists" };
    throw error;
  }
  let isOpen = true;
  let own: FileIdentity | null = null;
  try {
    own = fileIdentityOf(await file.stat());
    await writeAll(file, path, bytes);
    await file.sync();
    const identity = fileIdentityOf(await file.stat());
    isOpen = false;
    // Network file systems report a failed write only here.
    await file.close();
    return { kind: "created", identity };
  } catch (error) {
    own ??= await answerOr(null, async () => fileIdentityOf(await file.stat()));
    if (isOpen) await answerOr(undefined, () => file.close());
    if (own !== null) await removeOwn(port, path, own);
    throw error;
  }
}

/** A write may legally take fewer bytes than it was given; one that takes none at all will never end. */
async function writeAll(file: OpenFile, path: string, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const taken = await file.write(bytes.subarray(written), written);
    if (taken === 0) throw errnoError("ENOSPC", "write", path);
    written += taken;
  }
}

/** True when it is gone. Cleaning up never hides the failure that made it necessary. */
async function removeOwn(port: FilePort, path: string, own: FileIdentity): Promise<boolean> {
  return await answerOr(false, async () => (await unlinkIfSame(port, path, own)) !== "different");
}

async function isInodeAt(port: FilePort, path: string, identity: FileIdentity): Promise<boolean> {
  return await answerOr(false, () => holdsInode(port, path, identity));
}
