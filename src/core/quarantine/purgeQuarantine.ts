// Owns: deleting old quarantined items for good: listed first, then exactly those, if unchanged. The only place of the product
// that deletes what was once somebody's claim, and never without a person having seen each entry.
// Leaves to others: asking (the views), finishing an interrupted purge (settleFrozen.ts).
import { dirname } from "node:path";
import type { FileIdentity } from "../claims/claim.js";
import { answerOr } from "../storage/errno.js";
import { fileIdentityOf, isSameFile } from "../storage/fileIdentity.js";
import { lookAt, unlinkIfSame } from "../storage/moveSteps.js";
import { driverOf } from "./drivers.js";
import { lookAtItem } from "./itemFacts.js";
import { itemPaths, type ItemPaths } from "./itemPaths.js";
import { latticeDriver } from "./latticeDriver.js";
import { listQuarantine } from "./listQuarantine.js";
import type { QuarantineDriver } from "./quarantineDriver.js";
import type { QuarantineEntry, QuarantineRecord, Refusal } from "./quarantineEntry.js";
import { amendRecord } from "./quarantineRecord.js";
import { writeRecord } from "./recordFile.js";
import { openSession, type QuarantineOptions, type Session } from "./session.js";
import { settleItem } from "./settleFrozen.js";
import { refusal, refusalBy, underGuard } from "./underGuard.js";

/** One entry as the person saw it. */
export interface PurgeItem {
  readonly entry: QuarantineEntry;
  /** What lies under the item's name; null when only a record is left. */
  readonly item: FileIdentity | null;
}

export interface PurgePlan {
  /** Milliseconds since the epoch: everything listed is from before. */
  readonly before: number;
  readonly items: readonly PurgeItem[];
}

export interface PurgeOutcome {
  readonly entry: QuarantineEntry;
  /** `changed`: no longer what was listed; `refused`: `detail` says why (an errno, `busy` …). */
  readonly kind: "purged" | "changed" | "refused";
  readonly detail: string | null;
}

/**
 * Lists what is older than `olderThanMs`: items, records of items that are back or gone, temporary files of crashed writes. Not
 * listed, so never purged: unfinished states (settle them first) and whatever has no record of ours. Read only.
 */
export async function planPurge(
  root: string,
  age: { readonly olderThanMs: number },
  options: QuarantineOptions = {},
  driver: QuarantineDriver = latticeDriver,
): Promise<PurgePlan> {
  const session = openSession(options);
  const before = session.clock.now() - age.olderThanMs;
  const items: PurgeItem[] = [];
  for (const entry of await listQuarantine(root, options, driver)) {
    if (entry.at === null || entry.at > before || !isPurgeable(entry)) continue;
    const stat = await answerOr("unreadable" as const, () => lookAt(session.port, entry.path));
    if (stat !== "unreadable") items.push({ entry, item: stat === null ? null : fileIdentityOf(stat) });
  }
  return { before, items };
}

function isPurgeable(entry: QuarantineEntry): boolean {
  switch (entry.kind) {
    case "quarantined":
    case "restored":
      return true;
    case "intended":
    case "frozen":
      return false;
    case "unreadable":
      return entry.reason === "item-missing" || entry.reason === "temporary-file";
  }
}

/** Deletes exactly the listed entries that are unchanged; each has its own outcome, one failure stops no other. */
export async function purgeQuarantine(plan: PurgePlan, options: QuarantineOptions = {}): Promise<readonly PurgeOutcome[]> {
  const session = openSession(options);
  const outcomes: PurgeOutcome[] = [];
  for (const item of plan.items) {
    outcomes.push(session.signal?.aborted === true ? { entry: item.entry, kind: "refused", detail: "cancelled" } : await purgeOne(session, item));
  }
  return outcomes;
}

async function purgeOne(session: Session, { entry, item }: PurgeItem): Promise<PurgeOutcome> {
  if (entry.kind === "unreadable" && entry.reason === "temporary-file") return await purgeTemporary(session, entry, item);
  const record = entry.record ?? null;
  const paths = itemPaths(dirname(entry.path), entry.name);
  const driver = record === null ? null : driverOf(record.system);
  const place = record === null ? null : (driver?.placeOfRecord(record, paths.directory) ?? null);
  if (record === null || driver === null || place === null) return { entry, kind: "refused", detail: "not-supported" };
  const result = await underGuard(session, driver, place, "quarantine", () => purgeListed(session, driver, paths, record, item));
  return { entry, kind: result.kind, detail: result.kind === "refused" ? (result.detail ?? result.reason) : null };
}

type Purged = { readonly kind: "purged" | "changed"; readonly warnings: readonly string[] } | Refusal;

async function purgeListed(session: Session, driver: QuarantineDriver, paths: ItemPaths, record: QuarantineRecord, item: FileIdentity | null): Promise<Purged> {
  const look = await lookAtItem(session, driver, paths);
  if (look.kind !== "item" || "settle" in look.state) return { kind: "changed", warnings: [] };
  const { facts } = look;
  const isSameItem = facts.item === null ? item === null : item !== null && isSameFile(fileIdentityOf(facts.item), item);
  if (facts.record.record_digest !== record.record_digest || !isSameItem) return { kind: "changed", warnings: [] };
  // Said before it is done: a directory that is half deleted must never be taken for an item that can be restored.
  await writeRecord(session, paths.record, amendRecord(record, { state: "purging" }));
  const settled = await settleItem(session, driver, paths);
  return settled.kind === "settled" ? { kind: "purged", warnings: [] } : refusal("busy");
}

async function purgeTemporary(session: Session, entry: QuarantineEntry, item: FileIdentity | null): Promise<PurgeOutcome> {
  if (item === null) return { entry, kind: "changed", detail: null };
  try {
    const removed = await unlinkIfSame(session.port, entry.path, item);
    return { entry, kind: removed === "different" ? "changed" : "purged", detail: null };
  } catch (error) {
    return { entry, kind: "refused", detail: refusalBy(error).detail };
  }
}
