// Owns: parsing the texts of /proc. Pure functions, one for each file; null means that the text is not what the kernel writes.
// Leaves to others: reading the files (linuxObserver.ts, linuxOpenFiles.ts, linuxNamespaces.ts).

export interface ProcStat {
  /** One letter. */
  readonly state: string;
  /** Field 22 without leading zeros: start in clock ticks since boot. */
  readonly startTicks: string;
  /** Made by the kernel for itself: has no files and no program. */
  readonly isKernelThread: boolean;
}

const kernelThreadFlag = 0x0020_0000;

/** `/proc/<pid>/stat`. The command name may hold anything, also `)` and newlines, so it ends at the last `)`. */
export function parseProcStat(text: string, pid: number): ProcStat | null {
  const end = text.lastIndexOf(") ");
  if (!text.startsWith(`${pid} (`) || end < 0) return null;
  const fields = text.slice(end + 2).split(" ");
  const [state, flags, start] = [fields[0], fields[6], fields[19]];
  // A last field may be cut in the middle; what follows it proves that it is whole.
  const isWhole = fields.length > 20 || start?.endsWith("\n") === true;
  const ticks = /^0*(\d+)\n?$/.exec(start ?? "")?.[1];
  if (state === undefined || !/^[A-Za-z]$/.test(state) || ticks === undefined || !isWhole) return null;
  return { state, startTicks: ticks, isKernelThread: (Number(flags) & kernelThreadFlag) !== 0 };
}

/** Ended: Z (not yet collected), X and, in old kernels, x. */
export function isEndedState(state: string): boolean {
  return state === "Z" || state === "X" || state === "x";
}

function statusNumbers(text: string, name: string): readonly number[] | null {
  const match = new RegExp(`^${name}:((?:[ \\t]+\\d+)+)[ \\t]*$`, "m").exec(text);
  return match?.[1] === undefined ? null : match[1].trim().split(/[ \t]+/).map(Number);
}

/** `Tgid` of `/proc/<pid>/status`: the process that a thread belongs to. */
export function parseThreadGroup(status: string): number | null {
  return statusNumbers(status, "Tgid")?.[0] ?? null;
}

/** Real, effective, saved and file-system user of `/proc/<pid>/status`. */
export function parseUsers(status: string): readonly number[] | null {
  return statusNumbers(status, "Uid");
}

/** The pid that a process has in its own, innermost namespace, when that is a child of the reader's; else null. */
export function parseInnermostPid(status: string): number | null {
  const numbers = statusNumbers(status, "NSpid");
  return numbers !== null && numbers.length > 1 ? (numbers.at(-1) ?? null) : null;
}

/** `btime` of `/proc/stat`: boot time in whole seconds since the epoch. Moves when the clock is set. */
export function parseBootTime(text: string): number | null {
  const seconds = /^btime (\d+)$/m.exec(text)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** `/proc/sys/kernel/random/boot_id`. */
export function parseBootId(text: string): string | null {
  return /^([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})\n?$/.exec(text)?.[1] ?? null;
}

/** Text of the link `/proc/<pid>/exe`; null when it names no path. */
export function parseExecutable(link: string): string | null {
  const path = link.endsWith(" (deleted)") ? link.slice(0, -" (deleted)".length) : link;
  return path.startsWith("/") ? path : null;
}

/** First value of a variable in `/proc/<pid>/environ`, as getenv(3) finds it; null when it is not there. */
export function parseVariable(environ: string, name: string): string | null {
  const entry = environ.split("\0").find((text) => text.startsWith(`${name}=`));
  return entry === undefined ? null : entry.slice(name.length + 1);
}

/** `mnt_id` and `ino` (since Linux 5.14) of `/proc/<pid>/fdinfo/<n>`; null what the kernel does not say. */
export function parseDescriptorInfo(text: string): { readonly mount: string | null; readonly inode: string | null } {
  const value = (name: string): string | null => new RegExp(`^${name}:\\t(\\d+)$`, "m").exec(text)?.[1] ?? null;
  return { mount: value("mnt_id"), inode: value("ino") };
}

/** Ids of the mounts in `/proc/self/mountinfo` that are overlays: only there the inode of stat(2) may be another one's. */
export function parseOverlayMounts(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/^(\d+) .* - overlay /gm), ([, id]) => id ?? ""));
}

/** Target of `/proc/self/ns/pid`: the first namespace of a machine has a fixed number. */
export function parsePidNamespace(link: string): "initial" | "nested" | "unknown" {
  if (link === "pid:[4026531836]") return "initial";
  return /^pid:\[\d+\]$/.test(link) ? "nested" : "unknown";
}

/** Names of `/proc` that are processes. */
export function processesOf(names: readonly string[]): readonly number[] {
  return names.filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
}
