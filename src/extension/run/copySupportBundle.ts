// Owns: putting the redacted facts about a run on the clipboard, for somebody who cannot see this disk.
// Leaves to others: what it holds and what it leaves out (supportBundle.ts).
import * as vscode from "vscode";
import type { TargetCommand } from "../commands/command.js";
import { isLatticeRun, runOf } from "./runTarget.js";
import { supportBundle } from "./supportBundle.js";

export const copySupportBundle: TargetCommand = {
  id: "runState.copySupportBundle",
  kind: "target",
  many: false,
  accepts: isLatticeRun,
  ask: ({ t }) => t("Copy a support bundle of"),
  nothing: ({ t }) => t("There is no run."),
  run: async ({ t, details, extension }, [target]) => {
    const run = runOf(target);
    if (run === null) return;
    const look = await details.again(run.path);
    if (look.kind !== "seen") {
      void vscode.window.showErrorMessage(t("The run could not be looked at. The log says why."));
      return;
    }
    const { version } = extension.packageJSON as { readonly version: string };
    await vscode.env.clipboard.writeText(`${JSON.stringify(supportBundle(look.detail, { version, platform: process.platform }), null, 2)}\n`);
    void vscode.window.showInformationMessage(t("Copied. It holds no payloads, no paths outside the run and no host names. Read it before you pass it on."));
  },
};
