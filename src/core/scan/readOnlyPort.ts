// Owns: making sure that inspection writes nothing, whatever code it borrows: every mutation is refused before it reaches a disk.
// Leaves to others: reading.
import type { FilePort, ReadPort } from "../storage/filePort.js";

function refuse(call: string, path: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(`EROFS: inspection never writes, ${call} '${path}'`), { code: "EROFS", syscall: call, path }));
}

/** `port` for code that is typed for more than it does. */
export function readOnlyPort(port: ReadPort): FilePort {
  return {
    lstat: (path) => port.lstat(path),
    openRead: (path) => port.openRead(path),
    readdir: (path) => port.readdir(path),
    readlink: (path) => port.readlink(path),
    realpath: (path) => port.realpath(path),
    createExclusive: (path) => refuse("open", path),
    link: (from) => refuse("link", from),
    rename: (from) => refuse("rename", from),
    unlink: (path) => refuse("unlink", path),
    mkdir: (path) => refuse("mkdir", path),
    rmdir: (path) => refuse("rmdir", path),
    syncDirectory: (path) => refuse("fsync", path),
  };
}
