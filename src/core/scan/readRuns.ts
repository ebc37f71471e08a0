// Owns: the listing of `.lattice/runs`: which entries are runs, and what every other entry is.
// Leaves to others: reading one run (readDirectory.ts).
import { join, sep } from "node:path";
import { isIdentifier } from "../artifact/syntax.js";
import { isMissing, retryTransient } from "../storage/errno.js";
import type { DirectoryEntry, FileStat, ReadPort } from "../storage/filePort.js";
import { compositionTwins } from "./nameTwins.js";
import { errnoOrThrow, type ReadContext } from "./readDirectory.js";
import type { ScanProblem } from "./snapshot.js";
import { isUnchanged, stampFactsOf, stampOf, type Stamp } from "./stamp.js";

export interface ListedRun {
  readonly name: string;
  readonly path: string;
  /** What its name alone tells. */
  readonly problems: readonly ScanProblem[];
}

/** Immutable; the same object as long as the directory does not change. */
export interface RunsListing {
  /** Null when it could not be listed; the next refresh tries again. */
  readonly stamp: Stamp | null;
  readonly runs: readonly ListedRun[];
  readonly problems: readonly ScanProblem[];
}

const noProblems: readonly ScanProblem[] = [];
const noRuns: RunsListing = { stamp: null, runs: [], problems: noProblems };

/** What `mkdtemp` makes of `.<run-id>.tmp-`: left by a `run start` that crashed (spec/lattice.md 3.1). */
const crashLeftoverPattern = /^\..+\.tmp-[0-9A-Za-z]{6}$/;

/** Lists `runs/`, or gives `previous` back when it did not change. Follows no link. Kernel answers become problems. */
export async function listRuns({ port, now }: ReadContext, path: string, previous: RunsListing | null): Promise<RunsListing> {
  const problem = (code: string, detail: string | null): RunsListing => ({ ...noRuns, problems: [{ code, path, detail }] });
  try {
    const stat = await retryTransient(() => port.lstat(path));
    if (stat.type === "symlink") return problem("symlink", await targetOf(port, path));
    if (stat.type !== "directory") return problem("not-a-directory", stat.type);
    if (previous !== null && isUnchanged(previous.stamp, stampFactsOf(stat))) return previous;
    // Taken before the listing: what changes meanwhile has later times than this stamp.
    const stamp = stampOf(stampFactsOf(stat), now());
    return { stamp, ...(await sortOut(port, path, await retryTransient(() => port.readdir(path)))) };
  } catch (error) {
    return isMissing(error) ? noRuns : problem("unreadable", errnoOrThrow(error));
  }
}

/** The one run that a root names, as if it were listed. */
export function listOneRun(path: string, name: string): RunsListing {
  return { ...noRuns, runs: [listedRun(path, name, new Set())] };
}

async function sortOut(port: ReadPort, path: string, entries: readonly DirectoryEntry[]): Promise<Pick<RunsListing, "runs" | "problems">> {
  const sorted = [...entries].sort(byName);
  const twins = compositionTwins(sorted.map(({ name }) => name));
  const runs: ListedRun[] = [];
  const problems: ScanProblem[] = [];
  for (const { name, type } of sorted) {
    if (type !== "directory") problems.push(await strayEntry(port, join(path, name), type));
    else if (crashLeftoverPattern.test(name)) problems.push({ code: "crash-leftover", path: join(path, name), detail: null });
    else runs.push(listedRun(path, name, twins));
  }
  return { runs, problems };
}

function listedRun(directory: string, name: string, twins: ReadonlySet<string>): ListedRun {
  // A name from a listing has nothing to normalise, and there may be a hundred thousand.
  const path = `${directory}${sep}${name}`;
  if (isIdentifier(name)) return { name, path, problems: noProblems };
  const twin: readonly ScanProblem[] = twins.has(name) ? [{ code: "composition-twin", path, detail: null }] : [];
  return { name, path, problems: [{ code: "not-a-run-id", path, detail: null }, ...twin] };
}

async function strayEntry(port: ReadPort, path: string, type: FileStat["type"]): Promise<ScanProblem> {
  if (type === "symlink") return { code: "symlink", path, detail: await targetOf(port, path) };
  return { code: "stray-entry", path, detail: type };
}

/** Where a link points, for people to read; null when even that cannot be read. */
export async function targetOf(port: ReadPort, path: string): Promise<string | null> {
  try {
    return await port.readlink(path);
  } catch (error) {
    errnoOrThrow(error);
    return null;
  }
}

/** By code units: the same order on every machine and in every locale. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
