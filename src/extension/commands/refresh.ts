// Owns: looking at everything again, now.
import * as vscode from "vscode";
import { treeViewId } from "../contract.js";
import type { PlainCommand } from "./command.js";

export const refresh: PlainCommand = {
  id: "runState.refresh",
  kind: "plain",
  run: ({ store }) =>
    vscode.window.withProgress({ location: { viewId: treeViewId } }, () => store.refresh({ kind: "all" })),
};
