// Owns: that the JSON schemas and rule pages in media/ are what the core makes of its own tables, and that package.json offers them.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { generatedDirectories, generatedFiles } from "../tools/generated.js";
import { repositoryRoot } from "../tools/processGroup.mjs";
import { manifest, readText } from "./manifest.js";

const generated = generatedFiles();

describe("generated files", () => {
  it("are exactly those that npm run generate writes", () => {
    const present = generatedDirectories.flatMap((directory) => fs.readdirSync(path.join(repositoryRoot, directory)).map((name) => `${directory}/${name}`));
    assert.deepEqual(present.sort(), [...generated.keys()].sort());
  });

  for (const directory of generatedDirectories) {
    it(`in ${directory} say what the core says now`, () => {
      const outdated = [...generated].filter(([file, text]) => file.startsWith(`${directory}/`) && readText(file) !== text).map(([file]) => file);
      assert.deepEqual(outdated, [], 'run "npm run generate"');
    });
  }

  it("include the schemas that package.json connects with file names", () => {
    const connected = manifest.contributes.jsonValidation.map(({ url }) => url.replace(/^\.\//, ""));
    assert.deepEqual(connected.sort(), [...generated.keys()].filter((file) => file.startsWith("media/schemas/")).sort());
  });
});
