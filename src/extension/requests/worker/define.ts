// Owns: where a reference leads: from an id to its todo or entry, from a digest to what has it.
// Leaves to others: what refers to what (places.ts), files of the run (findDigest.ts).
import { isPlainObject } from "../../../core/artifact/syntax.js";
import { valueAt } from "../../../core/systems/lattice/requests/fixes/repairs.js";
import { tokensOf } from "../../../core/systems/lattice/requests/fixes/changes.js";
import type { DefinitionFact } from "../protocol.js";
import { cursorAt, placesOf, type Cursor } from "./cursor.js";
import { placesInFile } from "./filePlaces.js";
import { findDigest } from "./findDigest.js";
import type { Judged } from "./judgeDocument.js";
import { placeKindOf } from "./places.js";

/** Empty where nothing is referred to, and where the reference leads nowhere. */
export async function define(known: Judged, offset: number): Promise<readonly DefinitionFact[]> {
  const { text, value } = known.judged;
  const cursor = value === undefined ? null : cursorAt(text, offset);
  const kind = cursor === null ? null : placeKindOf(cursor.pointer);
  if (cursor === null || kind === null) return [];
  switch (kind.kind) {
    case "todo":
      return defineTodo(cursor, kind.side, known);
    case "digest":
      return defineDigest(cursor, kind.meaning.kind, known);
    case "binding":
      return cursor.pointer === "/successor_request/request_id" ? inDocument(cursor, known, ["/run_id"]) : [];
    case "word":
    case "constant":
      return [];
  }
}

function inDocument({ range: origin }: Cursor, { judged: { text } }: Judged, pointers: readonly string[]): readonly DefinitionFact[] {
  const places = placesOf(text, pointers);
  return pointers.flatMap((pointer) => {
    const place = places.get(pointer);
    return place === undefined ? [] : [{ kind: "document" as const, origin, range: place.value }];
  });
}

async function defineTodo(cursor: Cursor, side: "predecessor" | "successor", known: Judged): Promise<readonly DefinitionFact[]> {
  const { value } = known.judged;
  const at = valueAt(value, cursor.pointer);
  const id = typeof at === "string" ? at : (tokensOf(cursor.pointer).at(-1) ?? "");
  const todo = indexIn(value, "/successor_request/todos", "todo_id", id);
  const entry = indexIn(value, "/task_migration/entries", "predecessor_task_id", id);
  if (side === "successor") return todo === null ? [] : inDocument(cursor, known, [`/successor_request/todos/${todo}/todo_id`].filter((pointer) => pointer !== cursor.pointer));
  const own = `/task_migration/entries/${entry ?? ""}/predecessor_task_id`;
  if (entry !== null && own !== cursor.pointer) return inDocument(cursor, known, [own]);
  return inBundle(cursor, id, known);
}

function indexIn(value: unknown, list: string, member: string, id: string): number | null {
  const items = valueAt(value, list);
  const index = Array.isArray(items) ? items.findIndex((item: unknown) => isPlainObject(item) && item[member] === id) : -1;
  return index < 0 ? null : index;
}

/** The task in the plan of the epoch that is replaced. */
async function inBundle({ range: origin }: Cursor, id: string, { context }: Judged): Promise<readonly DefinitionFact[]> {
  const source = context.sources?.predecessorBundle;
  const index = context.predecessorBundle?.plan.nodes.findIndex((node) => node.todo_id === id) ?? -1;
  if (source === undefined || index < 0) return [];
  return [{ kind: "file", origin, file: source.file, place: await placesInFile()(source.file, `${source.pointer}/plan/nodes/${index}/todo_id`) }];
}

async function defineDigest(cursor: Cursor, meaning: string, known: Judged): Promise<readonly DefinitionFact[]> {
  if (meaning === "migration-binding") return inDocument(cursor, known, ["/task_migration/migration_digest"]);
  const digest = valueAt(known.judged.value, cursor.pointer);
  if (meaning === "self" || known.run.kind !== "found" || typeof digest !== "string") return [];
  const artifacts = await findDigest(known.run.directory, digest);
  return artifacts.map(({ file, place }) => ({ kind: "file" as const, origin: cursor.range, file, place }));
}
