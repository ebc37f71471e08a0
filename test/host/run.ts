// Owns: launching the host tests: a fresh demo and a fresh window for each suite, in the staged extension.
// Needs a build (out/host). VSCODE_EXECUTABLE names a desktop VS Code to use instead of the server of test/vscodeHost.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { runTests } from "@vscode/test-electron";
import { makeDemo } from "../demo/makeDemo.js";
import { endOnSignals, endProcess, onEnd, repositoryRoot } from "../tools/processGroup.mjs";
import { stagedExtension } from "../tools/stage.js";
import { demoEnvironment } from "./demo.js";
import { hostSuites, hostVariables, type HostSuite } from "./suites.js";

const bundles = path.join(repositoryRoot, "out/host");

async function runSuite(suite: HostSuite, extension: string): Promise<boolean> {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-host-"));
  const takeBack = onEnd(() => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const demo = await makeDemo(path.join(scratch, "demo"));
  const staged = path.join(extension, "out/host");
  fs.cpSync(bundles, staged, { recursive: true });
  const empty = path.join(scratch, "empty");
  fs.mkdirSync(empty);
  console.log(`${suite.name}: ${suite.trusted ? "trusted" : "restricted"} window, ${suite.workspace} workspace`);
  try {
    await runTests({
      vscodeExecutablePath: process.env["VSCODE_EXECUTABLE"] ?? path.join(repositoryRoot, "test/vscodeHost/codeHeadless.mjs"),
      extensionDevelopmentPath: extension,
      extensionTestsPath: path.join(staged, "index.cjs"),
      launchArgs: [suite.workspace === "demo" ? demo.workspace : empty, `--user-data-dir=${path.join(scratch, "user-data")}`, `--extensions-dir=${path.join(scratch, "extensions")}`],
      extensionTestsEnv: {
        ...demoEnvironment(demo),
        [hostVariables.root]: repositoryRoot,
        [hostVariables.tests]: path.join(staged, suite.directory),
        [hostVariables.report]: path.join(repositoryRoot, "out/reports", `${suite.name}.json`),
        ...(suite.trusted ? {} : { [hostVariables.untrusted]: "1" }),
      },
    });
    return true;
  } catch (error) {
    console.error(`${suite.name}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await demo.stop();
    fs.rmSync(path.join(extension, "out"), { recursive: true, force: true });
    takeBack();
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function main(): Promise<number> {
  if (!fs.existsSync(path.join(bundles, "index.cjs"))) throw new Error('out/host/index.cjs is missing: run "npm run build" first.');
  const extension = await stagedExtension();
  let havePassed = true;
  for (const suite of hostSuites) havePassed = (await runSuite(suite, extension)) && havePassed;
  return havePassed ? 0 : 1;
}

endOnSignals();
await endProcess(
  await main().catch((error: unknown) => {
    console.error(error);
    return 1;
  }),
);
