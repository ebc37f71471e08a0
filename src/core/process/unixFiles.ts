// Owns: reading small system files of Unix through the port where "not readable" is an ordinary answer, and the system's zone.
// Leaves to others: what a missing text means (the observers).
import { errnoOf, orNull, type PlatformPort } from "./platformPort.js";
import { zoneNameOfPath } from "./timeZone.js";

/** Null when it cannot be read, for whatever reason the kernel gives. */
export function readOrNull(port: PlatformPort, path: string, maxBytes: number): string | null {
  return orNull(() => port.readText(path, maxBytes));
}

/**
 * Name of the zone that a process without TZ uses: what `/etc/localtime` links to, else the text of `/etc/timezone` (a copied
 * zone file has no name), UTC when neither is there, as the C library has it; null when there is a zone without a name.
 */
export function unixSystemTimeZone(port: PlatformPort): string | null {
  try {
    const name = zoneNameOfPath(port.readLink("/etc/localtime"));
    if (name !== null) return name;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "UTC";
  }
  const text = readOrNull(port, "/etc/timezone", 4096)?.trim();
  return text === undefined || text === "" ? null : text;
}
