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
  const wall = new Date(Date.UTC(Number(year), month, day, Number(hour), Number(minute), Number(second)));
  // Date rolls an impossible value over, so a value that does not come back did not exist.
  const exists =
    wall.getUTCFullYear() === Number(year) &&
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
  const text = new Date(wallSeconds * 1000).toUTCString();
  const [weekday, day, month, year, time] = [text.slice(0, 3), text.slice(5, 7), text.slice(8, 11), text.slice(12, 16), text.slice(17, 25)];
  return `${weekday} ${month} ${day.startsWith("0") ? ` ${day.slice(1)}` : day} ${time} ${year}`;
}
