// Owns: a small POSIX file system in memory behind the FilePort, so that thousands of runs with a fault at every step take
// seconds: inodes, hard links, directories, open files that outlive their names, rename's rules.
// Leaves to others: durability after a power cut, which the model of test/model explores. memoryDisk.test.ts compares it with the real disk.
import { errnoError } from "../../fakes/files.js";
import type { FilePort, FileStat, OpenFile } from "../../../src/core/storage/filePort.js";

interface Inode {
  readonly number: bigint;
  readonly type: "file" | "directory" | "symlink";
  mode: number;
  links: number;
  bytes: Uint8Array;
  readonly entries: Map<string, Inode>;
  mtime: bigint;
  ctime: bigint;
}

/** A kernel call as the port promises it: whatever is thrown becomes a rejection. */
function answer<Args extends readonly unknown[], Result>(call: (...args: Args) => Result): (...args: Args) => Promise<Result> {
  return (...args) => new Promise((resolve) => resolve(call(...args)));
}

export interface Disk {
  readonly port: FilePort;
  /** Every path with its content (directories: null), sorted; for assertions. */
  snapshot(): readonly (readonly [string, string | null])[];
}

export interface MemoryDisk extends Disk {
  /** False: link answers EPERM, as on FAT. */
  hasHardLinks: boolean;
  /** Milliseconds since the epoch that new files get. */
  now: number;
  /** Other bytes without another time, as after a write through a mapping, or when somebody has set the time back. */
  rewriteSilently(path: string, content: string): void;
  /** The same disk a second time: what happens to one does not happen to the other. */
  copy(): MemoryDisk;
}

const texts = new WeakMap<Uint8Array, string>();

/** Contents are replaced, never changed, so a text can be kept. */
function textOf(bytes: Uint8Array): string {
  const known = texts.get(bytes);
  if (known !== undefined) return known;
  const text = new TextDecoder().decode(bytes);
  texts.set(bytes, text);
  return text;
}

interface Origin {
  readonly root: Inode;
  readonly last: bigint;
  readonly tick: bigint;
}

/** Two names of one file stay two names of one file. */
function copyInode(inode: Inode, copies: Map<Inode, Inode>): Inode {
  const known = copies.get(inode);
  if (known !== undefined) return known;
  const copy: Inode = { ...inode, entries: new Map() };
  copies.set(inode, copy);
  for (const [name, entry] of inode.entries) copy.entries.set(name, copyInode(entry, copies));
  return copy;
}

