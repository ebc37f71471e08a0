// Owns: reading one small file so that what comes back is one consistent content of one known regular file.
// Leaves to others: what the bytes mean.
import { answerOr, hasErrno, errnoOf, isMissing, retryTransient } from "./errno.js";
import type { FileStat, OpenFile, ReadPort } from "./filePort.js";

export type BoundedRead =
  | { readonly kind: "read"; readonly bytes: Uint8Array; readonly stat: FileStat }
  | { readonly kind: "missing" }
  | { readonly kind: "not-regular"; readonly type: FileStat["type"] }
  /** `size` in bytes; nothing beyond the limit was read. */
  | { readonly kind: "too-large"; readonly size: bigint }
  /** Replaced or written to between first and last look: the bytes would be of no single content. */
  | { readonly kind: "changed-while-read" }
  /** `code`: the errno. */
  | { readonly kind: "unreadable"; readonly code: string };

/**
 * Reads a whole regular file without following a link at its name. Never opens a FIFO, socket or device (lstat first), never
 * hangs, never reads more than `maxBytes`. A transient answer is asked for once more. Never writes.
 * Kernel answers are results; anything else is a bug and is thrown.
 */
export async function readBounded(port: ReadPort, path: string, options: { readonly maxBytes: number }): Promise<BoundedRead> {
  try {
    const before = await retryTransient(() => port.lstat(path));
    if (before.type !== "file") return { kind: "not-regular", type: before.type };
    if (before.size > BigInt(options.maxBytes)) return { kind: "too-large", size: before.size };
    const file = await retryTransient(() => port.openRead(path));
    let outcome: BoundedRead;
    try {
      outcome = await readOpened(file, before, options.maxBytes);
    } catch (error) {
      await closeQuietly(file);
      throw error;
    }
    await closeQuietly(file);
    return outcome;
  } catch (error) {
    if (isMissing(error)) return { kind: "missing" };
    // The name became a symlink between lstat and open.
    if (hasErrno(error, "ELOOP")) return { kind: "not-regular", type: "symlink" };
    const code = errnoOf(error);
    if (code === null) throw error;
    return { kind: "unreadable", code };
  }
}

/** Closing a file that was only read can lose nothing, whatever the kernel says. */
async function closeQuietly(file: OpenFile): Promise<void> {
  await answerOr(undefined, () => file.close());
}

async function readOpened(file: OpenFile, before: FileStat, maxBytes: number): Promise<BoundedRead> {
  const opened = await retryTransient(() => file.stat());
  if (opened.type !== "file") return { kind: "not-regular", type: opened.type };
  if (opened.device !== before.device || opened.inode !== before.inode) return { kind: "changed-while-read" };
  if (opened.size > BigInt(maxBytes)) return { kind: "too-large", size: opened.size };
  const bytes = await readExactly(file, Number(opened.size));
  // A file that grew shows here as another size, so no read beyond the expected end is needed.
  const after = await retryTransient(() => file.stat());
  const isSteady = bytes !== null && after.size === opened.size && after.mtimeNs === opened.mtimeNs;
  return isSteady ? { kind: "read", bytes, stat: after } : { kind: "changed-while-read" };
}

/** Null when the end comes earlier than expected. A short read is legal and only loops. */
async function readExactly(file: OpenFile, length: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let read = 0;
  while (read < length) {
    const position = read;
    const chunk = await retryTransient(() => file.read(position, length - position));
    if (chunk.byteLength === 0) return null;
    chunks.push(chunk);
    read += chunk.byteLength;
  }
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : concatenate(chunks, length);
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
