// Owns: which todos of a plan may be dispatched now (spec/lattice.md section 3.5).
// Leaves to others: the state they are judged by (foldRunEvents.ts).
import type { RuntimePlan } from "../artifacts/planning.js";
import { foldRunEvents, type RunFold } from "./foldRunEvents.js";

/**
 * Todos that may start, ascending, at most as many as executors are free. Empty while the run is frozen or closed.
 * `plan` must be a valid runtime plan.
 * @throws ProjectionError
 */
export function computeReadyFrontier(plan: RuntimePlan, events: unknown): string[] {
  return readyFrontier(plan, foldRunEvents(events));
}

export function readyFrontier(plan: RuntimePlan, fold: RunFold): string[] {
  if (fold.freeze !== null || fold.closed !== null) return [];
  let slots = plan.capacity.executors - fold.running.size;
  // Of this very epoch only: a recompile makes what was held or ended in the epoch before free again.
  const used = fold.usedInEpoch.get(plan.plan_epoch);
  const chosen: string[] = [];
  for (const todoId of plan.nodes.map((node) => node.todo_id).sort()) {
    if (slots <= 0) break;
    if (fold.accepted.has(todoId) || fold.running.has(todoId) || used?.has(todoId) === true) continue;
    if (!predecessorsOf(plan, todoId).every((before) => fold.accepted.has(before))) continue;
    if (partnersOf(plan, todoId).some((partner) => fold.running.has(partner) || chosen.includes(partner))) continue;
    chosen.push(todoId);
    slots -= 1;
  }
  return chosen;
}

function predecessorsOf(plan: RuntimePlan, todoId: string): string[] {
  return plan.precedence.filter((edge) => edge.to_todo_id === todoId).map((edge) => edge.from_todo_id);
}

function partnersOf(plan: RuntimePlan, todoId: string): string[] {
  return plan.conflicts.filter((conflict) => conflict.todo_ids.includes(todoId)).flatMap((conflict) => conflict.todo_ids.filter((other) => other !== todoId));
}
