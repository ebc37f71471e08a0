// Owns: two Run States on one lock: a live one is waited for, one that nobody can judge is overridden only by typing its token.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createProcessInspector } from "../../src/core/process/createProcessInspector.js";
import { guardOwnerBytes, guardOwnerOf } from "../../src/core/quarantine/guardOwner.js";
import { guardDirectory, placeOfClaim } from "../../src/core/quarantine/latticeLayout.js";
import { hostDemo } from "./demo.js";
import { actingAs } from "./dialogs.js";
import { command, freshRow, staleRun } from "./shell.js";

const token = "0d7c1c1e-6b51-4f0a-9d1d-3c8f0c2a9b11";
const recover = [
  ["Move the stale", "Move to Quarantine"],
  ["proof is weak", "Move Anyway"],
] as const;

/** A guard as another Run State on `hostname` would hold it; this process itself when no name is given. */
async function guardedRun(name: string, hostname?: string): Promise<{ readonly lock: string }> {
  const { lock } = staleRun(hostDemo().projects.checkout, name);
  const place = placeOfClaim(lock);
  assert.ok(place);
  const current = await createProcessInspector().current();
  const guard = path.join(guardDirectory(place), "0000000001");
  fs.mkdirSync(guard, { recursive: true });
  fs.writeFileSync(path.join(guard, "owner.json"), guardOwnerBytes(guardOwnerOf({ ...current, hostname: hostname ?? current.hostname }, token, place.relative, Date.now())));
  return { lock };
}

describe("a lock on which another Run State works", () => {
  it("is left alone while that one is alive, and nobody is asked to override it", async () => {
    const { lock } = await guardedRun("guard-live");
    const row = await freshRow(lock);
    await actingAs({ messages: recover }, async (dialogs) => {
      await command("runState.recoverStaleLock", row);
      assert.equal(dialogs.with("Another Run State works").length, 0);
      assert.match(dialogs.with("Another window or terminal works on it")[0]?.message ?? "", new RegExp(`pid ${String(process.pid)}`));
    });
    assert.ok(fs.existsSync(lock));
  });

  it("is left alone when the question is closed or the token is wrong", async () => {
    const { lock } = await guardedRun("guard-remote", "elsewhere");
    const row = await freshRow(lock);
    await actingAs({ messages: recover }, async (dialogs) => {
      await command("runState.recoverStaleLock", row);
      const [asked] = dialogs.with("Another Run State works");
      assert.equal(asked?.isModal, true);
      assert.match(asked.detail ?? "", /on elsewhere/);
      assert.equal(dialogs.inputs.length, 0);
    });
    await actingAs({ messages: [...recover, ["Another Run State works", "Override…"]], inputs: ["wrong"] }, async () => command("runState.recoverStaleLock", row));
    assert.ok(fs.existsSync(lock));
  });

  it("is moved when the token of a guard that nobody can judge was typed", async () => {
    const { lock } = await guardedRun("guard-overridden", "elsewhere");
    const row = await freshRow(lock);
    await actingAs({ messages: [...recover, ["Another Run State works", "Override…"]], inputs: [token] }, async (dialogs) => {
      await command("runState.recoverStaleLock", row);
      assert.equal(dialogs.with("Moved to quarantine").length, 1);
    });
    assert.equal(fs.existsSync(lock), false);
  });
});
