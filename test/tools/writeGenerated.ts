// Owns: `npm run generate`: writes what is made from the core into media/, and takes away what is made no longer.
// Leaves to others: what that is (generated.ts).
import fs from "node:fs";
import path from "node:path";
import { generatedDirectories, generatedFiles } from "./generated.js";
import { repositoryRoot } from "./processGroup.mjs";

for (const directory of generatedDirectories) {
  const absolute = path.join(repositoryRoot, directory);
  fs.rmSync(absolute, { recursive: true, force: true });
  fs.mkdirSync(absolute, { recursive: true });
}
for (const [file, text] of generatedFiles()) fs.writeFileSync(path.join(repositoryRoot, file), text);
