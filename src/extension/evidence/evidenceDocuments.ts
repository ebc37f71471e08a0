// Owns: evidence as read-only documents under a scheme of our own: their addresses, and keeping open ones up to date.
// Leaves to others: what they say (evidence.ts), their form (plainText.ts).
import * as vscode from "vscode";
import type { Services } from "../commands/command.js";
import { allTargets, type Target } from "../commands/target.js";
import { evidenceScheme } from "../contract.js";
import { evidenceOf, type EvidenceContext } from "./evidence.js";
import { evidencePlainText } from "./plainText.js";

/** The name is for the tab, the query says which row. */
export function evidenceUri(target: Target, context: EvidenceContext): vscode.Uri {
  const title = evidenceOf(target.subject, context)?.title ?? "Run State";
  return vscode.Uri.from({ scheme: evidenceScheme, path: `/${title.replaceAll(/[/\\?#]/g, "_")}`, query: target.id });
}

export function registerEvidenceDocuments({ store, t, now }: Pick<Services, "store" | "t" | "now">): vscode.Disposable {
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const text = (uri: vscode.Uri): string | null => {
    const { snapshot } = store.state;
    const target = snapshot === null ? undefined : allTargets(snapshot).get(uri.query);
    const evidence = target === undefined ? null : evidenceOf(target.subject, { t, now: now() });
    return evidence === null ? null : evidencePlainText(evidence, t);
  };
  const registration = vscode.workspace.registerTextDocumentContentProvider(evidenceScheme, {
    onDidChange: changes.event,
    provideTextDocumentContent: async (uri) => {
      // After a reload VS Code opens the document again before anybody has looked.
      if (store.state.snapshot === null) await store.refresh({ kind: "all" });
      return text(uri) ?? t("This claim is no longer there.");
    },
  });
  const watching = store.onDidChange(() => {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === evidenceScheme) changes.fire(uri);
  });
  return vscode.Disposable.from(registration, changes, new vscode.Disposable(() => watching.dispose()));
}
