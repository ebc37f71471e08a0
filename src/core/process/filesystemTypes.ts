// Owns: which file systems are certainly local to one machine. Everything not listed counts as shared (spec/pi-amq.md section 14).
// Leaves to others: asking which one a directory lies on (the observers).

/** `f_type` of statfs(2), from linux/magic.h and the file systems' own headers. Cluster file systems are not local. */
const localLinuxTypes: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x5846_5342, // xfs
  0x9123_683e, // btrfs
  0xca45_1a4e, // bcachefs
  0x2fc1_2fc1, // zfs
  0xf2f5_2010, // f2fs
  0x0102_1994, // tmpfs
  0x8584_58f6, // ramfs
  0x794c_7630, // overlayfs
  0x3153_464a, // jfs
  0x5265_4973, // reiserfs
  0x3434, // nilfs2
  0x4d44, // vfat, msdos
  0x2011_bab0, // exfat
  0x7366_746e, // ntfs3
  0x482b, // hfsplus
  0x1501_3346, // udf
]);

/** A signed 32-bit answer of an old kernel is the same type. */
export function isLocalLinuxType(type: number): boolean {
  return localLinuxTypes.has(type >>> 0);
}

const localDarwinTypes: ReadonlySet<string> = new Set(["apfs", "hfs", "ufs", "msdos", "exfat"]);

/**
 * Whether a path lies on a local volume, by the text of `/sbin/mount`: `<device> on <directory> (<type>, <flags>)`.
 * @param path absolute, without links. @returns false also when any line cannot be read: it may be the one that matters.
 */
export function isLocalDarwinPath(mounts: string, path: string): boolean {
  let best: { readonly directory: string; readonly isLocal: boolean } | null = null;
  for (const line of mounts.split("\n")) {
    if (line.trim() === "") continue;
    const match = /^.*? on (\/.*) \(([^()]+)\)$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined) return false;
    const directory = match[1];
    const [type, ...flags] = match[2].split(", ");
    const contains = directory === "/" || path === directory || path.startsWith(`${directory}/`);
    // The later of two mounts on one directory covers the earlier.
    if (!contains || (best !== null && best.directory.length > directory.length)) continue;
    best = { directory, isLocal: localDarwinTypes.has(type ?? "") && flags.includes("local") };
  }
  return best?.isLocal ?? false;
}

/** Whether a path of Windows, resolved by the system (which turns mapped drives into their share), lies on a drive of this machine. */
export function isLocalWindowsPath(resolved: string): boolean {
  return /^(?:\\\\\?\\)?[A-Za-z]:[\\/]/.test(resolved);
}
