// Owns: which rows stand below a row, in which order, after filter and paging. Pure.
// Leaves to others: how they look (rows.ts), keeping their objects (treeModel.ts).
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import type { LatticeStoreSnapshot, RunSnapshot, RunStateSnapshot, ScanProblem } from "../../core/scan/snapshot.js";
import { itemsBelow, itemsOfRun, type NamedItem } from "../run/detailChildren.js";
import type { RunLook } from "../run/detailItem.js";
import { claimState, entryState, repairOf, runTally, severity, worst, type Tally } from "./stateOf.js";
import { states, type State, type Subject } from "./treeNode.js";

/** States to show; null shows all. */
export type Filter = ReadonlySet<State> | null;

export interface Child {
  /** Unique over all roots; stable while the thing is there. */
  readonly id: string;
  readonly subject: Subject;
}

export interface ChildrenContext {
  readonly snapshot: RunStateSnapshot;
  readonly filter: Filter;
  /** How many rows this parent may show. */
  readonly limit: number;
  /** How many more one click adds. */
  readonly step: number;
  /** What is known of the inside of a run; without it runs show their locks only. Never reads a disk. */
  readonly inside?: ((run: RunSnapshot) => RunLook) | undefined;
}

/** Rows below `parent` (null: the top), problems first, else in the order of the snapshot, which is by name. */
export function childrenOf(parent: Child | null, context: ChildrenContext): readonly Child[] {
  const all = parent === null ? top(context.snapshot) : below(parent, context);
  const shown = all.slice(0, context.limit).map(childOf);
  const hidden = all.length - shown.length;
  if (hidden === 0) return shown;
  const step = Math.min(context.step, hidden);
  return [...shown, { id: `more:${parent?.id ?? ""}`, subject: { kind: "more", hidden, step } }];
}

/** Something to be shown: a run of thousands becomes a child only when it is on the page. */
type Item = Child | RunItem;

interface RunItem {
  readonly store: LatticeStoreSnapshot;
  readonly run: RunSnapshot;
}

function childOf(item: Item): Child {
  if ("id" in item) return item;
  const { store, run } = item;
  return { id: `run:${run.key}`, subject: { kind: "run", store, run } };
}

function below(parent: Child, { filter, inside }: ChildrenContext): readonly Item[] {
  const { subject } = parent;
  switch (subject.kind) {
    case "root":
      return problems(subject.root.problems, filter);
    case "store":
      return inStore(subject.store, filter);
    case "run":
      return [...inRun(subject.store, subject.run, filter), ...insideOf(subject.run, inside)];
    case "detail":
      return detailChildren(subject.run, itemsBelow(subject.item));
    case "quarantine":
      return inQuarantine(subject.store, filter);
    case "claim":
    case "problem":
    case "entry":
    case "more":
      return [];
  }
}

function top(snapshot: RunStateSnapshot): readonly Child[] {
  return snapshot.roots.flatMap((root) => {
    const stores = root.stores.map((store): Child => ({ id: `store:${store.key}`, subject: { kind: "store", root, store } }));
    if (root.problems.length === 0) return stores;
    return [...stores, { id: `root:${root.key}`, subject: { kind: "root", root } } as const];
  });
}

function inStore(store: LatticeStoreSnapshot, filter: Filter): readonly Item[] {
  const found = new WorstFirst();
  for (const run of store.runs) {
    const tally = runTally(store, run);
    const state = worst(tally);
    if (filter === null || hasAny(tally, state, filter)) found.add(state, { store, run });
  }
  for (const claim of store.claims) addClaim(found, store, null, claim, filter);
  for (const child of problems(store.problems, filter)) found.add("problem", child);
  const sorted = found.all();
  if (inQuarantine(store, filter).length === 0) return sorted;
  return [...sorted, { id: `quarantine:${store.key}`, subject: { kind: "quarantine", store } }];
}

/** A run without anything to show is idle; any other is shown for each of its states. */
function hasAny(tally: Tally, state: State, filter: ReadonlySet<State>): boolean {
  return state === "idle" ? filter.has("idle") : [...filter].some((one) => (tally[one] ?? 0) > 0);
}

function inRun(store: LatticeStoreSnapshot, run: RunSnapshot, filter: Filter): readonly Item[] {
  const found = new WorstFirst();
  for (const claim of run.claims) addClaim(found, store, run, claim, filter);
  for (const child of problems(run.problems, filter)) found.add("problem", child);
  return found.all();
}

/** A filter names states of claims: it hides no part of a run that passed it. */
function insideOf(run: RunSnapshot, inside: ChildrenContext["inside"]): readonly Child[] {
  return inside === undefined || run.system !== "lattice" ? [] : detailChildren(run, itemsOfRun(inside(run)));
}

function detailChildren(run: RunSnapshot, items: readonly NamedItem[]): readonly Child[] {
  return items.map(({ name, item }) => ({ id: `detail:${run.key}:${name}`, subject: { kind: "detail", run, item } }));
}

function addClaim(found: WorstFirst, store: LatticeStoreSnapshot, run: RunSnapshot | null, claim: ClaimSnapshot, filter: Filter): void {
  const repair = repairOf(store, claim);
  const state = claimState(claim, repair);
  if (state === "idle" || !passes(state, filter)) return;
  found.add(state, { id: `claim:${claim.key}`, subject: { kind: "claim", store, run, claim, repair } });
}

function inQuarantine(store: LatticeStoreSnapshot, filter: Filter): readonly Item[] {
  const found = new WorstFirst();
  for (const entry of store.quarantine) {
    const state = entryState(entry);
    if (passes(state, filter)) found.add(state, { id: `entry:${entry.recordPath}`, subject: { kind: "entry", store, entry } });
  }
  return found.all();
}

function problems(list: readonly ScanProblem[], filter: Filter): readonly Child[] {
  if (!passes("problem", filter)) return [];
  return list.map((problem) => ({ id: `problem:${problem.code}:${problem.path}`, subject: { kind: "problem", problem } }));
}

function passes(state: State, filter: Filter): boolean {
  return filter === null || filter.has(state);
}

/** Sorts by state in one pass, keeping the order within: no name is compared. */
class WorstFirst {
  private readonly byState: readonly Item[][] = states.map(() => []);

  add(state: State, item: Item): void {
    this.byState[severity(state)]?.push(item);
  }

  all(): readonly Item[] {
    return this.byState.flat();
  }
}
