// Owns: looking at one directory (what it is, what is in it), the step that a scan does for every run.
// Leaves to others: reading files, what the names mean (readDirectory.ts), when to rest (readStore.ts).
import * as fs from "node:fs";
import { isMissing, errnoOf, retryTransient } from "../storage/errno.js";
import type { FileStat, ReadPort } from "../storage/filePort.js";
import { typeOf } from "../storage/nodeFilePort.js";
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
 * Looks at a directory without following a link at its name. Kernel answers are results. A disk may answer at once: ten thousand
 * promises for answers that are there already would cost more than the answers.
 */
export type LookAtDirectory = (path: string, isKnown: (facts: StampFacts) => boolean) => DirectoryLook | Promise<DirectoryLook>;

const known: DirectoryLook = { kind: "known" };

function refusal(error: unknown): DirectoryLook {
  if (isMissing(error)) return { kind: "missing" };
  const code = errnoOf(error);
  if (code === null) throw error;
  return { kind: "unreadable", code };
}

/** Over any port. */
export function directoriesOf(port: ReadPort): LookAtDirectory {
  return async (path, isKnown) => {
    try {
      const stat = await retryTransient(() => port.lstat(path));
      if (stat.type !== "directory") return { kind: "not-directory", type: stat.type };
      const facts = stampFactsOf(stat);
      if (isKnown(facts)) return { kind: "known" };
      const entries = await retryTransient(() => port.readdir(path));
      return { kind: "listed", facts, names: entries.map(({ name }) => name) };
    } catch (error) {
      return refusal(error);
    }
  };
}

/** For local disks: synchronous. The caller gives the event loop back between looks. */
export const localDirectories: LookAtDirectory = (path, isKnown) => {
  try {
    const stat = fs.lstatSync(path);
    if (!stat.isDirectory()) return { kind: "not-directory", type: typeOf(stat) };
    const facts = { device: stat.dev, inode: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs };
    return isKnown(facts) ? known : { kind: "listed", facts, names: fs.readdirSync(path) };
  } catch (error) {
    return refusal(error);
  }
};
