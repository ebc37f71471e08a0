// Owns: a repair that was interrupted: it is shown first, it can be settled from its lock and from its quarantine, and only after a question.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { executeQuarantine } from "../../src/core/quarantine/executeQuarantine.js";
import { planQuarantine } from "../../src/core/quarantine/planQuarantine.js";
import { nodeFilePort } from "../../src/core/storage/nodeFilePort.js";
import type { TreeNode } from "../../src/extension/tree/treeNode.js";
import { Crash, fakeFiles, type Operation } from "../fakes/files.js";
import { bytesBelow } from "../demo/bytesBelow.js";
import { actingAs } from "./dialogs.js";
import { hostDemo } from "./demo.js";
import { allRows, api, command, freshRow, rowOfPath, staleRun } from "./shell.js";

const project = (): string => hostDemo().projects.checkout;

/** A repair that dies at its first step of this kind, in a process that is no more: its guard goes with it. */
async function interrupted(name: string, operation: Operation, when: "before" | "after"): Promise<{ readonly lock: string; readonly bytes: Buffer }> {
  const made = staleRun(project(), name);
  const row = await freshRow(made.lock);
  assert.ok(row.subject.kind === "claim");
  const plan = await planQuarantine(row.subject.claim);
  const { port } = fakeFiles(nodeFilePort, { faults: [{ operation, at: 0, code: "crash", when, where: ({ path: from }) => from === made.lock, forGood: true }] });
  await assert.rejects(executeQuarantine(plan, { port }), Crash);
  fs.rmSync(path.join(project(), ".lattice/quarantine/.guards"), { recursive: true });
  await (await api()).refresh();
  return made;
}

async function entryRow(lock: string): Promise<TreeNode | undefined> {
  return (await allRows()).find(({ subject }) => subject.kind === "entry" && subject.entry.record?.original_path === lock);
}

describe("an interrupted repair", () => {
  it("that froze the lock stands first in its folder, and is undone from the lock", async () => {
    const { lock, bytes } = await interrupted("frozen-lock", "rename", "before");
    assert.equal(fs.lstatSync(lock).nlink, 2);
    const row = await rowOfPath(lock);
    assert.ok(row);
    assert.match(row.row.description, /^interrupted repair/);
    assert.match(row.row.contextValue, /;settleable/);
    assert.doesNotMatch(row.row.contextValue, /;(recoverable|forcible)/);
    const before = bytesBelow(path.join(project(), ".lattice"));
    await actingAs({}, async ({ messages }) => {
      await command("runState.settleRepair", row);
      assert.equal(messages[0]?.isModal, true);
      assert.deepEqual(messages[0].buttons, ["Undo"]);
    });
    assert.deepEqual(bytesBelow(path.join(project(), ".lattice")), before);
    await actingAs({ messages: [["Settle the interrupted repair", "Undo"]] }, async (dialogs) => {
      await command("runState.settleRepair", row);
      assert.equal(dialogs.with("Settled:").length, 1);
    });
    assert.equal(fs.lstatSync(lock).nlink, 1);
    assert.deepEqual(fs.readFileSync(lock), bytes);
    assert.match((await rowOfPath(lock))?.row.description ?? "", /^stale/);
  });

  it("that had moved the lock is finished from the quarantine, and can then be restored", async () => {
    const { lock, bytes } = await interrupted("moved-lock", "rename", "after");
    const row = await entryRow(lock);
    assert.ok(row);
    assert.match(row.row.contextValue, /;settleable/);
    await actingAs({ messages: [["Settle the interrupted repair", "Finish"]] }, async () => command("runState.settleRepair", row));
    const entry = await entryRow(lock);
    assert.match(entry?.row.description ?? "", /^quarantined/);
    await actingAs({ messages: [["Restore the", "Restore"]] }, async () => command("runState.restore", entry));
    assert.deepEqual(fs.readFileSync(lock), bytes);
  });
});
