// Owns: a ReadPort for local disks that is fast: synchronous kernel calls in time slices.
// Leaves to others: deciding which disk is local (scanRunState.ts); disks that can hang get the asynchronous port.
import * as fs from "node:fs";
import type { DirectoryEntry, OpenFile, ReadPort } from "../storage/filePort.js";
import { readFlags, statOf, typeOf } from "../storage/nodeFilePort.js";
import type { Pace } from "./pace.js";

/**
 * Reads of a local disk; lets others run whenever the slice of `pace` is used up. Errors are the kernel's, as of any ReadPort.
 * A hundred thousand small reads through the thread pool cost five times as much as the reads themselves
 * (design/speed-and-reliability.md b); here only a used-up slice costs a turn of the event loop.
 */
export function slicedReadPort(pace: Pace): ReadPort {
  const sliced = async <Result>(read: () => Result): Promise<Result> => {
    if (pace.isDue()) await pace.rest();
    return read();
  };
  return {
    lstat: (path) => sliced(() => statOf(fs.lstatSync(path, { bigint: true }))),
    openRead: (path) => sliced(() => openedFile(fs.openSync(path, readFlags))),
    readdir: (path) => sliced(() => fs.readdirSync(path, { withFileTypes: true }).map((entry): DirectoryEntry => ({ name: entry.name, type: typeOf(entry) }))),
    readlink: (path) => sliced(() => fs.readlinkSync(path)),
    realpath: (path) => sliced(() => fs.realpathSync.native(path)),
  };
}

/** What `run` throws becomes a rejection. */
function promised<Result>(run: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    resolve(run());
  });
}

function refuse(call: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(`EBADF: opened for reading only, ${call}`), { code: "EBADF", syscall: call }));
}

/** Not sliced: a descriptor is held as short as possible, and readers are bounded. */
function openedFile(descriptor: number): OpenFile {
  return {
    stat: () => promised(() => statOf(fs.fstatSync(descriptor, { bigint: true }))),
    read: (position, length) =>
      promised(() => {
        const bytes = new Uint8Array(length);
        return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, length, position));
      }),
    write: () => refuse("write"),
    sync: () => refuse("fsync"),
    close: () => promised(() => fs.closeSync(descriptor)),
  };
}
