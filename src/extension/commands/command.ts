// Owns: what a command is: an id, the things it acts on, and what it does. One file per command implements it.
// Leaves to others: registering, targets, trust, errors (registry.ts).
import type * as vscode from "vscode";
import type { Translate } from "../../shared/text.js";
import type { CommandId, Settings } from "../contract.js";
import type { Core } from "../core.js";
import type { Log } from "../log.js";
import type { Requests } from "../requests/requests.js";
import type { RunDetails } from "../run/runDetails.js";
import type { RunStateStore } from "../state/runStateStore.js";
import type { Filter } from "../tree/children.js";
import type { TreeNode } from "../tree/treeNode.js";
import type { Target } from "./target.js";

/** The view as commands see it. */
export interface View {
  readonly selection: readonly TreeNode[];
  readonly filter: Filter;
  setFilter(filter: Filter): void;
  loadMore(id: string): void;
  /** A row that was made; undefined when it has gone. */
  find(id: string): TreeNode | undefined;
  /** Shows a row with everything above it open, and opens it. */
  expand(id: string): Promise<void>;
}

/** Everything a command may use. Handed in, so that each part can be replaced. */
export interface Services {
  readonly t: Translate;
  readonly log: Log;
  readonly store: RunStateStore;
  readonly core: Core;
  readonly details: RunDetails;
  readonly view: View;
  readonly settings: () => Settings;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly extension: vscode.Extension<unknown>;
  readonly requests: Requests;
}

export interface PlainCommand {
  readonly id: CommandId;
  readonly kind: "plain";
  /** `given`: what the caller handed over; anybody may call a command with anything. */
  run(services: Services, given?: unknown): unknown;
}

export interface TargetCommand {
  readonly id: CommandId;
  readonly kind: "target";
  accepts(target: Target): boolean;
  /** The question when nothing was clicked or selected. */
  ask(services: Services): string;
  /** Said when there is nothing to ask about. */
  nothing(services: Services): string;
  /** `skipped`: selected too, but not accepted; for a command that lists them. Without `many` only the first target is given. */
  readonly many: boolean;
  run(services: Services, targets: readonly Target[], skipped: readonly Target[]): unknown;
}

/** Acts on a row itself rather than on what it stands for. */
export interface RowCommand {
  readonly id: CommandId;
  readonly kind: "row";
  run(services: Services, rowId: string): unknown;
}

export type Command = PlainCommand | TargetCommand | RowCommand;
