// Owns: schemas of what a supervisor keeps while it works: request ledger, results and receipts of operations, pending recompile,
// activation transaction, event batch receipt, queue (spec/lattice.md section 2.9).
// Leaves to others: what they prove about the rest of a run (store/).
import { ArtifactError, digestArtifact, pointerTo } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { checkRecompileRequest } from "../requests/recompileRequest.js";
import { artifact, type ArtifactOf } from "./artifactDefinition.js";
import { adopt, requireEqual } from "./bindings.js";
import { runEvent } from "./execution.js";
import { ascendingDigests, dg, exact, id, is, leaf, list, looseLeaves, nonEmpty, nullable, oneOf, part, plain, posint, present, schemaId, selfDigestField, ts } from "./shapes.js";

const journalMaximum = 100_000;

export const controlResult = artifact({
  prefix: "control-result",
  digestField: "result_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_control_result.v1"),
      operation: nonEmpty,
      outcome: nonEmpty,
      active_epoch: nullable(posint),
      staged_epoch: nullable(posint),
      unmet: leaf<readonly unknown[]>((value) => Array.isArray(value), "array", "Must be a list."),
      event_head_digest: nullable(dg),
      control_head_digest: nullable(dg),
      result_digest: selfDigestField,
    }),
});

const controlResponse = artifact({
  prefix: "control-response",
  digestField: "response_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_control_response.v1"),
      request_id: id,
      run_id: id,
      outcome: id,
      result: nullable(plain),
      control_head_digest: nullable(dg),
      response_digest: selfDigestField,
    }),
});

/** `control-request-ledger.json` */
export const controlRequestLedger = artifact({
  prefix: "control-request-ledger",
  digestField: "ledger_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_control_request_ledger.v1"),
      run_id: id,
      entries: list(
        exact({ request_id: id, request_digest: dg, intent_digest: dg, state: oneOf("in_progress", "completed"), response: nullable(part(controlResponse)) }),
        { max: journalMaximum, order: "ascending", key: (entry) => entry.request_id },
      ),
      ledger_digest: selfDigestField,
    }),
  relations(ledger, at) {
    for (const [index, { state, response, request_id }] of ledger.entries.entries()) {
      const place = at.nested(pointerTo("/entries", index));
      place.require((state === "completed") === (response !== null), "entries-response-of-state", "/response", state === "completed" ? "A completed request has a response." : "A request in progress has no response yet.");
      if (response === null) continue;
      requireEqual(response.request_id, request_id, place, "entries-response-request-id-binding", "/response/request_id", "that of the entry");
      requireEqual(response.run_id, ledger.run_id, place, "entries-response-run-id-binding", "/response/run_id", "that of the ledger");
    }
  },
});
export type ControlRequestLedger = ArtifactOf<typeof controlRequestLedger>;

/** `hold-result.json` */
export const holdResult = artifact({
  prefix: "hold-result",
  digestField: "result_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_hold_result.v1"),
      run_id: id,
      finding_digest: dg,
      barrier_id: id,
      quiescence_ack_digests: ascendingDigests(),
      outcome: is("held"),
      recorded_at: ts,
      result_digest: selfDigestField,
    }),
});
export type HoldResult = ArtifactOf<typeof holdResult>;

/** `hold-operation-receipt.json` */
export const controlOperationReceipt = artifact({
  prefix: "control-operation-receipt",
  digestField: "receipt_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_control_operation_receipt.v1"),
      request_id: id,
      logical_intent_digest: dg,
      operation: nonEmpty,
      outcome: nonEmpty,
      effect_digest: dg,
      receipt_digest: selfDigestField,
    }),
});
export type ControlOperationReceipt = ArtifactOf<typeof controlOperationReceipt>;

