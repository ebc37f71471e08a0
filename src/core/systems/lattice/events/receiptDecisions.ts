// Owns: whether a receipt still counts in an epoch (spec/lattice.md section 0, D12), as far as events alone decide it.
// Leaves to others: the content of receipts and their checkpoints; comparing with what was decided (replay.ts).
import type { Dialect } from "../../../artifact/canonical.js";
import { textsOf, type ReadEvent, type RecordedReceipt, type RunFold } from "./foldRunEvents.js";

/** Why a receipt is stale. Other details exist, which depend on what was observed in a worktree. */
export type StaleDetail = "epoch_mismatch" | "post_freeze";

export interface ReceiptDecision {
  readonly receiptId: string;
  readonly todoId: string;
  readonly sequence: number;
  readonly decision: "accepted" | "rejected";
  readonly reason: "stale_context" | null;
  readonly detail: StaleDetail | null;
}

/** The decision about every receipt, decided before or not, as if it were made in `planEpoch`. */
export function decideReceipts(fold: RunFold, planEpoch: number, dialect: Dialect): ReceiptDecision[] {
  return fold.receipts.map((receipt) => {
    const detail = staleDetail(receipt, fold, planEpoch, dialect);
    const { receiptId, todoId, sequence } = receipt;
    return { receiptId, todoId, sequence, decision: detail === null ? "accepted" : "rejected", reason: detail === null ? null : "stale_context", detail };
  });
}

export function staleDetail(receipt: RecordedReceipt, fold: RunFold, planEpoch: number, dialect: Dialect): StaleDetail | null {
  if (receipt.planEpoch !== planEpoch && !(dialect === "0.50" && wasCarriedTo(planEpoch, receipt, fold))) return "epoch_mismatch";
  return isAfterFreeze(receipt, fold, planEpoch) ? "post_freeze" : null;
}

/** A freeze of the epoch came before the receipt and was not lifted within that epoch. */
function isAfterFreeze(receipt: RecordedReceipt, fold: RunFold, planEpoch: number): boolean {
  const last = fold.events.findLast(({ kind, sequence, planEpoch: epoch }) => sequence < receipt.sequence && epoch === planEpoch && (kind === "intake_frozen" || kind === "intake_resumed"));
  return last?.kind === "intake_frozen";
}

/** D12: for each epoch crossed, witnessed, continued, recompiled and not invalidated, all before the receipt. */
function wasCarriedTo(planEpoch: number, receipt: RecordedReceipt, fold: RunFold): boolean {
  const { planEpoch: from, todoId, sequence } = receipt;
  if (from === null || from > planEpoch) return false;
  const before = fold.events.filter((event) => event.sequence < sequence);
  const has = (kind: ReadEvent["kind"], epoch: number, test: (event: ReadEvent) => boolean = () => true): boolean =>
    before.some((event) => event.kind === kind && event.planEpoch === epoch && test(event));
  const isOfTodo = (event: ReadEvent): boolean => event.todoId === todoId;
  for (let epoch = from; epoch < planEpoch; epoch += 1) {
    const isCarried =
      has("carry_over_witnessed", epoch, isOfTodo) &&
      has("hold_decided", epoch, (event) => textsOf(event.payload["continue_set"]).includes(todoId)) &&
      has("plan_recompiled", epoch + 1) &&
      !has("context_invalidated", epoch + 1, isOfTodo);
    if (!isCarried) return false;
  }
  return true;
}
