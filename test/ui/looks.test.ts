// Owns: pictures of everything that a person looks at, in every kind of theme, to be looked at by people; and that the words are there.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeDemo, type Demo } from "../demo/makeDemo.js";
import type { Theme } from "../vscodeHost/settings.js";
import { Workbench } from "./harness.js";

const themes: readonly Theme[] = ["light", "dark", "high-contrast", "high-contrast-light"];

describe("the looks", function () {
  this.timeout(240_000);
  let directory: string;
  let demo: Demo;

  before(async () => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-ui-"));
    demo = await makeDemo(path.join(directory, "demo"));
  });

  after(async () => {
    await demo.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  });

  for (const theme of themes) {
    it(`of tree, tooltip, menu, evidence, dialogs and walkthrough (${theme})`, async () => {
      const workbench = await Workbench.open({ workspace: demo.workspace, theme });
      const { page } = workbench;
      try {
        await workbench.openRunStateView();
        const row = workbench.row(/Lock\s*stale · pid \d+ · 3 h/);
        await row.waitFor();
        await page.mouse.move(800, 400);
        await workbench.screenshot("tree");

        await workbench.tooltip(row, "this decided");
        await workbench.screenshot("tooltip");
        await page.keyboard.press("Escape");

        await row.click();
        await page.locator(".tabs-container .tab").filter({ hasText: "Lifecycle lock of" }).waitFor();
        await page.locator(".view-line").filter({ hasText: "weak proof" }).waitFor();
        await workbench.openContextMenu(row);
        await workbench.screenshot("evidence-and-menu");
        await workbench.chooseFromMenu("Recover Stale Lock…");
        await workbench.modal.text();
        await workbench.screenshot("dialog");
        await workbench.modal.press("Move to Quarantine");
        assert.match(await workbench.modal.text(), /The proof is weak/);
        await page.mouse.move(1100, 100);
        await workbench.screenshot("dialog-weak");
        await workbench.modal.press("Cancel");

        await page.keyboard.press("F1");
        await workbench.quickInput.fill(">Run State: Filter");
        await workbench.quickInput.pick("Run State: Filter…");
        await workbench.quickInput.items();
        await workbench.screenshot("filter");
        await workbench.quickInput.cancel();

        await workbench.command("Run State: Get Started");
        await page.getByText("See who owns what").first().waitFor();
        await page.waitForLoadState("networkidle");
        await workbench.screenshot("walkthrough");
      } catch (error) {
        await workbench.screenshot("failed-looks");
        throw error;
      } finally {
        await workbench.close();
      }
    });
  }
});