/** `pending-recompile.json` */
export const pendingRecompile = artifact({
  prefix: "pending-recompile",
  digestField: "pending_digest",
  loose: true,
  shape: (mode) => {
    const loose = looseLeaves(mode);
    return exact({
      schema: schemaId("lattice.runtime_pending_recompile.v1"),
      control_request_id: loose.id,
      reprocess_request_id: nullable(loose.id),
      reprocess_queue_digest: nullable(loose.dg),
      recovery_response_outcome: nullable(nonEmpty),
      recompile_request: plain,
      predecessor_epoch: posint,
      frozen_event_digest: loose.dg,
      hold_decision_digest: loose.dg,
      pending_digest: selfDigestField,
    });
  },
  foreign(pending, at, dialect) {
    const request = pending["recompile_request"];
    if (isPlainObject(request)) adopt(checkRecompileRequest(request, {}, { dialect }), at, "/recompile_request");
  },
  relations(pending, at) {
    for (const key of ["predecessor_epoch", "frozen_event_digest", "hold_decision_digest"] as const) {
      requireEqual(pending.recompile_request[key], pending[key], at, `${key.replaceAll("_", "-")}-binding`, `/recompile_request/${key}`, `${key} of the pending recompile`);
    }
  },
});
export type PendingRecompile = ArtifactOf<typeof pendingRecompile>;

/** `epoch-activation-transaction.json` */
export const activationTransaction = artifact({
  prefix: "activation-transaction",
  digestField: "transaction_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_epoch_activation_transaction.v1"),
      request_id: id,
      request_digest: dg,
      logical_intent_digest: dg,
      recompile_request_digest: dg,
      predecessor_pointer_digest: dg,
      predecessor_bundle_digest: dg,
      successor_bundle_digest: dg,
      successor_epoch: posint,
      queue_head_digest: nullable(dg),
      queue_replay_commit: present,
      // The states between these are not documented: any word is taken, what is known is ordered by the store.
      state: id,
      committed_pointer_digest: nullable(dg),
      gate_digest: nullable(dg),
      recovered_todo_ids: list(id),
      recovery_error: present,
      transaction_digest: selfDigestField,
    }),
});
export type ActivationTransaction = ArtifactOf<typeof activationTransaction>;

/** `run-event-batch-<sha>.json`: lets a crashed publish roll forward. */
export const eventBatchReceipt = artifact({
  prefix: "event-batch-receipt",
  digestField: "receipt_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_run_event_batch_receipt.v1"),
      transaction_id: id,
      phase: nonEmpty,
      plan_epoch: posint,
      binding_digest: dg,
      base_event_digests: list(dg, { max: journalMaximum }),
      batch_events: list(part(runEvent), { max: journalMaximum }),
      ordered_event_digests: list(dg, { max: journalMaximum }),
      batch_digest: dg,
      receipt_digest: selfDigestField,
    }),
  relations(receipt, at, dialect) {
    at.require(receipt.batch_events.length === receipt.ordered_event_digests.length, "batch-length", "/ordered_event_digests", "Must name one digest for each event of the batch.");
    let previous = receipt.base_event_digests.at(-1) ?? null;
    for (const [index, event] of receipt.batch_events.entries()) {
      requireEqual(receipt.ordered_event_digests[index], event.event_digest, at, "ordered-event-digests-binding", `/ordered_event_digests/${index}`, "the digest of the event at this place");
      requireEqual(event.previous_digest, previous, at, "batch-chain", `/batch_events/${index}/previous_digest`, "the digest of the event before");
      previous = event.event_digest;
    }
    try {
      requireEqual(receipt.batch_digest, digestArtifact(receipt.ordered_event_digests, { dialect }), at, "batch-digest-match", "/batch_digest", "the digest of ordered_event_digests");
    } catch (error) {
      // Too long for a digest: the self digest says so.
      if (!ArtifactError.is(error)) throw error;
    }
  },
});
export type EventBatchReceipt = ArtifactOf<typeof eventBatchReceipt>;

/** `queued-events.json` */
export const eventQueue = artifact({
  prefix: "event-queue",
  digestField: "queue_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_queue.v1"),
      run_id: id,
      frozen_epoch: posint,
      entries: list(exact({ sequence: posint, kind: nonEmpty, subject_digest: dg, artifact_digest: dg }), { max: journalMaximum }),
      queue_digest: selfDigestField,
    }),
  relations(queue, at) {
    for (const [index, entry] of queue.entries.entries()) requireEqual(entry.sequence, index + 1, at, "entries-sequence", `/entries/${index}/sequence`, "its place, counted from 1");
  },
});
export type EventQueue = ArtifactOf<typeof eventQueue>;
