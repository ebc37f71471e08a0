// Owns: the first slice as a person does it: see the stale lock, read why, cancel, recover, restore. The disk is compared byte for byte.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { bytesBelow } from "../demo/bytesBelow.js";
import { onDemo } from "./demoWindow.js";
import type { Workbench } from "./harness.js";

describe("a person with a stale lock", function () {
  this.timeout(240_000);
  const window = onDemo("light");
  let workbench: Workbench;
  let directory: string;
  let lock: string;
  let bytes: Buffer;
  let name: string;

  before(async () => {
    ({ workbench, directory } = window());
    const claim = window().claim("stale");
    lock = claim.lock;
    name = path.basename(claim.run);
    bytes = fs.readFileSync(lock);
    await staleRow().waitFor();
  });

  /** The only claim of the demo whose owner died three hours ago. */
  function staleRow(): Locator {
    return workbench.row(/Lock\s*stale · pid \d+ · 3 h/);
  }

  it("sees how many there are, and which one, without opening anything", async () => {
    assert.match(await workbench.page.locator(".part.statusbar").innerText(), /\d stale/);
    const tab = workbench.page.locator(".part.activitybar .action-item").filter({ has: workbench.page.locator('[aria-label^="Run State"]') });
    assert.match((await tab.locator(".badge-content").innerText()).trim(), /^\d$/);
    assert.match((await staleRow().getAttribute("aria-label")) ?? "", new RegExp(`^Lifecycle lock of ${name}, stale, owner process \\d+, written 3 hours ago, gone`));
  });

  it("reads why when the pointer rests on it", async () => {
    const tooltip = await workbench.tooltip(staleRow(), "weak proof");
    assert.match(await tooltip.innerText(), /this decided/);
    await workbench.page.keyboard.press("Escape");
  });

  it("asks the palette without choosing a row: the palette asks for the lock first", async () => {
    await workbench.command("Run State: Recover Stale Lock…");
    const items = await workbench.quickInput.items();
    assert.ok(items.length > 1);
    assert.deepEqual(items.filter((item) => !/stale/.test(item)), []);
    await workbench.screenshot("palette-target");
    await workbench.quickInput.pick(name);
    assert.match(await workbench.modal.text(), new RegExp(`Move the stale lifecycle lock of ${name} to quarantine`));
    await workbench.modal.press("Cancel");
    assert.deepEqual(fs.readFileSync(lock), bytes);
  });

  it("finds the command in the row's menu, in a group of its own at the end", async () => {
    const items = await workbench.openContextMenu(staleRow());
    assert.deepEqual(items, ["Show Evidence", "Open Lock File", "Reveal in Explorer View", "Copy Id", "Copy Path", "Copy Evidence as Markdown", "Recover Stale Lock…"]);
    await workbench.page.keyboard.press("Escape");
  });

  for (const [how, leave] of [
    ["Cancel", async () => workbench.modal.press("Cancel")],
    ["Escape", async () => workbench.page.keyboard.press("Escape")],
  ] as const) {
    it(`reads what would happen, leaves with ${how}, and not one byte has changed`, async () => {
      const before = bytesBelow(directory);
      await workbench.contextMenu(staleRow(), "Recover Stale Lock…");
      const text = await workbench.modal.text();
      for (const part of [`Move the stale lifecycle lock of ${name} to quarantine?`, "Owner: pid ", "Operation: recompile", "Verdict: ", `Path: ${lock}`, "Moves to: "]) {
        assert.ok(text.replaceAll(/\s+/g, " ").includes(part), `${part} in: ${text}`);
      }
      assert.deepEqual([...(await workbench.modal.buttons())].sort(), ["Cancel", "Move to Quarantine"]);
      await leave();
      await workbench.modal.box.waitFor({ state: "hidden" });
      assert.deepEqual(bytesBelow(directory), before);
    });
  }

  it("leaves at the second question, and not one byte has changed", async () => {
    const before = bytesBelow(directory);
    await workbench.contextMenu(staleRow(), "Recover Stale Lock…");
    await workbench.modal.press("Move to Quarantine");
    assert.match(await workbench.modal.text(), /The proof is weak\. Are you sure\?/);
    await workbench.modal.press("Cancel");
    assert.deepEqual(bytesBelow(directory), before);
  });

  it("recovers it: the lock is in quarantine, recorded, and the row is gone", async () => {
    await workbench.contextMenu(staleRow(), "Recover Stale Lock…");
    await workbench.modal.press("Move to Quarantine");
    await workbench.modal.press("Move Anyway");
    assert.equal(await workbench.notifications.text("Moved to quarantine"), `Moved to quarantine: lifecycle lock of ${name}.`);
    assert.deepEqual(await workbench.notifications.buttons("Moved to quarantine"), ["Restore"]);
    await staleRow().waitFor({ state: "detached" });
    assert.equal(fs.existsSync(lock), false);
    const kept = path.join(window().demo.projects.checkout, ".lattice/quarantine", name);
    const files = fs.readdirSync(kept);
    const record = files.find((file) => file.endsWith(".record.json"));
    assert.ok(record);
    assert.equal(files.length, 2);
    assert.deepEqual(fs.readFileSync(path.join(kept, record.replace(/\.record\.json$/, ""))), bytes);
    assert.equal((JSON.parse(fs.readFileSync(path.join(kept, record), "utf8")) as { readonly state: string }).state, "done");
    await workbench.screenshot("recovered");
  });

  it("changes her mind: Restore brings the very bytes back", async () => {
    await workbench.notifications.press("Moved to quarantine", "Restore");
    await workbench.notifications.with("Restored:").waitFor();
    assert.deepEqual(fs.readFileSync(lock), bytes);
    await staleRow().waitFor();
  });

  it("finds it in the quarantine, where Restore is one click and one question away", async () => {
    await workbench.contextMenu(staleRow(), "Recover Stale Lock…");
    await workbench.modal.press("Move to Quarantine");
    await workbench.modal.press("Move Anyway");
    await staleRow().waitFor({ state: "detached" });
    await workbench.expand(workbench.row(/^Quarantine/));
    const entry = workbench.row(new RegExp(`^${name}\\s*quarantined`));
    await entry.hover();
    await entry.getByRole("button", { name: "Restore…" }).click();
    assert.match(await workbench.modal.text(), new RegExp(`Restore the lifecycle lock of ${name}\\?`));
    await workbench.modal.press("Restore");
    await staleRow().waitFor();
    assert.deepEqual(fs.readFileSync(lock), bytes);
  });

  it("had a window without errors and without a request to anywhere", () => {
    assert.deepEqual(workbench.pageErrors, []);
    assert.deepEqual(workbench.refusedRequests, []);
  });
});
