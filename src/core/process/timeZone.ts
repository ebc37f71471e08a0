// Owns: what a value of TZ means to the C library, and which wall clock an instant has there.
// Leaves to others: whose TZ it is (the observers), comparing texts (systems/lattice/startText.ts).

/** A zone that a TZ value names, as far as its wall clock can be computed here. */
export type TimeZone =
  | { readonly kind: "named"; readonly name: string }
  /** Wall clock = instant + offset. */
  | { readonly kind: "fixed"; readonly offsetSeconds: number }
  /** A real zone whose wall clock we cannot compute. `wholeQuarterHours`: its offset is a multiple of 15 minutes all the same. */
  | { readonly kind: "unrenderable"; readonly wholeQuarterHours: boolean };

const utc: TimeZone = { kind: "fixed", offsetSeconds: 0 };
const unknownZone: TimeZone = { kind: "unrenderable", wholeQuarterHours: true };
const oddZone: TimeZone = { kind: "unrenderable", wholeQuarterHours: false };
const quarterHour = 900;
/** No file has a longer name; the environment of another process may hold anything. */
const longestName = 255;

// Intl also takes the three-letter aliases of Java (JST, IST, PST …). No zone file has such a name, so for the C library
// they are invalid, hence UTC. These are the files that exist.
const threeLetterFiles = new Set(["CET", "EET", "EST", "GMT", "HST", "MET", "MST", "PRC", "ROC", "ROK", "UCT", "UTC", "WET"]);

const posixOffset = "([+-]?)(\\d{1,3})(?::(\\d{1,2})(?::(\\d{1,2}))?)?";
const posixName = "(?:<[A-Za-z0-9+-]{3,}>|[A-Za-z]{3,})";
const posixForm = new RegExp(`^${posixName}${posixOffset}(?:(,.*)|(${posixName})(?:${posixOffset})?(?:,.*)?)?$`);

const formatters = new Map<string, Intl.DateTimeFormat | null>();
const offsets = new Map<string, number>();
const rememberedOffsets = 4096;

function formatterOf(name: string): Intl.DateTimeFormat | null {
  const known = formatters.get(name);
  if (known !== undefined) return known;
  let formatter: Intl.DateTimeFormat | null = null;
  try {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    // RangeError is how Intl says that it knows no such zone.
  }
  // Names come from environments of other processes: bounded, so that nobody can make it grow.
  if (formatters.size < rememberedOffsets) formatters.set(name, formatter);
  return formatter;
}

/** Seconds west of Greenwich, as POSIX counts. glibc cuts too large a number down instead of refusing it. */
function posixSeconds(sign: string | undefined, hours: string | undefined, minutes: string | undefined, seconds: string | undefined): number {
  const magnitude = Math.min(Number(hours), 24) * 3600 + Math.min(Number(minutes ?? 0), 59) * 60 + Math.min(Number(seconds ?? 0), 59);
  return sign === "-" ? -magnitude : magnitude;
}

function posixZone(value: string): TimeZone | null {
  const match = posixForm.exec(value);
  if (match === null) return null;
  const standard = posixSeconds(match[1], match[2], match[3], match[4]);
  // Adding zero turns -0 into 0.
  if (match[5] === undefined && match[6] === undefined) return { kind: "fixed", offsetSeconds: 0 - standard };
  const summer = match[8] === undefined ? standard : posixSeconds(match[7], match[8], match[9], match[10]);
  return standard % quarterHour === 0 && summer % quarterHour === 0 ? unknownZone : oddZone;
}

/**
 * What the C library makes of a TZ value: `null` (unset) is the system's zone, the empty text and anything invalid are UTC,
 * one leading colon is ignored, then a zone file by name or absolute path, then a POSIX rule (`JST-9`).
 * A POSIX rule with summer time is not computed: `unrenderable`. Zone files with leap seconds (`right/…`) and files at unknown
 * paths may differ from UTC by anything: `wholeQuarterHours` is false.
 * @param systemTimeZone name of the zone that holds without TZ, or null when unknown.
 */
export function resolveTimeZone(value: string | null, systemTimeZone: string | null): TimeZone {
  if (value === null) return systemTimeZone === null ? unknownZone : resolveTimeZone(systemTimeZone, null);
  const text = value.startsWith(":") ? value.slice(1) : value;
  if (text === "") return utc;
  if (text.startsWith("/")) {
    if (text === "/etc/localtime") return resolveTimeZone(null, systemTimeZone);
    const name = zoneNameOfPath(text);
    return name === null ? oddZone : resolveTimeZone(name, systemTimeZone);
  }
  const name = text.startsWith("posix/") ? text.slice("posix/".length) : text;
  if (name.startsWith("right/")) return oddZone;
  const mayBeFile = /^[A-Z]/.test(name) && name.length <= longestName;
  if (mayBeFile && (name.length !== 3 || threeLetterFiles.has(name)) && formatterOf(name) !== null) return { kind: "named", name };
  return posixZone(text) ?? utc;
}

/** Name of the zone whose file a path (or the link `/etc/localtime`) points to; null when it lies in no zone directory. */
export function zoneNameOfPath(path: string): string | null {
  const match = /\/zoneinfo(?:\.default)?\/(.+)$/.exec(path);
  return match?.[1] ?? null;
}

/** Wall clock of an instant in a zone, in seconds as if the zone were UTC; null when it cannot be computed. */
export function wallSecondsIn(zone: TimeZone, epochSeconds: number): number | null {
  if (zone.kind === "unrenderable") return null;
  if (zone.kind === "fixed") return epochSeconds + zone.offsetSeconds;
  // Offsets change on whole minutes only, and Intl is slow: one look-up a minute of starts is enough.
  const key = `${zone.name} ${Math.floor(epochSeconds / 60)}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    const wall = intlWallSeconds(zone.name, epochSeconds);
    if (wall === null) return null;
    offset = wall - epochSeconds;
    if (offsets.size >= rememberedOffsets) offsets.clear();
    offsets.set(key, offset);
  }
  return epochSeconds + offset;
}

function intlWallSeconds(name: string, epochSeconds: number): number | null {
  const parts = formatterOf(name)?.formatToParts(epochSeconds * 1000);
  if (parts === undefined) return null;
  const value = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? "";
  if (value("era") !== "AD") return null;
  const seconds = Date.UTC(Number(value("year")), Number(value("month")) - 1, Number(value("day")), Number(value("hour")), Number(value("minute")), Number(value("second"))) / 1000;
  return Number.isNaN(seconds) ? null : seconds;
}

/** The zone of this process, as a TZ value: what a `ps` that we start would use. */
export function ownTimeZone(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  // Intl.resolvedOptions() knows nothing of POSIX rules, so TZ itself comes first.
  return environment["TZ"] ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
