// Owns: the command line of BSD ps for a set of pids, and reading its rows. Pure.
// Leaves to others: running it, deciding with kill(2) (darwinObserver.ts).
import { readStartText } from "./lstart.js";
import type { CommandResult } from "./platformPort.js";

/** `gone`: ps has no such process. `failed`: nothing is known; the diagnostic says why. */
export type PsAnswer =
  | { readonly kind: "row"; readonly startSeconds: number; readonly isZombie: boolean; readonly executable: string | null }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly diagnostic: string };

/**
 * Separate options: in BSD ps an `=` ends an option and takes the rest of it for a header. The pid column only when several
 * processes were asked for.
 */
export function psArguments(pids: readonly number[]): readonly string[] {
  const columns = ["lstart=", "stat=", "comm="];
  return ["-p", pids.join(","), ...(pids.length > 1 ? ["pid=", ...columns] : columns).flatMap((column) => ["-o", column])];
}

const gone: PsAnswer = { kind: "gone" };
const unparsable: PsAnswer = { kind: "failed", diagnostic: "ps_unparsable" };

const rowForm = /^\s*(\S+ +\S+ +\d{1,2} +\d{2}:\d{2}:\d{2} +\d{4})\s+(\S+)\s+(\S.*)$/;

function readRow(row: string): PsAnswer {
  const match = rowForm.exec(row);
  const startSeconds = readStartText(match?.[1] ?? "");
  if (match === null || startSeconds === null) return unparsable;
  const [, , state, command] = match;
  return { kind: "row", startSeconds, isZombie: state?.startsWith("Z") === true, executable: command?.startsWith("/") === true ? command : null };
}

/** Reads the output of `ps` with `psArguments(pids)`. One row that cannot be read spoils every pid that has no row of its own. */
export function readPs(pids: readonly number[], result: CommandResult): ReadonlyMap<number, PsAnswer> {
  const all = (answer: PsAnswer): ReadonlyMap<number, PsAnswer> => new Map(pids.map((pid) => [pid, answer]));
  if (result.kind === "failed") return all({ kind: "failed", diagnostic: `ps_${result.code}` });
  const rows = result.stdout.split("\n").filter((row) => row.trim() !== "");
  // With status 1 and no row, ps says that it found none of them.
  if (result.status !== 0 && (result.status !== 1 || rows.length > 0)) return all({ kind: "failed", diagnostic: "ps_failed" });
  const [only] = pids;
  if (pids.length === 1 && only !== undefined) {
    return all(rows.length === 0 ? gone : rows.length === 1 ? readRow(rows[0] ?? "") : unparsable);
  }
  const asked = new Set(pids);
  const byPid = new Map<number, PsAnswer>();
  let spoiled = false;
  for (const row of rows) {
    const match = /^\s*(\d+)\s(.*)$/.exec(row);
    const pid = Number(match?.[1]);
    const answer = readRow(match?.[2] ?? "");
    if (!asked.has(pid) || answer.kind !== "row") spoiled = true;
    else byPid.set(pid, byPid.has(pid) ? unparsable : answer);
  }
  return new Map(pids.map((pid) => [pid, byPid.get(pid) ?? (spoiled ? unparsable : gone)]));
}
