// Owns: the looks that a scan takes for every run and lock, over any port or straight at a local disk.
// Leaves to others: files that are not plain (readBounded.ts), what names and bytes mean (readDirectory.ts), when to rest (readStore.ts).
import * as fs from "node:fs";
import { isMissing, errnoOf, retryTransient } from "../storage/errno.js";
import type { FileStat, ReadPort } from "../storage/filePort.js";
import { readFlags, statOf, typeOf } from "../storage/nodeFilePort.js";
import { stampFactsOf, type StampFacts } from "./stamp.js";

export type DirectoryLook =
  /** `facts` were taken before the listing: what changes meanwhile has later times. */
  | { readonly kind: "listed"; readonly facts: StampFacts; readonly names: readonly string[] }
  /** `isKnown` accepted the facts: not listed again. */
  | { readonly kind: "known" }
  | { readonly kind: "missing" }
  | { readonly kind: "not-directory"; readonly type: FileStat["type"] }
  /** `code`: the errno. */
  | { readonly kind: "unreadable"; readonly code: string };

/**
 * The three looks that a scan takes ten thousand times. A disk may answer at once: as many promises for answers that are there
 * already would cost more than the answers. Kernel answers are results.
 */
export interface ScanDisk {
  /** Looks at a directory without following a link at its name. */
  lookAtDirectory(path: string, isKnown: (facts: StampFacts) => boolean): DirectoryLook | Promise<DirectoryLook>;
  /** What lstat says; null when it says nothing (the reader then finds out why). */
  stampAt(path: string): StampFacts | null | Promise<StampFacts | null>;
  /** A regular file of at most `maxBytes` that nobody touched during the look; null for everything else, which readBounded sorts out. */
  readPlainFile(path: string, maxBytes: number): PlainFile | null;
}

export interface PlainFile {
  readonly stat: FileStat;
  readonly bytes: Uint8Array;
}

const known: DirectoryLook = { kind: "known" };

function refusal(error: unknown): DirectoryLook {
  if (isMissing(error)) return { kind: "missing" };
  const code = errnoOf(error);
  if (code === null) throw error;
  return { kind: "unreadable", code };
}

/** Over any port. */
export function diskOver(port: ReadPort): ScanDisk {
  return {
    lookAtDirectory: async (path, isKnown) => {
      try {
        const stat = await retryTransient(() => port.lstat(path));
        if (stat.type !== "directory") return { kind: "not-directory", type: stat.type };
        const facts = stampFactsOf(stat);
        if (isKnown(facts)) return known;
        const entries = await retryTransient(() => port.readdir(path));
        return { kind: "listed", facts, names: entries.map(({ name }) => name) };
      } catch (error) {
        return refusal(error);
      }
    },
    stampAt: async (path) => {
      try {
        return stampFactsOf(await port.lstat(path));
      } catch (error) {
        refusal(error);
        return null;
      }
    },
    readPlainFile: () => null,
  };
}

/** For local disks: synchronous. The caller gives the event loop back between looks. */
export const localDisk: ScanDisk = {
  lookAtDirectory: (path, isKnown) => {
    try {
      const stat = fs.lstatSync(path);
      if (!stat.isDirectory()) return { kind: "not-directory", type: typeOf(stat) };
      return isKnown(factsOf(stat)) ? known : { kind: "listed", facts: factsOf(stat), names: fs.readdirSync(path) };
    } catch (error) {
      return refusal(error);
    }
  },
  stampAt: (path) => {
    try {
      return factsOf(fs.lstatSync(path));
    } catch (error) {
      refusal(error);
      return null;
    }
  },
  readPlainFile: (path, maxBytes) => {
    try {
      // A FIFO must not be opened at all, not even for a moment: whoever waits to write to it would go on.
      if (!fs.lstatSync(path).isFile()) return null;
      const descriptor = fs.openSync(path, readFlags);
      try {
        return readWhole(descriptor, maxBytes);
      } finally {
        fs.closeSync(descriptor);
      }
    } catch (error) {
      refusal(error);
      return null;
    }
  },
};

function readWhole(descriptor: number, maxBytes: number): PlainFile | null {
  const stat = statOf(fs.fstatSync(descriptor, { bigint: true }));
  const size = Number(stat.size);
  if (stat.type !== "file" || stat.linkCount === 0n || size > maxBytes) return null;
  // One byte more than expected: a file that grew meanwhile gives it away.
  const bytes = new Uint8Array(size + 1);
  return fs.readSync(descriptor, bytes, 0, size + 1, 0) === size ? { stat, bytes: bytes.subarray(0, size) } : null;
}

function factsOf(stat: fs.Stats): StampFacts {
  return { device: stat.dev, inode: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs };
}
