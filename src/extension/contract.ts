// Owns: every id that package.json and the code must agree on, with the types behind it. A test compares both directions.
// Leaves to others: titles and descriptions (package.nls.json), behaviour (commands/, tree/).
import type { Dialect } from "../core/artifact/canonical.js";
import type { TreeNode } from "./tree/treeNode.js";

export const extensionId = "run-state.run-state";

export const viewContainerId = "runState";
export const treeViewId = "runState.tree";
export const walkthroughId = "runState.start";
export const statusItemId = "runState.stale";
export const requestStatusId = "runState.request";

/** What a menu hands to a command: the clicked row and, with several selected, all of them. A text is a row's id. */
export type TargetArguments = [clicked?: TreeNode | string, selected?: readonly TreeNode[]];

/** Arguments of every command. Results are for tests and other extensions only: menus ignore them. */
export interface CommandArguments {
  "runState.refresh": [];
  "runState.filter": [];
  "runState.changeFilter": [];
  "runState.clearFilter": [];
  "runState.loadMore": TargetArguments;
  "runState.showEvidence": TargetArguments;
  "runState.showRunStatus": TargetArguments;
  "runState.openRecord": TargetArguments;
  "runState.verifyRun": TargetArguments;
  "runState.copySupportBundle": TargetArguments;
  "runState.diffRequests": TargetArguments;
  "runState.recoverStaleLock": TargetArguments;
  "runState.forceQuarantine": TargetArguments;
  "runState.restore": TargetArguments;
  "runState.purge": TargetArguments;
  "runState.settleRepair": TargetArguments;
  "runState.copyId": TargetArguments;
  "runState.copyPath": TargetArguments;
  "runState.copyEvidence": TargetArguments;
  "runState.openFile": TargetArguments;
  "runState.revealInExplorer": TargetArguments;
  "runState.revealInOs": TargetArguments;
  "runState.openWalkthrough": [];
  "runState.showLog": [];
  "runState.reportIssue": [];
  "runState.newRecompileRequest": TargetArguments;
  "runState.chooseRequestRun": [];
  /** The address of the document; without it the active one. */
  "runState.removeByteOrderMark": [document?: string];
  /** The id of a rule; without it a question. */
  "runState.showRule": [rule?: string];
}

export type CommandId = keyof CommandArguments;

/** Commands that change a disk: never without workspace trust, in the menus and in the code. */
export const mutatingCommands = [
  "runState.recoverStaleLock",
  "runState.forceQuarantine",
  "runState.restore",
  "runState.purge",
  "runState.settleRepair",
  "runState.removeByteOrderMark",
] as const satisfies readonly CommandId[];

/** Commands that make sense on a row only; hidden from the palette. */
export const rowOnlyCommands = ["runState.loadMore", "runState.changeFilter", "runState.openRecord"] as const satisfies readonly CommandId[];

/** `runState.phase` decides which welcome text stands in an empty view. */
export type Phase = "no-roots" | "scanning" | "empty" | "failed" | "found";

export interface ContextKeys {
  "runState.phase": Phase;
  "runState.filtered": boolean;
}

export const contextKeys = ["runState.phase", "runState.filtered"] as const satisfies readonly (keyof ContextKeys)[];

export interface Settings {
  /** Further directories to look in: absolute, or starting with `~/`. */
  roots: readonly string[];
  refresh: "auto" | "manual";
  /** Seconds between two looks at owners and at roots that cannot be watched. */
  pollInterval: number;
  /** How a displacement of a stale lock is confirmed; forcing always asks for the id. */
  confirmation: "button" | "typeId";
  /** Rows shown below one row before "Load more". */
  maxChildren: number;
  trace: boolean;
  /** When recompile requests are judged. */
  validate: "onSave" | "onType" | "off";
  /** Globs of files that are recompile requests whatever their schema says. */
  recompileRequests: readonly string[];
  /** Version of the runtime that requests are judged for; `auto`: the one whose traces the run holds, else both. */
  dialect: "auto" | Dialect;
  /** Whether the number of findings stands above a request. */
  codeLens: boolean;
}

export const settingsSection = "runState";

export const settingDefaults: Settings = {
  roots: [],
  refresh: "auto",
  pollInterval: 15,
  confirmation: "button",
  maxChildren: 500,
  trace: false,
  validate: "onSave",
  recompileRequests: ["**/*.recompile-request.json"],
  dialect: "auto",
  codeLens: true,
};

/** Settings that a workspace may not set before it is trusted. */
export const restrictedSettings = ["runState.roots"] as const;

/** Scheme of the rows' decorations; never opened. */
export const rowScheme = "run-state";
/** Scheme of the read-only evidence documents. */
export const evidenceScheme = "run-state-evidence";
/** Scheme of read-only documents about a run: its verification, and the versions of its request. */
export const runScheme = "run-state-run";
