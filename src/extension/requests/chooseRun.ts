// Owns: the command that says which run a request is for, when the name alone does not, or another copy is meant.
// Leaves to others: remembering (runChoice.ts).
import path from "node:path";
import * as vscode from "vscode";
import type { PlainCommand } from "../commands/command.js";
import { displayText } from "../../shared/displayText.js";

export const chooseRequestRun: PlainCommand = {
  id: "runState.chooseRequestRun",
  kind: "plain",
  run: async ({ t, requests }) => {
    const document = requests.documentOf(undefined);
    const report = document === null ? null : requests.reportOf(document);
    if (document === null || report === null) return vscode.window.showInformationMessage(t("Open a recompile request first."));
    const { run } = report;
    const runId = run.kind === "found" ? path.basename(run.directory) : run.runId;
    if (runId === null) return vscode.window.showInformationMessage(t("The request names no run."));
    const directories = run.kind === "several" ? run.directories : await requests.runsCalled(runId, run.kind === "found" ? run.directory : null);
    if (directories.length === 0) return vscode.window.showInformationMessage(t("There is no run called {0} in this workspace.", displayText(runId)));
    return requests.chooseRun(document, directories);
  },
};
