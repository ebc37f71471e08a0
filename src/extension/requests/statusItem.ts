// Owns: the language status of the request in front: findings, version, run, what was left out, and choosing another run.
// Leaves to others: the words (statusText.ts).
import * as vscode from "vscode";
import { requestStatusId } from "../contract.js";
import { displayText } from "../../shared/displayText.js";
import type { Translate } from "../../shared/text.js";
import { chooseRequestRun } from "./chooseRun.js";
import type { RequestDocuments, RequestState } from "./requestDocuments.js";
import { requestSelector } from "./requestFiles.js";
import { countText, detailText } from "./statusText.js";

/** There only while the active editor shows a request: an item cannot be hidden, only taken away. */
export class RequestStatus implements vscode.Disposable {
  private item: vscode.LanguageStatusItem | null = null;
  private readonly disposables: readonly vscode.Disposable[];

  constructor(
    private readonly documents: RequestDocuments,
    private readonly t: Translate,
  ) {
    this.disposables = [documents.onDidChange(() => this.update()), vscode.window.onDidChangeActiveTextEditor(() => this.update())];
    this.update();
  }

  dispose(): void {
    this.item?.dispose();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private update(): void {
    const document = vscode.window.activeTextEditor?.document;
    const state = document === undefined ? undefined : this.documents.stateOf(document);
    if (state === undefined) {
      this.item?.dispose();
      this.item = null;
      return;
    }
    this.item ??= this.create();
    this.fill(this.item, state);
  }

  private create(): vscode.LanguageStatusItem {
    const item = vscode.languages.createLanguageStatusItem(requestStatusId, requestSelector);
    item.name = this.t("Recompile Request");
    item.command = { command: chooseRequestRun.id, title: this.t("Choose Run…") };
    return item;
  }

  private fill(item: vscode.LanguageStatusItem, { report, failure }: RequestState): void {
    const { t } = this;
    if (report === null) {
      item.text = t("Not judged");
      item.detail = displayText(failure ?? "");
      item.severity = vscode.LanguageStatusSeverity.Error;
      return;
    }
    item.text = countText(report.findings, t);
    item.detail = detailText(report, t);
    item.severity = severityOf(report.findings);
  }
}

function severityOf(findings: NonNullable<RequestState["report"]>["findings"]): vscode.LanguageStatusSeverity {
  if (findings.some(({ severity }) => severity === "error")) return vscode.LanguageStatusSeverity.Error;
  return findings.some(({ severity }) => severity === "warning") ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
}
