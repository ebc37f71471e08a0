// Owns: opening the evidence about a claim as a read-only document, beside nothing, reused while it is a preview.
// Leaves to others: its text (evidence/evidence.ts), its address (evidence/evidenceDocuments.ts).
import * as vscode from "vscode";
import { evidenceUri } from "../evidence/evidenceDocuments.js";
import type { TargetCommand } from "./command.js";

export const showEvidence: TargetCommand = {
  id: "runState.showEvidence",
  kind: "target",
  many: false,
  accepts: ({ subject }) => subject.kind === "claim" || subject.kind === "entry",
  ask: ({ t }) => t("Show the evidence about"),
  nothing: ({ t }) => t("There is no claim, so there is no evidence."),
  run: async ({ t, now }, [target]) => {
    if (target === undefined) return undefined;
    const document = await vscode.workspace.openTextDocument(evidenceUri(target, { t, now: now() }));
    return vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  },
};
