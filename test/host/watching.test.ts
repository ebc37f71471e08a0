// Owns: that the view follows the disk by itself: changes inside the workspace, owners that die, directories that are polled, and not in manual mode.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { lockBytes, startText } from "../demo/lockBytes.js";
import { hostDemo } from "./demo.js";
import { allRows, api, freshRow, rowOfPath, runWithLock, staleRun, testing, until } from "./shell.js";

const project = (): string => hostDemo().projects.nightly;

async function withSettings<T>(settings: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T> {
  const configuration = vscode.workspace.getConfiguration("runState");
  for (const [name, value] of Object.entries(settings)) await configuration.update(name, value, vscode.ConfigurationTarget.Global);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(settings)) await configuration.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}

/** What a person with the window in front has; the browser of these tests may not tell. */
async function look(): Promise<void> {
  const { session } = await testing();
  session.scheduler.setFocused(true);
  session.scheduler.setVisible(true);
}

describe("watching", function () {
  this.timeout(60_000);

  before(async () => {
    await (await api()).refresh();
    await vscode.commands.executeCommand("runState.tree.focus");
    await look();
  });

  it("shows a lock that appears, changes and goes, without being asked", async () => {
    const { lock } = staleRun(project(), "watched");
    const row = await until("the new lock is shown", () => rowOfPath(lock));
    assert.match(row.row.description, /^stale/);
    fs.writeFileSync(lock, "{");
    await until("the torn lock is shown", async () => /^(corrupt|unknown)/.test((await rowOfPath(lock))?.row.description ?? ""));
    fs.rmSync(lock);
    await until("the lock is gone", async () => (await rowOfPath(lock)) === undefined);
  });

  it("redraws only what changed", async () => {
    const { view } = await testing();
    const { run, lock } = staleRun(project(), "redrawn");
    await freshRow(lock);
    await allRows();
    const drawn: string[] = [];
    const registration = view.provider.onDidChangeTreeData((nodes) => {
      drawn.push(...(nodes === undefined ? ["everything"] : nodes.map((node) => node.id)));
    });
    try {
      fs.rmSync(lock);
      fs.writeFileSync(path.join(run, ".cli-lifecycle.lock"), "");
      await until("the run is drawn again", () => drawn.length > 0);
      assert.ok(!drawn.includes("everything"), drawn.join(", "));
    } finally {
      registration.dispose();
    }
  });

  it("notices that an owner died although no file changed", async () => {
    const owner = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    try {
      const pid = await until("the owner has a pid", () => owner.pid);
      const bytes = lockBytes({ pid, started: await startText(pid) }, { operation: "activate", requestId: "dies-r1", acquiredAt: Date.now() });
      const { lock } = runWithLock(project(), "dies", bytes);
      assert.match((await freshRow(lock)).row.description, /^live/);
      await withSettings({ pollInterval: 5 }, async () => {
        await look();
        owner.kill("SIGKILL");
        await until("the owner is known to be gone", async () => (await rowOfPath(lock))?.row.description.startsWith("stale"));
      });
    } finally {
      owner.kill("SIGKILL");
    }
  });

  it("does nothing by itself in manual mode, and says so", async () => {
    await withSettings({ refresh: "manual" }, async () => {
      const { store, view } = await testing();
      await until("the message says so", () => view.message?.startsWith("Automatic refresh is off."));
      // The change of the setting itself asks for a look; what counts is what comes after it.
      await (await api()).refresh();
      let looks = 0;
      const registration = store.onDidChange(() => (looks += 1));
      const { lock } = staleRun(project(), "unwatched");
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      registration.dispose();
      assert.equal(looks, 0);
      assert.equal(await rowOfPath(lock), undefined);
    });
    await until("automatic again", async () => ((await testing()).view.message ?? "") === "");
  });

  it("polls a directory outside the workspace, and says so", async () => {
    const outside = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "run-state-outside-")));
    try {
      const { lock } = staleRun(outside, "elsewhere");
      await withSettings({ roots: [outside, "not/absolute"], pollInterval: 5 }, async () => {
        const { view } = await testing();
        await until("the outside run is shown", () => rowOfPath(lock));
        await until("the message says so", () => view.message?.includes(`Not watched, looked at every 5 s: ${outside}.`));
        assert.ok(view.message?.startsWith("Not an absolute path in runState.roots: not/absolute."));
        await look();
        const later = staleRun(outside, "later");
        await until("a later run is shown too", () => rowOfPath(later.lock));
      });
      await until("the directory is no longer shown", async () => (await rowOfPath(lock)) === undefined);
    } finally {
      fs.rmSync(outside, { recursive: true });
    }
  });
});
