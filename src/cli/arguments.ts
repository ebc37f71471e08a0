// Owns: what may be typed, as one table, and turning it into a command or a usage error.
// Leaves to others: doing it (commands/*).
import { parseArgs, type ParseArgsConfig } from "node:util";

export interface ParsedCommand {
  readonly kind: "command";
  readonly name: CommandName;
  readonly operands: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

export type ParsedArguments = ParsedCommand | { readonly kind: "help" } | { readonly kind: "version" } | { readonly kind: "usage"; readonly message: string };

interface CommandShape {
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly string[];
  readonly values: readonly string[];
  readonly least: number;
  readonly most: number;
}

/** In the order of the help. Two words that name a command win over one, so `quarantine list` is never a claim called "list". */
export const commandShapes = {
  inspect: { usage: "inspect [PATH…] [--json] [--all]", summary: "Show every claim, its owner and its verdict. Never writes.", flags: ["json", "all"], values: [], least: 0, most: Infinity },
  quarantine: {
    usage: "quarantine LOCK [--yes ID | --force ID]",
    summary: "Displace a stale lock into quarantine, after a confirmation.",
    flags: ["json"],
    values: ["yes", "force"],
    least: 1,
    most: 1,
  },
  "quarantine list": { usage: "quarantine list [PATH…] [--json]", summary: "Show what lies in quarantine.", flags: ["json"], values: [], least: 0, most: Infinity },
  restore: { usage: "restore ITEM [--yes ID]", summary: "Put a quarantined item back, if its place is free.", flags: ["json"], values: ["yes"], least: 1, most: 1 },
  "quarantine settle": { usage: "quarantine settle ITEM", summary: "Finish or undo a repair that was interrupted.", flags: ["json", "yes"], values: [], least: 1, most: 1 },
  "quarantine purge": {
    usage: "quarantine purge [PATH…] --older-than DAYS [--yes COUNT]",
    summary: "Delete quarantined items older than DAYS, each listed first.",
    flags: ["json"],
    values: ["older-than", "yes"],
    least: 0,
    most: Infinity,
  },
  validate: {
    usage: "validate FILE… [--run DIR] [--dialect D] [--format F]",
    summary: "Check recompile requests, run requests and task migrations.",
    flags: [],
    values: ["run", "dialect", "format"],
    least: 1,
    most: Infinity,
  },
  schema: { usage: "schema", summary: "Print the JSON schema of what --json prints.", flags: [], values: [], least: 0, most: 0 },
} as const satisfies Record<string, CommandShape>;

export type CommandName = keyof typeof commandShapes;

function isCommandName(text: string): text is CommandName {
  return Object.hasOwn(commandShapes, text);
}

function nameOf(words: readonly string[]): { readonly name: CommandName; readonly length: number } | null {
  const pair = words.slice(0, 2).join(" ");
  if (words.length > 1 && isCommandName(pair)) return { name: pair, length: 2 };
  const single = words[0];
  return single !== undefined && isCommandName(single) ? { name: single, length: 1 } : null;
}

type ParseOptions = NonNullable<ParseArgsConfig["options"]>;

interface ParsedWords {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

/** A text is what was wrong. */
function parseWords(args: readonly string[], options: ParseOptions): ParsedWords | string {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @param words the command line without node and the script. */
export function parseArguments(words: readonly string[]): ParsedArguments {
  if (words.length === 0 || words.includes("--help") || words.includes("-h") || words[0] === "help") return { kind: "help" };
  if (words[0] === "--version" || words[0] === "-V") return { kind: "version" };
  const command = nameOf(words);
  if (command === null) return { kind: "usage", message: `There is no command "${words[0] ?? ""}".` };
  const shape: CommandShape = commandShapes[command.name];
  const options: ParseOptions = {};
  for (const flag of shape.flags) options[flag] = { type: "boolean" };
  for (const value of shape.values) options[value] = { type: "string" };
  const parsed = parseWords(words.slice(command.length), options);
  if (typeof parsed === "string") return { kind: "usage", message: parsed };
  const { positionals } = parsed;
  if (positionals.length < shape.least || positionals.length > shape.most) return { kind: "usage", message: `Usage: run-state ${shape.usage}` };
  const flags = new Set<string>();
  const values = new Map<string, string>();
  for (const [key, value] of Object.entries(parsed.values)) {
    if (value === true) flags.add(key);
    else if (typeof value === "string") values.set(key, value);
  }
  return { kind: "command", name: command.name, operands: positionals, flags, values };
}
