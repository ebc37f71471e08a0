// Owns: the staged extension: exactly the files that .vscodeignore lets through, in a directory of their own outside the checkout.
// Tests and the demo run that, not the checkout: VS Code takes themes below the development path for the extension's own, and
// a file that was forgotten in .vscodeignore must fail here, not at a person's.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { listFiles, PackageManager } from "@vscode/vsce";
import { onEnd, repositoryRoot } from "./processGroup.mjs";

/** Names the staged extension for child processes, so that one run stages once. */
export const stageVariable = "RUN_STATE_STAGE";

/** The files of the package, relative to the checkout, sorted. Needs a build. */
export async function packagedFiles(): Promise<readonly string[]> {
  if (!fs.existsSync(path.join(repositoryRoot, "dist/extension.cjs"))) throw new Error('dist/extension.cjs is missing: run "npm run build" first.');
  return (await listFiles({ cwd: repositoryRoot, packageManager: PackageManager.None })).sort();
}

/** Copies the packaged files into `target`, an existing empty directory. */
export async function stageInto(target: string): Promise<void> {
  for (const file of await packagedFiles()) {
    fs.mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
    fs.copyFileSync(path.join(repositoryRoot, file), path.join(target, file));
  }
}

/** The staged extension of this run; staged now, into a temporary directory that goes with this process, when none was named. */
export async function stagedExtension(): Promise<string> {
  const named = process.env[stageVariable];
  if (named !== undefined && named !== "") return named;
  const target = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-stage-"));
  onEnd(() => fs.rmSync(target, { recursive: true, force: true, maxRetries: 5 }));
  await stageInto(target);
  process.env[stageVariable] = target;
  return target;
}

const given = process.argv[2];
if (process.argv[1] === fileURLToPath(import.meta.url) && given !== undefined) await stageInto(given);
