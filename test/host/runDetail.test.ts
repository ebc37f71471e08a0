// Owns: looking into runs of the demo as a person does: status, events, problems, the record behind a row, and the commands of a run.
import assert from "node:assert/strict";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { TreeNode } from "../../src/extension/tree/treeNode.js";
import { bytesBelow } from "../demo/bytesBelow.js";
import { actingAs } from "./dialogs.js";
import { hostClaim, hostDemo } from "./demo.js";
import { command, freshRow, testing, until } from "./shell.js";

async function below(node: TreeNode): Promise<readonly TreeNode[]> {
  return (await testing()).view.provider.getChildren(node);
}

/** The rows inside a run, once somebody looked into it. */
async function inside(run: string): Promise<readonly TreeNode[]> {
  const row = await freshRow(run);
  await command("runState.showRunStatus", row);
  return (await below(row)).filter(({ subject }) => subject.kind === "detail");
}

function labelled(rows: readonly TreeNode[], label: string): TreeNode {
  const row = rows.find((node) => node.row.label === label);
  assert.ok(row, `${label}: ${rows.map((node) => node.row.label).join(", ")}`);
  return row;
}

describe("inside a run", () => {
  const recompiled = (): string => hostClaim("cliLeftover").run;
  /** Its request is a symlink. */
  const damaged = (): string => path.join(hostDemo().projects.nightly, ".lattice/runs", damagedName);
  let damagedName = "";
  let atFirst: ReadonlyMap<string, string>;
  const stores = (): ReadonlyMap<string, string> => new Map(Object.values(hostDemo().projects).flatMap((project) => [...bytesBelow(path.join(project, ".lattice"))]));

  before(async () => {
    atFirst = stores();
    const runs = vscode.Uri.file(path.join(hostDemo().projects.nightly, ".lattice/runs"));
    for (const [name, type] of await vscode.workspace.fs.readDirectory(runs)) {
      if (type !== vscode.FileType.Directory) continue;
      const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(runs, name));
      if (entries.some(([entry]) => entry === "request.real.json")) damagedName = name;
    }
    assert.notEqual(damagedName, "");
  });

  after(() => {
    assert.deepEqual(stores(), atFirst);
  });

  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("nothing is read before somebody asks", async () => {
    const row = await freshRow(hostClaim("torn").run);
    const [placeholder] = (await below(row)).filter(({ subject }) => subject.kind === "detail");
    assert.ok(placeholder);
    assert.equal(placeholder.row.description, "not looked at yet");
    const { view } = await testing();
    assert.equal(view.provider.getTreeItem(placeholder).command?.command, "runState.showRunStatus");
  });

  it("stand its status, todos, epochs and events after its locks, newest event first", async () => {
    const rows = await inside(recompiled());
    assert.deepEqual(rows.map((node) => node.row.label), ["Status", "Todos", "Epochs", "Events", "Findings", "Leases"]);
    assert.equal(labelled(rows, "Status").row.description, "running · epoch 2");
    const events = await below(labelled(rows, "Events"));
    assert.equal(events[0]?.row.label, "17 · intake_resumed");
    assert.equal(events.length, 18);
  });

  it("stand the named problems of a damaged one, with what they mean in the tooltip", async () => {
    const rows = await inside(damaged());
    assert.match(labelled(rows, "Status").row.description, /^damaged/);
    const [problem] = await below(labelled(rows, "Problems"));
    assert.ok(problem);
    const { view } = await testing();
    const { tooltip } = view.provider.resolveTreeItem(view.provider.getTreeItem(problem), problem);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value, /The runtime answers nothing about this run\./);
  });

  it("a click on an event opens the journal at that event, read-only", async () => {
    const rows = await inside(recompiled());
    const event = (await below(labelled(rows, "Events"))).find((node) => node.row.label.startsWith("3 · "));
    assert.ok(event);
    const { view } = await testing();
    const click = view.provider.getTreeItem(event).command;
    assert.ok(click);
    await vscode.commands.executeCommand(click.command, ...((click.arguments ?? []) as unknown[]));
    const editor = await until("the journal is open", () => vscode.window.activeTextEditor);
    assert.equal(editor.document.uri.fsPath, path.join(recompiled(), "events.json"));
    const shown = JSON.parse(editor.document.getText(editor.selection)) as { readonly sequence: number };
    assert.equal(shown.sequence, 3);
  });

  it("verifying shows status, standing of the chain and every problem as a document", async () => {
    await command("runState.verifyRun", await freshRow(damaged()));
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, "run-state-run");
    const text = document.getText();
    assert.match(text, /^ {2}Status +damaged/m);
    assert.match(text, /^ {2}Standing +/m);
    assert.match(text, /^▸ file unreadable \(error\)$/m);
    assert.match(text, /^ {4}File +request\.json$/m);
  });

  it("the support bundle goes to the clipboard without a path or a host name", async () => {
    await actingAs({}, async () => {
      await command("runState.copySupportBundle", await freshRow(recompiled()));
    });
    const text = await vscode.env.clipboard.readText();
    const bundle = JSON.parse(text) as { readonly schema: string; readonly status: { readonly word: string } };
    assert.equal(bundle.schema, "run-state.support_bundle.v1");
    assert.equal(bundle.status.word, "running");
    for (const secret of [path.dirname(recompiled()), os.tmpdir(), os.hostname()]) assert.ok(!text.includes(secret), secret);
  });

  it("the request of the first epoch stands beside that of the committed one in the diff editor", async () => {
    await command("runState.diffRequests", await freshRow(recompiled()));
    const tab = await until("a diff is open", () => vscode.window.tabGroups.activeTabGroup.activeTab);
    assert.ok(tab.input instanceof vscode.TabInputTextDiff);
    const [first, second] = await Promise.all([tab.input.original, tab.input.modified].map((uri) => vscode.workspace.openTextDocument(uri)));
    const todos = (document: vscode.TextDocument | undefined): readonly string[] =>
      (JSON.parse(document?.getText() ?? "{}") as { readonly todos: readonly { readonly todo_id: string }[] }).todos.map((todo) => todo.todo_id);
    assert.deepEqual(todos(first), ["T1", "T2", "T3"]);
    assert.deepEqual(todos(second), ["T1a", "T1b", "T2n", "T3"]);
  });
});
