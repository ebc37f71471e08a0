// Owns: what record, item, second link and original place mean together. A pure function over what the disk shows: every state
// that a crash between two steps can leave has exactly one meaning here, and one way to settle it.
// Leaves to others: looking (itemFacts.ts), acting (settleFrozen.ts).
import type { FileIdentity } from "../claims/claim.js";
import { areSameFile, fileIdentityOf, isSameFile, isSameInode } from "../storage/fileIdentity.js";
import type { FileStat } from "../storage/filePort.js";
import type { QuarantineRecord, SettleAction } from "./quarantineEntry.js";

export interface ItemFacts {
  readonly record: QuarantineRecord;
  /** What lies under the item's name; null when nothing. */
  readonly item: FileStat | null;
  /** What lies under the name of the second link. */
  readonly frozen: FileStat | null;
  /** What lies at the original place; null when nothing, or when it cannot matter. */
  readonly place: FileStat | null;
}

export type ItemState =
  | { readonly kind: "quarantined" | "restored" | "item-missing" }
  | { readonly kind: "intended" | "frozen"; readonly settle: SettleAction };

export function classifyItem(facts: ItemFacts): ItemState {
  switch (facts.record.state) {
    case "intended":
      return classifyIntended(facts);
    case "done":
      return classifyDone(facts);
    case "restored":
      return classifyRestored(facts);
    case "purging":
      return facts.item === null && facts.frozen === null ? { kind: "intended", settle: "forget" } : { kind: "frozen", settle: "finish-purge" };
  }
}

function classifyIntended({ record, item, frozen, place }: ItemFacts): ItemState {
  if (item !== null) {
    // A put-back that had linked: both names are of one file that is not ours to keep.
    if (areSameFile(item, place)) return { kind: "frozen", settle: "put-back" };
    return { kind: "frozen", settle: isRecorded(item, record.file) ? "finish" : "put-back" };
  }
  if (frozen === null) return { kind: "intended", settle: "forget" };
  return { kind: "frozen", settle: areSameFile(frozen, place) ? "undo" : "keep" };
}

function classifyDone({ record, item, frozen, place }: ItemFacts): ItemState {
  if (item !== null) {
    if (areSameFile(item, place)) return { kind: "frozen", settle: "finish-restore" };
    if (frozen !== null) return { kind: "frozen", settle: areSameFile(item, frozen) ? "finish" : "keep" };
    return { kind: "quarantined" };
  }
  if (frozen !== null) return { kind: "frozen", settle: areSameFile(frozen, place) ? "undo" : "keep" };
  // A restore by rename (directories, no hard links) that had moved the item but not completed its record.
  return place !== null && isRecorded(place, record.file) ? { kind: "frozen", settle: "finish-restore" } : { kind: "item-missing" };
}

function classifyRestored({ item, frozen, place }: ItemFacts): ItemState {
  if (frozen !== null) return { kind: "frozen", settle: areSameFile(frozen, place) ? "undo" : "keep" };
  if (item === null) return { kind: "restored" };
  // The claim came back and has left its place again since: the item is the last name of its bytes.
  return { kind: "frozen", settle: areSameFile(item, place) ? "finish-restore" : "finish" };
}

/** The file of which the record speaks. The size and time of a directory follow its entries. */
function isRecorded(stat: FileStat, file: FileIdentity): boolean {
  const identity = fileIdentityOf(stat);
  return stat.type === "directory" ? isSameInode(identity, file) : isSameFile(identity, file);
}
