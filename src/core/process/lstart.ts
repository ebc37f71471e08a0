// Owns: the text form of `ps -o lstart=` in the C locale, read and written as a wall clock without a zone.
// Leaves to others: which zone a text was written in (timeZone.ts), what a difference means (systems/lattice/startText.ts).

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

// The second branch is BSD's strftime under an English locale that puts the day first: same names, so still unambiguous.
const form = new RegExp(
  `^(${weekdays.join("|")}) +(?:(${months.join("|")}) +(\\d{1,2})|(\\d{1,2}) +(${months.join("|")})) +(\\d{2}):(\\d{2}):(\\d{2}) +(\\d{4})$`,
);

/**
 * Reads `Www Mmm dd hh:mm:ss yyyy` (day padded or not; day before month too).
 * @returns the wall clock in seconds, as if its zone were UTC; null for everything else, also for a date that does not exist
 * or whose weekday is another: no `ps` writes that, so the text was not written by the convention that we compare by.
 */
export function readStartText(text: string): number | null {
  const match = form.exec(text.trim());
  if (match === null) return null;
  const [, weekday, monthFirst, dayAfter, dayBefore, monthAfter, hour, minute, second, year] = match;
  const month = months.findIndex((name) => name === (monthFirst ?? monthAfter));
  const day = Number(dayAfter ?? dayBefore);
  const wall = new Date(0);
  // Not Date.UTC: it would take the years 0 to 99 for 1900 to 1999.
  wall.setUTCFullYear(Number(year), month, day);
  wall.setUTCHours(Number(hour), Number(minute), Number(second));
  // Date rolls an impossible value over, so a value that does not come back did not exist.
  const exists =
    wall.getUTCMonth() === month &&
    wall.getUTCDate() === day &&
    wall.getUTCHours() === Number(hour) &&
    wall.getUTCMinutes() === Number(minute) &&
    wall.getUTCSeconds() === Number(second) &&
    weekdays[wall.getUTCDay()] === weekday;
  return exists ? wall.getTime() / 1000 : null;
}

/** Writes a wall clock (seconds, as if its zone were UTC) as procps-ng and ctime do: 24 characters, the day padded with a space. */
export function writeStartText(wallSeconds: number): string {
  const wall = new Date(wallSeconds * 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${weekdays[wall.getUTCDay()] ?? ""} ${months[wall.getUTCMonth()] ?? ""} ${String(wall.getUTCDate()).padStart(2, " ")}`;
  return `${date} ${two(wall.getUTCHours())}:${two(wall.getUTCMinutes())}:${two(wall.getUTCSeconds())} ${String(wall.getUTCFullYear()).padStart(4, "0")}`;
}
