// Owns: what a person is told about the value under the cursor, as facts.
// Leaves to others: words (hoverText.ts in the host), what is where (places.ts).
import { isPlainObject } from "../../../core/artifact/syntax.js";
import { tokensOf } from "../../../core/systems/lattice/requests/fixes/changes.js";
import { valueAt } from "../../../core/systems/lattice/requests/fixes/repairs.js";
import { heldFinding } from "../../../core/systems/lattice/requests/skeleton.js";
import type { ArtifactFact, FilePlace, FoundFact, HoverFact, WitnessFact } from "../protocol.js";
import { cursorAt } from "./cursor.js";
import { derivedValues, valueFromRun } from "./expectedValues.js";
import { placesInFile } from "./filePlaces.js";
import { findDigest } from "./findDigest.js";
import type { Judged } from "./judgeDocument.js";
import { placeKindOf, type PlaceKind } from "./places.js";

type Fields = Readonly<Record<string, unknown>>;
type Without<T> = T extends HoverFact ? Omit<T, "range"> : never;

/** Null where there is nothing to tell. */
export async function describe(known: Judged, offset: number): Promise<HoverFact | null> {
  const { text, value } = known.judged;
  if (value === undefined) return null;
  const cursor = cursorAt(text, offset);
  const kind = cursor === null ? null : placeKindOf(cursor.pointer);
  if (cursor === null || kind === null) return null;
  const { pointer, range } = cursor;
  const fact = await factOf(kind, pointer, known);
  return fact === null ? null : { ...fact, range };
}

async function factOf(kind: PlaceKind, pointer: string, known: Judged): Promise<Without<HoverFact> | null> {
  const tokens = tokensOf(pointer);
  const { value: document } = known.judged;
  const value = valueAt(document, pointer);
  switch (kind.kind) {
    case "digest":
      return typeof value === "string" ? describeDigest(kind, pointer, value, known) : null;
    case "binding":
      return describeBinding(pointer, value, known);
    case "word":
      return typeof value === "string" ? { kind: "word", field: kind.field, word: value } : null;
    case "todo": {
      // Witnesses are kept under the id itself.
      const id = typeof value === "string" ? value : (tokens.at(-1) ?? "");
      return describeTodo(id, known);
    }
    case "constant":
      return null;
  }
}

async function describeDigest({ meaning }: Extract<PlaceKind, { kind: "digest" }>, pointer: string, value: string, known: Judged): Promise<Without<HoverFact>> {
  const field = nameOf(pointer);
  const fromRun = valueFromRun(pointer, known);
  const expected = derivedValues(known.judged.value, known.dialect).get(pointer) ?? (typeof fromRun?.value === "string" ? fromRun.value : null);
  const source = fromRun?.source ?? null;
  const file: ArtifactFact | null = source === null ? await artifactOf(value, meaning.kind, known) : { ...(await placed(source)), name: field, isOwn: true };
  return { kind: "digest", field, value, meaning, expected, matches: expected === null ? null : expected === value, source: file, finding: meaning.kind === "finding" ? findingOf(value, known) : null };
}

function nameOf(pointer: string): string {
  const name = tokensOf(pointer).findLast((token) => !/^\d+$/.test(token));
  return name ?? "";
}

/** A digest that nothing is expected of may still be somebody's. */
async function artifactOf(digest: string, meaning: string, { run }: Judged): Promise<ArtifactFact | null> {
  if (run.kind !== "found" || meaning === "self" || meaning === "migration-binding") return null;
  const [first] = await findDigest(run.directory, digest);
  return first ?? null;
}

async function placed(source: { readonly file: string; readonly pointer: string }): Promise<FilePlace> {
  return { file: source.file, place: await placesInFile()(source.file, source.pointer) };
}

function findingOf(digest: string, { context }: Judged): FoundFact | null {
  const found = context.run?.findings.get(digest);
  return found === undefined ? null : { todoIds: found.todoIds, path: found.path, resourceId: found.resourceId, epoch: found.epoch };
}

async function describeBinding(pointer: string, value: unknown, known: Judged): Promise<Without<HoverFact> | null> {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const fromRun = valueFromRun(pointer, known);
  const expected = fromRun === null ? null : String(fromRun.value);
  const source = fromRun?.source ?? null;
  return { kind: "binding", field: nameOf(pointer), value: String(value), expected, matches: expected === null ? null : fromRun?.value === value, source: source === null ? null : await placed(source) };
}

function describeTodo(id: string, { judged: { value }, context }: Judged): Without<HoverFact> {
  const entries = entriesOf(value);
  const own = entries.find((entry) => entry["predecessor_task_id"] === id);
  const maker = entries.find((entry) => Array.isArray(entry["successor_task_ids"]) && entry["successor_task_ids"].includes(id));
  const witness = valueAt(value, "/successor_request/manual_witness");
  const found = isPlainObject(witness) && Object.hasOwn(witness, id) ? witness[id] : undefined;
  const nodes = context.predecessorBundle?.plan.nodes;
  return {
    kind: "todo",
    id,
    migration: own === undefined ? null : { disposition: String(own["disposition"]), successors: texts(own["successor_task_ids"]) },
    madeFrom: maker === undefined ? null : { predecessor: String(maker["predecessor_task_id"]), disposition: String(maker["disposition"]) },
    isInSuccessor: todoIdsOf(value).includes(id),
    isInPredecessor: nodes === undefined ? null : nodes.some((node) => node.todo_id === id),
    isHeld: heldFinding(context)?.todoIds.includes(id) ?? false,
    witness: isPlainObject(found) ? witnessOf(found) : null,
  };
}

/** Entries of the migration, those that are objects. */
export function entriesOf(value: unknown): readonly Fields[] {
  const entries = valueAt(value, "/task_migration/entries");
  return Array.isArray(entries) ? entries.filter((entry) => isPlainObject(entry)) : [];
}

/** Ids of the successor's todos. */
export function todoIdsOf(value: unknown): readonly string[] {
  const todos = valueAt(value, "/successor_request/todos");
  return Array.isArray(todos) ? todos.flatMap((todo: unknown) => (isPlainObject(todo) && typeof todo["todo_id"] === "string" ? [todo["todo_id"]] : [])) : [];
}

export function texts(items: unknown): readonly string[] {
  return Array.isArray(items) ? items.filter((item) => typeof item === "string") : [];
}

function witnessOf(witness: Fields): WitnessFact {
  const { owns } = witness;
  const targets = Array.isArray(owns) ? owns.flatMap((item: unknown) => (isPlainObject(item) && typeof item["target"] === "string" ? [item["target"]] : [])) : [];
  return { owns: targets, reads: texts(witness["reads"]).length, writes: texts(witness["writes"]), resources: texts(witness["resources"]) };
}
