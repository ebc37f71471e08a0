// Owns: looking at one item of a quarantine directory and making its entry. Read only.
// Leaves to others: what the facts mean together (classifyItem.ts), finding the items (listQuarantine.ts).
import type { FileStat } from "../storage/filePort.js";
import { lookAt } from "../storage/moveSteps.js";
import { classifyItem, type ItemFacts, type ItemState } from "./classifyItem.js";
import type { ItemPaths } from "./itemPaths.js";
import type { ClaimPlace } from "./latticeLayout.js";
import type { QuarantineDriver } from "./quarantineDriver.js";
import type { QuarantineEntry, QuarantineRecord, UnreadableReason } from "./quarantineEntry.js";
import { readRecord } from "./recordFile.js";
import type { Session } from "./session.js";

export type ItemLook =
  | { readonly kind: "item"; readonly facts: ItemFacts; readonly state: ItemState; readonly place: ClaimPlace }
  | { readonly kind: "no-record"; readonly item: FileStat | null }
  | { readonly kind: "unreadable"; readonly reason: UnreadableReason; readonly detail: string | null; readonly item: FileStat | null };

/** @throws the errno error when item, second link or place cannot be looked at: a guess could make a wrong move. */
export async function lookAtItem(session: Session, driver: QuarantineDriver, paths: ItemPaths): Promise<ItemLook> {
  const { port } = session;
  const item = await lookAt(port, paths.item);
  const read = await readRecord(port, paths.record);
  if (read.kind === "missing") return { kind: "no-record", item };
  if (read.kind === "unreadable") return { kind: "unreadable", reason: read.reason, detail: read.detail, item };
  const { record } = read;
  if (record.item_name !== paths.name) return { kind: "unreadable", reason: "record-of-another-item", detail: record.item_name, item };
  const place = record.system === driver.system ? driver.placeOfRecord(record, paths.directory) : null;
  if (place === null) return { kind: "unreadable", reason: "record-of-another-place", detail: record.original_path, item };
  const frozen = await lookAt(port, paths.frozen);
  const facts = { record, item, frozen, place: canPlaceMatter(record, item, frozen) ? await lookAt(port, place.place) : null };
  return { kind: "item", facts, state: classifyItem(facts), place };
}

/** The usual item (completed, there, one name) is settled whatever lies at its place: one look less for each. */
function canPlaceMatter(record: QuarantineRecord, item: FileStat | null, frozen: FileStat | null): boolean {
  if (record.state === "intended" || frozen !== null) return true;
  if (item === null) return record.state === "done";
  return record.state === "restored" || (item.type !== "directory" && item.linkCount > 1n);
}

/** The entry that a person sees; null for a look that shows nothing at all. */
export function entryOf(paths: ItemPaths, look: ItemLook): QuarantineEntry | null {
  const base = { path: paths.item, recordPath: paths.record, name: paths.name };
  if (look.kind === "no-record") {
    if (look.item === null) return null;
    return { ...base, size: sizeOf(look.item), at: timeOf(look.item), kind: "unreadable", reason: "no-record", detail: null };
  }
  if (look.kind === "unreadable") {
    return { ...base, size: sizeOf(look.item), at: timeOf(look.item), kind: "unreadable", reason: look.reason, detail: look.detail };
  }
  const { record, item } = look.facts;
  const common = { ...base, size: sizeOf(item), at: Date.parse(record.completed_at ?? record.planned_at) };
  switch (look.state.kind) {
    case "item-missing":
      return { ...common, kind: "unreadable", reason: "item-missing", detail: record.original_path, record };
    case "quarantined":
    case "restored":
      return { ...common, kind: look.state.kind, record };
    case "intended":
    case "frozen":
      return { ...common, kind: look.state.kind, record, settle: look.state.settle };
  }
}

export function sizeOf(stat: FileStat | null): number | null {
  return stat === null ? null : Number(stat.size);
}

export function timeOf(stat: FileStat | null): number | null {
  return stat === null ? null : Number(stat.mtimeNs / 1_000_000n);
}
