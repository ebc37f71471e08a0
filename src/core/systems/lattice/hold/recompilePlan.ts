// Owns: the plan of the next epoch, its difference, the packets and the events of a recompile (spec/lattice.md section 6.3).
// Leaves to others: resuming the intake (finalizeActivation.ts), compiling a successor request (the runtime).
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import {
  executorPacket,
  holdDecision,
  runtimePlanDiff,
  type EpochRebindPacket,
  type ExecutorPacket,
  type HoldDecision,
  type RunEvent,
  type RuntimePlanDiff,
} from "../artifacts/execution.js";
import { nodesOf, runtimePlan, type RuntimePlan } from "../artifacts/planning.js";
import { inPlainOrder, memberObject, payloadOf, sortedUnique, stringsOf, type JsonObject } from "./documents.js";
import { EventBatch } from "./eventBatch.js";
import { buildExecutorPacket } from "./executorPacket.js";
import { detectNonConvergentConflicts } from "./nonConvergence.js";
import { requireArtifact, requireFreeze, requireOptions, requireProjection, requireTable, type ProjectedEvents } from "./preconditions.js";
import { buildRebindPacket } from "./rebindPacket.js";
import { RecompileError } from "./recompileError.js";
import { seal } from "./seal.js";

export interface RecompileOptions {
  readonly runId: unknown;
  readonly request: unknown;
  readonly plan: unknown;
  readonly manifests: unknown;
  readonly packets: unknown;
  readonly events: unknown;
  readonly holdDecision: unknown;
  readonly additionalConflicts: unknown;
  readonly recordedAt: unknown;
}

export interface RecompiledPlan {
  /** The given events and, after them, those of the recompile. The run stays frozen: nothing here resumes it. */
  readonly events: readonly RunEvent[];
  readonly newPlan: RuntimePlan;
  readonly planDiff: RuntimePlanDiff;
  /** For each continued todo. */
  readonly rebindPackets: Readonly<Record<string, EpochRebindPacket>>;
  /** For each held todo. */
  readonly redispatchPackets: Readonly<Record<string, ExecutorPacket>>;
}

type PlanConflict = RuntimePlan["conflicts"][number];

const invalidatedContext = ["agent_context", "partial_patch", "interface_assumption", "boundary_evidence"] as const;

const conflictKey = ({ todo_ids, resource_id }: PlanConflict): string => JSON.stringify([todo_ids, resource_id]);

function normaliseConflict(conflict: unknown): PlanConflict {
  if (!isPlainObject(conflict) || !Array.isArray(conflict["todo_ids"])) {
    throw new RecompileError("additional-conflict-shape", "An additional conflict has no list of todo ids.");
  }
  // Wrong members are left to the plan validator, which sees every conflict of the new plan.
  const { todo_ids, resource_id } = conflict as unknown as PlanConflict;
  return { todo_ids: [...todo_ids].sort(inPlainOrder), resource_id };
}

/** Old and additional conflicts, each once, by first todo, second todo, resource. */
function mergeConflicts(plan: RuntimePlan, additional: readonly PlanConflict[]): { readonly all: readonly PlanConflict[]; readonly added: number } {
  const merged = new Map(plan.conflicts.map(normaliseConflict).map((conflict) => [conflictKey(conflict), conflict]));
  const before = merged.size;
  for (const conflict of additional) merged.set(conflictKey(conflict), conflict);
  const part = ({ todo_ids, resource_id }: PlanConflict, index: number): string => (index < 2 ? (todo_ids[index] ?? "") : resource_id);
  const all = [...merged.values()].sort((a, b) => {
    const differing = [0, 1, 2].find((index) => part(a, index) !== part(b, index));
    return differing === undefined ? 0 : inPlainOrder(part(a, differing), part(b, differing));
  });
  return { all, added: merged.size - before };
}

function acceptedCheckpoints({ fold, events }: ProjectedEvents): readonly string[] {
  const accepted = new Set(fold.receipts.filter(({ acceptedSequence }) => acceptedSequence !== null).map(({ sequence }) => sequence));
  return stringsOf(events.filter(({ sequence }) => accepted.has(sequence)).map((event) => payloadOf(event)["checkpoint_digest"]));
}

function requireBinding(plan: RuntimePlan, request: JsonObject): void {
  const todos = Array.isArray(request["todos"]) ? (request["todos"] as unknown[]) : [];
  const known = new Set(todos.map((todo) => (isPlainObject(todo) ? todo["todo_id"] : undefined)));
  if (memberObject(request, "repo")?.["base_sha"] !== plan.base_sha || ![...nodesOf(plan)].every((todoId) => known.has(todoId))) {
    throw new RecompileError("plan-request-binding", "The new plan is not one of the request: its base or its todos differ.");
  }
}

function buildNewPlan(plan: RuntimePlan, request: JsonObject, conflicts: readonly PlanConflict[], accepted: readonly string[], dialect: Dialect): RuntimePlan {
  const epoch = plan.plan_epoch + 1;
  const body = {
    ...plan,
    plan_ref: `plan-${String(request["request_id"])}-e${epoch}`,
    plan_epoch: epoch,
    request_digest: request["request_digest"],
    conflicts,
    predecessor_refs: [plan.plan_ref, ...accepted.map((digest) => `checkpoint:${digest}`)],
  };
  const newPlan = requireArtifact(runtimePlan, seal(body, "plan_digest", dialect), "new-plan-contract", "The new plan", dialect);
  requireBinding(newPlan, request);
  return newPlan;
}

