// Owns: which things a command acts on: the clicked row and the selection around it, else the view's selection, else a question.
// Leaves to others: asking (targetPick.ts), acting (the command files). Pure.
import type { RunStateSnapshot } from "../../core/scan/snapshot.js";
import { childrenOf, type Child } from "../tree/children.js";
import type { TreeNode } from "../tree/treeNode.js";

/** A thing and its place in the tree: what a command acts on, always taken from the newest snapshot. */
export type Target = Child;

export interface TargetChoice {
  readonly targets: readonly Target[];
  /** Selected, but nothing for this command. */
  readonly skipped: readonly Target[];
}

const unlimited = { filter: null, limit: Infinity, step: Infinity };
const targetsBySnapshot = new WeakMap<RunStateSnapshot, ReadonlyMap<string, Target>>();

/** Everything that has a row, filters and paging aside, in the order of the tree. */
export function allTargets(snapshot: RunStateSnapshot): ReadonlyMap<string, Target> {
  const known = targetsBySnapshot.get(snapshot);
  if (known !== undefined) return known;
  const found = new Map<string, Target>();
  const collect = (parent: Target | null): void => {
    for (const child of childrenOf(parent, { snapshot, ...unlimited })) {
      found.set(child.id, child);
      collect(child);
    }
  };
  collect(null);
  targetsBySnapshot.set(snapshot, found);
  return found;
}

/**
 * VS Code hands over the clicked row and, with several selected, all of them, also when the click was outside the selection:
 * then only the clicked one is meant. From a key binding or the palette nothing is handed over: the view's selection counts.
 * Null when neither names anything: ask.
 */
export function chosenIds(
  clicked: TreeNode | string | undefined,
  selected: readonly TreeNode[] | undefined,
  viewSelection: readonly TreeNode[],
): readonly string[] | null {
  if (clicked === undefined) return viewSelection.length === 0 ? null : viewSelection.map((node) => node.id);
  const id = typeof clicked === "string" ? clicked : clicked.id;
  const ids = (selected ?? []).map((node) => node.id);
  return ids.includes(id) ? ids : [id];
}

/** Splits what was chosen by whether the command can act on it; ids that are no longer there fall away. */
export function sortOut(
  ids: readonly string[],
  snapshot: RunStateSnapshot | null,
  accepts: (target: Target) => boolean,
): TargetChoice {
  const all = snapshot === null ? new Map<string, Target>() : allTargets(snapshot);
  const chosen = ids.map((id) => all.get(id)).filter((target) => target !== undefined);
  return { targets: chosen.filter(accepts), skipped: chosen.filter((target) => !accepts(target)) };
}
