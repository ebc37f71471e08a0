// Owns: what host tests may see beyond the public API: rows as drawn, message, badge, scheduler's switches.
// Leaves to others: nothing; it exists only when VS Code runs extension tests.
import type * as vscode from "vscode";
import type { RefreshScheduler } from "./state/refreshScheduler.js";
import type { TreeProvider } from "./tree/treeProvider.js";
import type { RunStateView } from "./view.js";

export interface Testing {
  readonly provider: TreeProvider;
  readonly view: RunStateView;
  readonly scheduler: RefreshScheduler;
  readonly changes: vscode.Event<unknown>;
}
