// Owns: the FilePort over the real disk, one kernel call a member.
// Leaves to others: every policy (retries, tolerance, order of steps), which lives in the named steps beside it.
import { constants } from "node:fs";
import * as fs from "node:fs";
import { promisify } from "node:util";
import { errnoError } from "./errno.js";
import type { DirectoryEntry, FilePort, FileStat, OpenFile } from "./filePort.js";

// Callback functions with bare descriptors: measurably faster than fs/promises, and no FileHandle that a forgotten close
// would let the garbage collector close with a warning.
const lstat = promisify<string, { bigint: true }, fs.BigIntStats>(fs.lstat);
const fstat = promisify<number, { bigint: true }, fs.BigIntStats>(fs.fstat);
const open = promisify<string, number, number, number>(fs.open);
const close = promisify(fs.close);
const fsync = promisify(fs.fsync);
const link = promisify(fs.link);
const rename = promisify(fs.rename);
const unlink = promisify(fs.unlink);
const mkdir = promisify<string, number>(fs.mkdir);
const rmdir = promisify<string>(fs.rmdir);
const readdir = promisify<string, { withFileTypes: true }, fs.Dirent[]>(fs.readdir);
const readlink = promisify<string, string>(fs.readlink);
const realpath = promisify<string, string>(fs.realpath.native);

/** Windows lacks some of these: there the lstat before and the fstat after opening do their work (readBounded.ts). */
function flag(name: "O_NOFOLLOW" | "O_NONBLOCK" | "O_NOCTTY" | "O_DIRECTORY"): number {
  const known: Partial<Record<string, number>> = constants;
  return known[name] ?? 0;
}

export const readFlags = constants.O_RDONLY | flag("O_NOFOLLOW") | flag("O_NONBLOCK") | flag("O_NOCTTY");
const createFlags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | flag("O_NOFOLLOW");
const directoryFlags = constants.O_RDONLY | flag("O_DIRECTORY");

interface TypePredicates {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
}

export function typeOf(entry: TypePredicates): FileStat["type"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "symlink";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  if (entry.isBlockDevice() || entry.isCharacterDevice()) return "device";
  return "other";
}

export function statOf(stat: fs.BigIntStats): FileStat {
  return {
    type: typeOf(stat),
    device: stat.dev,
    inode: stat.ino,
    linkCount: stat.nlink,
    size: stat.size,
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
    mode: Number(stat.mode & 0o7777n),
    uid: Number(stat.uid),
  };
}

function openFile(descriptor: number): OpenFile {
  return {
    stat: async () => statOf(await fstat(descriptor, { bigint: true })),
    read: (position, length) =>
      new Promise((resolve, reject) => {
        const bytes = new Uint8Array(length);
        fs.read(descriptor, bytes, 0, length, position, (error, count) => {
          if (error === null) resolve(bytes.subarray(0, count));
          else reject(error);
        });
      }),
    write: (bytes, position) =>
      new Promise((resolve, reject) => {
        fs.write(descriptor, bytes, 0, bytes.byteLength, position, (error, count) => {
          if (error === null) resolve(count);
          else reject(error);
        });
      }),
    sync: () => fsync(descriptor),
    close: () => close(descriptor),
  };
}

/** The real disk. */
export const nodeFilePort: FilePort = {
  lstat: async (path) => statOf(await lstat(path, { bigint: true })),
  openRead: async (path) => openFile(await open(path, readFlags, 0)),
  readdir: async (path) =>
    (await readdir(path, { withFileTypes: true })).map((entry): DirectoryEntry => ({ name: entry.name, type: typeOf(entry) })),
  readlink: (path) => readlink(path),
  realpath: (path) => realpath(path),
  createExclusive: async (path, mode) => openFile(await open(path, createFlags, mode)),
  link: async (from, to) => {
    // link(2) follows a symlink on macOS and does not on Linux. The name can still change in between there: every step that
    // links verifies the inode of what it got.
    if (process.platform !== "linux" && (await lstat(from, { bigint: true })).isSymbolicLink()) throw errnoError("ELOOP", "link", from);
    await link(from, to);
  },
  rename: (from, to) => rename(from, to),
  unlink: (path) => unlink(path),
  mkdir: (path, mode) => mkdir(path, mode),
  rmdir: (path) => rmdir(path),
  syncDirectory: async (path) => {
    const descriptor = await open(path, directoryFlags, 0);
    try {
      await fsync(descriptor);
    } finally {
      await close(descriptor);
    }
  },
};
