// Owns: what every command is given, and the few steps that all of them take.
// Leaves to others: the work (commands/*).
import { dirname, resolve } from "node:path";
import type { ClaimSnapshot } from "../core/claims/claim.js";
import { createProcessInspector } from "../core/process/createProcessInspector.js";
import type { ProcessObserver } from "../core/process/processInspector.js";
import { listQuarantine } from "../core/quarantine/listQuarantine.js";
import type { QuarantineEntry } from "../core/quarantine/quarantineEntry.js";
import type { QuarantineOptions } from "../core/quarantine/session.js";
import { scanRunState } from "../core/scan/scanRunState.js";
import type { RunStateSnapshot } from "../core/scan/snapshot.js";
import { displayText } from "../shared/displayText.js";
import type { ParsedCommand } from "./arguments.js";
import { exitCodes, type ExitCode } from "./exitCodes.js";
import type { Terminal } from "./terminal.js";

export interface CommandContext {
  readonly terminal: Terminal;
  readonly command: ParsedCommand;
  readonly signal: AbortSignal;
  /** Relative operands are relative to it. */
  readonly directory: string;
  readonly observer: ProcessObserver;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type Command = (context: CommandContext) => Promise<ExitCode>;

export function createContext(command: ParsedCommand, terminal: Terminal, signal: AbortSignal): CommandContext {
  return { terminal, command, signal, directory: process.cwd(), observer: createProcessInspector(), now: () => Date.now() };
}

/** Operands as absolute paths; the working directory when there are none. */
export function pathsOf({ command, directory }: CommandContext): readonly string[] {
  const operands = command.operands.length === 0 ? ["."] : command.operands;
  return operands.map((operand) => resolve(directory, operand));
}

export function scan(context: CommandContext, roots: readonly string[]): Promise<RunStateSnapshot> {
  return scanRunState(roots, { observer: context.observer, signal: context.signal });
}

export function quarantineOptions({ observer, signal }: CommandContext): QuarantineOptions {
  return { observer, signal };
}

export function claimsOf(snapshot: RunStateSnapshot): readonly ClaimSnapshot[] {
  return snapshot.roots.flatMap(({ stores }) => stores.flatMap((store) => [...store.claims, ...store.runs.flatMap((run) => run.claims)]));
}

/** Control characters never reach a terminal raw; paths and ids stay whole, so that they can be copied. */
export function plain(text: string): string {
  return displayText(text, { maxLength: Number.POSITIVE_INFINITY });
}

export function printJson(terminal: Terminal, value: unknown): void {
  // JSON.stringify escapes U+0000–001F; the rest that a terminal might obey is escaped here, which leaves the JSON equal.
  terminal.write(JSON.stringify(value, null, 2).replace(/[\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g, escaped));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A quarantined item by the path of the item or of its record. Null when its directory shows no such entry. */
export async function findEntry(context: CommandContext, operand: string): Promise<QuarantineEntry | null> {
  const path = resolve(context.directory, operand);
  // An item lies in <store>/quarantine/<group>/; listing starts at the store.
  const store = dirname(dirname(dirname(path)));
  const entries = await listQuarantine(store, quarantineOptions(context));
  return entries.find((entry) => entry.path === path || entry.recordPath === path) ?? null;
}

export type Answer = "yes" | "no" | "nobody";

/**
 * Asks before anything moves. `--yes` answers only when it equals `expected` exactly; a wrong one is a "no".
 * `nobody`: nobody can be asked and nothing was given.
 */
export async function confirm({ command, terminal, signal }: CommandContext, question: string, expected: string): Promise<Answer> {
  const given = command.values.get("yes");
  if (given !== undefined) return given === expected ? "yes" : "no";
  if (!terminal.isInteractive) return "nobody";
  const answer = await terminal.ask(`${question} [y/N] `, signal);
  return /^y(es)?$/i.test(answer.trim()) ? "yes" : "no";
}

/** Says why nothing was done for an answer other than yes. */
export function unconfirmed({ terminal, command }: CommandContext, answer: "no" | "nobody", expected: string): ExitCode {
  if (answer === "nobody") terminal.complain(`Nobody can be asked here. To confirm, add: --yes ${plain(expected)}`);
  else if (command.values.has("yes")) terminal.complain(`Not confirmed: --yes must be exactly ${plain(expected)}. Nothing was changed.`);
  else terminal.complain("Not confirmed. Nothing was changed.");
  return exitCodes.refused;
}
