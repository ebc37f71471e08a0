// Owns: showing everything that lies in a quarantine, also what should not: nothing is hidden, nothing is touched.
// Leaves to others: one item (itemFacts.ts), acting on it (settleFrozen.ts, restoreFromQuarantine.ts, purgeQuarantine.ts).
import { basename, join } from "node:path";
import { answerOr, errnoOf, isMissing } from "../storage/errno.js";
import type { DirectoryEntry } from "../storage/filePort.js";
import { lookAt } from "../storage/moveSteps.js";
import { entryOf, lookAtItem, sizeOf, timeOf } from "./itemFacts.js";
import { itemPaths } from "./itemPaths.js";
import { latticeDriver } from "./latticeDriver.js";
import { frozenSuffix, temporaryPattern } from "./latticeLayout.js";
import type { QuarantineDriver } from "./quarantineDriver.js";
import type { QuarantineEntry, UnreadableReason } from "./quarantineEntry.js";
import { recordSuffix } from "./quarantineRecord.js";
import { openSession, type QuarantineOptions, type Session } from "./session.js";

/**
 * All entries of the quarantine of a workspace folder (or `.lattice` directory, or the quarantine itself), oldest first. Never
 * writes, follows no symlink, throws for no state of the disk: what cannot be read is an entry with its reason.
 */
export async function listQuarantine(root: string, options: QuarantineOptions = {}, driver: QuarantineDriver = latticeDriver): Promise<readonly QuarantineEntry[]> {
  const session = openSession(options);
  const quarantine = driver.rootOf(root);
  const listing = await readDirectory(session, quarantine);
  if (listing.kind === "nothing") return listing.problems;
  const entries: QuarantineEntry[] = [];
  for (const { name } of listing.entries) {
    if (driver.isFurniture(name)) continue;
    const path = join(quarantine, name);
    const type = (await answerOr(null, () => lookAt(session.port, path)))?.type ?? "other";
    if (type === "directory" && driver.isItemDirectory(name)) entries.push(...(await listDirectory(session, driver, path)));
    else entries.push(await foreignEntry(session, quarantine, name, temporaryPattern.test(name) ? "temporary-file" : "foreign-entry", type));
  }
  return entries.sort(byAge);
}

/** The entries of one directory that holds items. */
export async function listDirectory(session: Session, driver: QuarantineDriver, directory: string): Promise<readonly QuarantineEntry[]> {
  const listing = await readDirectory(session, directory);
  if (listing.kind === "nothing") return listing.problems;
  const entries: QuarantineEntry[] = [];
  for (const name of itemNames(listing.entries)) entries.push(await entryAt(session, driver, directory, name));
  for (const { name } of listing.entries.filter((entry) => temporaryPattern.test(entry.name))) {
    entries.push(await foreignEntry(session, directory, name, "temporary-file", null));
  }
  return entries;
}

/** Names of items, whether item, record or second link is what is left of them. */
function itemNames(listing: readonly DirectoryEntry[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of listing) {
    if (temporaryPattern.test(name)) continue;
    const suffix = [recordSuffix, frozenSuffix].find((candidate) => name.endsWith(candidate) && name.length > candidate.length);
    names.add(suffix === undefined ? name : name.slice(0, -suffix.length));
  }
  return names;
}

async function entryAt(session: Session, driver: QuarantineDriver, directory: string, name: string): Promise<QuarantineEntry> {
  const paths = itemPaths(directory, name);
  try {
    const look = await lookAtItem(session, driver, paths);
    const entry = entryOf(paths, look);
    if (entry !== null) return entry;
    // Neither item nor record: a second link alone, whose record somebody removed.
    return await foreignEntry(session, directory, `${name}${frozenSuffix}`, "no-record", null);
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    return { path: paths.item, recordPath: paths.record, name, size: null, at: null, kind: "unreadable", reason: "unreadable-item", detail: code };
  }
}

async function foreignEntry(session: Session, directory: string, name: string, reason: UnreadableReason, detail: string | null): Promise<QuarantineEntry> {
  const paths = itemPaths(directory, name);
  const stat = await answerOr(null, () => lookAt(session.port, paths.item));
  return { path: paths.item, recordPath: paths.record, name, size: sizeOf(stat), at: timeOf(stat), kind: "unreadable", reason, detail };
}

type Listing =
  | { readonly kind: "listing"; readonly entries: readonly DirectoryEntry[] }
  /** No such directory (no problem), or one that cannot be read. */
  | { readonly kind: "nothing"; readonly problems: readonly QuarantineEntry[] };

async function readDirectory(session: Session, path: string): Promise<Listing> {
  const problem = (reason: UnreadableReason, detail: string): Listing => ({
    kind: "nothing",
    problems: [{ path, recordPath: `${path}${recordSuffix}`, name: basename(path), size: null, at: null, kind: "unreadable", reason, detail }],
  });
  try {
    const stat = await session.port.lstat(path);
    if (stat.type !== "directory") return problem("not-a-directory", stat.type);
    return { kind: "listing", entries: await session.port.readdir(path) };
  } catch (error) {
    if (isMissing(error)) return { kind: "nothing", problems: [] };
    const code = errnoOf(error);
    if (code === null) throw error;
    return problem("unreadable-directory", code);
  }
}

function byAge(a: QuarantineEntry, b: QuarantineEntry): number {
  const byTime = (a.at ?? 0) - (b.at ?? 0);
  if (byTime !== 0) return byTime;
  return a.path < b.path ? -1 : 1;
}
