// Which things a command acts on: clicked row, selection around it, view selection, or a question.
import assert from "node:assert/strict";
import { allTargets, chosenIds, sortOut } from "../../src/extension/commands/target.js";
import { englishText } from "../../src/shared/text.js";
import { TreeModel } from "../../src/extension/tree/treeModel.js";
import type { TreeNode } from "../../src/extension/tree/treeNode.js";
import { live, now, root, run, snapshot, stale, store } from "./builders.js";

const taken = snapshot([
  root("/p", [store("/p/.lattice", { runs: [run("/p/.lattice", "a", [stale]), run("/p/.lattice", "b", [stale]), run("/p/.lattice", "c", [live])] })]),
]);

const claimId = (name: string): string => `claim:/p/.lattice/runs/${name}/.lifecycle.lock`;

function nodes(): ReadonlyMap<string, TreeNode> {
  const tree = new TreeModel({ t: englishText, now: () => now }, 500);
  tree.show(taken);
  const walk = (parent: TreeNode | null): readonly TreeNode[] => tree.children(parent).flatMap((node) => [node, ...walk(node)]);
  return new Map(walk(null).map((node) => [node.id, node]));
}

function node(name: string): TreeNode {
  const found = nodes().get(claimId(name));
  assert.ok(found);
  return found;
}

describe("the targets of a command", () => {
  it("are the selection when the click was inside it", () => {
    assert.deepEqual(chosenIds(node("a"), [node("a"), node("b")], []), [claimId("a"), claimId("b")]);
  });

  it("are only the clicked row when the click was outside the selection", () => {
    assert.deepEqual(chosenIds(node("a"), [node("b"), node("c")], [node("b")]), [claimId("a")]);
  });

  it("are the clicked row when nothing is selected, also when it is named by its id", () => {
    assert.deepEqual(chosenIds(node("a"), undefined, []), [claimId("a")]);
    assert.deepEqual(chosenIds(claimId("a"), undefined, [node("b")]), [claimId("a")]);
  });

  it("are the view's selection when the command comes from the palette or a key", () => {
    assert.deepEqual(chosenIds(undefined, undefined, [node("b")]), [claimId("b")]);
  });

  it("are asked for when nothing names any", () => {
    assert.equal(chosenIds(undefined, undefined, []), null);
  });

  it("are split into those that the command can act on and those that it lists as skipped", () => {
    const isStale = ({ subject }: { readonly subject: TreeNode["subject"] }): boolean => subject.kind === "claim" && subject.claim.verdict.kind === "stale";
    const { targets, skipped } = sortOut([claimId("a"), claimId("c"), claimId("gone")], taken, isStale);
    assert.deepEqual(targets.map((target) => target.id), [claimId("a")]);
    assert.deepEqual(skipped.map((target) => target.id), [claimId("c")]);
  });

  it("can be anything in the snapshot, also what paging or a filter hides", () => {
    const runs = Array.from({ length: 1_200 }, (_, index) => run("/p/.lattice", `r${String(index)}`, [stale]));
    const many = snapshot([root("/p", [store("/p/.lattice", { runs })])]);
    assert.equal([...allTargets(many).values()].filter(({ subject }) => subject.kind === "claim").length, 1_200);
  });
});
