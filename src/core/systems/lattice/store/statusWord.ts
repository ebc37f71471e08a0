// Owns: the one word for the state of a run (spec/lattice.md section 3.6), and its todos.
// Leaves to others: the state itself (events/), problems (problems/).
import { isPlainObject } from "../../../artifact/syntax.js";
import { textOrNull, type RunFold } from "../events/foldRunEvents.js";
import { overlaysByTodo } from "../events/projectRunState.js";
import { readyFrontier } from "../events/readyFrontier.js";
import type { RunStatus, RunStatusWord, TodoDetail, TodoState } from "./runDetail.js";
import type { RunView } from "./runView.js";

type ClaimedWord = Exclude<RunStatusWord, "damaged">;

/** `damaged` when the runtime refuses the run for another reason than that a journal is too long for it. */
export function statusOf(view: RunView): RunStatus {
  const claimedWord = view.fold === null ? null : claimed(view, view.fold);
  const isDamaged = view.store === null || view.fold === null || view.chain?.standing === "invalid";
  const freeze = view.fold?.freeze ?? null;
  return {
    word: isDamaged ? "damaged" : (claimedWord ?? "damaged"),
    claimedWord,
    isStaged: isStaged(view),
    frozenSince: freeze === null ? null : { sequence: freeze.sequence, recordedAt: recordedAt(view, freeze.sequence) },
    frozenBy: view.frozenBy,
  };
}

/** First match counts. */
function claimed({ store, frozenBy }: RunView, fold: RunFold): ClaimedWord {
  if (fold.closed !== null) return fold.closed.payload["outcome"] === "abandoned" ? "abandoned" : "closed";
  const { freeze } = fold;
  const epoch = store?.epoch ?? freeze?.planEpoch ?? null;
  if (freeze !== null && fold.holds.some((hold) => hold.planEpoch === epoch && hold.sequence > freeze.sequence)) return "held";
  if (freeze !== null || frozenBy !== null) return "frozen";
  if (fold.running.size > 0) return "running";
  return fold.events.every(({ kind }) => kind === "run_initialized" || kind === "plan_compiled") ? "fresh" : "idle";
}

function isStaged({ run, store, isClosed }: RunView): boolean {
  return !isClosed && run.staging.some(({ bundle }) => bundle.kind === "accepted" && (store === null || bundle.value.plan_epoch > store.epoch));
}

function recordedAt({ events }: RunView, sequence: number): string | null {
  const event = events.find((candidate) => isPlainObject(candidate) && candidate["sequence"] === sequence);
  return isPlainObject(event) ? textOrNull(event["recorded_at"]) : null;
}

/** Todos of the plan in force, then those that only earlier events know; each group ascending. */
export function todosOf({ store, fold, frozenBy }: RunView): TodoDetail[] {
  if (fold === null) return [];
  const overlays = overlaysByTodo(fold);
  const planned = new Set(store?.plan.nodes.map((node) => node.todo_id));
  const earlier = new Set([...fold.events.flatMap(({ todoId }) => (todoId === null ? [] : [todoId])), ...overlays.keys()].filter((todoId) => !planned.has(todoId)));
  const ready = new Set(store === null || frozenBy !== null ? [] : readyFrontier(store.plan, fold));
  const lastSequences = new Map(fold.events.flatMap(({ todoId, sequence }) => (todoId === null ? [] : [[todoId, sequence] as const])));
  return [...[...planned].sort(), ...[...earlier].sort()].map((todoId) => {
    const dispatch = fold.dispatched.get(todoId);
    return {
      todoId,
      state: todoState(todoId, fold, ready),
      overlay: overlays.get(todoId) ?? null,
      isInPlan: planned.has(todoId),
      waitsFor: store === null ? [] : waitsFor(todoId, store.plan, fold),
      executorHandle: textOrNull(dispatch?.payload["executor_handle"]),
      worktreeId: textOrNull(dispatch?.payload["worktree_id"]),
      dispatchedInEpoch: dispatch?.planEpoch ?? null,
      lastSequence: lastSequences.get(todoId) ?? null,
    };
  });
}

function todoState(todoId: string, fold: RunFold, ready: ReadonlySet<string>): TodoState {
  if (fold.accepted.has(todoId)) return "accepted";
  if (fold.running.has(todoId)) return "running";
  if (ready.has(todoId)) return "ready";
  return fold.terminal.has(todoId) ? "ended" : "waiting";
}

function waitsFor(todoId: string, plan: NonNullable<RunView["store"]>["plan"], fold: RunFold): string[] {
  if (fold.accepted.has(todoId) || fold.running.has(todoId)) return [];
  const before = plan.precedence.filter((edge) => edge.to_todo_id === todoId && !fold.accepted.has(edge.from_todo_id)).map((edge) => edge.from_todo_id);
  const partners = plan.conflicts.filter(({ todo_ids: pair }) => pair.includes(todoId)).flatMap(({ todo_ids: pair }) => pair.filter((other) => other !== todoId && fold.running.has(other)));
  return [...new Set([...before, ...partners])].sort();
}
