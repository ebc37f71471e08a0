// Owns: one observation in a process of its own, so that a test can look as another user or from another namespace.
// Bundled by kernel.test.ts; takes its questions as JSON on the command line and prints the answers as JSON.
import { createProcessInspector } from "../../../src/core/process/createProcessInspector.js";
import type { FileKey } from "../../../src/core/process/platformObserver.js";

export interface Questions {
  readonly pids: readonly number[];
  readonly directories: readonly string[];
  readonly file?: FileKey;
}

async function answer({ pids, directories, file }: Questions): Promise<object> {
  const observer = createProcessInspector();
  const inspections = await Promise.all(pids.map((pid) => observer.inspect(pid)));
  const starts = await Promise.all(pids.map((pid) => observer.startInstant(pid)));
  const environments = await Promise.all(directories.map((directory) => observer.environment(directory, pids[0] ?? 1)));
  return { inspections, starts, environments, open: file === undefined ? null : await observer.whoHasOpen(file), own: await observer.inspect(process.pid), ownPid: process.pid };
}

void answer(JSON.parse(process.argv[2] ?? "{}") as Questions).then((answers) => process.stdout.write(JSON.stringify(answers)));
