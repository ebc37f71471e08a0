// Owns: whether a worker outside the closure may go on, and the witness that says why (spec/lattice.md section 6.1, steps 3 and 4).
// Leaves to others: who is asked (decideHold.ts).
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { judge } from "../artifacts/checkArtifact.js";
import { carryOverWitness, type CarryOverWitness, type RunEvent } from "../artifacts/execution.js";
import { runtimePlan, type RuntimePlan } from "../artifacts/planning.js";
import { foldRunEvents } from "../events/foldRunEvents.js";
import { isOfTodo, memberObject, payloadOf, stringsOf, type JsonObject } from "./documents.js";
import { packetContentDigest } from "./executorPacket.js";
import { requireArtifact, requireFreeze, requireOptions, requireProjection, requireRequest, requireTable, type SuccessorRequests } from "./preconditions.js";
import { RecompileError } from "./recompileError.js";
import { digestOf, seal } from "./seal.js";

/** Why a worker is held although no conflict touches it. */
export type WitnessFailure =
  | "missing_packet_or_manifest"
  | "post_freeze_events"
  | "finding_scope_overlap"
  | "witness_schema"
  | "carry_over_unprovable";

export type CarryOver =
  | { readonly kind: "witnessed"; readonly witness: CarryOverWitness }
  | { readonly kind: "failed"; readonly failures: readonly WitnessFailure[] };

/** Everything the question is about, checked before. */
export interface CarryOverFacts {
  readonly request: JsonObject;
  readonly plan: RuntimePlan;
  readonly manifests: JsonObject;
  readonly packets: JsonObject;
  readonly events: readonly RunEvent[];
  readonly freezeSequence: number;
  readonly dialect: Dialect;
}

export interface CarryOverOptions {
  readonly todoId: string;
  readonly request: unknown;
  readonly plan: unknown;
  readonly manifests: unknown;
  readonly packets: unknown;
  readonly events: unknown;
}

const noCheckpoint = "0".repeat(64);

/** Paths that any finding inside the freeze names: the witness claims not to overlap with any of them, of whichever epoch. */
function findingPaths(conflicts: readonly RunEvent[]): readonly string[] {
  return conflicts.flatMap((event) => stringsOf([payloadOf(event)["path"], ...stringsOf(payloadOf(event)["paths"])]));
}

function isDeclared(path: string, manifest: JsonObject): boolean {
  return stringsOf(manifest["writes"]).some((write) => (write.endsWith("/") ? path.startsWith(write) : path === write));
}

function observedPaths(events: readonly RunEvent[], todoId: string): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const event of events) {
    if (!isOfTodo(event, "checkpoint_observed", todoId)) continue;
    const entries = memberObject(payloadOf(event), "diff")?.["entries"];
    if (!Array.isArray(entries)) continue;
    for (const entry of entries as unknown[]) {
      const path = typeof entry === "object" && entry !== null ? (entry as JsonObject)["path"] : undefined;
      if (typeof path === "string") paths.add(path);
    }
  }
  return paths;
}

/** A final checkpoint of a stopped worker is no activity; anything less explicit than `true` is. */
function isActivityAfterFreeze(event: RunEvent, todoId: string): boolean {
  if (!isOfTodo(event, "checkpoint_observed", todoId) && !isOfTodo(event, "receipt_recorded", todoId)) return false;
  return payloadOf(event)["barrier_final"] !== true;
}

/** Receipts of the todo inside the freeze that were neither accepted nor rejected there. */
function receiptBindings(frozen: readonly RunEvent[], todoId: string): readonly JsonObject[] {
  const undecided = foldRunEvents(frozen).receipts.filter((receipt) => receipt.todoId === todoId && receipt.acceptedSequence === null && receipt.rejectedSequence === null);
  return undecided.map(({ receiptId, sequence }) => {
    const recorded = frozen.find((event) => event.sequence === sequence);
    return {
      receipt_id: receiptId,
      checkpoint_digest: (recorded === undefined ? null : payloadOf(recorded)["checkpoint_digest"]) ?? noCheckpoint,
      recorded_sequence: sequence,
      within_frozen_prefix: true,
    };
  });
}

