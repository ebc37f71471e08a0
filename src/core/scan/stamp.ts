// Owns: whether a file or directory is still what it was when it was read, without reading it again.
// Leaves to others: reading (readDirectory.ts, readRuns.ts).
import type { FileStat } from "../storage/filePort.js";

/**
 * What stat says, as numbers: a scan keeps ten thousand of them. They only tell change from no change; which file it is, where
 * that matters, is a FileIdentity.
 */
export interface StampFacts {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** Milliseconds since the epoch, with as much fraction as a number holds (a quarter of a microsecond). */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export interface Stamp extends StampFacts {
  /** Written so shortly before it was read that a later write may carry the very same times: proves nothing. */
  readonly isRacy: boolean;
}

export function stampFactsOf(stat: FileStat): StampFacts {
  return {
    device: Number(stat.device),
    inode: Number(stat.inode),
    size: Number(stat.size),
    mtimeMs: milliseconds(stat.mtimeNs),
    ctimeMs: milliseconds(stat.ctimeNs),
  };
}

/** Exactly as Node computes `mtimeMs`, to the last bit: stamps of one file must be equal however its stat was had. */
function milliseconds(ns: bigint): number {
  return Number(ns / 1_000_000_000n) * 1e3 + Number(ns % 1_000_000_000n) / 1e6;
}

/*
 * A file system takes its times from a clock that ticks every few milliseconds (local disks), whole seconds (old formats), or
 * that of another machine (servers). Two writes within one tick look alike, so a stamp is only trusted when it is older.
 */
const tickMs = 50;
const wholeSecondsTickMs = 2_500;

/** @param now milliseconds since the epoch when the content was read. */
export function stampOf(facts: StampFacts, now: number): Stamp {
  const { device, inode, size, mtimeMs, ctimeMs } = facts;
  const latestMs = Math.max(mtimeMs, ctimeMs);
  // Also racy: a time from the future, as after the clock was set or from a server whose clock is ahead.
  return { device, inode, size, mtimeMs, ctimeMs, isRacy: now - latestMs < (latestMs % 1_000 === 0 ? wholeSecondsTickMs : tickMs) };
}

export function isUnchanged(stamp: Stamp | null, facts: StampFacts): boolean {
  return (
    stamp?.isRacy === false &&
    stamp.mtimeMs === facts.mtimeMs &&
    stamp.ctimeMs === facts.ctimeMs &&
    stamp.size === facts.size &&
    stamp.inode === facts.inode &&
    stamp.device === facts.device
  );
}
