// Owns: the packet that binds a carried-over worker to the next epoch (spec/lattice.md section 6.3).
// Leaves to others: whether it may be carried over (carryOverWitness.ts), its acknowledgement (finalizeActivation.ts).
import type { Dialect } from "../../../artifact/canonical.js";
import { epochRebindPacket, type EpochRebindPacket } from "../artifacts/execution.js";
import type { RuntimePlan } from "../artifacts/planning.js";
import { memberObject, type JsonObject } from "./documents.js";
import { packetContentDigest } from "./executorPacket.js";
import { requireArtifact, type ProjectedEvents } from "./preconditions.js";
import { RecompileError } from "./recompileError.js";
import { seal } from "./seal.js";

const noCheckpoint = "0".repeat(64);

/** The newest work of the todo that was already there when the epoch was first frozen. */
function authorizedCheckpoint({ fold }: ProjectedEvents, todoId: string, epoch: number): unknown {
  const first = fold.events.find(({ kind, planEpoch }) => kind === "intake_frozen" && planEpoch === epoch)?.sequence ?? -1;
  const checkpoint = fold.checkpoints.findLast((event) => event.sequence <= first && event.todoId === todoId);
  return checkpoint?.payload["checkpoint_digest"] ?? noCheckpoint;
}

/** @throws RecompileError `carry-over-binding-missing`, `content-digest-mismatch`, `rebind-packet-contract` */
export function buildRebindPacket(facts: {
  readonly todoId: string;
  readonly plan: RuntimePlan;
  readonly newPlan: RuntimePlan;
  readonly packets: JsonObject;
  readonly projected: ProjectedEvents;
  readonly dialect: Dialect;
}): EpochRebindPacket {
  const { todoId, plan, newPlan, projected, dialect } = facts;
  const packet = memberObject(facts.packets, todoId);
  const dispatch = projected.fold.dispatched.get(todoId);
  const witness = projected.fold.witnesses.get(todoId);
  if (packet === undefined || dispatch === undefined || witness === undefined) {
    throw new RecompileError("carry-over-binding-missing", `The carried-over todo ${todoId} lacks its packet, its dispatch or its witness.`);
  }
  const content = packetContentDigest(packet, dialect);
  if (packet["context_content_digest"] !== content) {
    throw new RecompileError("content-digest-mismatch", `The packet of ${todoId} does not match its own content digest: it is not the one that was dispatched.`);
  }
  const body = {
    schema: "lattice.epoch_rebind_packet.v1",
    packet_id: `${newPlan.plan_ref}-rebind-${todoId}`,
    todo_id: todoId,
    executor_handle: dispatch.payload["executor_handle"] ?? null,
    worktree_id: dispatch.payload["worktree_id"] ?? null,
    witness_digest: witness.payload["witness_digest"] ?? null,
    context_content_digest: content,
    authorized_checkpoint_digest: authorizedCheckpoint(projected, todoId, plan.plan_epoch),
    old_plan_ref: plan.plan_ref,
    new_plan_ref: newPlan.plan_ref,
    new_plan_epoch: newPlan.plan_epoch,
  };
  return requireArtifact(epochRebindPacket, seal(body, "packet_digest", dialect), "rebind-packet-contract", `The rebind packet of ${todoId}`, dialect);
}
