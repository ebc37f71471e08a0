// Owns: repairs in the light bulb and on save: each one edit, so that one undo takes it back.
// Leaves to others: which repairs help (core fixes.ts, in the worker), the byte order mark, which no edit reaches (byteOrderMark.ts).
import * as vscode from "vscode";
import type { Fix } from "../../core/systems/lattice/requests/fixes.js";
import { rangeOf, type FindingDiagnostic } from "./diagnostics.js";
import { askAbout, type ProviderOptions } from "./providers.js";
import type { RequestState } from "./requestDocuments.js";
import { requestSelector } from "./requestFiles.js";
import { removeByteOrderMark } from "./byteOrderMark.js";

export const fixAllKind = vscode.CodeActionKind.SourceFixAll.append("runState");

export function registerCodeActions(options: ProviderOptions): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    requestSelector,
    { provideCodeActions: (document, range, context) => actionsFor(options, document, range, context) },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, fixAllKind] },
  );
}

async function actionsFor(options: ProviderOptions, document: vscode.TextDocument, range: vscode.Range, { only, triggerKind }: vscode.CodeActionContext): Promise<vscode.CodeAction[]> {
  const state = options.documents.stateOf(document);
  if (state === undefined) return [];
  const wants = (kind: vscode.CodeActionKind): boolean => only === undefined || only.contains(kind);
  // While the cursor moves only what is under it is asked for; everything at once takes a person to ask.
  const isAsked = triggerKind === vscode.CodeActionTriggerKind.Invoke;
  const quick = wants(vscode.CodeActionKind.QuickFix) ? await quickFixes(options, state, range, isAsked) : [];
  const all = only !== undefined && wants(fixAllKind) ? await fixAllAction(options, document, fixAllKind) : null;
  return all === null ? quick : [...quick, all];
}

async function quickFixes(options: ProviderOptions, { document, shown }: RequestState, range: vscode.Range, isAsked: boolean): Promise<vscode.CodeAction[]> {
  const here = shown.filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined);
  const repairable = here.filter(({ finding }) => finding.isRepairable);
  const actions = here.filter(({ finding }) => finding.rule === "json.bom").map(({ diagnostic }) => byteOrderMarkAction(options, document, diagnostic));
  if (repairable.length > 0) {
    const findings = repairable.map(({ finding: { rule, pointer } }) => ({ rule, pointer }));
    const fixes = (await askAbout(options, document, "fixes", { uri: document.uri.toString(), findings })) ?? [];
    actions.push(...fixes.map((fix) => actionOf(fix, document, repairable)));
  }
  if (isAsked && here.length > 0 && shown.filter(({ finding }) => finding.isRepairable).length > 1) {
    const all = await fixAllAction(options, document, vscode.CodeActionKind.QuickFix);
    if (all !== null) actions.push(all);
  }
  return actions;
}

async function fixAllAction(options: ProviderOptions, document: vscode.TextDocument, kind: vscode.CodeActionKind): Promise<vscode.CodeAction | null> {
  const fix = await askAbout(options, document, "fixAll", { uri: document.uri.toString() });
  if (fix === null) return null;
  const action = new vscode.CodeAction(options.t("Fix everything that can be fixed"), kind);
  action.edit = editOf(fix, document);
  return action;
}

function actionOf(fix: Fix, document: vscode.TextDocument, shown: readonly FindingDiagnostic[]): vscode.CodeAction {
  const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
  action.edit = editOf(fix, document);
  action.isPreferred = fix.isPreferred;
  action.diagnostics = shown.filter(({ finding }) => fix.rule === null || finding.rule === fix.rule).map(({ diagnostic }) => diagnostic);
  return action;
}

function editOf({ edits }: Fix, document: vscode.TextDocument): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  edit.set(
    document.uri,
    edits.map(({ offset, length, text }) => vscode.TextEdit.replace(rangeOf({ offset, length }, document), text)),
  );
  return edit;
}

function byteOrderMarkAction({ t }: ProviderOptions, document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const action = new vscode.CodeAction(t("Remove the byte order mark and save"), vscode.CodeActionKind.QuickFix);
  action.command = { command: removeByteOrderMark.id, title: action.title, arguments: [document.uri.toString()] };
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  return action;
}
