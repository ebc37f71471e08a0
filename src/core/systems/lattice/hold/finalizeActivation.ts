// Owns: the events that end a recompile: every carried-over worker rebound, then the intake resumed (spec/lattice.md section 6.4).
// Leaves to others: the gate and the pointer of a managed run (the runtime), the packets (recompilePlan.ts).
import { defaultDialect, selfDigest, ArtifactError, type Dialect } from "../../../artifact/canonical.js";
import { isDigest, isPlainObject } from "../../../artifact/syntax.js";
import { epochRebindPacket, runtimePlanDiff, type EpochRebindPacket, type RunEvent } from "../artifacts/execution.js";
import { runtimePlan, type RuntimePlan } from "../artifacts/planning.js";
import { inPlainOrder, memberObject, type JsonObject } from "./documents.js";
import { EventBatch } from "./eventBatch.js";
import { requireArtifact, requireOptions, requireProjection } from "./preconditions.js";
import { RecompileError } from "./recompileError.js";

export interface FinalizeOptions {
  readonly runId: unknown;
  readonly events: unknown;
  readonly plan: unknown;
  readonly planDiff: unknown;
  readonly rebindPackets: unknown;
  readonly rebindAcks: unknown;
  readonly gateDigest: unknown;
  readonly gateControlEventDigest: unknown;
  readonly recordedAt: unknown;
}

export interface FinalizedActivation {
  /** The given events, then one `epoch_rebound` for each carried-over todo, then one `intake_resumed`. */
  readonly events: readonly RunEvent[];
  readonly redispatchTodoIds: readonly string[];
}

function hasValidDigest(ack: JsonObject, dialect: Dialect): boolean {
  try {
    return isDigest(ack["ack_digest"]) && selfDigest(ack, "ack_digest", { dialect }) === ack["ack_digest"];
  } catch (error) {
    if (!ArtifactError.is(error)) throw error;
    return false;
  }
}

/** Other members of an acknowledgement are not looked at, as in the runtime. @throws RecompileError `ack-binding` */
function requireBoundAck(todoId: string, packet: unknown, ack: JsonObject | undefined, plan: RuntimePlan, dialect: Dialect): EpochRebindPacket {
  const valid = requireArtifact(epochRebindPacket, packet, "ack-binding", `The rebind packet of ${todoId}`, dialect);
  const isBound =
    valid.todo_id === todoId &&
    ack?.["schema"] === "lattice.executor_epoch_rebind_ack.v1" &&
    ack["todo_id"] === todoId &&
    ack["rebind_packet_digest"] === valid.packet_digest &&
    ack["successor_epoch"] === plan.plan_epoch &&
    hasValidDigest(ack, dialect);
  if (!isBound) throw new RecompileError("ack-binding", `The acknowledgement of ${todoId} does not bind its rebind packet to epoch ${plan.plan_epoch}.`);
  return valid;
}

/**
 * Ends a recompile: all acknowledgements or nothing. Pure; inputs are never changed. Does not check that the difference
 * names this plan, nor that the events are frozen: the runtime does not either.
 * @throws RecompileError `options-shape`, `activation-binding`, `ack-set-mismatch`, `ack-binding`, `projection`, `foreign-prefix`, `timestamp`
 */
export function finalizeRecompileActivation(options: FinalizeOptions, { dialect = defaultDialect }: { readonly dialect?: Dialect } = {}): FinalizedActivation {
  requireOptions(options, ["runId", "events", "plan", "planDiff", "rebindPackets", "rebindAcks", "gateDigest", "gateControlEventDigest", "recordedAt"]);
  const plan = requireArtifact(runtimePlan, options.plan, "activation-binding", "The plan", dialect);
  const planDiff = requireArtifact(runtimePlanDiff, options.planDiff, "activation-binding", "The plan difference", dialect);
  const { gateDigest, gateControlEventDigest, rebindPackets, rebindAcks } = options;
  if (!isDigest(gateDigest) || !isDigest(gateControlEventDigest)) throw new RecompileError("activation-binding", "The digests of gate and control event must be digests.");
  if (!isPlainObject(rebindPackets) || !isPlainObject(rebindAcks)) throw new RecompileError("activation-binding", "Packets and acknowledgements must be objects keyed by todo.");
  const todoIds = Object.keys(rebindPackets).sort(inPlainOrder);
  if (todoIds.length !== Object.keys(rebindAcks).length || !todoIds.every((todoId) => Object.hasOwn(rebindAcks, todoId))) {
    throw new RecompileError("ack-set-mismatch", "Packets and acknowledgements are not of the same todos.");
  }
  const packets = todoIds.map((todoId) => requireBoundAck(todoId, rebindPackets[todoId], memberObject(rebindAcks, todoId), plan, dialect));

  const batch = new EventBatch(requireProjection(options.events).events, { runId: options.runId, recordedAt: options.recordedAt, dialect });
  for (const packet of packets) {
    batch.append({ kind: "epoch_rebound", planEpoch: plan.plan_epoch, subject: { kind: "todo", ref: packet.todo_id }, payload: packet });
  }
  batch.append({
    kind: "intake_resumed",
    planEpoch: plan.plan_epoch,
    subject: { kind: "runtime_plan", ref: plan.plan_ref },
    payload: { plan_diff_digest: planDiff.diff_digest, write_gate_digest: gateDigest, control_event_digest: gateControlEventDigest },
  });
  return { events: batch.all(), redispatchTodoIds: [...planDiff.redispatched] };
}
