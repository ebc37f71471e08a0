// Owns: the state of a thing as one word of `states`, the set of states below it, and how many claims are stale.
// Leaves to others: wording and icons (rows.ts).
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import type { QuarantineEntry } from "../../core/quarantine/quarantineEntry.js";
import type { LatticeStoreSnapshot, RunSnapshot, RunStateSnapshot } from "../../core/scan/snapshot.js";
import { states, type State } from "./treeNode.js";

/** How often each state occurs among the claims and problems of something. Missing means none. */
export type Tally = Readonly<Partial<Record<State, number>>>;

type Counts = Partial<Record<State, number>>;
type Repairs = ReadonlyMap<string, QuarantineEntry>;

const noRepairs: Repairs = new Map();

// Snapshots are immutable and a scan keeps the objects of what did not change, so each of these is computed once per change.
const repairsByStore = new WeakMap<LatticeStoreSnapshot, Repairs>();
const talliesByRun = new WeakMap<RunSnapshot, Tally>();
const talliesByStore = new WeakMap<LatticeStoreSnapshot, Tally>();

export function severity(state: State): number {
  return states.indexOf(state);
}

/** The worst state that occurs; `idle` when nothing does. */
export function worst(tally: Tally): State {
  return states.find((state) => (tally[state] ?? 0) > 0) ?? "idle";
}

export function entryState(entry: QuarantineEntry): State {
  switch (entry.kind) {
    case "frozen":
    case "intended":
      return "interrupted";
    case "quarantined":
      return "quarantined";
    case "restored":
      return "restored";
    case "unreadable":
      return "problem";
  }
}

export function claimState(claim: ClaimSnapshot, repair: QuarantineEntry | null): State {
  if (repair !== null) return "interrupted";
  return claim.verdict.kind === "empty" ? "idle" : claim.verdict.kind;
}

/** The unfinished repair that holds the claim frozen by a second link, or null. */
export function repairOf(store: LatticeStoreSnapshot, claim: ClaimSnapshot): QuarantineEntry | null {
  return repairs(store).get(claim.path) ?? null;
}

function repairs(store: LatticeStoreSnapshot): Repairs {
  const known = repairsByStore.get(store);
  if (known !== undefined) return known;
  const found = new Map<string, QuarantineEntry>();
  for (const entry of store.quarantine) if (holdsClaim(entry)) found.set(entry.record.original_path, entry);
  const result = found.size === 0 ? noRepairs : found;
  repairsByStore.set(store, result);
  return result;
}

/** Any other unfinished step has left the place of the claim: what is there now is somebody else's. */
function holdsClaim(entry: QuarantineEntry): entry is Extract<QuarantineEntry, { kind: "frozen" }> {
  return entry.kind === "frozen" && entry.settle === "undo";
}

function add(counts: Counts, state: State, count = 1): void {
  if (count > 0) counts[state] = (counts[state] ?? 0) + count;
}

export function runTally(store: LatticeStoreSnapshot, run: RunSnapshot): Tally {
  const held = repairs(store);
  // Only an unfinished repair makes a run's tally depend on more than the run.
  const known = held.size === 0 ? talliesByRun.get(run) : undefined;
  if (known !== undefined) return known;
  const counts: Counts = {};
  for (const claim of run.claims) {
    const state = claimState(claim, held.get(claim.path) ?? null);
    if (state !== "idle") add(counts, state);
  }
  add(counts, "problem", run.problems.length);
  if (held.size === 0) talliesByRun.set(run, counts);
  return counts;
}

export function quarantineTally(store: LatticeStoreSnapshot): Tally {
  const counts: Counts = {};
  for (const entry of store.quarantine) add(counts, entryState(entry));
  return counts;
}

/** Claims and problems of a store; of its quarantine only what needs a person and is not already counted at its claim. */
export function storeTally(store: LatticeStoreSnapshot): Tally {
  const known = talliesByStore.get(store);
  if (known !== undefined) return known;
  const counts: Counts = {};
  for (const run of store.runs) {
    const one = runTally(store, run);
    for (const state in one) add(counts, state as State, one[state as State]);
  }
  for (const claim of store.claims) add(counts, claimState(claim, repairOf(store, claim)));
  add(counts, "problem", store.problems.length);
  add(counts, "interrupted", store.quarantine.filter((entry) => entryState(entry) === "interrupted" && !holdsClaim(entry)).length);
  talliesByStore.set(store, counts);
  return counts;
}

/** Number of claims whose owner is proved gone, over all roots: what the badge and the status bar show. */
export function staleCount(snapshot: RunStateSnapshot): number {
  let count = 0;
  for (const root of snapshot.roots) for (const store of root.stores) count += storeTally(store).stale ?? 0;
  return count;
}

/** Whether there is anything to show at all. */
export function hasAnything(snapshot: RunStateSnapshot): boolean {
  return snapshot.roots.some((root) => root.stores.length > 0 || root.problems.length > 0);
}
