// Owns: looking into a run now, whatever is known, and showing what was found as a read-only document.
// Leaves to others: the text (runReport.ts), the document (runDocuments.ts).
import * as vscode from "vscode";
import type { TargetCommand } from "../commands/command.js";
import { verificationUri } from "./runDocuments.js";
import { isLatticeRun, runOf } from "./runTarget.js";

export const verifyRun: TargetCommand = {
  id: "runState.verifyRun",
  kind: "target",
  many: false,
  accepts: isLatticeRun,
  ask: ({ t }) => t("Verify"),
  nothing: ({ t }) => t("There is no run."),
  run: async ({ t, details }, [target]) => {
    const run = runOf(target);
    if (run === null) return undefined;
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: t("Verifying the run…") }, () => details.again(run.path));
    const document = await vscode.workspace.openTextDocument(verificationUri(run, t));
    return vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  },
};
