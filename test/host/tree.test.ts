// Owns: what the tree shows of the demo, in the window where it is drawn.
import assert from "node:assert/strict";
import path from "node:path";
import * as vscode from "vscode";
import { demoCases, type DemoCase } from "../demo/demoCases.js";
import { hostClaim, hostDemo } from "./demo.js";
import { allRows, api, rowOfPath, testing } from "./shell.js";

describe("the tree on the demo workspace", () => {
  before(async () => {
    await (await api()).refresh();
  });

  it("has one folder row for each workspace folder, with different ids", async () => {
    const { view } = await testing();
    const folders = view.provider.getChildren();
    assert.deepEqual(folders.map((node) => node.row.label), Object.values(hostDemo().projects).map((project) => path.basename(project)));
    assert.equal(new Set((await allRows()).map((node) => node.id)).size, (await allRows()).length);
  });

  for (const name of Object.keys(demoCases) as DemoCase[]) {
    it(`says the state first of the case "${name}"`, async function () {
      if (hostDemo().claims.get(name) === undefined) this.skip();
      const row = await rowOfPath(hostClaim(name).lock);
      assert.equal(row?.row.description.split(" · ")[0], demoCases[name]);
    });
  }

  it("gives every row a stable id, an icon, flags and words for a screen reader", async () => {
    const { view } = await testing();
    for (const node of await allRows()) {
      const item = view.provider.getTreeItem(node);
      assert.equal(item.id, node.id);
      assert.ok(item.iconPath instanceof vscode.ThemeIcon, node.id);
      assert.ok((item.accessibilityInformation?.label ?? "").includes(node.row.label) || node.subject.kind === "claim", node.id);
      assert.ok(item.contextValue, node.id);
      assert.equal(item.tooltip, undefined, "tooltips are made when they are asked for");
    }
  });

  it("shows the evidence check by check in the tooltip, without HTML or commands", async () => {
    const { view } = await testing();
    const row = await rowOfPath(hostClaim("stale").lock);
    assert.ok(row);
    const { tooltip } = view.provider.resolveTreeItem(view.provider.getTreeItem(row), row);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.equal(tooltip.supportHtml, false);
    assert.equal(tooltip.isTrusted, false);
    assert.equal(tooltip.value.match(/this decided/g)?.length, 1);
  });

  it("keeps the same row objects over a refresh", async () => {
    const before = await allRows();
    await (await api()).refresh();
    const after = await allRows();
    assert.deepEqual(after.map((node) => node.id), before.map((node) => node.id));
    for (const [index, node] of before.entries()) assert.equal(after[index], node);
  });

  it("shows the number of stale claims as the badge of the view", async () => {
    const { view } = await testing();
    const stale = (await allRows()).filter((node) => node.subject.kind === "claim" && node.subject.claim.verdict.kind === "stale");
    assert.ok(stale.length > 0);
    assert.equal(view.badge?.value, stale.length);
  });

  it("has no message while everything is as it should be", async () => {
    const { view } = await testing();
    assert.equal(view.message ?? "", "");
  });

  it("shows only what a filter names, and says so", async () => {
    const { view } = await testing();
    view.setFilter(new Set(["remote"]));
    const claims = (await allRows()).filter((node) => node.subject.kind === "claim");
    assert.deepEqual(claims.map((node) => node.row.description.split(" · ")[0]), ["remote"]);
    assert.equal(view.message, "Filtered: remote.");
    view.setFilter(null);
    assert.equal(view.message, "");
  });
});
