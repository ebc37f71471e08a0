// Owns: the rows that the view has seen, their identity over time, and which of them a new snapshot changes. No `vscode`.
// Leaves to others: which rows there are (children.ts), how they look (rows.ts), drawing (treeProvider.ts).
import type { RunSnapshot, RunStateSnapshot } from "../../core/scan/snapshot.js";
import type { Translate } from "../../shared/text.js";
import type { RunLook } from "../run/detailItem.js";
import { childrenOf, type Child, type Filter } from "./children.js";
import { rowOf, type RowContext } from "./rows.js";
import type { Row, TreeNode } from "./treeNode.js";

export interface TreeModelOptions {
  readonly t: Translate;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** What is known of the inside of a run. */
  readonly inside?: (run: RunSnapshot) => RunLook;
}

/** What the view must draw again: the top with everything below, or these nodes and what is below them. */
export type TreeChange = { readonly kind: "top" } | { readonly kind: "nodes"; readonly nodes: readonly TreeNode[] };

const topKey = "";

/**
 * Rows are made when the view asks for them and keep their objects while they exist: VS Code then keeps selection, focus and
 * expansion. A change names the fewest nodes, because VS Code asks again for everything below a node that changed.
 */
export class TreeModel {
  private snapshot: RunStateSnapshot | null = null;
  private filter: Filter = null;
  private step: number;
  private readonly nodes = new Map<string, TreeNode>();
  /** Children as last given out, by the id of their parent. */
  private readonly given = new Map<string, readonly TreeNode[]>();
  private readonly limits = new Map<string, number>();

  constructor(
    private readonly options: TreeModelOptions,
    pageSize: number,
  ) {
    this.step = pageSize;
  }

  find(id: string): TreeNode | undefined {
    return this.nodes.get(id);
  }

  /** Every row made so far, in no particular order. */
  seen(): Iterable<TreeNode> {
    return this.nodes.values();
  }

  /** Rows below `parent`, or the top ones. Empty before the first snapshot. */
  children(parent: TreeNode | null): readonly TreeNode[] {
    const given = this.compute(parent);
    this.given.set(keyOf(parent), given);
    return given;
  }

  /** Shows another snapshot; says what differs from what the view was given. */
  show(snapshot: RunStateSnapshot | null): TreeChange {
    this.snapshot = snapshot;
    return this.reconcile();
  }

  showOnly(filter: Filter): TreeChange {
    this.filter = filter;
    return this.reconcile();
  }

  /** Rows below one row; a larger number loads at once, a smaller one shows fewer. */
  setPageSize(pageSize: number): TreeChange {
    this.step = pageSize;
    this.limits.clear();
    return this.reconcile();
  }

  /** What the "Load more" row does: shows one page more below its parent. */
  loadMore(more: TreeNode): TreeChange {
    const parent = more.parent;
    this.limits.set(keyOf(parent), this.limit(parent) + this.step);
    return parent === null ? { kind: "top" } : { kind: "nodes", nodes: [parent] };
  }

  private limit(parent: TreeNode | null): number {
    return this.limits.get(keyOf(parent)) ?? this.step;
  }

  private compute(parent: TreeNode | null): readonly TreeNode[] {
    if (this.snapshot === null) return [];
    const context = { snapshot: this.snapshot, filter: this.filter, limit: this.limit(parent), step: this.step, inside: this.options.inside };
    const rows = this.rowContext();
    return childrenOf(parent, context).map((child) => this.nodeFor(child, parent, rows));
  }

  private nodeFor(child: Child, parent: TreeNode | null, rows: RowContext): TreeNode {
    const known = this.nodes.get(child.id);
    if (known === undefined || known.parent !== parent) {
      const node: TreeNode = { id: child.id, parent, subject: child.subject, row: rowOf(child.subject, rows) };
      this.nodes.set(child.id, node);
      return node;
    }
    known.subject = child.subject;
    known.row = rowOf(child.subject, rows);
    return known;
  }

  private rowContext(): RowContext {
    return { t: this.options.t, now: this.options.now(), hasInside: this.options.inside !== undefined };
  }

  /** Top down over what was given out: a parent whose children changed is drawn as a whole, so its children need no look. */
  private reconcile(): TreeChange {
    const before = this.given.get(topKey);
    if (before === undefined) return { kind: "top" };
    const rowsBefore = before.map((node) => node.row);
    const after = this.compute(null);
    const hasOtherChildren = !isSameList(before, after);
    if (hasOtherChildren) {
      this.prune(before, after);
      this.given.set(topKey, after);
    }
    const changed: TreeNode[] = [];
    for (const [index, node] of after.entries()) this.reconcileNode(node, hasOtherChildren ? undefined : rowsBefore[index], changed);
    return hasOtherChildren ? { kind: "top" } : { kind: "nodes", nodes: changed };
  }

  private reconcileNode(node: TreeNode, rowBefore: Row | undefined, changed: TreeNode[]): void {
    const isSelfChanged = rowBefore === undefined || !isSameRow(rowBefore, node.row);
    const before = this.given.get(node.id);
    if (before === undefined) {
      // Never expanded, or a leaf: nothing below was given out.
      if (isSelfChanged) changed.push(node);
      return;
    }
    const rowsBefore = before.map((child) => child.row);
    const after = this.compute(node);
    const hasOtherChildren = !isSameList(before, after);
    if (hasOtherChildren) {
      this.prune(before, after);
      this.given.set(node.id, after);
    }
    const isDrawnWhole = isSelfChanged || hasOtherChildren;
    if (isDrawnWhole) changed.push(node);
    // Below a node that is drawn as a whole nothing needs naming, but the rows must stand for the new snapshot at once:
    // a command may be given one before the view asks again.
    const below = isDrawnWhole ? [] : changed;
    for (const [index, child] of after.entries()) this.reconcileNode(child, hasOtherChildren ? undefined : rowsBefore[index], below);
  }

  /** Forgets rows that are gone, with everything below them. */
  private prune(before: readonly TreeNode[], after: readonly TreeNode[]): void {
    const kept = new Set(after);
    for (const node of before) if (!kept.has(node)) this.forget(node);
  }

  private forget(node: TreeNode): void {
    if (this.nodes.get(node.id) === node) this.nodes.delete(node.id);
    const below = this.given.get(node.id);
    this.given.delete(node.id);
    this.limits.delete(node.id);
    for (const child of below ?? []) this.forget(child);
  }
}

function keyOf(node: TreeNode | null): string {
  return node?.id ?? topKey;
}

function isSameList(a: readonly TreeNode[], b: readonly TreeNode[]): boolean {
  return a.length === b.length && a.every((node, index) => node === b[index]);
}

function isSameRow(a: Row, b: Row): boolean {
  return (
    a.label === b.label &&
    a.description === b.description &&
    a.icon.id === b.icon.id &&
    a.icon.color === b.icon.color &&
    a.contextValue === b.contextValue &&
    a.collapsible === b.collapsible &&
    a.spoken === b.spoken &&
    a.decoration?.badge === b.decoration?.badge &&
    a.decoration?.color === b.decoration?.color &&
    a.decoration?.tooltip === b.decoration?.tooltip
  );
}
