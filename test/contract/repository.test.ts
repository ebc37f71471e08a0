// Owns: the shape of the repository: top-level names, lock files that work from any registry, tests that all belong to a suite.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { repositoryRoot } from "../tools/processGroup.mjs";
import { readText } from "./manifest.js";

const topLevelNames = new Set([
  ...["src", "media", "test"],
  ...["package.json", "package.nls.json", "package-lock.json", "tsconfig.json", "esbuild.mjs", ".vscodeignore"],
  ...["README.md", "CHANGELOG.md", "LICENSE"],
]);

/** Null where there is no git, or no repository (a source archive). */
function trackedFiles(): readonly string[] | null {
  const { status, stdout } = spawnSync("git", ["ls-files", "-z"], { cwd: repositoryRoot, encoding: "utf8" });
  return status === 0 ? stdout.split("\0").filter((file) => file !== "") : null;
}

const tracked = trackedFiles();

describe("the repository", () => {
  it("has only the agreed names at its top", function () {
    if (tracked === null) return this.skip();
    const names = new Set(tracked.map((file) => file.split("/")[0] ?? ""));
    assert.deepEqual([...names].filter((name) => !topLevelNames.has(name) && !name.startsWith(".")), []);
  });

  for (const file of ["package-lock.json", "test/vscodeHost/package-lock.json"]) {
    it(`has no download address in ${file}, so that any registry serves`, () => {
      const lock = JSON.parse(readText(file)) as { readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly link?: boolean }>> };
      const addresses = Object.entries(lock.packages).filter(([, { resolved, link }]) => resolved !== undefined && link !== true);
      assert.deepEqual(addresses, []);
      assert.doesNotMatch(readText(file), /https?:\/\/[^"]*\.tgz/);
    });
  }

  it("runs no install script of a dependency", () => {
    for (const file of [".npmrc", "test/vscodeHost/.npmrc"]) assert.match(readText(file), /^ignore-scripts=true$/m, file);
  });

  it("has no lock file besides those two", function () {
    if (tracked === null) return this.skip();
    assert.deepEqual(tracked.filter((file) => path.posix.basename(file) === "package-lock.json"), ["package-lock.json", "test/vscodeHost/package-lock.json"]);
  });

  it("has no test file that no suite runs", function () {
    if (tracked === null) return this.skip();
    const configurations = fs.readdirSync(path.join(repositoryRoot, "test")).filter((name) => /^mocharc\..+\.json$/.test(name));
    const specs = configurations.flatMap((name) => (JSON.parse(readText(`test/${name}`)) as { readonly spec: readonly string[] }).spec);
    const directories = [...specs.map((spec) => spec.replace(/\*\*\/\*\.test\.ts$/, "")), "test/host/"];
    const tests = tracked.filter((file) => file.startsWith("test/") && file.endsWith(".test.ts"));
    assert.deepEqual(tests.filter((file) => !directories.some((directory) => file.startsWith(directory))), []);
  });
});
