// Owns: problems of a hold: begun and not decided, not possible at all, result and receipt that do not belong together.
// Leaves to others: deciding holds (hold/).
import { isPlainObject } from "../../../../artifact/syntax.js";
import { problem, type RunProblem } from "../problemCatalog.js";
import { acceptedValue } from "../readDocument.js";
import type { RunView } from "../runView.js";

export function holdProblems(view: RunView): RunProblem[] {
  return [...unfinishedProblems(view), ...secondConflictProblems(view), ...pairProblems(view)];
}

function isFrozenWithoutHold({ fold, store }: RunView): boolean {
  const freeze = fold?.freeze ?? null;
  if (fold === null || freeze === null || fold.closed !== null) return false;
  const epoch = store?.epoch ?? freeze.planEpoch;
  return !fold.holds.some((hold) => hold.sequence > freeze.sequence && hold.planEpoch === epoch) && freeze.planEpoch === epoch;
}

/** section 7, U7: quiescence could not be observed, so the hold was prepared and never decided. */
function unfinishedProblems(view: RunView): RunProblem[] {
  if (!isFrozenWithoutHold(view)) return [];
  const index = view.controlEvents.findLastIndex((event) => isPlainObject(event) && event["kind"] === "hold_prepared");
  const event = view.controlEvents[index];
  if (!isPlainObject(event) || !isPlainObject(event["payload"])) return [];
  const { request_id: requestId, barrier_id: barrierId } = event["payload"];
  const quiesced = view.controlEvents.filter((other) => isPlainObject(other) && other["kind"] === "executor_quiesced" && isPlainObject(other["payload"]) && other["payload"]["barrier_id"] === barrierId).length;
  return [problem("hold-unfinished", { path: view.run.controlEvents.path, pointer: `/${index}`, evidence: { request_id: String(requestId), barrier_id: String(barrierId), quiesced } })];
}

/** section 7, U2: the runtime hands decideHold a successor request, which it refuses. */
function secondConflictProblems(view: RunView): RunProblem[] {
  const { store, fold, run } = view;
  if (store === null || store.epoch < 2 || !isFrozenWithoutHold(view)) return [];
  return [problem("second-conflict-not-holdable", { path: run.events.path, evidence: { epoch: store.epoch, frozen_at: fold?.freeze?.sequence } })];
}

/** The two files of one hold are written one after the other. */
function pairProblems({ run }: RunView): RunProblem[] {
  const { holdResult, holdReceipt } = run;
  if (holdResult.kind === "missing" && holdReceipt.kind === "missing") return [];
  if (holdResult.kind === "missing" || holdReceipt.kind === "missing") {
    const { path } = holdResult.kind === "missing" ? holdReceipt : holdResult;
    return [problem("hold-pair-torn", { path, evidence: { missing: holdResult.kind === "missing" ? "hold-result.json" : "hold-operation-receipt.json" } })];
  }
  const result = acceptedValue(holdResult);
  const receipt = acceptedValue(holdReceipt);
  if (result === null || receipt === null || receipt.effect_digest === result.result_digest) return [];
  return [problem("hold-pair-torn", { path: holdReceipt.path, pointer: "/effect_digest", evidence: { effect_digest: receipt.effect_digest, result_digest: result.result_digest } })];
}
