// Owns: the walkthrough and the log.
import * as vscode from "vscode";
import { extensionId, walkthroughId } from "../contract.js";
import type { PlainCommand } from "./command.js";

export const openWalkthrough: PlainCommand = {
  id: "runState.openWalkthrough",
  kind: "plain",
  run: () => vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#${walkthroughId}`, false),
};

export const showLog: PlainCommand = { id: "runState.showLog", kind: "plain", run: ({ log }) => log.show() };
