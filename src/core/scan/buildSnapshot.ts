// Owns: the immutable snapshot that views draw, made from readings and claims.
// Leaves to others: reading and judging. Objects of parts that did not change are used again, so that a view can tell.
import type { ClaimSnapshot } from "../claims/claim.js";
import type { DirectoryReading } from "./readDirectory.js";
import type { ListedRun } from "./readRuns.js";
import type { StoreReading } from "./readStore.js";
import type { LatticeStoreSnapshot, RootSnapshot, RunSnapshot, RunStateSnapshot, ScanProblem } from "./snapshot.js";

export interface RootReading {
  readonly root: string;
  readonly store: StoreReading | null;
  readonly problems: readonly ScanProblem[];
}

const noClaims: readonly ClaimSnapshot[] = [];

type Claims = ReadonlyMap<DirectoryReading, readonly ClaimSnapshot[]>;

/** Runs without locks, by what was read of them: most runs of a store, most of the time. */
const quietRuns = new WeakMap<DirectoryReading, RunSnapshot>();

/** @param takenAt milliseconds since the epoch. */
export function buildSnapshot(roots: readonly RootReading[], claims: Claims, takenAt: number): RunStateSnapshot {
  return { schema: "run-state.snapshot.v1", takenAt, roots: roots.map((root) => rootSnapshot(root, claims)) };
}

function rootSnapshot({ root, store, problems }: RootReading, claims: Claims): RootSnapshot {
  return { key: `root:${root}`, path: root, stores: store === null ? [] : [storeSnapshot(store, claims)], problems };
}

function storeSnapshot(store: StoreReading, claims: Claims): LatticeStoreSnapshot {
  const { registry } = store;
  return {
    key: `store:${store.target.store}`,
    path: store.target.store,
    runs: runSnapshots(store, claims),
    claims: registry === null ? [] : (claims.get(registry) ?? []),
    quarantine: store.quarantine,
    problems: [...store.problems, ...store.listing.problems, ...(registry?.problems ?? [])],
  };
}

/** In the order of the listing, which is by name. */
function runSnapshots({ listing, runs }: StoreReading, claims: Claims): readonly RunSnapshot[] {
  const snapshots: RunSnapshot[] = [];
  for (const [index, listed] of listing.runs.entries()) {
    const reading = runs[index] ?? null;
    if (reading !== null) snapshots.push(runSnapshot(listed, reading, claims));
  }
  return snapshots;
}

function runSnapshot(listed: ListedRun, reading: DirectoryReading, claims: Claims): RunSnapshot {
  const quiet = quietRuns.get(reading);
  // A twin may have come or gone without anything changing in the run itself.
  if (quiet?.problems.length === listed.problems.length + reading.problems.length) return quiet;
  const run: RunSnapshot = {
    // The path is unique over all roots: each store is shown once.
    key: `run:${listed.path}`,
    system: "lattice",
    name: listed.name,
    path: listed.path,
    claims: claims.get(reading) ?? noClaims,
    problems: reading.problems.length === 0 ? listed.problems : [...listed.problems, ...reading.problems],
  };
  if (reading.locks.length === 0) quietRuns.set(reading, run);
  return run;
}
