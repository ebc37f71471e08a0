// Owns: from a command line to an exit code.
// Leaves to others: what may be typed (arguments.ts), the commands.
import { toolVersion } from "../core/quarantine/toolVersion.js";
import { commandShapes, parseArguments, type CommandName } from "./arguments.js";
import { listEntries, purge, restore, settle } from "./commands/entries.js";
import { inspect } from "./commands/inspect.js";
import { quarantine } from "./commands/quarantine.js";
import { validate } from "./commands/validate.js";
import { createContext, plain, printJson, type Command } from "./context.js";
import { exitCodes, type ExitCode } from "./exitCodes.js";
import { outputJsonSchema } from "./outputSchema.js";
import type { Terminal } from "./terminal.js";

const commands: Readonly<Record<CommandName, Command>> = {
  inspect,
  quarantine,
  "quarantine list": listEntries,
  "quarantine settle": settle,
  "quarantine purge": purge,
  restore,
  validate,
  schema: ({ terminal }) => {
    printJson(terminal, outputJsonSchema());
    return Promise.resolve(exitCodes.done);
  },
};

function helpText(): string {
  const shapes = Object.values(commandShapes);
  const width = Math.max(...shapes.map(({ usage }) => usage.length));
  return [
    "Run State: see who owns what in the run state of multi-agent runtimes, and repair what is provably stale.",
    "",
    "Usage: run-state COMMAND",
    ...shapes.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`),
    "",
    "LOCK is the path of a lock, or an id that inspect prints. ITEM is a path that quarantine list prints.",
    "D is 0.12 or 0.50 (without it: the version that the run of --run shows, else both); F is text, json, sarif or github.",
    "Nothing moves before a confirmation; --yes confirms only with the exact id (restore, settle: the item's name; purge: the count).",
    "",
    "Exit codes: 0 done, or nothing needs attention; 1 something needs attention; 2 wrong usage, or a file to validate that cannot",
    "be read; 3 refused or not confirmed;",
    "4 changed since it was looked at; 5 conflict, both claims are kept; 70 failure; 130 interrupted.",
  ].join("\n");
}

/** @param words the command line without node and the script. */
export async function runCli(words: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  const parsed = parseArguments(words);
  switch (parsed.kind) {
    case "help":
      terminal.write(helpText());
      return exitCodes.done;
    case "version":
      terminal.write(toolVersion);
      return exitCodes.done;
    case "usage":
      terminal.complain(`${plain(parsed.message)}\nSee: run-state --help`);
      return exitCodes.usage;
    case "command":
      break;
  }
  try {
    return await commands[parsed.name](createContext(parsed, terminal, signal));
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted;
    terminal.complain(plain(error instanceof Error ? `${error.name}: ${error.message}` : String(error)));
    return exitCodes.failure;
  }
}
