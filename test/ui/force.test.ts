// Owns: forcing as a person does it: the id is asked for, a wrong one does nothing, the right one moves.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { bytesBelow } from "../demo/bytesBelow.js";
import { onDemo } from "./demoWindow.js";
import type { Workbench } from "./harness.js";

describe("a person who knows that a remote owner is gone", function () {
  this.timeout(180_000);
  const window = onDemo("dark");
  let workbench: Workbench;
  let directory: string;
  let lock: string;

  before(async () => {
    ({ workbench, directory } = window());
    ({ lock } = window().claim("remote"));
    await workbench.row(/Lock\s*remote/).waitFor();
  });

  async function askForId(): Promise<string> {
    await workbench.contextMenu(workbench.row(/Lock\s*remote/), "Force Quarantine…");
    assert.match(await workbench.modal.text(), /If its owner still works, two processes may believe that they own this run\./);
    await workbench.modal.press("Continue…");
    const message = await workbench.quickInput.message();
    const id = /Type to confirm: (\S+)/.exec(message)?.[1];
    assert.ok(id, message);
    return id;
  }

  it("is not offered to recover it: it is not proved stale", async () => {
    const items = await workbench.openContextMenu(workbench.row(/Lock\s*remote/));
    assert.ok(items.includes("Force Quarantine…"));
    assert.ok(!items.includes("Recover Stale Lock…"));
    await workbench.page.keyboard.press("Escape");
  });

  it("types a wrong id: the box complains, Enter does nothing, and not one byte has changed", async () => {
    const before = bytesBelow(directory);
    const id = await askForId();
    await workbench.quickInput.fill(`${id}x`);
    await workbench.quickInput.box.getByText(`This is not the id of the claim. Type exactly: ${id}`).waitFor();
    await workbench.screenshot("force-wrong-id");
    await workbench.quickInput.accept();
    assert.equal(await workbench.quickInput.box.isVisible(), true);
    await workbench.quickInput.cancel();
    assert.deepEqual(bytesBelow(directory), before);
  });

  it("types the right id: the lock is in quarantine, marked as forced", async () => {
    const id = await askForId();
    await workbench.quickInput.fill(id);
    await workbench.quickInput.accept();
    await workbench.notifications.with("Moved to quarantine").waitFor();
    assert.equal(fs.existsSync(lock), false);
    const kept = path.join(window().demo.projects.checkout, ".lattice/quarantine", path.basename(path.dirname(lock)));
    const record = fs.readdirSync(kept).find((file) => file.endsWith(".record.json"));
    assert.ok(record);
    const { forced, claim_id } = JSON.parse(fs.readFileSync(path.join(kept, record), "utf8")) as { readonly forced: boolean; readonly claim_id: string };
    assert.deepEqual({ forced, claim_id }, { forced: true, claim_id: id });
  });
});
