// Owns: the first thing a person sees, in each kind of theme: the window opens quietly and the view shows the demo's projects.
import assert from "node:assert/strict";
import { makeTemporaryDemo } from "../demo/makeDemo.js";
import type { Theme } from "../vscodeHost/settings.js";
import { Workbench } from "./harness.js";

const themes: readonly Theme[] = ["light", "dark", "high-contrast", "high-contrast-light"];

describe("the window on the demo workspace", () => {
  let demo: Awaited<ReturnType<typeof makeTemporaryDemo>>;
  let workbench: Workbench;

  before(async () => {
    demo = await makeTemporaryDemo();
    workbench = await Workbench.open({ workspace: demo.workspace });
  });

  after(async () => {
    await workbench.close();
    await demo.remove();
  });

  it("opens without a dialog and lists both projects", async () => {
    await workbench.openRunStateView();
    await workbench.row("checkout-service").first().waitFor();
    await workbench.row("nightly-batch").first().waitFor();
    assert.equal(await workbench.modal.isOpen(), false);
  });

  for (const theme of themes) {
    it(`has rows that can be read in a ${theme} theme`, async () => {
      await workbench.setTheme(theme);
      await workbench.screenshot("smoke");
      assert.equal(await workbench.row("checkout-service").first().isVisible(), true);
    });
  }

  it("asks no other machine for anything and throws no error into the page", () => {
    assert.deepEqual(workbench.refusedRequests, []);
    assert.deepEqual(workbench.pageErrors, []);
  });
});
