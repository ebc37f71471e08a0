// Owns: which kinds of artifacts there are, and the one entry to judge a document of a kind.
// Leaves to others: the schemas (planning.ts, execution.ts, …), requests and migrations (requests/), which dialect (detectDialect.ts).
import { ArtifactError, canonicalizeArtifact, defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { FindingCollector, isAccepted, type Finding } from "../finding.js";
import { checkBy, type ArtifactDefinition } from "./artifactDefinition.js";
import { boundaryManifest } from "./boundaryManifest.js";
import { conflictFinding, findingCandidate, findingRecord } from "./conflictFinding.js";
import { controlEvent, controlEventKinds, controlPayload, type ControlEventKind } from "./controlEvent.js";
import { committedEpochPointer, epochBundle, epochPrepare, phaseRevisionCommitReceipt, releaseEpochBarrier, runMetaV1, runMetaV2 } from "./epochs.js";
import { carryOverWitness, epochRebindPacket, executorPacket, executorReceipt, holdDecision, runEvent, runtimePlanDiff } from "./execution.js";
import { activationTransaction, controlOperationReceipt, controlRequestLedger, eventBatchReceipt, eventQueue, holdResult, pendingRecompile } from "./journals.js";
import { planCompileResult, runtimePlan } from "./planning.js";
import { executorEpochRebindAck, executorQuiescenceAck, processStartIdentity } from "./processIdentity.js";
import {
  activePointer,
  adapterLaunchDescriptor,
  adapterRegistry,
  armedWriteLease,
  controllerDescriptor,
  controllerRegistration,
  gateCommitBundle,
  gateCommitReceipt,
  stagedWriteLease,
  supervisorDescriptor,
  writeGate,
} from "./supervisor.js";

const definitions = {
  boundary_manifest: boundaryManifest,
  runtime_plan: runtimePlan,
  plan_compile_result: planCompileResult,
  run_event: runEvent,
  executor_packet: executorPacket,
  executor_receipt: executorReceipt,
  hold_decision: holdDecision,
  carry_over_witness: carryOverWitness,
  epoch_rebind_packet: epochRebindPacket,
  runtime_plan_diff: runtimePlanDiff,
  runtime_conflict_finding: conflictFinding,
  runtime_finding_record: findingRecord,
  runtime_finding_candidate: findingCandidate,
  run_meta: runMetaV2,
  runtime_epoch_bundle: epochBundle,
  phase_revision_commit_receipt: phaseRevisionCommitReceipt,
  committed_epoch_pointer: committedEpochPointer,
  release_epoch_barrier: releaseEpochBarrier,
  runtime_epoch_prepare: epochPrepare,
  runtime_control_event: controlEvent,
  runtime_control_request_ledger: controlRequestLedger,
  runtime_hold_result: holdResult,
  runtime_control_operation_receipt: controlOperationReceipt,
  runtime_pending_recompile: pendingRecompile,
  runtime_epoch_activation_transaction: activationTransaction,
  runtime_run_event_batch_receipt: eventBatchReceipt,
  runtime_queue: eventQueue,
  supervisor_descriptor: supervisorDescriptor,
  active_pointer: activePointer,
  controller_descriptor: controllerDescriptor,
  controller_registration: controllerRegistration,
  adapter_registry: adapterRegistry,
  adapter_launch_descriptor: adapterLaunchDescriptor,
  supervisor_write_gate: writeGate,
  runtime_gate_commit_bundle: gateCommitBundle,
  runtime_gate_commit_receipt: gateCommitReceipt,
  staged_write_lease: stagedWriteLease,
  armed_write_lease: armedWriteLease,
  executor_epoch_rebind_ack: executorEpochRebindAck,
  executor_quiescence_ack: executorQuiescenceAck,
  process_start_identity: processStartIdentity,
};

/** As in the conformance vectors; `control_payload:<kind>` stands for `{kind, payload}`. */
export type ArtifactKind = keyof typeof definitions | `control_payload:${ControlEventKind}`;

/** All kinds but the payloads. */
export const artifactKinds: readonly ArtifactKind[] = Object.keys(definitions) as (keyof typeof definitions)[];

const payloadPrefix = "control_payload:";
const payloadKinds = new Map<string, ArtifactDefinition<unknown>>(
  controlEventKinds("0.50").map((kind) => [payloadPrefix + kind, controlPayload(kind) as ArtifactDefinition<unknown>]),
);

export function isArtifactKind(text: string): text is ArtifactKind {
  return Object.hasOwn(definitions, text) || payloadKinds.has(text);
}

function definitionOf(kind: ArtifactKind, value: unknown): ArtifactDefinition<unknown> {
  const payload = payloadKinds.get(kind);
  if (payload !== undefined) return payload;
  // The one kind with two versions: judged as the version that it says it is.
  if (kind === "run_meta" && isPlainObject(value) && value["schema"] === "lattice.run_meta.v1") return runMetaV1 as ArtifactDefinition<unknown>;
  return definitions[kind as keyof typeof definitions] as ArtifactDefinition<unknown>;
}

/**
 * Every finding about `value` as an artifact of `kind` (spec/lattice.md section 2). The runtime of that dialect accepts the
 * document exactly when no finding is an error. Relations are judged once all members are well formed. Never throws for any
 * value; never mutates it.
 */
export function checkArtifact(kind: ArtifactKind, value: unknown, options: { readonly dialect?: Dialect } = {}): Finding[] {
  return checkAs(definitionOf(kind, value), value, options.dialect ?? defaultDialect);
}

/** As checkArtifact, for callers that want the type of the document when it is accepted. */
export function checkAs<T>(definition: ArtifactDefinition<T>, value: unknown, dialect: Dialect): Finding[] {
  const at = new FindingCollector(definition.prefix);
  try {
    canonicalizeArtifact(value, { dialect });
  } catch (error) {
    if (!ArtifactError.is(error)) throw error;
    at.error("canonical-limits", error.pointer, error.message);
    // A cycle or a foreign prototype could mislead every further rule.
    return at.findings;
  }
  checkBy(definition, value, at, dialect);
  return at.findings;
}

export type Judged<T> = { readonly kind: "accepted"; readonly value: T; readonly findings: readonly Finding[] } | { readonly kind: "rejected"; readonly findings: readonly Finding[] };

export function judge<T>(definition: ArtifactDefinition<T>, value: unknown, dialect: Dialect): Judged<T> {
  const findings = checkAs(definition, value, dialect);
  return isAccepted(findings) ? { kind: "accepted", value: value as T, findings } : { kind: "rejected", findings };
}
