// Owns: how long ago something was, short for a row and spelled out for a screen reader.
// Leaves to others: which moment is meant.
import type { Translate } from "../../shared/text.js";

interface Unit {
  /** Milliseconds. */
  readonly size: number;
  readonly short: (count: number, t: Translate) => string;
  readonly spoken: (count: number, t: Translate) => string;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units: readonly Unit[] = [
  {
    size: day,
    short: (count, t) => t("{0} d", count),
    spoken: (count, t) => (count === 1 ? t("1 day") : t("{0} days", count)),
  },
  {
    size: hour,
    short: (count, t) => t("{0} h", count),
    spoken: (count, t) => (count === 1 ? t("1 hour") : t("{0} hours", count)),
  },
  {
    size: minute,
    short: (count, t) => t("{0} min", count),
    spoken: (count, t) => (count === 1 ? t("1 minute") : t("{0} minutes", count)),
  },
];

/**
 * Whole units only, the largest that fits; under a minute there is one text, so that rows do not change every second.
 * A moment in the future (a clock was set back) is under a minute too: age is shown, never judged.
 */
function ageIn(form: "short" | "spoken", since: number, now: number, t: Translate): string {
  const age = now - since;
  const unit = units.find((one) => age >= one.size);
  if (unit === undefined) return form === "short" ? t("now") : t("less than a minute");
  return unit[form](Math.floor(age / unit.size), t);
}

export function ageText(since: number, now: number, t: Translate): string {
  return ageIn("short", since, now, t);
}

export function spokenAge(since: number, now: number, t: Translate): string {
  return ageIn("spoken", since, now, t);
}

/** Milliseconds since the epoch of a decimal text of nanoseconds; whole milliseconds. */
export function millisecondsOf(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / 1_000_000n);
}
