// Owns: the PowerShell query for a set of processes of Windows, and reading its answer. Pure.
// Leaves to others: running it, deciding with the kernel's probe (win32Observer.ts).
import type { CommandResult } from "./platformPort.js";

/** `gone`: CIM has no such process. `failed`: nothing is known; the diagnostic says why. */
export type CimAnswer =
  | { readonly kind: "row"; readonly created: string; readonly executable: string | null }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly diagnostic: string };

/** More terms than this in one WQL filter may exceed the quota of WMI; then all processes are listed and sorted out here. */
const largestFilter = 20;

/** Status of the script when CIM knows none of the processes. */
const noneFound = 3;

/**
 * One start of PowerShell for all pids: a start costs several hundred ms. Prints one compact JSON object a line,
 * {p: ProcessId, c: CreationDate as UTC FILETIME text, e: ExecutablePath or null}. Single quotes only, so that the script
 * is one argument.
 */
export function cimArguments(pids: readonly number[]): readonly string[] {
  const filter = pids.length <= largestFilter ? `-Filter '${pids.map((pid) => `ProcessId=${pid}`).join(" OR ")}'` : "";
  const script = [
    "$ErrorActionPreference='Stop'",
    "[Console]::OutputEncoding=New-Object Text.UTF8Encoding $false",
    `$wanted=@{};${pids.join(",")}|ForEach-Object{$wanted[[int]$_]=1}`,
    `try{$found=@(Get-CimInstance Win32_Process ${filter} -Property ProcessId,CreationDate,ExecutablePath|Where-Object{$wanted.ContainsKey([int]$_.ProcessId)})}catch{exit 1}`,
    `if($found.Count -eq 0){exit ${noneFound}}`,
    "$text=[Globalization.CultureInfo]::InvariantCulture",
    "foreach($x in $found){$c=$null;if($null -ne $x.CreationDate){$c=$x.CreationDate.ToFileTimeUtc().ToString($text)};[pscustomobject]@{p=$x.ProcessId;c=$c;e=$x.ExecutablePath}|ConvertTo-Json -Compress}",
  ].join(";");
  return ["-NoProfile", "-NonInteractive", "-Command", script];
}

const gone: CimAnswer = { kind: "gone" };
const unparsable: CimAnswer = { kind: "failed", diagnostic: "cim_unparsable" };

interface CimRow {
  readonly pid: number;
  readonly answer: CimAnswer;
}

function readRow(line: string): CimRow | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || !("p" in value) || typeof value.p !== "number") return null;
  const created = "c" in value && typeof value.c === "string" && /^[1-9]\d{0,18}$/.test(value.c) ? value.c : null;
  // A path on a share may be anybody's: only a path on a drive names an executable of this machine.
  const executable = "e" in value && typeof value.e === "string" && /^[A-Za-z]:\\/.test(value.e) ? value.e : null;
  return { pid: value.p, answer: created === null ? unparsable : { kind: "row", created, executable } };
}

/** Reads the output of `cimArguments(pids)`. One line that cannot be read spoils every pid that has no line of its own. */
export function readCim(pids: readonly number[], result: CommandResult): ReadonlyMap<number, CimAnswer> {
  const all = (answer: CimAnswer): ReadonlyMap<number, CimAnswer> => new Map(pids.map((pid) => [pid, answer]));
  if (result.kind === "failed") return all({ kind: "failed", diagnostic: `cim_${result.code}` });
  const lines = result.stdout.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (result.status === noneFound && lines.length === 0) return all(gone);
  if (result.status !== 0) return all({ kind: "failed", diagnostic: "cim_failed" });
  const asked = new Set(pids);
  const byPid = new Map<number, CimAnswer>();
  // Success without a line is not how the script says "none".
  let spoiled = lines.length === 0;
  for (const line of lines) {
    const row = readRow(line.trim());
    if (row === null || !asked.has(row.pid)) spoiled = true;
    else byPid.set(row.pid, byPid.has(row.pid) ? unparsable : row.answer);
  }
  return new Map(pids.map((pid) => [pid, byPid.get(pid) ?? (spoiled ? unparsable : gone)]));
}

/** `BootId` in the output of `reg.exe query`: a counter of boots, as hexadecimal text. */
export function readBootId(result: CommandResult): number | null {
  if (result.kind === "failed" || result.status !== 0) return null;
  const digits = /^\s*BootId\s+REG_DWORD\s+0x([0-9a-f]{1,8})\s*$/im.exec(result.stdout)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}
