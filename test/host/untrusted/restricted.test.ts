// Owns: restricted mode: everything can be looked at, nothing can be changed, whoever asks.
import assert from "node:assert/strict";
import path from "node:path";
import { mutatingCommands } from "../../../src/extension/contract.js";
import { bytesBelow } from "../../demo/bytesBelow.js";
import { hostClaim, hostDemo } from "../demo.js";
import { actingAs } from "../dialogs.js";
import { allRows, api, command, freshRow, testing } from "../shell.js";

describe("restricted mode", () => {
  before(async () => {
    await (await api()).refresh();
  });

  it("shows every claim with its verdict", async () => {
    assert.match((await freshRow(hostClaim("stale").lock)).row.description, /^stale/);
    assert.ok((await allRows()).length > 10);
  });

  it("says in the view that repairs are off", async () => {
    assert.equal((await testing()).view.message, "Restricted Mode: you can look, repairs are off.");
  });

  for (const id of mutatingCommands) {
    it(`refuses ${id} in the code too, before any question`, async () => {
      const row = await freshRow(hostClaim("stale").lock);
      const store = path.join(hostDemo().projects.checkout, ".lattice");
      const before = bytesBelow(store);
      await actingAs({}, async ({ messages, picks, inputs }) => {
        await command(id, row);
        assert.deepEqual(messages.map(({ message, isModal }) => [message, isModal]), [["Nothing is repaired in Restricted Mode. Trust this workspace first.", false]]);
        assert.equal(picks.length + inputs.length, 0);
      });
      assert.deepEqual(bytesBelow(store), before);
    });
  }
});