function buildPlanDiff(plan: RuntimePlan, newPlan: RuntimePlan, hold: HoldDecision, accepted: readonly string[], added: number, dialect: Dialect): RuntimePlanDiff {
  const body = {
    schema: "lattice.runtime_plan_diff.v1",
    old_plan_ref: plan.plan_ref,
    new_plan_ref: newPlan.plan_ref,
    accepted_checkpoints: [...accepted].sort(inPlainOrder),
    invalidated_contexts: hold.hold_set,
    carried_over: hold.continue_set,
    redispatched: hold.hold_set,
    node_edge_diff: { added_nodes: [], removed_nodes: [], added_conflicts: added },
  };
  return requireArtifact(runtimePlanDiff, seal(body, "diff_digest", dialect), "plan-diff-contract", "The plan difference", dialect);
}

function buildRedispatchPackets(newPlan: RuntimePlan, hold: HoldDecision, manifests: JsonObject, dialect: Dialect): Record<string, ExecutorPacket> {
  const packets: Record<string, ExecutorPacket> = {};
  for (const todoId of hold.hold_set) {
    const manifest = memberObject(manifests, todoId);
    if (manifest === undefined) throw new RecompileError("redispatch-binding-missing", `There is no manifest for the held todo ${todoId}.`);
    const packet = buildExecutorPacket(newPlan, todoId, manifest, dialect);
    packets[todoId] = requireArtifact(executorPacket, packet, "redispatch-packet-contract", `The packet of ${todoId}`, dialect);
  }
  return packets;
}

function appendRecompileEvents(batch: EventBatch, plan: RuntimePlan, newPlan: RuntimePlan, hold: HoldDecision, { fold }: ProjectedEvents, dialect: Dialect): void {
  for (const todoId of hold.hold_set) {
    if (!fold.running.has(todoId)) continue;
    batch.append({
      kind: "executor_terminal",
      planEpoch: plan.plan_epoch,
      subject: { kind: "todo", ref: todoId },
      payload: { executor_handle: fold.dispatched.get(todoId)?.payload["executor_handle"] ?? null, terminal_state: "context_invalidated" },
    });
  }
  batch.append({
    kind: "plan_recompiled",
    planEpoch: newPlan.plan_epoch,
    subject: { kind: "runtime_plan", ref: newPlan.plan_ref },
    payload: { old_plan_ref: plan.plan_ref, new_plan_digest: newPlan.plan_digest, hold_decision_digest: hold.decision_digest },
  });
  // D10: 0.12 voids the context of carried-over workers too, because it rebinds every one of them.
  const invalidated = sortedUnique(dialect === "0.12" ? [...hold.hold_set, ...hold.continue_set] : hold.hold_set);
  for (const todoId of invalidated) {
    batch.append({
      kind: "context_invalidated",
      planEpoch: newPlan.plan_epoch,
      subject: { kind: "todo", ref: todoId },
      payload: {
        old_plan_ref: plan.plan_ref,
        invalidated: invalidatedContext,
        reauthorized_via: hold.continue_set.includes(todoId) ? "epoch_rebind" : "redispatch",
      },
    });
  }
}

/**
 * Recompiles the plan of a frozen and decided run for its next epoch with further conflicts between its todos.
 * Pure: inputs are never changed, and no event is returned unless all are. Writes neither `epoch_rebound` nor
 * `intake_resumed`. The request is only bound, never relabelled: a v3/v4 request whose todos use `creates` works here,
 * where the runtime's own command line fails (section 7, U5).
 * @throws RecompileError with the failing precondition as code.
 */
export function recompileNextEpochPlan(options: RecompileOptions, { dialect = defaultDialect }: { readonly dialect?: Dialect } = {}): RecompiledPlan {
  requireOptions(options, ["runId", "request", "plan", "manifests", "packets", "events", "holdDecision", "additionalConflicts", "recordedAt"]);
  const plan = requireArtifact(runtimePlan, options.plan, "plan-contract", "The plan", dialect);
  const hold = requireArtifact(holdDecision, options.holdDecision, "hold-decision-contract", "The hold decision", dialect);
  if (!Array.isArray(options.additionalConflicts)) throw new RecompileError("additional-conflicts-array", "The additional conflicts are no list.");
  const request = requireTable(options.request, "request");
  const manifests = requireTable(options.manifests, "manifests");
  const packets = requireTable(options.packets, "packets");
  const projected = requireProjection(options.events);
  if (dialect === "0.50") {
    const [again] = detectNonConvergentConflicts({ events: projected.events }).entries;
    if (again !== undefined) {
      throw new RecompileError("non-convergent", `The same conflict between ${again.todo_ids.join(", ")} was found in ${again.epochs.length} epochs: recompiling again will not settle it.`);
    }
  }
  requireFreeze(projected);

  const additional = options.additionalConflicts.map(normaliseConflict);
  const conflicts = mergeConflicts(plan, additional);
  const accepted = acceptedCheckpoints(projected);
  const newPlan = buildNewPlan(plan, request, conflicts.all, accepted, dialect);
  const carried = additional.flatMap(({ todo_ids }) => todo_ids).find((todoId) => hold.continue_set.includes(todoId));
  if (carried !== undefined) throw new RecompileError("continue-set-party", `${carried} is carried over and cannot be party to an additional conflict.`);
  const planDiff = buildPlanDiff(plan, newPlan, hold, accepted, conflicts.added, dialect);
  const rebindPackets: Record<string, EpochRebindPacket> = {};
  for (const todoId of hold.continue_set) rebindPackets[todoId] = buildRebindPacket({ todoId, plan, newPlan, packets, projected, dialect });
  const redispatchPackets = buildRedispatchPackets(newPlan, hold, manifests, dialect);

  const batch = new EventBatch(projected.events, { runId: options.runId, recordedAt: options.recordedAt, dialect });
  appendRecompileEvents(batch, plan, newPlan, hold, projected, dialect);
  return { events: batch.all(), newPlan, planDiff, rebindPackets, redispatchPackets };
}
