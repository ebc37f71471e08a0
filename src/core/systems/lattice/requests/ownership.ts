// Owns: what a run request says about ownership, in the ids that plans and diffs use (spec/lattice.md section 5.5).
import { createHash } from "node:crypto";
import { isPlainObject } from "../../../artifact/syntax.js";

export interface OwnershipEntry {
  readonly resource_id: string;
  readonly owner_todo_id: string;
  readonly access_kind: "own" | "write" | "read";
}

type Fields = Readonly<Record<string, unknown>>;

/** The id of what has no id of its own: `own-path-` or `own-symbol-` and 16 digits of the SHA-256 of the target. */
export function ownedId(kind: string, target: string): string {
  return `own-${kind}-${createHash("sha256").update(target, "utf8").digest("hex").slice(0, 16)}`;
}

function textMembers(items: unknown, ...members: readonly string[]): readonly (readonly string[])[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) => {
    const texts = isPlainObject(item) ? members.map((member) => item[member]) : [];
    return texts.length > 0 && texts.every((text) => typeof text === "string") ? [texts] : [];
  });
}

function texts(items: unknown): readonly string[] {
  return Array.isArray(items) ? items.filter((item) => typeof item === "string") : [];
}

/** Witnesses by todo; only what is an object. */
export function witnessesOf(request: Fields): readonly (readonly [string, Fields])[] {
  const witnesses = request["manual_witness"];
  return isPlainObject(witnesses) ? Object.entries(witnesses).flatMap(([id, witness]) => (isPlainObject(witness) ? [[id, witness] as const] : [])) : [];
}

/** Entries as a seam split lists them, in no order. What is malformed says nothing. */
export function ownershipOf(request: Fields): readonly OwnershipEntry[] {
  return witnessesOf(request).flatMap(([todo, witness]) => [
    ...textMembers(witness["owns"], "kind", "target").map(([kind = "", target = ""]) => ({ resource_id: ownedId(kind, target), owner_todo_id: todo, access_kind: "own" as const })),
    ...texts(witness["resources"]).map((id) => ({ resource_id: id, owner_todo_id: todo, access_kind: "own" as const })),
    ...textMembers(witness["state_effects"], "resource_id").map(([id = ""]) => ({ resource_id: id, owner_todo_id: todo, access_kind: "write" as const })),
  ]);
}

/** Todos that hold a resource by name. */
export function holdersOf(request: Fields, resourceId: string): readonly string[] {
  return witnessesOf(request).flatMap(([todo, witness]) =>
    texts(witness["resources"]).includes(resourceId) || textMembers(witness["state_effects"], "resource_id").some(([id]) => id === resourceId) ? [todo] : [],
  );
}
