// Owns: reading one run directory as far as its claims need it, and re-reading only what changed.
// Leaves to others: which directories are runs (readStore.ts), second looks (settle.ts), judging (judgeReadings.ts), what a run's documents say.
import { join } from "node:path";
import { errnoOf } from "../storage/errno.js";
import type { ReadPort } from "../storage/filePort.js";
import { lookAtLock, lookOf, statOfLook, type LockFile } from "../systems/lattice/lifecycleLockFile.js";
import { lockKindOf, maxBytesOf, type LockKind } from "./lockKinds.js";
import type { DirectoryLook, ScanDisk } from "./scanDisk.js";
import type { ScanProblem } from "./snapshot.js";
import { isUnchanged, stampFactsOf, stampOf, type Stamp } from "./stamp.js";

/** One lock file as it was read. Immutable; the same object as long as the file does not change. */
export interface LockReading {
  readonly kind: LockKind;
  readonly path: string;
  readonly look: LockFile;
  readonly stamp: Stamp | null;
  /** Two looks disagreed: `look` is the last good one, and the next refresh looks again. */
  readonly isUnsettled: boolean;
}

/** A directory that may hold locks, as it was read. Immutable; the same object as long as nothing in it changes. */
export interface DirectoryReading {
  readonly name: string;
  readonly path: string;
  /** Null when it could not be read; the next refresh tries again. */
  readonly stamp: Stamp | null;
  readonly locks: readonly LockReading[];
  /** Problems of the listing; those of locks are in the locks. */
  readonly problems: readonly ScanProblem[];
  readonly isUnsettled: boolean;
}

export interface ReadContext {
  readonly port: ReadPort;
  readonly disk: ScanDisk;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The errno of a kernel answer. @throws anything else: a bug, or an abort. */
export function errnoOrThrow(error: unknown): string {
  const code = errnoOf(error);
  if (code === null) throw error;
  return code;
}

/** The runtime's name for a lock that its recovery moved aside (spec/lattice.md 4.3). */
const staleLockPattern = /^\.\.lifecycle\.lock\.(\d+)\.[0-9a-fA-F-]+\.stale$/;

const noProblems: readonly ScanProblem[] = [];
const noLocks: readonly LockReading[] = [];

function problemsOf(path: string, names: readonly string[]): readonly ScanProblem[] {
  // Nearly always so, and ten thousand times a scan.
  if (!names.some((name) => name.startsWith(".."))) return noProblems;
  const problems: ScanProblem[] = [];
  for (const name of names) {
    const pid = staleLockPattern.exec(name)?.[1];
    if (pid !== undefined) problems.push({ code: "recovery-leftover", path: join(path, name), detail: pid });
  }
  return problems;
}

/**
 * Reads a directory, or what changed in it since `previous`. Follows no link, also when the directory was replaced by one.
 * Null when it is gone. Kernel answers become problems. Answers at once where the disk does and no lock is to be read.
 */
export function readDirectory(context: ReadContext, name: string, path: string, previous: DirectoryReading | null): Read | Promise<Read> {
  const trusted = previous?.isUnsettled === true ? null : previous;
  const look = context.disk.lookAtDirectory(path, (facts) => trusted !== null && isUnchanged(trusted.stamp, facts));
  return look instanceof Promise ? look.then((settled) => readLooked(context, name, path, settled, previous)) : readLooked(context, name, path, look, previous);
}

type Read = DirectoryReading | null;

function readLooked(context: ReadContext, name: string, path: string, look: DirectoryLook, previous: Read): Read | Promise<Read> {
  switch (look.kind) {
    case "missing":
      return name.includes("\uFFFD") ? unreadable(name, path, "name-not-utf8", null) : null;
    case "not-directory":
      return unreadable(name, path, look.type === "symlink" ? "symlink" : "not-a-directory", look.type);
    case "unreadable":
      return unreadable(name, path, "unreadable", look.code);
    case "known":
      return previous === null || previous.locks.length === 0 ? previous : refreshLocks(context, previous);
    case "listed": {
      const stamp = stampOf(look.facts, context.now());
      const reading = { name, path, stamp, locks: noLocks, problems: problemsOf(path, look.names), isUnsettled: false };
      return look.names.some((entry) => lockKindOf(entry) !== null) ? readLocks(context, reading, look.names, previous) : reading;
    }
  }
}

async function readLocks(context: ReadContext, reading: DirectoryReading, names: readonly string[], previous: Read): Promise<DirectoryReading> {
  const locks: LockReading[] = [];
  for (const name of names) {
    const kind = lockKindOf(name);
    if (kind === null) continue;
    const path = join(reading.path, name);
    const lock = await readLock(context, kind, path, previous?.locks.find((known) => known.path === path) ?? null);
    if (lock !== null) locks.push(lock);
  }
  return { ...reading, locks };
}

function unreadable(name: string, path: string, code: string, detail: string | null): DirectoryReading {
  return { name, path, stamp: null, locks: [], problems: [{ code, path, detail }], isUnsettled: false };
}

/** The listing holds, the files in it may have been written to. */
async function refreshLocks(context: ReadContext, previous: DirectoryReading): Promise<DirectoryReading> {
  const locks: LockReading[] = [];
  for (const lock of previous.locks) {
    const now = await readLock(context, lock.kind, lock.path, lock);
    if (now !== null) locks.push(now);
  }
  const isSame = locks.length === previous.locks.length && locks.every((lock, index) => lock === previous.locks[index]);
  // A lock that is gone although the listing seems unchanged: the stamp cannot be trusted.
  const stamp = locks.length === previous.locks.length ? previous.stamp : null;
  return isSame ? previous : { ...previous, locks, stamp };
}

/** Null when the lock is gone. */
async function readLock(context: ReadContext, kind: LockKind, path: string, previous: LockReading | null): Promise<LockReading | null> {
  if (previous !== null && !previous.isUnsettled) {
    const answer = context.disk.stampAt(path);
    const facts = answer instanceof Promise ? await answer : answer;
    if (facts !== null && isUnchanged(previous.stamp, facts)) return previous;
  }
  const now = context.now();
  const plain = context.disk.readPlainFile(path, maxBytesOf(kind));
  const look = plain === null ? await lookAtLock(context.port, path, maxBytesOf(kind)) : lookOf(plain.stat, plain.bytes);
  if (look.kind === "missing") return null;
  const stat = statOfLook(look);
  return { kind, path, look, stamp: stat === null ? null : stampOf(stampFactsOf(stat), now), isUnsettled: false };
}
