// Owns: writing a new recompile request for a held run: asks for what the run cannot know, shows the result unsaved.
// Leaves to others: the document (worker/newRequest.ts), saving it (the person).
import path from "node:path";
import * as vscode from "vscode";
import { isIdentifier } from "../../core/artifact/syntax.js";
import type { RecompileMode } from "../../core/systems/lattice/requests/skeleton.js";
import type { Services, TargetCommand } from "../commands/command.js";
import { displayText } from "../../shared/displayText.js";
import type { HeldRunFact } from "./protocol.js";

type HeldRun = Extract<HeldRunFact, { kind: "held" }>;

export const newRecompileRequest: TargetCommand = {
  id: "runState.newRecompileRequest",
  kind: "target",
  many: false,
  accepts: ({ subject }) => subject.kind === "run" && subject.run.system === "lattice",
  ask: ({ t }) => t("Write a recompile request for the held run"),
  nothing: ({ t }) => t("There is no run that a recompile request could be for."),
  run: async (services, [target]) => {
    if (target?.subject.kind !== "run") return undefined;
    const { t, requests, settings } = services;
    const runDirectory = target.subject.run.path;
    const held = await requests.ask("heldRun", { runDirectory, dialect: settings().dialect });
    if (held.kind === "refused") return vscode.window.showWarningMessage(t("No recompile request can be written for {0}. {1}", displayText(target.subject.run.name), displayText(held.reason, { maxLength: 1000 })));
    const answers = await askPerson(services, held);
    if (answers === null) return undefined;
    const outcome = await requests.ask("skeleton", { runDirectory, dialect: held.dialect, ...answers });
    if (outcome.kind === "refused") return vscode.window.showWarningMessage(t("No recompile request can be written for {0}. {1}", displayText(held.runId), displayText(outcome.reason, { maxLength: 1000 })));
    return showUnsaved(await freePath(path.resolve(runDirectory, "../../.."), answers.requestId), outcome.text);
  },
};

interface Answers {
  readonly mode: RecompileMode;
  readonly stayTodoId: string | null;
  readonly reason: string;
  readonly requestId: string;
}

/** Null when the person leaves. */
async function askPerson(services: Services, held: HeldRun): Promise<Answers | null> {
  const { t } = services;
  const title = t("New Recompile Request for {0}", displayText(held.runId));
  const mode = await askMode(services, title, held);
  if (mode === null) return null;
  const stay = mode === "intentional_serial" ? await vscode.window.showQuickPick([...held.finding.todoIds], { title, placeHolder: t("Which todo keeps its place?") }) : null;
  if (stay === undefined) return null;
  const reason = await vscode.window.showInputBox({
    title,
    prompt: t("Why is the run recompiled? One sentence, kept in the request."),
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === "" ? t("A request needs a reason.") : null),
  });
  if (reason === undefined) return null;
  const requestId = await vscode.window.showInputBox({
    title,
    prompt: t("Id of the request"),
    value: held.freshRequestId,
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (!isIdentifier(value)) return t("Use letters, digits, dots, underscores and hyphens, the first a letter or digit.");
      return held.usedRequestIds.includes(value) ? t("The run used this id already.") : null;
    },
  });
  return requestId === undefined ? null : { mode, stayTodoId: stay, reason: reason.trim(), requestId };
}

async function askMode({ t }: Services, title: string, { finding }: HeldRun): Promise<RecompileMode | null> {
  const about = displayText(finding.path ?? finding.resourceId ?? "");
  const todos = finding.todoIds.join(", ");
  const items: (vscode.QuickPickItem & { readonly mode: RecompileMode })[] = [
    { mode: "seam_split", label: t("Seam split"), description: "seam_split", detail: t("Divide {0} so that each of {1} has its own part. Needs a commit that makes the seam.", about, todos) },
  ];
  // A serial is about two ends.
  if (finding.todoIds.length === 2) items.push({ mode: "intentional_serial", label: t("Intentional serial"), description: "intentional_serial", detail: t("Let {0} work on {1} one after the other.", todos, about) });
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: t("How is the finding treated?"), matchOnDescription: true });
  return picked?.mode ?? null;
}

/** A name in the project that nothing has yet. */
async function freePath(project: string, requestId: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = `${requestId}${number === 1 ? "" : `-${number}`}.recompile-request.json`;
    const candidate = path.join(project, name);
    const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.path === vscode.Uri.file(candidate).path);
    if (!isOpen && !(await exists(candidate))) return candidate;
  }
}

async function exists(file: string): Promise<boolean> {
  return vscode.workspace.fs.stat(vscode.Uri.file(file)).then(
    () => true,
    () => false,
  );
}

/** Nothing is written: the person reads it, completes it and saves it. */
async function showUnsaved(file: string, text: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file).with({ scheme: "untitled" }));
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  return vscode.window.showTextDocument(document);
}
