// Owns: putting a quarantined item back where it came from, if that place is free.
// Leaves to others: unfinished states (settleFrozen.ts), asking the person (the views).
import { dirname } from "node:path";
import { lookAt } from "../storage/moveSteps.js";
import { putBackNoClobber } from "../storage/putBack.js";
import { driverOf } from "./drivers.js";
import { lookAtItem, type ItemLook } from "./itemFacts.js";
import { itemPaths, type ItemPaths } from "./itemPaths.js";
import type { InstanceGuard } from "./instanceGuard.js";
import type { QuarantineDriver } from "./quarantineDriver.js";
import type { Changed, ChangedReason, QuarantineEntry, RestoreResult } from "./quarantineEntry.js";
import { amendRecord } from "./quarantineRecord.js";
import { completeRecord } from "./recordFile.js";
import { openSession, type QuarantineOptions, type Session } from "./session.js";
import { settleItem } from "./settleFrozen.js";
import { refusal, underGuard } from "./underGuard.js";

/**
 * Restores one entry: the very file, byte for byte, to the place in the same store from which its record says it came. Never
 * overwrites: a taken place is `occupied`. What an interruption had left is settled first. Kernel answers are results.
 */
export async function restoreFromQuarantine(entry: QuarantineEntry, options: QuarantineOptions = {}): Promise<RestoreResult> {
  if (entry.kind === "unreadable") return refusal("not-restorable", entry.reason);
  if (entry.kind === "restored") return refusal("already-restored");
  const session = openSession(options);
  const driver = driverOf(entry.record.system);
  const paths = itemPaths(dirname(entry.path), entry.name);
  const place = driver?.placeOfRecord(entry.record, paths.directory) ?? null;
  if (driver === null || place === null) return refusal("not-restorable", entry.record.original_path);
  return await underGuard(session, driver, place, "place", (guard) => restore(session, driver, paths, entry, guard));
}

type Readable = Exclude<QuarantineEntry, { kind: "unreadable" }>;

function changed(reason: ChangedReason, detail: string | null): Changed {
  return { kind: "changed", reason, detail, entry: null, warnings: [] };
}

async function restore(session: Session, driver: QuarantineDriver, paths: ItemPaths, entry: Readable, guard: InstanceGuard): Promise<RestoreResult> {
  const settled = await settleItem(session, driver, paths);
  if (settled.kind === "conflict") return { kind: "occupied", path: settled.paths[1] ?? entry.record.original_path, warnings: settled.warnings };
  if (settled.kind === "refused") return settled;
  const look = await lookAtItem(session, driver, paths);
  if (look.kind !== "item") return changed("record-changed", look.kind);
  if (look.state.kind === "restored") return refusal("already-restored");
  if (look.state.kind !== "quarantined") return changed("item-missing", look.state.kind);
  // Settling rewrites the record; only then may it differ from what the person saw.
  if (settled.action === null && look.facts.record.record_digest !== entry.record.record_digest) return changed("record-changed", null);
  return await putBack(session, driver, paths, look, guard);
}

async function putBack(session: Session, driver: QuarantineDriver, paths: ItemPaths, look: Extract<ItemLook, { kind: "item" }>, guard: InstanceGuard): Promise<RestoreResult> {
  const { port, platform, clock } = session;
  const { record, item } = look.facts;
  const { place } = look.place;
  if (item === null) return changed("item-missing", null);
  if (item.type !== record.item_type) return changed("type-changed", item.type);
  const content = record.sha256 === null ? null : await driver.hash(session, paths.item, item);
  if (content?.kind === "unreadable") return refusal("io-error", content.code);
  if (content !== null && !(content.kind === "hash" && content.sha256 === record.sha256)) return changed("content-changed", null);
  if ((await lookAt(port, place)) !== null) return { kind: "occupied", path: place, warnings: [] };
  if (session.signal?.aborted === true) return refusal("cancelled");
  if (!(await guard.isStillHeld())) return refusal("busy", "guard-lost");
  const back = await putBackNoClobber(port, paths.item, place, { platform, clock });
  if (back.kind === "occupied") return { kind: "occupied", path: place, warnings: [] };
  if (back.kind === "missing") return changed("item-missing", null);
  const restored = amendRecord(record, { state: "restored", restored_at: new Date(clock.now()).toISOString() });
  const isComplete = await completeRecord(session, paths.record, restored);
  return { kind: "restored", path: place, warnings: isComplete ? back.warnings : [...back.warnings, "record-not-completed"] };
}
