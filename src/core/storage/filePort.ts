// Owns: the port to the file system. Every access of the core to a disk goes through it, so that a test can spy on it,
// inject a fault before or after each step, or replace the disk by a model.
// Leaves to others: the named durable steps built from it (steps.ts), the real disk (nodeFilePort.ts).

/** lstat/fstat facts; bigint because inode and nanoseconds exceed what a number holds. */
export interface FileStat {
  readonly type: "file" | "directory" | "symlink" | "fifo" | "socket" | "device" | "other";
  readonly device: bigint;
  readonly inode: bigint;
  readonly linkCount: bigint;
  /** Bytes. */
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
}

/** One open file. Errors are NodeJS.ErrnoException as thrown by the kernel's answer. */
export interface OpenFile {
  stat(): Promise<FileStat>;
  /** Reads up to `length` bytes at `position`; the array may be shorter, and is empty at the end. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** Writes once; returns how many bytes were taken (a short write is legal: the caller loops). */
  write(bytes: Uint8Array, position: number): Promise<number>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: FileStat["type"];
}

/** What inspection may use: nothing here changes a disk. */
export interface ReadPort {
  lstat(path: string): Promise<FileStat>;
  /** Read only, no-follow, non-blocking (a FIFO never hangs it). A symlink gives ELOOP. */
  openRead(path: string): Promise<OpenFile>;
  readdir(path: string): Promise<readonly DirectoryEntry[]>;
  readlink(path: string): Promise<string>;
  realpath(path: string): Promise<string>;
}

/** Mutating primitives, one kernel call each. */
export interface FilePort extends ReadPort {
  /** O_CREAT|O_EXCL|O_WRONLY. */
  createExclusive(path: string, mode: number): Promise<OpenFile>;
  /** link(2): fails with EEXIST when `to` exists. Never follows a symlink `from`. */
  link(from: string, to: string): Promise<void>;
  /** rename(2): replaces a file `to` on POSIX. Use only towards names that are fresh, or see steps.ts. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string, mode: number): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** Opens the directory, fsyncs, closes. */
  syncDirectory(path: string): Promise<void>;
}
