// Owns: the names of a namespace and what each is, looked at twice so that what moved in between is known.
// Leaves to others: reading records (readRecord.ts), rows and verdicts (inspectNamespace.ts).
import { join } from "node:path";
import type { ScanProblem } from "../../scan/snapshot.js";
import { errnoOf, isMissing, retryTransient } from "../../storage/errno.js";
import { fileIdentityOf, isSameFile } from "../../storage/fileIdentity.js";
import type { FileStat, ReadPort } from "../../storage/filePort.js";
import { ownerFileName, type NamespaceLayout } from "./namespaceLayout.js";

export interface ListedEntry {
  readonly name: string;
  readonly path: string;
  readonly stat: FileStat;
  /** lstat of the owner file of a directory; null when there is none. */
  readonly ownerStat: FileStat | null;
}

export interface NamespaceListing {
  readonly root: readonly ListedEntry[];
  readonly workers: readonly ListedEntry[];
  readonly quarantine: readonly ListedEntry[];
  readonly problems: readonly ScanProblem[];
}

/** The errno of a kernel answer. @throws anything else */
function errnoOrThrow(error: unknown): string {
  const code = errnoOf(error);
  if (code === null) throw error;
  return code;
}

/** Null when nothing is there. A transient answer is asked for once more. */
async function look(port: ReadPort, path: string): Promise<FileStat | null> {
  try {
    return await retryTransient(() => port.lstat(path));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function ownerStatOf(port: ReadPort, path: string, stat: FileStat): Promise<FileStat | null> {
  if (stat.type !== "directory") return null;
  try {
    return await look(port, join(path, ownerFileName));
  } catch (error) {
    // What cannot be looked at is reported when it is read.
    errnoOrThrow(error);
    return null;
  }
}

interface Listed {
  readonly entries: readonly ListedEntry[];
  readonly problems: readonly ScanProblem[];
}

const nothing: Listed = { entries: [], problems: [] };

function problem(code: string, path: string, detail: string | null): Listed {
  return { entries: [], problems: [{ code, path, detail }] };
}

async function listEntries(port: ReadPort, directory: string): Promise<Listed> {
  const entries: ListedEntry[] = [];
  const problems: ScanProblem[] = [];
  const names = (await retryTransient(() => port.readdir(directory))).map(({ name }) => name).sort();
  for (const name of names) {
    const path = join(directory, name);
    try {
      const stat = await look(port, path);
      if (stat !== null) entries.push({ name, path, stat, ownerStat: await ownerStatOf(port, path, stat) });
    } catch (error) {
      problems.push({ code: "unreadable", path, detail: errnoOrThrow(error) });
    }
  }
  return { entries, problems };
}

/** Entries of one directory. A symlink or anything else in its place is a problem: nothing is read through it. */
async function list(port: ReadPort, directory: string): Promise<Listed> {
  try {
    const stat = await look(port, directory);
    if (stat === null) return nothing;
    if (stat.type !== "directory") return problem(stat.type === "symlink" ? "symlink" : "not-a-directory", directory, stat.type);
    return await listEntries(port, directory);
  } catch (error) {
    if (isMissing(error)) return nothing;
    return problem("unreadable", directory, errnoOrThrow(error));
  }
}

/** Never writes, follows no link, throws for no state of the disk. */
export async function listNamespace(port: ReadPort, layout: NamespaceLayout): Promise<NamespaceListing> {
  const root = await list(port, layout.root);
  // Through a namespace that is no directory nothing below it is looked at either.
  const isUsable = root.problems.every(({ path }) => path !== layout.root);
  const workers = isUsable ? await list(port, layout.workersDirectory) : nothing;
  const quarantine = isUsable ? await list(port, layout.quarantineDirectory) : nothing;
  return {
    root: root.entries,
    workers: workers.entries,
    quarantine: quarantine.entries,
    problems: [...root.problems, ...workers.problems, ...quarantine.problems],
  };
}

function isSameStat(a: FileStat | null, b: FileStat | null): boolean {
  if (a === null || b === null) return a === b;
  return a.type === b.type && isSameFile(fileIdentityOf(a), fileIdentityOf(b));
}

/** Paths that are not the same in both looks, come and gone ones included. */
export function changedBetween(before: NamespaceListing, after: NamespaceListing): ReadonlySet<string> {
  const all = (listing: NamespaceListing): Map<string, ListedEntry> =>
    new Map([...listing.root, ...listing.workers, ...listing.quarantine].map((entry) => [entry.path, entry]));
  const [old, now] = [all(before), all(after)];
  const changed = new Set<string>();
  for (const path of new Set([...old.keys(), ...now.keys()])) {
    const [a, b] = [old.get(path), now.get(path)];
    // Directories of the layout change with every entry: their entries are compared instead.
    const isLayout = a?.name === "worker-session-leases" || a?.name === "quarantine";
    const isSame = a !== undefined && b !== undefined && (isLayout || (isSameStat(a.stat, b.stat) && isSameStat(a.ownerStat, b.ownerStat)));
    if (!isSame) changed.add(path);
  }
  return changed;
}
