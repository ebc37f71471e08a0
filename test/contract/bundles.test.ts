// Owns: that every bundle exists, minified, within its written budget, and that no budget is left for a bundle that is gone.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { repositoryRoot } from "../tools/processGroup.mjs";
import { manifest, programFiles, readText } from "./manifest.js";

const budgets = JSON.parse(readText("test/contract/budgets.json")) as { readonly bundlesKiB: Readonly<Record<string, number>> };

function bundles(): readonly string[] {
  return fs
    .readdirSync(path.join(repositoryRoot, "dist"), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join("dist", name.split(path.sep).join("/")))
    .filter((file) => /\.(?:cjs|mjs|js|css)$/.test(file))
    .sort();
}

describe("bundles", () => {
  it("are exactly those that have a budget", () => {
    assert.deepEqual(bundles(), Object.keys(budgets.bundlesKiB).sort());
  });

  for (const [file, limitKiB] of Object.entries(budgets.bundlesKiB)) {
    it(`keep ${file} within ${limitKiB} KiB`, () => {
      const { size } = fs.statSync(path.join(repositoryRoot, file));
      assert.ok(size <= limitKiB * 1024, `${(size / 1024).toFixed(1)} KiB`);
    });
  }

  it("lie where package.json says", () => {
    const named = [path.posix.normalize(manifest.main), ...programFiles];
    assert.deepEqual(named.filter((file) => !fs.existsSync(path.join(repositoryRoot, file))), []);
  });

  it("give a command line that runs", () => {
    const file = path.join(repositoryRoot, manifest.bin["run-state"] ?? "");
    assert.match(fs.readFileSync(file, "utf8"), /^#!\/usr\/bin\/env node\n/);
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, "--help"], { encoding: "utf8", timeout: 20_000 });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /run-state/);
  });

  it("give a library that can be imported and has its documented names", async () => {
    const library = (await import(path.join(repositoryRoot, "dist/core.mjs"))) as Readonly<Record<string, unknown>>;
    for (const name of ["canonicalizeArtifact", "scanRunState", "planQuarantine", "executeQuarantine", "restoreFromQuarantine"]) assert.equal(typeof library[name], "function", name);
  });
});
