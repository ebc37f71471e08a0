// Owns: names that want to be taken for something else, and more rows than a view can bear, in the real tree.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { hostDemo } from "./demo.js";
import { actingAs } from "./dialogs.js";
import { allRows, api, command, freshRow, staleRun, testing, until } from "./shell.js";

const project = (): string => hostDemo().projects.nightly;

describe("a run with a hostile name", () => {
  const name = "run-\u202Egpj.lock";

  after(() => {
    fs.rmSync(path.join(project(), ".lattice/runs", name), { recursive: true, force: true });
  });

  it("is shown escaped in its row, its tooltip and its dialog, and copied as it is", async () => {
    const { run, lock } = staleRun(project(), name);
    const claim = await freshRow(lock);
    const row = await freshRow(run);
    assert.ok(row.row.label.includes("\\u{202e}"), row.row.label);
    const { view } = await testing();
    const { tooltip } = view.provider.resolveTreeItem(view.provider.getTreeItem(claim), claim);
    assert.ok(tooltip instanceof vscode.MarkdownString && !tooltip.value.includes("\u202E"));
    await actingAs({}, async ({ messages }) => {
      await command("runState.recoverStaleLock", claim);
      assert.ok(messages.length > 0);
      for (const { message, detail } of messages) assert.ok(!message.includes("\u202E") && detail?.includes("\u202E") !== true, message);
    });
    await command("runState.copyPath", claim);
    assert.equal(await vscode.env.clipboard.readText(), lock);
  });
});

describe("a folder with many runs", () => {
  const runs = (): string => path.join(project(), ".lattice/runs");
  const names = Array.from({ length: 80 }, (_, index) => `many-${String(index).padStart(3, "0")}`);

  after(async () => {
    for (const name of names) fs.rmSync(path.join(runs(), name), { recursive: true, force: true });
    await vscode.workspace.getConfiguration("runState").update("maxChildren", undefined, vscode.ConfigurationTarget.Global);
  });

  it("shows a page of them and a row that loads more", async () => {
    for (const name of names) fs.mkdirSync(path.join(runs(), name));
    await vscode.workspace.getConfiguration("runState").update("maxChildren", 50, vscode.ConfigurationTarget.Global);
    await (await api()).refresh();
    const more = await until("the row that stands for the rest", async () => (await allRows()).find(({ subject }) => subject.kind === "more"));
    const before = (await allRows()).length;
    assert.match(more.row.label, /^Load \d+( of \d+)? more$/);
    await command("runState.loadMore", more.id);
    assert.ok((await allRows()).length > before + 20);
    assert.equal((await allRows()).some(({ subject }) => subject.kind === "more"), false);
  });
});