function buildWitness(facts: CarryOverFacts, todoId: string, manifest: JsonObject, packet: JsonObject): CarryOver {
  const { plan, request, dialect } = facts;
  const frozen = facts.events.filter(({ sequence }) => sequence <= facts.freezeSequence);
  const conflicts = frozen.filter(({ kind }) => kind === "conflict_found");
  const epoch = plan.plan_epoch;
  try {
    const witness = seal(
      {
        schema: "lattice.carry_over_witness.v1",
        witness_id: `witness-${todoId}-e${epoch + 1}`,
        todo_id: todoId,
        predecessor_epoch: epoch,
        successor_epoch: epoch + 1,
        invariant_digests: {
          todo_input: digestOf(memberObject(request, "manual_witness")?.[todoId], "The manual witness of the todo", dialect),
          boundary_manifest: digestOf(manifest, "The manifest", dialect),
          validator: digestOf(packet["verifier_refs"], "The verifier refs of the packet", dialect),
          context_content: packetContentDigest(packet, dialect),
        },
        non_overlap_evidence: conflicts.map(({ event_digest }) => `conflict_found#${event_digest.slice(0, 16)}`),
        receipt_bindings: receiptBindings(frozen, todoId),
      },
      "witness_digest",
      dialect,
    );
    const judged = judge(carryOverWitness, witness, dialect);
    if (judged.kind === "accepted") return { kind: "witnessed", witness: judged.value };
  } catch (error) {
    // Something that has no digest proves nothing either.
    if (!RecompileError.is(error, "not-canonical")) throw error;
  }
  return { kind: "failed", failures: ["witness_schema", "carry_over_unprovable"] };
}

/** The first test that fails decides (section 6.1, step 3). */
export function carryOver(facts: CarryOverFacts, todoId: string): CarryOver {
  const { events, freezeSequence } = facts;
  const manifest = memberObject(facts.manifests, todoId);
  const packet = memberObject(facts.packets, todoId);
  if (manifest === undefined || packet === undefined) return { kind: "failed", failures: ["missing_packet_or_manifest"] };
  if (events.some((event) => event.sequence > freezeSequence && isActivityAfterFreeze(event, todoId))) {
    return { kind: "failed", failures: ["post_freeze_events"] };
  }
  const frozen = events.filter(({ sequence }) => sequence <= freezeSequence);
  const observed = observedPaths(frozen, todoId);
  const paths = findingPaths(frozen.filter(({ kind }) => kind === "conflict_found"));
  if (paths.some((path) => isDeclared(path, manifest) || observed.has(path))) return { kind: "failed", failures: ["finding_scope_overlap"] };
  return buildWitness(facts, todoId, manifest, packet);
}

/**
 * Whether one todo could be carried over the freeze that the events are in, and the witness for it. Says nothing about
 * whether the todo is in the closure of the conflict: `decideHoldAndCarryOver` does. Pure; inputs are never changed.
 * @throws RecompileError `options-shape`, `plan-contract`, `request-contract`, `projection`, `not-frozen`
 */
export function buildCarryOverWitness(
  options: CarryOverOptions,
  { dialect = defaultDialect, successorRequests = "refuse" }: { readonly dialect?: Dialect; readonly successorRequests?: SuccessorRequests } = {},
): CarryOver {
  requireOptions(options, ["todoId", "request", "plan", "manifests", "packets", "events"]);
  const plan = requireArtifact(runtimePlan, options.plan, "plan-contract", "The plan", dialect);
  const request = requireRequest(options.request, successorRequests, dialect);
  const manifests = requireTable(options.manifests, "manifests");
  const packets = requireTable(options.packets, "packets");
  const projected = requireProjection(options.events);
  const { sequence } = requireFreeze(projected);
  return carryOver({ request, plan, manifests, packets, events: projected.events, freezeSequence: sequence, dialect }, options.todoId);
}
