// Owns: problems of the write gate: missing, edited, of another epoch, not the one that was committed, receipts that do not chain.
// Leaves to others: the gate as a document (documentProblems.ts).
import type { GateCommitReceipt } from "../../artifacts/supervisor.js";
import { problem, type RunProblem } from "../problemCatalog.js";
import { acceptedValue } from "../readDocument.js";
import { epochDirectoryName } from "../runLayout.js";
import type { RunView } from "../runView.js";
import { activationStep } from "./epochProblems.js";

export function gateProblems(view: RunView): RunProblem[] {
  return [...missingProblems(view), ...committedProblems(view), ...chainProblems(view)];
}

/** The receipt with the highest generation: its rename was the commit. */
function lastReceipt({ run }: RunView): GateCommitReceipt | null {
  return run.gateReceipts.map(({ document }) => acceptedValue(document)).findLast((receipt) => receipt !== null) ?? null;
}

function missingProblems(view: RunView): RunProblem[] {
  const { run, store } = view;
  const pointer = acceptedValue(run.pointer);
  const isManaged = store?.isManaged === true || pointer !== null;
  if (!isManaged) return [];
  const { path } = run.gate;
  const evidence = { committed_generation: lastReceipt(view)?.gate_generation };
  if (run.gate.kind === "missing") return [problem("gate-missing", { path, evidence })];
  const gate = acceptedValue(run.gate);
  if (gate === null) return [problem("gate-invalid", { path, evidence })];
  // An activation under way explains a gate of the epoch before, and is reported itself.
  const isOfEpoch = pointer === null || gate.plan_epoch === pointer.plan_epoch || activationStep(view) !== null;
  return isOfEpoch ? [] : [problem("gate-of-another-epoch", { path, pointer: "/plan_epoch", evidence: { gate_epoch: gate.plan_epoch, committed_epoch: pointer.plan_epoch } })];
}

/** The gate in place must be the one that the last receipt committed, or the very next one whose receipt is still missing. */
function committedProblems(view: RunView): RunProblem[] {
  const { run } = view;
  const gate = acceptedValue(run.gate);
  const receipt = lastReceipt(view);
  if (gate === null || receipt === null || gate.gate_digest === receipt.gate_digest) return [];
  const next = run.gateBundles.find(({ name }) => name === epochDirectoryName(gate.gate_generation));
  const isWaitingForReceipt = gate.gate_generation === receipt.gate_generation + 1 && next !== undefined && acceptedValue(next.document)?.gate.gate_digest === gate.gate_digest;
  const evidence = { gate_digest: gate.gate_digest, committed_gate_digest: receipt.gate_digest, generation: gate.gate_generation, committed_generation: receipt.gate_generation };
  if (isWaitingForReceipt) return [problem("activation-unfinished", { path: run.gate.path, evidence: { step: "gate_written", generation: gate.gate_generation } })];
  return [problem("gate-not-committed", { path: run.gate.path, pointer: "/gate_digest", evidence })];
}

/** Receipts chain down to generation 1, each with its bundle. */
function chainProblems({ run }: RunView): RunProblem[] {
  let previous: GateCommitReceipt | null = null;
  for (const [index, { name, document }] of run.gateReceipts.entries()) {
    const receipt = acceptedValue(document);
    // A receipt that is wrong by itself was reported; what follows cannot be judged.
    if (receipt === null) return [];
    const bundle = run.gateBundles.find((candidate) => candidate.name === name);
    const committed = bundle === undefined ? null : acceptedValue(bundle.document);
    const broken =
      receipt.gate_generation !== index + 1
        ? "generation-missing"
        : receipt.previous_receipt_digest !== (previous?.receipt_digest ?? null)
          ? "previous-receipt"
          : bundle === undefined
            ? "bundle-missing"
            : committed !== null && (committed.bundle_digest !== receipt.bundle_digest || committed.gate.gate_digest !== receipt.gate_digest)
              ? "bundle-mismatch"
              : committed !== null && committed.control_events.at(-1)?.event_digest !== receipt.control_head_digest
                ? "control-head"
                : null;
    if (broken !== null) return [problem("gate-chain-broken", { path: document.path, evidence: { why: broken, generation: receipt.gate_generation } })];
    previous = receipt;
  }
  return [];
}
