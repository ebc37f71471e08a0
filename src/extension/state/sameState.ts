// Owns: whether two looks saw the same state: claims, verdicts, problems, quarantine; not when they looked.
// Leaves to others: what a difference means (tree/treeModel.ts redraws, refreshScheduler.ts polls sooner).
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import type { QuarantineEntry } from "../../core/quarantine/quarantineEntry.js";
import type { LatticeStoreSnapshot, RootSnapshot, RunSnapshot, RunStateSnapshot, ScanProblem } from "../../core/scan/snapshot.js";

/** Cheap where parts are the same objects, as a scan keeps them. */
export function isSameState(a: RunStateSnapshot, b: RunStateSnapshot): boolean {
  return isSameList(a.roots, b.roots, isSameRoot);
}

function isSameRoot(a: RootSnapshot, b: RootSnapshot): boolean {
  return a.key === b.key && isSameList(a.stores, b.stores, isSameStore) && isSameList(a.problems, b.problems, isSameProblem);
}

function isSameStore(a: LatticeStoreSnapshot, b: LatticeStoreSnapshot): boolean {
  return (
    a.key === b.key &&
    isSameList(a.runs, b.runs, isSameRun) &&
    isSameList(a.claims, b.claims, isSameClaim) &&
    isSameList(a.quarantine, b.quarantine, isSameEntry) &&
    isSameList(a.problems, b.problems, isSameProblem)
  );
}

function isSameRun(a: RunSnapshot, b: RunSnapshot): boolean {
  return a.key === b.key && isSameList(a.claims, b.claims, isSameClaim) && isSameList(a.problems, b.problems, isSameProblem);
}

/** The id names path, file and bytes. */
function isSameClaim(a: ClaimSnapshot, b: ClaimSnapshot): boolean {
  return a.id === b.id && a.verdict.kind === b.verdict.kind && reasonOf(a) === reasonOf(b);
}

function reasonOf({ verdict }: ClaimSnapshot): string | null {
  return "reason" in verdict ? verdict.reason : null;
}

function isSameEntry(a: QuarantineEntry, b: QuarantineEntry): boolean {
  return a.recordPath === b.recordPath && a.kind === b.kind && a.size === b.size && a.at === b.at;
}

function isSameProblem(a: ScanProblem, b: ScanProblem): boolean {
  return a.code === b.code && a.path === b.path && a.detail === b.detail;
}

function isSameList<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((one, index) => {
    const other = b[index];
    return other !== undefined && (one === other || isSame(one, other));
  });
}
