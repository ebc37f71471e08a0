// Owns: who may import whom. The core, the CLI and the shared wording never touch `vscode`, in their sources and in what was bundled.
import assert from "node:assert/strict";
import fs from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { repositoryRoot } from "../tools/processGroup.mjs";
import { importedModules, sourceFiles } from "./sources.js";

interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly imports: readonly { readonly path: string; readonly external?: boolean }[] }>>;
}

function metafile(bundle: string): Metafile {
  return JSON.parse(fs.readFileSync(path.join(repositoryRoot, "out/meta", `${bundle}.json`), "utf8")) as Metafile;
}

/** External modules that a bundle asks for at run time, with who asks. */
function externals(bundle: string): readonly { readonly module: string; readonly from: string }[] {
  return Object.entries(metafile(bundle).inputs).flatMap(([from, { imports }]) => imports.filter(({ external }) => external === true).map((one) => ({ module: one.path, from })));
}

const withoutEditor = ["src/core", "src/cli", "src/shared"];

describe("layers", () => {
  for (const directory of withoutEditor) {
    it(`keep vscode out of the sources of ${directory}`, () => {
      assert.deepEqual(sourceFiles(directory).filter((file) => importedModules(file).includes("vscode")), []);
    });
  }

  it("keep the core free of everything above it", () => {
    const upwards = sourceFiles("src/core").flatMap((file) =>
      importedModules(file)
        .filter((module) => module.startsWith("."))
        .map((module) => path.posix.join(path.posix.dirname(file), module))
        .filter((target) => !target.startsWith("src/core/") && !target.startsWith("src/shared/"))
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(upwards, []);
  });

  for (const bundle of ["core", "cli"]) {
    it(`keep vscode out of the bundle "${bundle}"`, () => {
      const inputs = Object.keys(metafile(bundle).inputs);
      assert.ok(inputs.length > 0);
      assert.deepEqual(inputs.filter((file) => file.startsWith("src/extension/")), []);
      assert.deepEqual(externals(bundle).filter(({ module }) => module === "vscode"), []);
    });
  }

  it("let only the shell import vscode in the bundle of the extension", () => {
    const askers = externals("extension").filter(({ module }) => module === "vscode").map(({ from }) => from);
    assert.ok(askers.length > 0);
    assert.deepEqual(askers.filter((file) => !file.startsWith("src/extension/")), []);
  });

  it("leave nothing but node's own modules and vscode to be found at run time", () => {
    const strangers = ["extension", "cli", "core"].flatMap(externals).filter(({ module }) => module !== "vscode" && !module.startsWith("node:"));
    // Bundled packages write `crypto` for `node:crypto`.
    const builtin = new Set(builtinModules);
    assert.deepEqual(strangers.filter(({ module }) => !builtin.has(module)), []);
  });
});
