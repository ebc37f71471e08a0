// Owns: what could stand at the cursor of a recompile request, also while it is being typed and does not parse.
// Leaves to others: what is where (places.ts), showing it (providers.ts in the host).
import path from "node:path";
import { getLocation, parse } from "jsonc-parser";
import { pointerTo } from "../../../core/artifact/canonical.js";
import type { TextRange } from "../../../core/systems/lattice/requests/report.js";
import { heldFinding } from "../../../core/systems/lattice/requests/skeleton.js";
import { valueAt } from "../../../core/systems/lattice/requests/fixes/repairs.js";
import type { CompletionFact } from "../protocol.js";
import { entriesOf, texts, todoIdsOf } from "./describe.js";
import { derivedValues, valueFromRun } from "./expectedValues.js";
import type { Judged } from "./judgeDocument.js";
import { placeKindOf, type PlaceKind } from "./places.js";

/** `hasSchema`: the editor's own JSON support knows the words of the schema already, and would show them twice. */
export function complete(text: string, offset: number, known: Omit<Judged, "judged" | "findings">, hasSchema: boolean): readonly CompletionFact[] {
  const location = getLocation(text, offset);
  if (location.isAtPropertyKey || location.path.length === 0) return [];
  const pointer = location.path.reduce<string>((parent, token) => pointerTo(parent, token), "");
  const kind = placeKindOf(pointer);
  if (kind === null) return [];
  const { previousNode } = location;
  const isOnValue = previousNode !== undefined && offset >= previousNode.offset && offset <= previousNode.offset + previousNode.length;
  const replace = isOnValue ? { offset: previousNode.offset, length: previousNode.length } : { offset, length: 0 };
  const value: unknown = parse(text, [], { allowTrailingComma: true });
  return offers(kind, pointer, value, known, hasSchema).map((offer) => ({ ...offer, insert: JSON.stringify(offer.value), label: String(offer.value), replace: within(replace, text) }));
}

/** A string that is not closed yet reaches to the end of its line at most. */
function within({ offset, length }: TextRange, text: string): TextRange {
  const end = text.slice(offset, offset + length).search(/[\r\n]/);
  return { offset, length: end < 0 ? length : end };
}

type Offer = Pick<CompletionFact, "kind" | "detail" | "isPreferred"> & { readonly value: string | number };

function offers(kind: PlaceKind, pointer: string, value: unknown, known: Omit<Judged, "judged" | "findings">, hasSchema: boolean): readonly Offer[] {
  switch (kind.kind) {
    case "word":
      return hasSchema ? [] : kind.words.map((word) => ({ kind: "word", value: word, detail: null, isPreferred: false }));
    case "constant":
      return hasSchema ? [] : [{ kind: "word", value: kind.value, detail: null, isPreferred: true }];
    case "digest": {
      const derived = derivedValues(value, known.dialect).get(pointer);
      const detail = kind.meaning.kind === "self" ? null : kind.meaning.kind;
      return derived === undefined ? fromRun(pointer, "digest", known) : [{ kind: "digest", value: derived, detail, isPreferred: true }];
    }
    case "binding":
      return fromRun(pointer, "value", known);
    case "todo":
      return todoOffers(kind, pointer, value, known);
  }
}

function fromRun(pointer: string, kind: "digest" | "value", known: Omit<Judged, "judged" | "findings">): readonly Offer[] {
  const found = valueFromRun(pointer, known);
  if (found === null || (typeof found.value !== "string" && typeof found.value !== "number")) return [];
  return [{ kind, value: found.value, detail: found.source === null ? null : path.basename(found.source.file), isPreferred: true }];
}

function todoOffers({ side, isListed }: Extract<PlaceKind, { kind: "todo" }>, pointer: string, value: unknown, { context }: Omit<Judged, "judged" | "findings">): readonly Offer[] {
  const held = heldFinding(context)?.todoIds ?? [];
  const predecessors = context.predecessorBundle?.plan.nodes.map((node) => node.todo_id) ?? entriesOf(value).flatMap((entry) => texts([entry["predecessor_task_id"]]));
  const ids = side === "successor" ? todoIdsOf(value) : pointer === "/intentional_serial/stay_todo_id" ? texts(valueAt(value, "/intentional_serial/todo_ids")) : predecessors;
  const taken = isListed ? takenBy(pointer, value) : new Set<string>();
  return [...new Set(ids)].filter((id) => !taken.has(id)).map((id) => ({ kind: "todo", value: id, detail: held.includes(id) ? "held" : null, isPreferred: held.includes(id) && side === "predecessor" }));
}

/** Ids that the same list, or the same column of entries, has already; the one under the cursor may be chosen again. */
function takenBy(pointer: string, value: unknown): ReadonlySet<string> {
  const column = /^(.*\/entries)\/(\d+)\/(predecessor_task_id)$/.exec(pointer);
  if (column !== null) {
    const [, list = "", own = "", member = ""] = column;
    const entries = valueAt(value, list);
    return new Set(Array.isArray(entries) ? texts(entries.filter((_, index) => String(index) !== own).map((entry) => valueAt(entry, `/${member}`))) : []);
  }
  const list = valueAt(value, pointer.slice(0, pointer.lastIndexOf("/")));
  const own = pointer.slice(pointer.lastIndexOf("/") + 1);
  return new Set(Array.isArray(list) ? texts(list.filter((_, index) => String(index) !== own)) : []);
}
