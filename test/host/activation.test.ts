// Owns: that the extension activates, within the written budget. The figures are VS Code's own (the marks behind "Developer:
// Startup Performance"): loading the bundle, then activate() up to the promise it returns.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { extensionId } from "../../src/extension/contract.js";
import { hostVariables, requireVariable } from "./suites.js";

interface PerformanceMark {
  readonly name: string;
  /** Milliseconds. */
  readonly startTime: number;
}

/** The extension host records its marks here, for its own reports. */
function marks(): readonly PerformanceMark[] {
  const { MonacoPerformanceMarks: recorder } = globalThis as { readonly MonacoPerformanceMarks?: { getMarks(): PerformanceMark[] } };
  assert.ok(recorder, "the extension host of this VS Code keeps no performance marks");
  return recorder.getMarks();
}

function between(from: string, to: string): number {
  const timeOf = (event: string): number => {
    const name = `code/extHost/${event}/${extensionId}`;
    const mark = marks().find((candidate) => candidate.name === name);
    assert.ok(mark, `no mark ${name}`);
    return mark.startTime;
  };
  return timeOf(to) - timeOf(from);
}

function activationBudgetMs(): number {
  const file = path.join(requireVariable(hostVariables.root), "test/contract/budgets.json");
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { readonly activationMs: number }).activationMs;
}

describe("activation", () => {
  it("happens without an error", async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension, `${extensionId} is not installed`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it("takes no longer than its budget, loading included", async () => {
    await vscode.extensions.getExtension(extensionId)?.activate();
    const loading = between("willLoadExtensionCode", "didLoadExtensionCode");
    const activating = between("willActivateExtension", "didActivateExtension");
    console.log(`      loading ${loading.toFixed(1)} ms, activating ${activating.toFixed(1)} ms`);
    assert.ok(loading + activating <= activationBudgetMs(), `${(loading + activating).toFixed(1)} ms; the budget is ${activationBudgetMs()} ms`);
  });

  it("registers every command that package.json contributes", async () => {
    const contributed = vscode.extensions.getExtension(extensionId)?.packageJSON as { readonly contributes: { readonly commands: readonly { readonly command: string }[] } };
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributed.contributes.commands.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });
});
