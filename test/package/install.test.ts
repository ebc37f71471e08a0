// Owns: that the package can be made by the README's command, installed by VS Code's own command line, and works when it was.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { findOnPath } from "../tools/setup.mjs";
import { packagedFiles } from "../tools/stage.js";
import { repositoryRoot, startNode, startProgram } from "../tools/processGroup.mjs";
import { Workbench } from "../ui/harness.js";
import { runServerCli } from "../vscodeHost/server.js";

const packageFile = path.join(repositoryRoot, "run-state.vsix");

async function npmRunPackage(): Promise<void> {
  const npm = process.env["npm_execpath"];
  const options = { cwd: repositoryRoot, stdout: "pipe", stderr: "pipe" } as const;
  const group = npm?.endsWith(".js") === true ? startNode([npm, "run", "package"], options) : startProgram(findOnPath("npm") ?? "npm", ["run", "package"], options);
  let output = "";
  for (const stream of [group.child.stdout, group.child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  assert.equal((await group.exited).code, 0, output);
}

function filesBelow(directory: string): readonly string[] {
  return fs
    .readdirSync(directory, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}

describe("the package", () => {
  let scratch: string;
  const place = (name: string): string => path.join(scratch, name);
  const directories = (): string[] => ["--extensions-dir", place("extensions"), "--user-data-dir", place("user-data"), "--server-data-dir", place("server")];

  before(async () => {
    scratch = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-package-"));
    fs.rmSync(packageFile, { force: true });
    await npmRunPackage();
  });

  after(() => fs.rmSync(scratch, { recursive: true, force: true }));

  it("is made by npm run package", () => {
    assert.ok(fs.statSync(packageFile).size > 0);
  });

  it("is installed by VS Code's command line, which then lists it", async () => {
    const installed = await runServerCli(["--install-extension", packageFile, ...directories()]);
    assert.equal(installed.code, 0, installed.output);
    const { version } = JSON.parse(fs.readFileSync(path.join(repositoryRoot, "package.json"), "utf8")) as { readonly version: string };
    const listed = await runServerCli(["--list-extensions", "--show-versions", ...directories()]);
    assert.equal(listed.code, 0, listed.output);
    assert.ok(listed.output.split("\n").includes(`run-state.run-state@${version}`), listed.output);
  });

  it("puts exactly its files on the disk", async () => {
    const [name, ...others] = fs.readdirSync(place("extensions")).filter((entry) => entry.startsWith("run-state."));
    assert.ok(name !== undefined && others.length === 0);
    // The installer writes a manifest of its own beside them.
    const installed = filesBelow(path.join(place("extensions"), name)).filter((file) => file !== ".vsixmanifest");
    const lowerCased = (files: readonly string[]): string[] => files.map((file) => file.toLowerCase().replace(/^license$/, "license.txt")).sort();
    assert.deepEqual(lowerCased(installed), lowerCased(await packagedFiles()));
  });

  it("shows its view in a window that has nothing but the installed package", async () => {
    const workspace = place("workspace");
    fs.mkdirSync(workspace);
    const workbench = await Workbench.open({ workspace, extensionsDir: place("extensions") });
    try {
      await workbench.openRunStateView();
      assert.deepEqual(workbench.refusedRequests, []);
      assert.deepEqual(workbench.pageErrors, []);
    } finally {
      await workbench.close();
    }
  });
});
