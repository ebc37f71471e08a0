// Identity of rows over time, the fewest changes, paging, filter.
import assert from "node:assert/strict";
import type { RunStateSnapshot } from "../../src/core/scan/snapshot.js";
import { englishText } from "../../src/shared/text.js";
import { TreeModel, type TreeChange } from "../../src/extension/tree/treeModel.js";
import type { TreeNode } from "../../src/extension/tree/treeNode.js";
import { claim, entry, live, now, root, run, snapshot, stale, store } from "./builders.js";

const lattice = "/p/.lattice";

function model(pageSize = 500, clock: { now: number } = { now }): TreeModel {
  return new TreeModel({ t: englishText, now: () => clock.now }, pageSize);
}

/** What VS Code does with an expanded tree: asks for everything. */
function expandAll(tree: TreeModel, parent: TreeNode | null = null): readonly TreeNode[] {
  return tree.children(parent).flatMap((node) => [node, ...expandAll(tree, node)]);
}

function changedIds(change: TreeChange): readonly string[] | "top" {
  return change.kind === "top" ? "top" : change.nodes.map((node) => node.id);
}

function taken(...runs: Parameters<typeof run>[]): RunStateSnapshot {
  return snapshot([root("/p", [store(lattice, { runs: runs.map((one) => run(...one)) })])]);
}

describe("the tree model", () => {
  it("is empty before the first look", () => {
    assert.deepEqual(model().children(null), []);
  });

  it("keeps the same objects for the same rows over snapshots", () => {
    const tree = model();
    tree.show(taken([lattice, "a", [stale]], [lattice, "b", [live]]));
    const before = expandAll(tree);
    tree.show(taken([lattice, "a", [stale]], [lattice, "b", [live]]));
    const after = expandAll(tree);
    assert.equal(before.length, after.length);
    for (const [index, node] of before.entries()) assert.equal(after[index], node);
  });

  it("announces nothing when nothing a person sees has changed", () => {
    const tree = model();
    tree.show(taken([lattice, "a", [stale]]));
    expandAll(tree);
    assert.deepEqual(changedIds(tree.show(taken([lattice, "a", [stale]]))), []);
  });

  it("announces only the run whose claim changed, and its folder only when its own row changes", () => {
    const tree = model();
    tree.show(taken([lattice, "a", [live]], [lattice, "b", [live, live]], [lattice, "c", [live]]));
    expandAll(tree);
    const change = tree.show(taken([lattice, "a", [live]], [lattice, "b", [live]], [lattice, "c", [live]]));
    assert.deepEqual(changedIds(change), ["run:/p/.lattice/runs/b"]);
    assert.deepEqual(
      changedIds(tree.show(taken([lattice, "a", [live]], [lattice, "b", [stale]], [lattice, "c", [live]]))),
      ["store:/p/.lattice"],
    );
  });

  it("gives a row that a command holds the newest subject, also below a row that is drawn as a whole", () => {
    const tree = model();
    tree.show(taken([lattice, "a", [live]]));
    const node = expandAll(tree).find(({ subject }) => subject.kind === "claim");
    tree.show(taken([lattice, "a", [stale]]));
    assert.equal(node?.subject.kind === "claim" && node.subject.claim.verdict.kind, "stale");
  });

  it("announces the top when a folder comes or goes", () => {
    const tree = model();
    tree.show(taken([lattice, "a", [live]]));
    expandAll(tree);
    assert.equal(changedIds(tree.show(snapshot([]))), "top");
    assert.equal(tree.find("run:/p/.lattice/runs/a"), undefined);
  });

  it("announces a row whose age has moved on", () => {
    const clock = { now };
    const tree = model(500, clock);
    const same = taken([lattice, "a", [live]]);
    tree.show(same);
    expandAll(tree);
    clock.now += 3_600_000;
    assert.deepEqual(changedIds(tree.show(same)), ["claim:/p/.lattice/runs/a/.lifecycle.lock"]);
  });

  it("has unique ids for equal names in two roots and for one claim in two lists", () => {
    const tree = model();
    const one = store("/p/.lattice", { runs: [run("/p/.lattice", "same", [stale])] });
    const two = store("/q/.lattice", { runs: [run("/q/.lattice", "same", [stale])] });
    tree.show(snapshot([root("/p", [one]), root("/q", [two])]));
    const ids = expandAll(tree).map((node) => node.id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it("shows a page and a row that stands for the rest, which loads one page more", () => {
    const tree = model(2);
    const runs = ["a", "b", "c", "d", "e"].map((name): Parameters<typeof run> => [lattice, name]);
    tree.show(taken(...runs));
    const [folder] = tree.children(null);
    assert.ok(folder);
    const labels = (): readonly string[] => tree.children(folder).map((node) => node.row.label);
    assert.deepEqual(labels(), ["a", "b", "Load 2 of 3 more"]);
    const more = tree.children(folder).at(-1);
    assert.ok(more);
    assert.deepEqual(changedIds(tree.loadMore(more)), [folder.id]);
    assert.deepEqual(labels(), ["a", "b", "c", "d", "Load 1 more"]);
    tree.show(taken(...runs));
    assert.deepEqual(labels().length, 5, "a refresh does not fold the page back");
  });

  it("shows only what the filter names, and the folders above it", () => {
    const tree = model();
    const held = claim(stale, { path: "/p/.lattice/runs/a/.lifecycle.lock" });
    tree.show(
      snapshot([
        root("/p", [
          store(lattice, {
            runs: [run(lattice, "a", [stale, live]), run(lattice, "b", [live]), run(lattice, "c")],
            quarantine: [entry("quarantined", held)],
          }),
        ]),
      ]),
    );
    tree.showOnly(new Set(["stale"] as const));
    assert.deepEqual(
      expandAll(tree).map((node) => node.row.label),
      ["p", "a", "Lock"],
    );
    tree.showOnly(new Set(["idle"] as const));
    assert.deepEqual(
      expandAll(tree).map((node) => node.row.label),
      ["p", "c"],
    );
    tree.showOnly(null);
    assert.equal(expandAll(tree).length, 9);
  });

  it("makes rows only for the page that is shown, however many runs there are", () => {
    const tree = model();
    const runs = Array.from({ length: 10_000 }, (_, index) => run(lattice, `run-${String(index).padStart(5, "0")}`, index % 100 === 0 ? [stale] : []));
    tree.show(snapshot([root("/p", [store(lattice, { runs })])]));
    expandAll(tree);
    assert.equal([...tree.seen()].length, 1 + 500 + 100 + 1);
  });
});
