// Owns: a process that owns something: it opens the files it is given, says "ready", and lives until its starter ends it or is gone.
import fs from "node:fs";

for (const file of process.argv.slice(2)) fs.openSync(file, "r+");
console.log("ready");
// The group's preload watches stdin without keeping the process alive.
setInterval(() => {}, 60_000);