export function memoryDisk(now = Date.UTC(2026, 0, 1), origin: Origin | null = null): MemoryDisk {
  let last = origin?.last ?? 1n;
  let tick = origin?.tick ?? 0n;
  const disk: MemoryDisk = { port: undefined as unknown as FilePort, hasHardLinks: true, now, snapshot, copy, rewriteSilently };
  // Each write has its own nanosecond, as on a disk with fine times.
  const time = (): bigint => BigInt(disk.now) * 1_000_000n + (tick += 1n);
  const make = (type: Inode["type"], mode: number): Inode => {
    const at = time();
    return { number: (last += 1n), type, mode, links: type === "directory" ? 2 : 1, bytes: new Uint8Array(), entries: new Map(), mtime: at, ctime: at };
  };
  const root = origin === null ? make("directory", 0o755) : copyInode(origin.root, new Map());

  const split = (path: string): readonly string[] => path.split("/").filter((name) => name !== "");
  const find = (path: string, operation: string): Inode => {
    let at = root;
    for (const name of split(path)) {
      if (at.type !== "directory") throw errnoError("ENOTDIR", operation, path);
      const next = at.entries.get(name);
      if (next === undefined) throw errnoError("ENOENT", operation, path);
      at = next;
    }
    return at;
  };
  const parentOf = (path: string, operation: string): { readonly parent: Inode; readonly name: string } => {
    const names = split(path);
    const name = names.at(-1);
    if (name === undefined) throw errnoError("EBUSY", operation, path);
    const parent = find(names.slice(0, -1).join("/"), operation);
    if (parent.type !== "directory") throw errnoError("ENOTDIR", operation, path);
    return { parent, name };
  };
  const touch = (inode: Inode): void => {
    inode.mtime = inode.ctime = time();
  };
  const enter = (parent: Inode, name: string, inode: Inode): void => {
    parent.entries.set(name, inode);
    touch(parent);
  };
  const leave = (parent: Inode, name: string): void => {
    parent.entries.delete(name);
    touch(parent);
  };
  const statOf = (inode: Inode): FileStat => ({
    type: inode.type,
    device: 7n,
    inode: inode.number,
    linkCount: BigInt(inode.links),
    size: BigInt(inode.type === "directory" ? inode.entries.size : inode.bytes.byteLength),
    mtimeNs: inode.mtime,
    ctimeNs: inode.ctime,
    mode: inode.mode,
    uid: 1000,
  });
  const opened = (inode: Inode): OpenFile => ({
    stat: answer(() => statOf(inode)),
    read: answer((position: number, length: number) => inode.bytes.slice(position, position + length)),
    write: answer((bytes: Uint8Array, position: number) => {
      const grown = new Uint8Array(Math.max(inode.bytes.byteLength, position + bytes.byteLength));
      grown.set(inode.bytes);
      grown.set(bytes, position);
      inode.bytes = grown;
      touch(inode);
      return bytes.byteLength;
    }),
    sync: answer(() => {}),
    close: answer(() => {}),
  });

  function rewriteSilently(path: string, content: string): void {
    find(path, "open").bytes = new TextEncoder().encode(content);
  }

  function copy(): MemoryDisk {
    return Object.assign(memoryDisk(disk.now, { root, last, tick }), { hasHardLinks: disk.hasHardLinks });
  }

  function snapshot(): readonly (readonly [string, string | null])[] {
    const all: (readonly [string, string | null])[] = [];
    const walk = (directory: Inode, path: string): void => {
      for (const [name, inode] of [...directory.entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const at = `${path}/${name}`;
        all.push([at, inode.type === "directory" ? null : textOf(inode.bytes)]);
        if (inode.type === "directory") walk(inode, at);
      }
    };
    walk(root, "");
    return all;
  }

  const port: FilePort = {
    lstat: answer((path: string) => statOf(find(path, "lstat"))),
    openRead: answer((path: string) => {
      const inode = find(path, "open");
      if (inode.type === "symlink") throw errnoError("ELOOP", "open", path);
      return opened(inode);
    }),
    readdir: answer((path: string) => {
      const inode = find(path, "scandir");
      if (inode.type !== "directory") throw errnoError("ENOTDIR", "scandir", path);
      return [...inode.entries].map(([name, entry]) => ({ name, type: entry.type }));
    }),
    readlink: answer((path: string) => {
      const inode = find(path, "readlink");
      if (inode.type !== "symlink") throw errnoError("EINVAL", "readlink", path);
      return new TextDecoder().decode(inode.bytes);
    }),
    realpath: answer((path: string) => {
      find(path, "realpath");
      return path;
    }),
    createExclusive: answer((path: string, mode: number) => {
      const { parent, name } = parentOf(path, "open");
      if (parent.entries.has(name)) throw errnoError("EEXIST", "open", path);
      const inode = make("file", mode);
      enter(parent, name, inode);
      return opened(inode);
    }),
    link: answer((from: string, to: string) => {
      const inode = find(from, "link");
      const { parent, name } = parentOf(to, "link");
      if (parent.entries.has(name)) throw errnoError("EEXIST", "link", to);
      if (inode.type === "directory" || !disk.hasHardLinks) throw errnoError("EPERM", "link", from);
      inode.links += 1;
      inode.ctime = time();
      enter(parent, name, inode);
    }),
    rename: answer((from: string, to: string) => {
      const source = parentOf(from, "rename");
      const inode = source.parent.entries.get(source.name);
      if (inode === undefined) throw errnoError("ENOENT", "rename", from);
      const target = parentOf(to, "rename");
      const replaced = target.parent.entries.get(target.name);
      // rename(2): two names of one file stay as they are.
      if (replaced === inode) return;
      if (replaced !== undefined) {
        if (inode.type === "directory" && replaced.type !== "directory") throw errnoError("ENOTDIR", "rename", to);
        if (inode.type !== "directory" && replaced.type === "directory") throw errnoError("EISDIR", "rename", to);
        if (replaced.entries.size > 0) throw errnoError("ENOTEMPTY", "rename", to);
        replaced.links -= 1;
      }
      leave(source.parent, source.name);
      enter(target.parent, target.name, inode);
      inode.ctime = time();
    }),
    unlink: answer((path: string) => {
      const { parent, name } = parentOf(path, "unlink");
      const inode = parent.entries.get(name);
      if (inode === undefined) throw errnoError("ENOENT", "unlink", path);
      if (inode.type === "directory") throw errnoError("EISDIR", "unlink", path);
      inode.links -= 1;
      inode.ctime = time();
      leave(parent, name);
    }),
    mkdir: answer((path: string, mode: number) => {
      const { parent, name } = parentOf(path, "mkdir");
      if (parent.entries.has(name)) throw errnoError("EEXIST", "mkdir", path);
      enter(parent, name, make("directory", mode));
    }),
    rmdir: answer((path: string) => {
      const { parent, name } = parentOf(path, "rmdir");
      const inode = parent.entries.get(name);
      if (inode === undefined) throw errnoError("ENOENT", "rmdir", path);
      if (inode.type !== "directory") throw errnoError("ENOTDIR", "rmdir", path);
      if (inode.entries.size > 0) throw errnoError("ENOTEMPTY", "rmdir", path);
      leave(parent, name);
    }),
    syncDirectory: answer((path: string) => {
      if (find(path, "open").type !== "directory") throw errnoError("ENOTDIR", "open", path);
    }),
  };
  return Object.assign(disk, { port });
}
