// Owns: what one row of the tree is: the thing it stands for, and how it looks. Pure data, no `vscode`.
// Leaves to others: which rows there are (children.ts), how one looks (rows.ts), identity over time (treeModel.ts).
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import type { QuarantineEntry } from "../../core/quarantine/quarantineEntry.js";
import type { LatticeStoreSnapshot, RootSnapshot, RunSnapshot, ScanProblem } from "../../core/scan/snapshot.js";
import type { DetailItem } from "../run/detailItem.js";

/** What a row stands for. Names its surroundings, so that a command needs nothing but the row. */
export type Subject =
  /** A root that holds no store but has something to say. */
  | { readonly kind: "root"; readonly root: RootSnapshot }
  | { readonly kind: "store"; readonly root: RootSnapshot; readonly store: LatticeStoreSnapshot }
  | { readonly kind: "run"; readonly store: LatticeStoreSnapshot; readonly run: RunSnapshot }
  | {
      readonly kind: "claim";
      readonly store: LatticeStoreSnapshot;
      readonly run: RunSnapshot | null;
      readonly claim: ClaimSnapshot;
      /** The unfinished repair that holds this claim, if any. */
      readonly repair: QuarantineEntry | null;
    }
  | { readonly kind: "problem"; readonly problem: ScanProblem }
  | { readonly kind: "quarantine"; readonly store: LatticeStoreSnapshot }
  | { readonly kind: "entry"; readonly store: LatticeStoreSnapshot; readonly entry: QuarantineEntry }
  /** Something inside a run, as a look into it found it. */
  | { readonly kind: "detail"; readonly run: RunSnapshot; readonly item: DetailItem }
  /** Stands for the rows that paging left out. */
  | { readonly kind: "more"; readonly hidden: number; readonly step: number };

/** The words of states, worst first. Filters, sorting, icons and counts all speak of these. */
export const states = [
  "interrupted",
  "stale",
  "corrupt",
  /** Something that is not as it should be, or cannot be read. */
  "problem",
  "unknown",
  "remote",
  "live",
  "quarantined",
  "restored",
  "idle",
] as const;

export type State = (typeof states)[number];

export interface RowIcon {
  /** Codicon id; the shape alone tells the state, the colour only helps. */
  readonly id: string;
  readonly color: string | null;
}

export interface RowDecoration {
  /** At most two characters. */
  readonly badge: string | null;
  readonly color: string | null;
  readonly tooltip: string | null;
}

export interface Row {
  readonly label: string;
  /** The state as a word first, then owner, age, reason. */
  readonly description: string;
  readonly icon: RowIcon;
  /** `kind;flag;flag`, matched by `when` clauses. */
  readonly contextValue: string;
  readonly collapsible: "none" | "collapsed" | "expanded";
  /** What a screen reader says: everything the row shows, in words. */
  readonly spoken: string;
  readonly decoration: RowDecoration | null;
}

/**
 * One row. The object stays the same as long as the row exists, so that the view keeps selection and expansion;
 * `subject` and `row` are replaced when the thing changes.
 */
export interface TreeNode {
  /** Stable, unique over all roots. */
  readonly id: string;
  readonly parent: TreeNode | null;
  subject: Subject;
  row: Row;
}
