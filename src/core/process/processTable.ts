// Owns: asking an external command about many processes at once within its limits of time and output (macOS and Windows).
// Leaves to others: which command, and reading what it says (psTable.ts, cimTable.ts).
import type { CommandRequest, CommandResult, PlatformPort } from "./platformPort.js";

/** Limits of every external command (spec/pi-amq.md section 13). */
export const commandTimeoutMs = 3000;
export const commandMaxBytes = 65_536;

/** Runs a command by absolute path with an environment that holds nothing but the locale, the zone and what is given. */
export function runCommand(port: PlatformPort, file: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  const request: CommandRequest = { file, args, environment: { LC_ALL: "C", TZ: "UTC", ...environment }, timeoutMs: commandTimeoutMs, maxBytes: commandMaxBytes };
  return port.execute(request);
}

/**
 * One command for all pids. Only when its answer exceeds the output limit are the pids halved, each half asked again.
 * `read` must answer every pid that it is given.
 */
export async function askTable<Answer>(
  pids: readonly number[],
  ask: (pids: readonly number[]) => Promise<CommandResult>,
  read: (pids: readonly number[], result: CommandResult) => ReadonlyMap<number, Answer>,
): Promise<ReadonlyMap<number, Answer>> {
  if (pids.length === 0) return new Map();
  const result = await ask(pids);
  if (result.kind !== "failed" || result.code !== "overflow" || pids.length === 1) return read(pids, result);
  const middle = Math.ceil(pids.length / 2);
  const first = await askTable(pids.slice(0, middle), ask, read);
  const second = await askTable(pids.slice(middle), ask, read);
  return new Map([...first, ...second]);
}
