// Owns: a demo of its own and one window on it, for the tests of one description; a picture of the window when one of them fails.
// Leaves to others: gestures (harness.ts), what to expect (the tests).
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DemoCase, DemoClaim } from "../demo/demoCases.js";
import { makeDemo, type Demo } from "../demo/makeDemo.js";
import type { Theme } from "../vscodeHost/settings.js";
import { Workbench } from "./harness.js";

/** Everything below it belongs to the tests. */
export interface DemoWindow {
  readonly directory: string;
  readonly demo: Demo;
  readonly workbench: Workbench;
  claim(name: DemoCase): DemoClaim;
}

/** Registers the hooks; the window is there once the first test runs. */
export function onDemo(theme: Theme): () => DemoWindow {
  let window: DemoWindow | null = null;
  const opened = (): DemoWindow => {
    assert.ok(window, "the window is not open yet");
    return window;
  };

  before(async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-ui-"));
    const demo = await makeDemo(path.join(directory, "demo"));
    const workbench = await Workbench.open({ workspace: demo.workspace, theme });
    const claim = (name: DemoCase): DemoClaim => {
      const found = demo.claims.get(name);
      assert.ok(found, `the demo has no claim "${name}" here`);
      return found;
    };
    window = { directory, demo, workbench, claim };
    await workbench.openRunStateView();
  });

  after(async () => {
    const { directory, demo, workbench } = opened();
    await workbench.close();
    await demo.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  });

  afterEach(async function () {
    if (this.currentTest?.state === "failed") await opened().workbench.screenshot(`failed-${this.currentTest.title.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  return opened;
}
