// Owns: the outline of a recompile request: its parts in the words of the domain, each with its place.
// Leaves to others: icons (providers.ts in the host). A text that does not parse has no outline.
import { isPlainObject } from "../../../core/artifact/syntax.js";
import { valueAt } from "../../../core/systems/lattice/requests/fixes/repairs.js";
import type { SymbolFact, SymbolKindFact } from "../protocol.js";
import { placesOf } from "./cursor.js";
import { texts } from "./describe.js";
import type { Judged } from "./judgeDocument.js";

interface Draft {
  readonly kind: SymbolKindFact;
  readonly pointer: string;
  readonly name: string;
  readonly detail: string;
  readonly children: readonly Draft[];
}

export function outline({ judged: { text, value } }: Judged): readonly SymbolFact[] {
  if (!isPlainObject(value)) return [];
  const drafts = [
    ...part(value, "/successor_request", "successor", (pointer, successor) => [String(successor["request_id"]), todosOf(pointer, successor)]),
    ...part(value, "/task_migration", "migration", (pointer, migration) => ["", itemsOf(`${pointer}/entries`, migration["entries"], entryDraft)]),
    ...part(value, "/phase_revision", "revision", (_, revision) => [String(revision["project_id"]), []]),
    ...part(value, "/seam_split", "treatment", (pointer, seam) => [texts(seam["predecessor_task_ids"]).join(", "), [...changesOf(`${pointer}/ownership_diff`, value), ...changesOf(`${pointer}/edge_diff`, value)]]),
    ...part(value, "/intentional_serial", "treatment", (_, serial) => [texts(serial["todo_ids"]).join(" → "), []]),
  ];
  const request: Draft = { kind: "request", pointer: "", name: String(value["request_id"]), detail: String(value["run_id"]), children: drafts };
  const places = placesOf(text, pointersOf(request));
  const build = ({ kind, pointer, name, detail, children }: Draft): readonly SymbolFact[] => {
    const place = places.get(pointer);
    if (place === undefined) return [];
    const range = place.key === null ? place.value : { offset: place.key.offset, length: place.value.offset + place.value.length - place.key.offset };
    // An editor shows no name that is empty, and refuses a selection outside of the range.
    return [{ kind, name: name === "" ? pointer : name, detail, range, selection: place.key ?? { offset: range.offset, length: Math.min(range.length, 1) }, children: children.flatMap(build) }];
  };
  return build(request);
}

function pointersOf({ pointer, children }: Draft): readonly string[] {
  return [pointer, ...children.flatMap(pointersOf)];
}

function part(document: unknown, pointer: string, kind: SymbolKindFact, tell: (pointer: string, value: Record<string, unknown>) => readonly [detail: string, children: readonly Draft[]]): readonly Draft[] {
  const value = valueAt(document, pointer);
  if (!isPlainObject(value)) return [];
  const [detail, children] = tell(pointer, value);
  return [{ kind, pointer, name: pointer.slice(pointer.lastIndexOf("/") + 1), detail, children }];
}

function itemsOf(pointer: string, items: unknown, draft: (pointer: string, item: Record<string, unknown>) => Draft): readonly Draft[] {
  return Array.isArray(items) ? items.flatMap((item: unknown, index) => (isPlainObject(item) ? [draft(`${pointer}/${index}`, item)] : [])) : [];
}

function todosOf(pointer: string, successor: Record<string, unknown>): readonly Draft[] {
  return itemsOf(`${pointer}/todos`, successor["todos"], (at, todo) => {
    const id = String(todo["todo_id"]);
    const writes = texts(valueAt(successor, `/manual_witness/${id}/writes`));
    return { kind: "todo", pointer: at, name: id, detail: writes.join(", "), children: [] };
  });
}

function entryDraft(pointer: string, entry: Record<string, unknown>): Draft {
  const successors = texts(entry["successor_task_ids"]);
  return { kind: "entry", pointer, name: String(entry["predecessor_task_id"]), detail: `${String(entry["disposition"])} → ${successors.length === 0 ? "∅" : successors.join(", ")}`, children: [] };
}

function changesOf(pointer: string, document: unknown): readonly Draft[] {
  return part(document, pointer, "change", (_, diff) => {
    const count = (side: unknown): number => (Array.isArray(side) ? side.length : 0);
    return [`+${count(diff["added"])} −${count(diff["removed"])}`, []];
  });
}
