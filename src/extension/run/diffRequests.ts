// Owns: opening the first and the committed version of a run's request side by side in VS Code's own diff editor.
// Leaves to others: the documents (runDocuments.ts).
import * as vscode from "vscode";
import { displayText } from "../../shared/displayText.js";
import type { TargetCommand } from "../commands/command.js";
import { requestVersions } from "./requestVersions.js";
import { requestUri } from "./runDocuments.js";
import { isLatticeRun, runOf } from "./runTarget.js";

export const diffRequests: TargetCommand = {
  id: "runState.diffRequests",
  kind: "target",
  many: false,
  accepts: isLatticeRun,
  ask: ({ t }) => t("Compare the request versions of"),
  nothing: ({ t }) => t("There is no run."),
  run: async ({ t, details }, [target]) => {
    const run = runOf(target);
    if (run === null) return undefined;
    const look = await details.know(run.path);
    const versions = look.kind === "seen" ? requestVersions(look.detail) : null;
    if (versions === null) return vscode.window.showInformationMessage(t("This run has one version of its request only: nothing was recompiled."));
    const [first, committed] = versions;
    const title = t("{0}: request of epoch {1} ↔ epoch {2}", displayText(run.name), first.epoch ?? first.name, committed.epoch ?? committed.name);
    return vscode.commands.executeCommand("vscode.diff", requestUri(run, first, t), requestUri(run, committed, t), title, { preview: true });
  },
};
