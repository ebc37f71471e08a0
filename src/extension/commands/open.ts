// Owns: opening and revealing what a row stands for, with VS Code's own commands.
import * as vscode from "vscode";
import { isInside } from "../roots.js";
import type { TargetCommand } from "./command.js";
import { pathOf } from "./copy.js";
import type { Target } from "./target.js";

function uriOf(target: Target | undefined): vscode.Uri | null {
  const path = target === undefined ? null : pathOf(target.subject);
  return path === null ? null : vscode.Uri.file(path);
}

export const openFile: TargetCommand = {
  id: "runState.openFile",
  kind: "target",
  many: false,
  // Bytes that were read are those of a regular file: a FIFO would hang the editor.
  accepts: ({ subject }) => subject.kind === "claim" && subject.claim.sha256 !== null,
  ask: ({ t }) => t("Open the file of"),
  nothing: ({ t }) => t("There is no claim whose file could be opened."),
  run: (_services, [target]) => {
    const uri = uriOf(target);
    return uri === null ? undefined : vscode.commands.executeCommand("vscode.open", uri, { preview: true });
  },
};

export const revealInExplorer: TargetCommand = {
  id: "runState.revealInExplorer",
  kind: "target",
  many: false,
  accepts: ({ subject }) => pathOf(subject) !== null,
  ask: ({ t }) => t("Reveal in the Explorer"),
  nothing: ({ t }) => t("There is nothing to reveal."),
  run: ({ t }, [target]) => {
    const uri = uriOf(target);
    if (uri === null) return undefined;
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (!folders.some((folder) => isInside(uri.fsPath, folder.uri.fsPath))) {
      return vscode.window.showInformationMessage(t("It lies outside the workspace folders, so the Explorer does not show it."));
    }
    return vscode.commands.executeCommand("revealInExplorer", uri);
  },
};

export const revealInOs: TargetCommand = {
  id: "runState.revealInOs",
  kind: "target",
  many: false,
  accepts: ({ subject }) => pathOf(subject) !== null,
  ask: ({ t }) => t("Reveal in the file manager"),
  nothing: ({ t }) => t("There is nothing to reveal."),
  run: (_services, [target]) => {
    const uri = uriOf(target);
    return uri === null ? undefined : vscode.commands.executeCommand("revealFileInOS", uri);
  },
};
