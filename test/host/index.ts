// Owns: mocha inside the extension host: VS Code calls `run`. The bundle lies inside the staged extension, so that tests and
// extension share one `vscode` object and a test can stub a dialog.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type Mocha from "mocha";
import { hostVariables, requireVariable } from "./suites.js";

export async function run(): Promise<void> {
  const root = requireVariable(hostVariables.root);
  const tests = requireVariable(hostVariables.tests);
  // mocha finds reporters by requiring them: it cannot be bundled, and the staged extension has no node_modules.
  const MochaOfCheckout = createRequire(path.join(root, "package.json"))("mocha") as typeof Mocha;
  const mocha = new MochaOfCheckout({
    ui: "bdd",
    color: false,
    timeout: 30_000,
    forbidOnly: true,
    reporter: path.join(root, "test/tools/mochaReporter.cjs"),
    reporterOptions: { style: "spec", output: requireVariable(hostVariables.report) },
  });
  for (const file of fs.readdirSync(tests).sort()) if (file.endsWith(".test.cjs")) mocha.addFile(path.join(tests, file));
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} test(s) failed.`);
}
