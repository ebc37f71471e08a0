// Owns: the schema of a recorded process (spec/lattice.md section 2.8) and of acknowledgements that processes give (2.9).
// Leaves to others: judging whether the process lives (judgeLifecycleLock.ts), the lock itself (lifecycleLock.ts).
import type { FindingCollector } from "../finding.js";
import { artifact, type ArtifactOf } from "./artifactDefinition.js";
import { dg, exact, id, nonEmpty, posint, schemaId, selfDigestField } from "./shapes.js";

export const processStartIdentity = artifact({
  prefix: "process-start-identity",
  digestField: "identity_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.process_start_identity.v1"),
      platform: nonEmpty,
      pid: posint,
      started_identity: nonEmpty,
      identity_digest: selfDigestField,
    }),
});

/** A record names its process twice. The runtime does not compare the two in descriptors, so a difference is a warning there. */
export function warnUnlessSamePid(record: { readonly pid: number; readonly process_start_identity: { readonly pid: number } }, at: FindingCollector): void {
  if (record.pid === record.process_start_identity.pid) return;
  at.report("warning", "pid-identity", "/process_start_identity/pid", `Differs from pid ${record.pid}: which process is meant cannot be told.`);
}

export const executorEpochRebindAck = artifact({
  prefix: "executor-epoch-rebind-ack",
  digestField: "ack_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.executor_epoch_rebind_ack.v1"),
      ack_id: id,
      run_id: id,
      todo_id: id,
      executor_handle: id,
      worktree_id: id,
      predecessor_epoch: posint,
      successor_epoch: posint,
      predecessor_packet_digest: dg,
      rebind_packet_digest: dg,
      new_write_lease_id: id,
      supervisor_session_nonce_digest: dg,
      ack_digest: selfDigestField,
    }),
  relations: (ack, at) => void at.require(ack.successor_epoch === ack.predecessor_epoch + 1, "successor-epoch", "/successor_epoch", "Must be predecessor_epoch + 1."),
});
export type ExecutorEpochRebindAck = ArtifactOf<typeof executorEpochRebindAck>;

export const executorQuiescenceAck = artifact({
  prefix: "executor-quiescence-ack",
  digestField: "ack_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.executor_quiescence_ack.v1"),
      ack_id: id,
      run_id: id,
      todo_id: id,
      executor_handle: id,
      worktree_id: id,
      plan_epoch: posint,
      packet_digest: dg,
      write_lease_id: id,
      barrier_control_digest: dg,
      final_checkpoint_digest: dg,
      process_observation_digest: dg,
      worktree_fingerprint_digest: dg,
      supervisor_session_nonce_digest: dg,
      ack_digest: selfDigestField,
    }),
});
