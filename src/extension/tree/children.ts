// Owns: which rows stand below a row, in which order, after filter and paging. Pure.
// Leaves to others: how they look (rows.ts), keeping their objects (treeModel.ts).
import type { LatticeStoreSnapshot, RunSnapshot, RunStateSnapshot, ScanProblem } from "../../core/scan/snapshot.js";
import { claimState, entryState, repairOf, runTally, severity, worst } from "./stateOf.js";
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
}

/** Rows below `parent` (null: the top), problems first, else in the order of the snapshot, which is by name. */
export function childrenOf(parent: Child | null, context: ChildrenContext): readonly Child[] {
  return paged(parent, context, parent === null ? top(context.snapshot) : below(parent, context.filter));
}

function below(parent: Child, filter: Filter): readonly Child[] {
  const { subject } = parent;
  switch (subject.kind) {
    case "root":
      return problems(subject.root.problems, filter);
    case "store":
      return inStore(subject.store, filter);
    case "run":
      return inRun(subject.store, subject.run, filter);
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

function inStore(store: LatticeStoreSnapshot, filter: Filter): readonly Child[] {
  const found: Ranked[] = [];
  for (const run of store.runs) {
    const tally = runTally(store, run);
    const state = worst(tally);
    if (filter !== null && ![...filter].some((one) => (one === "idle" ? state === "idle" : (tally[one] ?? 0) > 0))) continue;
    found.push({ state, child: { id: `run:${run.key}`, subject: { kind: "run", store, run } } });
  }
  for (const claim of store.claims) found.push(...claimChild(store, null, claim, filter));
  for (const child of problems(store.problems, filter)) found.push({ state: "problem", child });
  const sorted = worstFirst(found);
  if (inQuarantine(store, filter).length === 0) return sorted;
  return [...sorted, { id: `quarantine:${store.key}`, subject: { kind: "quarantine", store } }];
}

function inRun(store: LatticeStoreSnapshot, run: RunSnapshot, filter: Filter): readonly Child[] {
  const found = run.claims.flatMap((claim) => claimChild(store, run, claim, filter));
  return worstFirst([...found, ...problems(run.problems, filter).map((child): Ranked => ({ state: "problem", child }))]);
}

function claimChild(
  store: LatticeStoreSnapshot,
  run: RunSnapshot | null,
  claim: RunSnapshot["claims"][number],
  filter: Filter,
): readonly Ranked[] {
  const repair = repairOf(store, claim);
  const state = claimState(claim, repair);
  if (state === "idle" || !passes(state, filter)) return [];
  return [{ state, child: { id: `claim:${claim.key}`, subject: { kind: "claim", store, run, claim, repair } } }];
}

function inQuarantine(store: LatticeStoreSnapshot, filter: Filter): readonly Child[] {
  const found: Ranked[] = [];
  for (const entry of store.quarantine) {
    const state = entryState(entry);
    if (passes(state, filter)) found.push({ state, child: { id: `entry:${entry.recordPath}`, subject: { kind: "entry", store, entry } } });
  }
  return worstFirst(found);
}

function problems(list: readonly ScanProblem[], filter: Filter): readonly Child[] {
  if (!passes("problem", filter)) return [];
  return list.map((problem) => ({ id: `problem:${problem.code}:${problem.path}`, subject: { kind: "problem", problem } }));
}

function passes(state: State, filter: Filter): boolean {
  return filter === null || filter.has(state);
}

interface Ranked {
  readonly state: State;
  readonly child: Child;
}

/** Stable and without comparing names: one pass over thousands of runs. */
function worstFirst(found: readonly Ranked[]): readonly Child[] {
  const byState: Child[][] = states.map(() => []);
  for (const { state, child } of found) byState[severity(state)]?.push(child);
  return byState.flat();
}

function paged(parent: Child | null, context: ChildrenContext, all: readonly Child[]): readonly Child[] {
  const hidden = all.length - context.limit;
  if (hidden <= 0) return all;
  const step = Math.min(context.step, hidden);
  const more: Child = { id: `more:${parent?.id ?? ""}`, subject: { kind: "more", hidden, step } };
  return [...all.slice(0, context.limit), more];
}
