// Owns: scanning a directory as a user who may write nothing; run as a child process of root by a test.
// Leaves to others: the assertions.
import fs from "node:fs";
import { scanRunState } from "../../../src/core/scan/scanRunState.js";

const [root = ""] = process.argv.slice(2);
process.setgid?.(65_534);
process.setuid?.(65_534);

function canWrite(): boolean {
  try {
    fs.accessSync(root, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const { roots } = await scanRunState([root]);
const stores = roots.flatMap((each) => each.stores);
const runs = stores.flatMap((store) => store.runs);
process.stdout.write(
  JSON.stringify({
    uid: process.getuid?.(),
    canWrite: canWrite(),
    claims: runs.flatMap(({ claims }) => claims.map(({ kind }) => kind)).sort(),
    problems: [...roots.flatMap(({ problems }) => problems), ...stores.flatMap(({ problems }) => problems), ...runs.flatMap(({ problems }) => problems)],
  }),
);
