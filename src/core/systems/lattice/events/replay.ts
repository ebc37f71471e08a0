// Owns: whether decisions recorded in a chain are those that its events lead to: `dispatch_replay` and `receipt_replay` of the
// runtime's `event verify` (spec/lattice.md section 3.6).
// Leaves to others: the chain itself (verifyRunEventChain.ts), the rules replayed (readyFrontier.ts, receiptDecisions.ts).
import type { Dialect } from "../../../artifact/canonical.js";
import type { RuntimePlan } from "../artifacts/planning.js";
import { replayEvents, textOrNull, textsOf, type ReadEvent, type RunFold } from "./foldRunEvents.js";
import { readyFrontier } from "./readyFrontier.js";
import { staleDetail } from "./receiptDecisions.js";

export interface ReplayCheck {
  /** `dispatch_replay:seq<n>` or `receipt_replay`, as the runtime names it. */
  readonly id: string;
  readonly passed: boolean;
}

/** The checks that the runtime makes beyond the twelve of the chain, for the events of the plan's epoch. */
export function replayDecisions(fold: RunFold, plan: RuntimePlan, dialect: Dialect): readonly ReplayCheck[] {
  const dispatches: ReplayCheck[] = [];
  let receiptsPass = true;
  replayEvents(fold, (event, before) => {
    if (event.planEpoch !== plan.plan_epoch) return;
    if (event.kind === "dispatch_decided") dispatches.push({ id: `dispatch_replay:seq${event.sequence}`, passed: isDispatchRight(event, before, plan) });
    if (event.kind === "receipt_accepted" || event.kind === "receipt_rejected") receiptsPass &&= isReceiptDecisionRight(event, before, plan, dialect);
  });
  return [...dispatches, { id: "receipt_replay", passed: receiptsPass }];
}

function isDispatchRight(event: ReadEvent, before: RunFold, plan: RuntimePlan): boolean {
  const recorded = textsOf(event.payload["dispatchable"]);
  const expected = readyFrontier(plan, before);
  return recorded.length === expected.length && recorded.every((todoId, index) => todoId === expected[index]);
}

/**
 * Wrong is a receipt accepted that is stale by its events, or rejected for a reason that events refute. Rejections for what
 * was seen in a worktree cannot be replayed from events and pass.
 */
function isReceiptDecisionRight(event: ReadEvent, before: RunFold, plan: RuntimePlan, dialect: Dialect): boolean {
  const receipt = before.receipts.findLast(({ todoId, acceptedSequence, rejectedSequence }) => todoId === event.todoId && acceptedSequence === null && rejectedSequence === null);
  if (receipt === undefined) return false;
  const detail = staleDetail(receipt, before, plan.plan_epoch, dialect);
  if (event.kind === "receipt_accepted") return detail === null;
  const recorded = textOrNull(event.payload["detail"]);
  return recorded === detail || (recorded !== "epoch_mismatch" && recorded !== "post_freeze");
}
