// Owns: whether a recorded start text names the instant at which a process was seen to start (design/quarantine.md, the instant rule).
// Leaves to others: zones and text form (core/process), the verdict (judgeLifecycleLock.ts).
import { readStartText, writeStartText } from "../../process/lstart.js";
import type { StartInstant } from "../../process/processInspector.js";
import { resolveTimeZone, wallSecondsIn, type TimeZone } from "../../process/timeZone.js";

const quarterHour = 900;
/** Seconds by which two computations of one start may differ: `ps` adds ticks to a boot time that is itself rounded (W3). */
const uncertaintySeconds = 2;

/** One zone in which the observed instant was rendered. */
export interface Rendering {
  readonly whose: "ours" | "owner" | "system";
  /** TZ value or zone name. */
  readonly zone: string;
  /** The text that `ps` would write there; null when the wall clock of the zone cannot be computed. */
  readonly text: string | null;
  readonly equal: boolean;
  /** Recorded minus observed wall clock, in seconds; null when the latter cannot be computed. */
  readonly differenceSeconds: number | null;
}

/**
 * - `equal`: same second in one of the zones.
 * - `quarter-hours`: differs by a whole number of quarter hours (none included) within two seconds, as zones do: may be the
 *   same instant.
 * - `odd-zone`: the owner's zone may differ from UTC by anything, so nothing can be said.
 * - `unreadable`: the text is no time in the form that is compared.
 * - `different`: no zone explains the difference.
 */
export interface StartComparison {
  readonly kind: "equal" | "quarter-hours" | "odd-zone" | "unreadable" | "different";
  /** In the order of comparing; ends with the equal one when there is one. */
  readonly renderings: readonly Rendering[];
  /** Recorded wall clock, in seconds as if its zone were UTC; null when unreadable. */
  readonly recordedWallSeconds: number | null;
}

interface Candidate {
  readonly whose: Rendering["whose"];
  readonly zone: string;
  readonly resolved: TimeZone;
}

/** The zones in which the owner may have written: ours, its own TZ, and the system's when it had none or we could not see. */
function candidatesOf(start: StartInstant, observerTimeZone: string): readonly Candidate[] {
  const { ownerTimeZone, systemTimeZone } = start;
  const resolve = (whose: Rendering["whose"], zone: string): Candidate => ({ whose, zone, resolved: resolveTimeZone(zone, systemTimeZone) });
  const list = [resolve("ours", observerTimeZone)];
  if (ownerTimeZone !== null) list.push(resolve("owner", ownerTimeZone));
  else if (systemTimeZone !== null) list.push(resolve("system", systemTimeZone));
  return list;
}

/** Distance of a wall clock from the nearest whole number of quarter hours from the instant, in seconds. */
function offQuarterHours(wallSeconds: number, epochSeconds: number): number {
  const remainder = (((wallSeconds - epochSeconds) % quarterHour) + quarterHour) % quarterHour;
  return Math.min(remainder, quarterHour - remainder);
}

/** Compares a recorded start text with an observed start. Pure; depends on no zone or locale of this process. */
export function compareStart(recorded: string, start: StartInstant, observerTimeZone: string): StartComparison {
  const wall = readStartText(recorded);
  if (wall === null) return { kind: "unreadable", renderings: [], recordedWallSeconds: null };
  const renderings: Rendering[] = [];
  let odd = false;
  for (const { whose, zone, resolved } of candidatesOf(start, observerTimeZone)) {
    const observed = wallSecondsIn(resolved, start.epochSeconds);
    const differenceSeconds = observed === null ? null : wall - observed;
    const equal = differenceSeconds === 0;
    renderings.push({ whose, zone, text: observed === null ? null : writeStartText(observed), equal, differenceSeconds });
    if (equal) return { kind: "equal", renderings, recordedWallSeconds: wall };
    // Our own odd zone is of no account where the owner's is known.
    if ((whose !== "ours" || !start.environmentReadable) && resolved.kind === "unrenderable" && !resolved.wholeQuarterHours) odd = true;
  }
  // A zone need not be a whole number of quarter hours away from UTC: near one of the renderings is as uncertain.
  const near = renderings.some(({ differenceSeconds }) => differenceSeconds !== null && Math.abs(differenceSeconds) <= uncertaintySeconds);
  if (near || offQuarterHours(wall, start.epochSeconds) <= uncertaintySeconds) return { kind: "quarter-hours", renderings, recordedWallSeconds: wall };
  return { kind: odd ? "odd-zone" : "different", renderings, recordedWallSeconds: wall };
}
