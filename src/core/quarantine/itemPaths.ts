// Owns: the three names that belong to one item of a quarantine directory.
// Leaves to others: what lies under them (itemFacts.ts).
import { join } from "node:path";
import { frozenSuffix } from "./latticeLayout.js";
import { recordSuffix } from "./quarantineRecord.js";

export interface ItemPaths {
  readonly directory: string;
  readonly name: string;
  readonly item: string;
  /** The second link while an operation is under way. */
  readonly frozen: string;
  readonly record: string;
}

export function itemPaths(directory: string, name: string): ItemPaths {
  const item = join(directory, name);
  return { directory, name, item, frozen: `${item}${frozenSuffix}`, record: `${item}${recordSuffix}` };
}
