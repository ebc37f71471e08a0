// Owns: the process: arguments in, exit code out, interrupts.
// Leaves to others: everything else (runCli.ts).
import { runCli } from "./runCli.js";
import { nodeTerminal } from "./terminal.js";

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort(new Error(signal)));
// A reader that went away (`run-state inspect | head -1`) is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

void runCli(process.argv.slice(2), nodeTerminal(), interrupt.signal).then((code) => {
  // Not process.exit(): output to a pipe may still be on its way.
  process.exitCode = code;
});
