// Owns: windows in which there is nothing to repair or nobody may: restricted mode, an empty folder, no folder.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeDemo } from "../demo/makeDemo.js";
import { Workbench, type WorkbenchOptions } from "./harness.js";

async function inWindow(options: WorkbenchOptions, work: (workbench: Workbench) => Promise<void>): Promise<void> {
  const workbench = await Workbench.open(options);
  try {
    await workbench.openRunStateView();
    await work(workbench);
  } catch (error) {
    await workbench.screenshot("failed-restricted");
    throw error;
  } finally {
    await workbench.close();
  }
}

const changing = /Recover|Force|Restore|Purge|Settle/;

describe("a window in restricted mode", function () {
  this.timeout(180_000);

  it("shows everything, and no command that changes anything: neither in a menu nor in the palette", async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-ui-"));
    const demo = await makeDemo(path.join(directory, "demo"));
    try {
      await inWindow({ workspace: demo.workspace, trusted: false, theme: "light" }, async (workbench) => {
        await workbench.view.getByText("Restricted Mode: you can look, repairs are off.").waitFor();
        for (const row of [/Lock\s*stale · pid \d+ · 3 h/, /Lock\s*remote/]) {
          const items = await workbench.openContextMenu(workbench.row(row));
          assert.deepEqual(items.filter((item) => changing.test(item)), []);
          assert.ok(items.includes("Show Evidence"));
          await workbench.page.keyboard.press("Escape");
        }
        await workbench.screenshot("restricted");
        await workbench.page.keyboard.press("F1");
        await workbench.quickInput.fill(">Run State:");
        const commands = await workbench.quickInput.items();
        assert.ok(commands.some((command) => command.includes("Show Evidence")));
        assert.deepEqual(commands.filter((command) => changing.test(command)), []);
      });
    } finally {
      await demo.stop();
      fs.rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe("a window without run state", function () {
  this.timeout(180_000);

  it("says what it waits for in an empty folder", async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-ui-"));
    try {
      await inWindow({ workspace: directory, theme: "dark" }, async (workbench) => {
        await workbench.view.getByText("No run state here.").waitFor();
        await workbench.screenshot("welcome-empty");
      });
    } finally {
      fs.rmSync(directory, { recursive: true, force: true });
    }
  });

  it("offers to open a folder when there is none", async () => {
    await inWindow({ theme: "dark" }, async (workbench) => {
      await workbench.view.getByRole("button", { name: "Open Folder" }).waitFor();
      await workbench.screenshot("welcome-no-folder");
    });
  });
});
