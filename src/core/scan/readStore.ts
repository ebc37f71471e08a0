// Owns: reading one `.lattice` store, or what changed in it, into an immutable reading that is not yet judged.
// Leaves to others: its parts (readRuns.ts, readDirectory.ts), the rule of two looks (settle.ts), verdicts (judgeReadings.ts).
import { join } from "node:path";
import type { Clock } from "../ports.js";
import type { QuarantineEntry } from "../quarantine/quarantineEntry.js";
import { isMissing, retryTransient } from "../storage/errno.js";
import { secondLookMs } from "../systems/lattice/inspectLifecycleLock.js";
import type { Dirty } from "./dirtyPaths.js";
import type { Pace } from "./pace.js";
import { errnoOrThrow, readDirectory, type DirectoryReading, type ReadContext } from "./readDirectory.js";
import { listOneRun, listRuns, targetOf, type ListedRun, type RunsListing } from "./readRuns.js";
import type { RootTarget } from "./rootTarget.js";
import { needsSecondLook, settle } from "./settle.js";
import type { ScanProblem } from "./snapshot.js";

/** Immutable. Parts that did not change are the same objects as in the reading before. */
export interface StoreReading {
  readonly target: RootTarget;
  readonly listing: RunsListing;
  /** One for each run of the listing, in its order; null for a run that was gone a moment later. */
  readonly runs: readonly (DirectoryReading | null)[];
  /** The runtime's own area; null when there is none. */
  readonly registry: DirectoryReading | null;
  readonly quarantine: readonly QuarantineEntry[];
  /** Problems of the store itself. */
  readonly problems: readonly ScanProblem[];
}

export interface StoreContext extends ReadContext {
  readonly clock: Clock;
  /** Directories that are read at the same time: one on a local disk, more where each waits for a server. */
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
  readonly pace: Pace;
  readonly listQuarantine: (store: string) => Promise<readonly QuarantineEntry[]>;
}

/** Null when there is no store. Kernel answers become problems. @throws the reason of the signal when aborted. */
export async function readStore(context: StoreContext, target: RootTarget, previous: StoreReading | null, dirty: Dirty): Promise<StoreReading | null> {
  const { store } = target;
  const problem = await problemOfStore(context, store, previous);
  if (problem === "missing") return null;
  if (problem !== null) return { target, listing: { stamp: null, runs: [], problems: [] }, runs: [], registry: null, quarantine: [], problems: [problem] };
  const listing = await readListing(context, target, previous?.listing ?? null);
  const runs = await readRunDirectories(context, listing, previous, dirty);
  const registry = target.run === null ? await readRegistry(context, store, previous?.registry ?? null) : null;
  const mustList = previous === null || dirty.quarantine || previous.quarantine.some(({ kind }) => kind === "frozen" || kind === "intended");
  return { target, listing, runs, registry, quarantine: mustList ? await context.listQuarantine(store) : previous.quarantine, problems: [] };
}

/** Null for a real directory. A store that was good and suddenly cannot be looked at is looked at twice. */
async function problemOfStore(context: StoreContext, store: string, previous: StoreReading | null): Promise<ScanProblem | "missing" | null> {
  const { port } = context;
  const look = async (): Promise<ScanProblem | "missing" | null> => {
    try {
      const { type } = await retryTransient(() => port.lstat(store));
      if (type === "directory") return null;
      return type === "symlink" ? { code: "symlink", path: store, detail: await targetOf(port, store) } : { code: "not-a-directory", path: store, detail: type };
    } catch (error) {
      return isMissing(error) ? "missing" : { code: "unreadable", path: store, detail: errnoOrThrow(error) };
    }
  };
  const first = await look();
  const wasGood = previous !== null && previous.problems.length === 0;
  if (first === null || first === "missing" || first.code !== "unreadable" || !wasGood) return first;
  await context.clock.sleep(secondLookMs, context.signal);
  return await look();
}

/** A listing that was good and suddenly fails is asked for a second time: one bad moment must not empty the view. */
async function readListing(context: StoreContext, { store, run }: RootTarget, previous: RunsListing | null): Promise<RunsListing> {
  const path = join(store, "runs");
  if (run !== null) {
    const above = await listRuns(context, path, null);
    return above.stamp === null ? above : listOneRun(path, run);
  }
  const first = await listRuns(context, path, previous);
  if (first.problems.length === 0 || first.stamp !== null || previous === null || previous.stamp === null) return first;
  await context.clock.sleep(secondLookMs, context.signal);
  return await listRuns(context, path, previous);
}

/** What was known of each run of the listing, in its order. */
function knownRuns(listing: RunsListing, previous: StoreReading | null): readonly (DirectoryReading | null)[] {
  if (previous === null || listing === previous.listing) return previous?.runs ?? [];
  const byName = new Map(previous.runs.map((reading) => [reading?.name, reading]));
  return listing.runs.map(({ name }) => byName.get(name) ?? null);
}

async function readRunDirectories(context: StoreContext, listing: RunsListing, previous: StoreReading | null, dirty: Dirty): Promise<readonly (DirectoryReading | null)[]> {
  const known = knownRuns(listing, previous);
  const runs: (DirectoryReading | null)[] = listing.runs.map((_, index) => known[index] ?? null);
  const mustLook = ({ name }: ListedRun, index: number): boolean => dirty.all || dirty.runs.has(name) || runs[index]?.isUnsettled !== false;
  const due = listing.runs.flatMap((run, index) => (mustLook(run, index) ? [index] : []));
  await readEach(context, listing.runs, due, known, runs);
  const doubtful = due.filter((index) => needsSecondLook(runs[index] ?? null, known[index] ?? null));
  if (doubtful.length === 0) return runs;
  // One pause for all that is doubtful, then a second look at each.
  await context.clock.sleep(secondLookMs, context.signal);
  const first = [...runs];
  await readEach(context, listing.runs, doubtful, known, runs);
  for (const index of doubtful) runs[index] = settle(known[index] ?? null, first[index] ?? null, runs[index] ?? null);
  return runs;
}

/** Reads the directories at `due` into `into`, as many at a time as the disk deserves. The first bug ends it. */
async function readEach(
  context: StoreContext,
  listed: readonly ListedRun[],
  due: readonly number[],
  known: readonly (DirectoryReading | null)[],
  into: (DirectoryReading | null)[],
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const index = due[next];
      const run = index === undefined ? undefined : listed[index];
      if (index === undefined || run === undefined) return;
      next += 1;
      if (context.pace.isDue()) await context.pace.rest();
      const read = readDirectory(context, run.name, run.path, known[index] ?? null);
      into[index] = read instanceof Promise ? await read : read;
    }
  };
  await Promise.all(Array.from({ length: Math.min(context.concurrency, due.length) }, lane));
}

/** The only place in the runtime's own area that holds a lock. */
async function readRegistry(context: StoreContext, store: string, previous: DirectoryReading | null): Promise<DirectoryReading | null> {
  if (!(await isRealDirectory(context, join(store, "runtime")))) return null;
  const look = async (): Promise<DirectoryReading | null> => await readDirectory(context, "adapter-registry", join(store, "runtime", "adapter-registry"), previous);
  const first = await look();
  if (!needsSecondLook(first, previous)) return first;
  await context.clock.sleep(secondLookMs, context.signal);
  return settle(previous, first, await look());
}

async function isRealDirectory({ port }: ReadContext, path: string): Promise<boolean> {
  try {
    return (await port.lstat(path)).type === "directory";
  } catch (error) {
    errnoOrThrow(error);
    return false;
  }
}
