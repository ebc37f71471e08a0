// Owns: turning stat facts into the identity of a file, and comparing identities.
// Leaves to others: reading the facts (filePort.ts) and what a difference means (quarantine/, systems/).
import type { FileIdentity } from "../claims/claim.js";
import type { FileStat } from "./filePort.js";

/** What survives every write. */
export type InodeIdentity = Pick<FileIdentity, "device" | "inode">;

/** Which file it is: survives link and rename, changes with every write. */
export function fileIdentityOf(stat: FileStat): FileIdentity {
  return {
    device: stat.device.toString(),
    inode: stat.inode.toString(),
    size: stat.size.toString(),
    mtimeNs: stat.mtimeNs.toString(),
  };
}

/** The same file at the same content, as far as stat can tell. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return isSameInode(a, b) && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

/** The same file, whatever was written to it meanwhile. All that identifies a directory. */
export function isSameInode(a: InodeIdentity, b: InodeIdentity): boolean {
  return a.device === b.device && a.inode === b.inode;
}

/** Two names of one file. */
export function areSameFile(a: FileStat, b: FileStat | null): boolean {
  return b !== null && a.device === b.device && a.inode === b.inode;
}
