// Owns: which identity texts can be compared at all: our own formats of start and boot, and renderings that pi-amq may use
// (spec/pi-amq.md sections 13 and 14).
// Leaves to others: remembering which rendering a namespace uses (formatMemory.ts), judging (judgeLeaseOwner.ts).
import type { ProcessIdentity } from "../../process/processInspector.js";

type Format = "linux" | "darwin" | "win32";

const startFormats: readonly (readonly [Format, RegExp])[] = [
  ["linux", /^linux:starttime:(0|[1-9]\d*)$/],
  ["darwin", /^darwin:lstart:(0|[1-9]\d*)$/],
  ["win32", /^win32:created:(0|[1-9]\d*)$/],
];

const bootFormats: readonly (readonly [Format, RegExp])[] = [
  ["linux", /^linux:boot_id:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  ["darwin", /^darwin:bootsession:[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/],
  ["win32", /^win32:bootid:(0|[1-9]\d*)$/],
];

function formatOf(text: string | null, formats: readonly (readonly [Format, RegExp])[]): Format | null {
  return text === null ? null : (formats.find(([, pattern]) => pattern.test(text))?.[0] ?? null);
}

/** Two start texts of one recognised format: a difference means something. */
export function areComparableStarts(a: string, b: string): boolean {
  const format = formatOf(a, startFormats);
  return format !== null && format === formatOf(b, startFormats);
}

export type BootComparison = "equal" | "different" | "not-comparable";

/** Boots are only compared within one recognised format; everything else says nothing. */
export function compareBoots(a: string | null, b: string | null): BootComparison {
  const format = formatOf(a, bootFormats);
  if (format === null || format !== formatOf(b, bootFormats)) return "not-comparable";
  return a === b ? "equal" : "different";
}

/** How a runtime may write the start of a process. A fixed list: what is not on it is never learned. */
export type StartRendering = "ticks" | "linux-ticks" | "boot-and-ticks" | "epoch-seconds" | "epoch-milliseconds" | "iso" | "lstart";

/** What can be rendered about a process, as far as it was observed. */
export interface StartFacts {
  readonly identity: ProcessIdentity;
  /** Seconds since the epoch; null when the start instant was not observed. */
  readonly startEpochSeconds: number | null;
  /** `ps -o lstart=` text in the zone of the observer; null when not observed. */
  readonly lstart: string | null;
}

/** Every text that one process start could have, by rendering; those whose facts are missing are left out. */
export function renderStart({ identity, startEpochSeconds, lstart }: StartFacts): ReadonlyMap<StartRendering, string> {
  const renderings = new Map<StartRendering, string>();
  const ticks = /^linux:starttime:(\d+)$/.exec(identity.processStartIdentity)?.[1];
  const bootId = /^linux:boot_id:(.+)$/.exec(identity.bootIdentity ?? "")?.[1];
  if (ticks !== undefined) {
    renderings.set("ticks", ticks);
    renderings.set("linux-ticks", `linux:${ticks}`);
    if (bootId !== undefined) renderings.set("boot-and-ticks", `${bootId}:${ticks}`);
  }
  if (startEpochSeconds !== null) {
    renderings.set("epoch-seconds", String(startEpochSeconds));
    renderings.set("epoch-milliseconds", String(startEpochSeconds * 1000));
    renderings.set("iso", new Date(startEpochSeconds * 1000).toISOString());
  }
  if (lstart !== null) renderings.set("lstart", lstart);
  return renderings;
}
