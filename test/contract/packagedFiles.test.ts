// Owns: what ships, file by file, and that whatever package.json points at is among it.
import assert from "node:assert/strict";
import path from "node:path";
import { generatedFiles } from "../tools/generated.js";
import { packagedFiles } from "../tools/stage.js";
import { manifestStrings, programFiles, readText } from "./manifest.js";

/** What is generated ships as a whole: there is a page for each rule. */
const allowed = [...(JSON.parse(readText("test/contract/packagedFiles.json")) as readonly string[]), ...generatedFiles().keys()];

describe("the package", () => {
  let files: readonly string[];

  before(async () => {
    files = await packagedFiles();
  });

  it("holds exactly the files of the allow list", () => {
    assert.deepEqual(files, allowed.sort());
  });

  it("holds every file that package.json names", () => {
    const named = manifestStrings().filter((value) => /^(?:\.\/)?(?:media|dist)\/.+\.\w+$/.test(value)).map((value) => path.posix.normalize(value));
    assert.deepEqual(named.filter((file) => !files.includes(file) && !programFiles.includes(file)), []);
  });

  it("holds no source, no map and no test", () => {
    assert.deepEqual(files.filter((file) => /\.(?:ts|map|tsbuildinfo)$|^(?:src|test)\//.test(file)), []);
  });
});
