// Owns: the line above a request: how many findings, and the ways to see it. Behind the setting `runState.codeLens`.
// Leaves to others: the counts (requestDocuments.ts).
import * as vscode from "vscode";
import type { CommandId, Settings } from "../contract.js";
import type { Translate } from "../../shared/text.js";
import type { Disposable } from "../state/emitter.js";
import type { RequestDocuments } from "./requestDocuments.js";
import { requestSelector } from "./requestFiles.js";
import { countText } from "./statusText.js";

export interface CodeLensOptions {
  readonly documents: RequestDocuments;
  readonly settings: () => Settings;
  readonly t: Translate;
}

/** Views of a request that the extension has; each takes the document's address. */
const views: readonly { readonly command: CommandId; readonly title: (t: Translate) => string }[] = [];

export class RequestCodeLenses implements vscode.CodeLensProvider, Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly disposables: readonly Disposable[];
  readonly onDidChangeCodeLenses = this.changes.event;

  constructor(private readonly options: CodeLensOptions) {
    this.disposables = [this.changes, options.documents.onDidChange(() => this.changes.fire()), vscode.languages.registerCodeLensProvider(requestSelector, this)];
  }

  /** After a change of settings. */
  refresh(): void {
    this.changes.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { documents, settings, t } = this.options;
    const state = documents.stateOf(document);
    const { codeLens, validate } = settings();
    const report = state?.report ?? null;
    if (!codeLens || report === null) return [];
    const top = new vscode.Range(0, 0, 0, 0);
    const counted = validate === "off" ? [] : [new vscode.CodeLens(top, { title: countText(report.findings, t), command: "workbench.actions.view.problems" })];
    return [...counted, ...views.map(({ command, title }) => new vscode.CodeLens(top, { title: title(t), command, arguments: [document.uri.toString()] }))];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}
