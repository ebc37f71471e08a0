// Owns: schemas of work and its bookkeeping: run event, executor packet and receipt, hold decision, carry-over witness,
// rebind packet, plan diff (spec/lattice.md sections 2.5, 2.6).
// Leaves to others: chains of events and their payloads (events/), making these documents (hold/).
import { ArtifactError, digestArtifact } from "../../../artifact/canonical.js";
import { artifact, type ArtifactOf } from "./artifactDefinition.js";
import { dg, exact, id, ids, leaf, list, nnint, nullable, oneOf, plain, posint, repoPath, schemaId, selfDigestField, sha, text, ts, bool } from "./shapes.js";
import { conflictKinds } from "./conflictFinding.js";
import { isPlainObject } from "../../../artifact/syntax.js";

/** In the order of spec/lattice.md section 2.5. */
export const runEventKinds = [
  "run_initialized",
  "plan_compiled",
  "plan_verified",
  "dispatch_decided",
  "executor_dispatched",
  "checkpoint_observed",
  "receipt_recorded",
  "conflict_found",
  "intake_frozen",
  "hold_decided",
  "carry_over_witnessed",
  "epoch_rebound",
  "context_invalidated",
  "plan_recompiled",
  "intake_resumed",
  "receipt_accepted",
  "receipt_rejected",
  "executor_terminal",
  "run_closed",
] as const;
export type RunEventKind = (typeof runEventKinds)[number];

/** Stated apart from the object, so that a chain can judge four of them under conditions of their own. */
export const runEventMembers = {
  schema: schemaId("lattice.run_event.v1"),
  run_id: id,
  sequence: nnint,
  previous_digest: nullable(dg),
  kind: oneOf(...runEventKinds),
  actor: id,
  plan_epoch: nnint,
  subject: exact({ kind: id, ref: text }),
  payload: plain,
  recorded_at: ts,
  event_digest: selfDigestField,
};
const runEventShape = exact(runEventMembers);

export const runEvent = artifact({
  prefix: "run-event",
  digestField: "event_digest",
  shape: () => runEventShape,
  relations(event, at) {
    const isGenesis = event.sequence === 0;
    at.require(
      isGenesis === (event.previous_digest === null),
      "previous-digest-genesis",
      "/previous_digest",
      isGenesis ? "The first event has no predecessor: must be null." : "Must be the digest of the event before: only the first event has null.",
    );
  },
});
export type RunEvent = ArtifactOf<typeof runEvent>;

export const executorPacket = artifact({
  prefix: "executor-packet",
  digestField: "packet_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.executor_packet.v1"),
      packet_id: id,
      todo_id: id,
      task_ref: id,
      scope: plain,
      base_sha: sha,
      plan_ref: id,
      plan_epoch: nnint,
      verifier_refs: list(text),
      forbidden_operations: list(text, { min: 1 }),
      context_content_digest: dg,
      packet_digest: selfDigestField,
    }),
  relations(packet, at, dialect) {
    const { todo_id, task_ref, scope, base_sha, verifier_refs, forbidden_operations } = packet;
    try {
      const actual = digestArtifact({ todo_id, task_ref, scope, base_sha, verifier_refs, forbidden_operations }, { dialect });
      at.require(packet.context_content_digest === actual, "context-content-digest-match", "/context_content_digest", `Does not match the content, whose digest is ${actual}.`);
    } catch (error) {
      // No canonical form: the self digest says so.
      if (!ArtifactError.is(error)) throw error;
    }
  },
});
export type ExecutorPacket = ArtifactOf<typeof executorPacket>;

export const executorReceipt = artifact({
  prefix: "executor-receipt",
  digestField: "receipt_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.executor_receipt.v1"),
      receipt_id: id,
      executor_handle: id,
      worktree_id: id,
      base_sha: sha,
      plan_epoch: nnint,
      packet_digest: dg,
      todo_id: id,
      checkpoint_digest: dg,
      observed_diff: list(exact({ path: repoPath, change: oneOf("added", "modified", "deleted") })),
      receipt_digest: selfDigestField,
    }),
});
export type ExecutorReceipt = ArtifactOf<typeof executorReceipt>;

