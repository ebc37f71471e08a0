// Owns: Report Issue: opens a redacted report to read, edit and copy. Nothing is sent from here.
// Leaves to others: its text (evidence/issueReport.ts).
import { release } from "node:os";
import * as vscode from "vscode";
import { issueReport } from "../evidence/issueReport.js";
import type { PlainCommand } from "./command.js";
import { detached } from "./failure.js";

export const reportIssue: PlainCommand = {
  id: "runState.reportIssue",
  kind: "plain",
  run: async (services) => {
    const { t, extension, store, settings } = services;
    const { version } = extension.packageJSON as { readonly version: string };
    const content = issueReport({
      version,
      editor: `${vscode.version} (${vscode.env.appHost}${vscode.env.remoteName === undefined ? "" : ", remote"})`,
      platform: `${process.platform} ${process.arch} ${release()}, node ${process.version}`,
      snapshot: store.state.snapshot,
      settings: settings(),
      failure: store.state.failure,
    });
    const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
    await vscode.window.showTextDocument(document);
    const copy = t("Copy");
    const offer = vscode.window.showInformationMessage(t("Add what happened, read it once more, then copy it into your issue."), copy);
    detached(services, "copying the report", offer.then((chosen) => (chosen === copy ? vscode.env.clipboard.writeText(document.getText()) : undefined)));
  },
};
