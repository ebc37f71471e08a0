// Owns: problems of epochs: the pointer and what it names, an unfinished activation, directories that are not in force.
// Leaves to others: the write gate (gateProblems.ts), each bundle by itself (documentProblems.ts).
import { problem, type ProblemCode, type RunProblem } from "../problemCatalog.js";
import { acceptedValue } from "../readDocument.js";
import type { LoadedEpoch } from "../loadRun.js";
import type { RunView } from "../runView.js";

/** Refusals of the store that no single document shows. */
const refusalCodes: Readonly<Record<string, ProblemCode>> = {
  "pointer-missing": "pointer-missing",
  "pointer-bundle-mismatch": "pointer-mismatch",
  "bundle-missing": "bundle-missing",
  "bundle-of-another-place": "bundle-chain-broken",
  "bundle-chain-broken": "bundle-chain-broken",
  "first-bundle-mismatch": "bundle-chain-broken",
  "compile-result-invalid": "document-invalid",
  "meta-of-another-run": "document-invalid",
  "meta-plan-mismatch": "document-invalid",
};

export function epochProblems(view: RunView): RunProblem[] {
  return [...refusalProblems(view), ...rolledBackProblems(view), ...activationProblems(view), ...view.run.epochs.flatMap((epoch) => orphanProblems(view, epoch)), ...view.run.staging.flatMap((staged) => stagingProblems(view, staged))];
}

function refusalProblems({ run, refusal }: RunView): RunProblem[] {
  const code = refusal === null ? undefined : refusalCodes[refusal.reason];
  if (refusal === null || code === undefined) return [];
  // What its own validator rejects was reported with the rule that it breaks.
  const isRejected = [run.compileResult, run.meta].some((document) => document.path === refusal.path && document.kind !== "accepted");
  return isRejected ? [] : [problem(code, { path: refusal.path, evidence: { reason: refusal.reason } })];
}

/** The runtime then takes a managed run for one that was never activated, and shows its first epoch. */
function rolledBackProblems({ run, control, store }: RunView): RunProblem[] {
  if (run.meta.kind !== "accepted" || run.meta.value.schema !== "lattice.run_meta.v1") return [];
  const pointer = acceptedValue(run.pointer);
  const wasActivated = pointer !== null || run.gateReceipts.length > 0 || (control?.count ?? 0) > 0;
  if (!wasActivated) return [];
  const evidence = { committed_epoch: pointer?.plan_epoch, shown_epoch: store?.epoch, gate_receipts: run.gateReceipts.length, control_events: control?.count };
  return [problem("meta-rolled-back", { path: run.meta.path, pointer: "/schema", evidence })];
}

/** The order of section 6.5: pointer, release, gate. A step without its next was interrupted, or is under way. */
export function activationStep(view: RunView): { readonly path: string; readonly step: string } | null {
  const { run } = view;
  const pointer = acceptedValue(run.pointer);
  if (pointer === null || view.isClosed) return null;
  const transaction = acceptedValue(run.transaction);
  if (transaction !== null && transaction.state !== "gate_committed") return { path: run.transaction.path, step: transaction.state };
  const release = acceptedValue(run.release);
  if (run.release.kind === "missing" || (release !== null && release.plan_epoch < pointer.plan_epoch)) return { path: run.pointer.path, step: "pointer_committed" };
  const gate = acceptedValue(run.gate);
  return gate !== null && gate.plan_epoch < pointer.plan_epoch ? { path: run.release.path, step: "released" } : null;
}

function activationProblems(view: RunView): RunProblem[] {
  const { run } = view;
  const step = activationStep(view);
  const pointer = acceptedValue(run.pointer);
  const release = acceptedValue(run.release);
  const evidence = { step: step?.step, epoch: pointer?.plan_epoch };
  const unfinished = step === null ? [] : [problem("activation-unfinished", { path: step.path, evidence })];
  const isOfPointer = pointer === null || release === null || release.plan_epoch < pointer.plan_epoch || release.committed_epoch_pointer_digest === pointer.pointer_digest;
  return isOfPointer ? unfinished : [...unfinished, problem("release-mismatch", { path: run.release.path, pointer: "/committed_epoch_pointer_digest" })];
}

/** Renamed into place, but the pointer that makes it the current one was never written. */
function orphanProblems({ run }: RunView, { name, bundle, directory }: LoadedEpoch): RunProblem[] {
  const pointer = acceptedValue(run.pointer);
  if (pointer === null || Number(name) <= pointer.plan_epoch) return [];
  return [problem("orphan-epoch", { path: directory, evidence: { epoch: Number(name), committed_epoch: pointer.plan_epoch, bundle_digest: acceptedValue(bundle)?.bundle_digest } })];
}

function stagingProblems({ run, store, isClosed }: RunView, { name, directory, bundle, prepare }: LoadedEpoch): RunProblem[] {
  const staged = acceptedValue(bundle);
  const prepared = acceptedValue(prepare);
  if (staged === null || prepared === null || prepared.bundle_digest !== staged.bundle_digest || prepared.transaction_id !== name) {
    const missing = [bundle, prepare].filter(({ kind }) => kind === "missing").length;
    return [problem("staging-incomplete", { path: directory, evidence: { bundle: bundle.kind, prepare: prepare.kind, missing } })];
  }
  const committed = store?.epoch ?? acceptedValue(run.pointer)?.plan_epoch ?? null;
  const bundleInForce = store?.bundle ?? null;
  const isNext = committed !== null && staged.plan_epoch === committed + 1 && (bundleInForce === null || staged.predecessor_bundle_digest === bundleInForce.bundle_digest);
  const evidence = { transaction_id: name, epoch: staged.plan_epoch, committed_epoch: committed };
  return [problem(isNext && !isClosed ? "staged-epoch" : "staging-leftover", { path: directory, evidence })];
}
