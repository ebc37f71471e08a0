// Owns: which todos a conflict affects (spec/lattice.md section 6.1, step 1), computed in two independent ways.
// Leaves to others: what happens to them.
import type { RuntimePlan } from "../artifacts/planning.js";
import { memberObject, sortedUnique, stringsOf, type JsonObject } from "./documents.js";

/** Ids that a manifest claims: resources and the resources of its state effects. */
function resourcesOf(manifests: JsonObject, todoId: string): ReadonlySet<string> {
  const manifest = memberObject(manifests, todoId) ?? {};
  const effects = Array.isArray(manifest["state_effects"]) ? (manifest["state_effects"] as unknown[]) : [];
  const effectIds = effects.flatMap((effect) => {
    const id = typeof effect === "object" && effect !== null ? (effect as JsonObject)["resource_id"] : undefined;
    return typeof id === "string" ? [id] : [];
  });
  return new Set([...stringsOf(manifest["resources"]), ...effectIds]);
}

/**
 * Least set that holds the seed and is closed under: a plan conflict (both ways), precedence (downstream only) and a
 * shared resource (both ways). Ascending.
 */
export function affectedClosure(seed: Iterable<string>, plan: RuntimePlan, manifests: JsonObject): string[] {
  const neighbours = new Map<string, Set<string>>();
  const link = (from: string, to: string): void => {
    const known = neighbours.get(from);
    if (known === undefined) neighbours.set(from, new Set([to]));
    else known.add(to);
  };
  for (const { todo_ids } of plan.conflicts) for (const a of todo_ids) for (const b of todo_ids) link(a, b);
  for (const { from_todo_id, to_todo_id } of plan.precedence) link(from_todo_id, to_todo_id);
  const holders = new Map<string, string[]>();
  for (const todoId of Object.keys(manifests)) {
    for (const resource of resourcesOf(manifests, todoId)) holders.set(resource, [...(holders.get(resource) ?? []), todoId]);
  }
  for (const todos of holders.values()) for (const a of todos) for (const b of todos) link(a, b);

  const reached = new Set(seed);
  // A Set iterates over what is added to it meanwhile: this is the whole search.
  for (const todoId of reached) for (const next of neighbours.get(todoId) ?? []) reached.add(next);
  return sortedUnique(reached);
}

/** The same set by repeated application of the three rules to pairs: the independent recomputation of step 7. */
export function affectedClosureByFixpoint(seed: Iterable<string>, plan: RuntimePlan, manifests: JsonObject): string[] {
  const inside = new Set(seed);
  const todos = Object.keys(manifests);
  const pulls = (from: string, to: string): boolean =>
    plan.conflicts.some(({ todo_ids }) => todo_ids.includes(from) && todo_ids.includes(to)) ||
    plan.precedence.some(({ from_todo_id, to_todo_id }) => from_todo_id === from && to_todo_id === to) ||
    [...resourcesOf(manifests, from)].some((resource) => resourcesOf(manifests, to).has(resource));
  const candidates = sortedUnique([...todos, ...plan.nodes.map(({ todo_id }) => todo_id), ...inside]);
  let size = -1;
  while (inside.size !== size) {
    size = inside.size;
    for (const to of candidates) if (!inside.has(to) && [...inside].some((from) => pulls(from, to))) inside.add(to);
  }
  return sortedUnique(inside);
}