export const holdDecision = artifact({
  prefix: "hold-decision",
  digestField: "decision_digest",
  shape: ({ dialect }) => {
    const kinds: readonly unknown[] = [...conflictKinds(dialect), "carry_over_unprovable"];
    return exact({
      schema: schemaId("lattice.hold_decision.v1"),
      decision_id: id,
      finding: leaf<Readonly<Record<string, unknown>> & { readonly kind: string }>(
        (value) => isPlainObject(value) && kinds.includes(value["kind"]),
        "kind",
        `Must be an object whose kind is one of ${kinds.join(", ")}.`,
      ),
      frozen_prefix_digest: dg,
      affected_closure: ids(),
      hold_set: ids(),
      continue_set: ids(),
      evidence_digests: list(dg),
      decision_digest: selfDigestField,
    });
  },
  relations(decision, at) {
    const held = new Set(decision.hold_set);
    for (const [index, todoId] of decision.continue_set.entries()) {
      at.require(!held.has(todoId), "sets-disjoint", `/continue_set/${index}`, "Is also in hold_set: a todo is held or continues, not both.");
    }
  },
});
export type HoldDecision = ArtifactOf<typeof holdDecision>;

export const carryOverWitness = artifact({
  prefix: "carry-over-witness",
  digestField: "witness_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.carry_over_witness.v1"),
      witness_id: id,
      todo_id: id,
      predecessor_epoch: nnint,
      successor_epoch: nnint,
      invariant_digests: exact({ todo_input: dg, boundary_manifest: dg, validator: dg, context_content: dg }),
      non_overlap_evidence: list(text),
      receipt_bindings: list(exact({ receipt_id: id, checkpoint_digest: dg, recorded_sequence: nnint, within_frozen_prefix: bool })),
      witness_digest: selfDigestField,
    }),
  relations(witness, at) {
    at.require(witness.predecessor_epoch < witness.successor_epoch, "epochs-ascend", "/successor_epoch", "Must be greater than predecessor_epoch.");
  },
});
export type CarryOverWitness = ArtifactOf<typeof carryOverWitness>;

const distinctRefs = "Must differ from old_plan_ref: a recompile makes another plan.";

export const epochRebindPacket = artifact({
  prefix: "epoch-rebind-packet",
  digestField: "packet_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.epoch_rebind_packet.v1"),
      packet_id: id,
      todo_id: id,
      executor_handle: id,
      worktree_id: id,
      witness_digest: dg,
      context_content_digest: dg,
      authorized_checkpoint_digest: dg,
      old_plan_ref: id,
      new_plan_ref: id,
      new_plan_epoch: posint,
      packet_digest: selfDigestField,
    }),
  relations: (packet, at) => void at.require(packet.old_plan_ref !== packet.new_plan_ref, "plan-refs-distinct", "/new_plan_ref", distinctRefs),
});
export type EpochRebindPacket = ArtifactOf<typeof epochRebindPacket>;

export const runtimePlanDiff = artifact({
  prefix: "runtime-plan-diff",
  digestField: "diff_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_plan_diff.v1"),
      old_plan_ref: id,
      new_plan_ref: id,
      accepted_checkpoints: list(dg),
      invalidated_contexts: ids(),
      carried_over: ids(),
      redispatched: ids(),
      node_edge_diff: plain,
      diff_digest: selfDigestField,
    }),
  relations(diff, at) {
    at.require(diff.old_plan_ref !== diff.new_plan_ref, "plan-refs-distinct", "/new_plan_ref", distinctRefs);
    const carried = new Set(diff.carried_over);
    for (const [index, todoId] of diff.redispatched.entries()) {
      at.require(!carried.has(todoId), "sets-disjoint", `/redispatched/${index}`, "Is also carried over: a todo goes on or starts again, not both.");
    }
  },
});
export type RuntimePlanDiff = ArtifactOf<typeof runtimePlanDiff>;
