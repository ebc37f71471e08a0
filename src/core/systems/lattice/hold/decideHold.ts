// Owns: who is held and who goes on after a conflict froze the intake (spec/lattice.md section 6.1).
// Leaves to others: the closure (closure.ts), the witness (carryOverWitness.ts), what follows (recompilePlan.ts).
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { foldRunEvents } from "../events/foldRunEvents.js";
import { carryOver, type CarryOver, type CarryOverFacts, type WitnessFailure } from "./carryOverWitness.js";
import { affectedClosure, affectedClosureByFixpoint } from "./closure.js";
import { holdDecision as holdDecisionArtifact, type HoldDecision, type RunEvent } from "../artifacts/execution.js";
import { runtimePlan } from "../artifacts/planning.js";
import { payloadOf, sortedUnique, stringsOf } from "./documents.js";
import { EventBatch } from "./eventBatch.js";
import {
  requireArtifact,
  requireFreeze,
  requireOptions,
  requireProjection,
  requireRequest,
  requireTable,
  type Freeze,
  type SuccessorRequests,
} from "./preconditions.js";
import { RecompileError } from "./recompileError.js";
import { digestOf, seal } from "./seal.js";

export interface DecideHoldOptions {
  readonly runId: unknown;
  readonly request: unknown;
  readonly plan: unknown;
  readonly manifests: unknown;
  readonly packets: unknown;
  readonly events: unknown;
  readonly recordedAt: unknown;
}

export interface DecidedHold {
  /** The given events and, after them, one `carry_over_witnessed` for each continued todo and one `hold_decided`. */
  readonly events: readonly RunEvent[];
  readonly holdDecision: HoldDecision;
  /** For each running todo outside the closure that is held nevertheless: why. */
  readonly witnessFailures: Readonly<Record<string, readonly WitnessFailure[]>>;
}

/** Both sets from the frozen facts alone; used twice, with two ways to find the closure. */
export interface HoldSets {
  readonly closure: readonly string[];
  readonly hold: readonly string[];
  readonly carryOvers: ReadonlyMap<string, CarryOver>;
}

function frozenConflicts({ events, freezeSequence }: CarryOverFacts): readonly RunEvent[] {
  return events.filter(({ kind, sequence }) => kind === "conflict_found" && sequence <= freezeSequence);
}

function holdSets(facts: CarryOverFacts, closureOf: typeof affectedClosure): HoldSets {
  const { events, freezeSequence, plan, manifests } = facts;
  const seed = frozenConflicts(facts)
    .filter(({ plan_epoch }) => plan_epoch === plan.plan_epoch)
    .flatMap((event) => stringsOf(payloadOf(event)["todo_ids"]));
  const closure = closureOf(seed, plan, manifests);
  const { running } = foldRunEvents(events.filter(({ sequence }) => sequence <= freezeSequence));
  const asked = sortedUnique(running).filter((todoId) => !closure.includes(todoId));
  const carryOvers = new Map(asked.map((todoId) => [todoId, carryOver(facts, todoId)]));
  const failed = asked.filter((todoId) => carryOvers.get(todoId)?.kind === "failed");
  return { closure, hold: sortedUnique([...closure, ...failed]), carryOvers };
}

function frozenPrefixDigest(events: readonly RunEvent[], freeze: Freeze, dialect: Dialect): string {
  if (freeze.frozenPrefixDigest !== null) return freeze.frozenPrefixDigest;
  const digests = events.filter(({ sequence }) => sequence <= freeze.sequence).map(({ event_digest }) => event_digest);
  return digestOf(digests, "The list of frozen event digests", dialect);
}

/** @throws RecompileError `recomputation-mismatch` */
function requireSameSets(sets: HoldSets, again: HoldSets): void {
  const text = (of: HoldSets): string => JSON.stringify([of.closure, of.hold, [...of.carryOvers.keys()]]);
  if (text(sets) !== text(again)) throw new RecompileError("recomputation-mismatch", "Two ways to compute the held and continued todos disagree.");
}

/**
 * Decides for a frozen run which todos are held and which running ones go on, and appends the events that say so.
 * Pure: inputs are never changed, and no event is returned unless all are. A v2 request is refused as the runtime does
 * (section 7, U2) unless `successorRequests` is `accept`.
 * @throws RecompileError with the failing precondition as code.
 */
export function decideHoldAndCarryOver(
  options: DecideHoldOptions,
  { dialect = defaultDialect, successorRequests = "refuse" }: { readonly dialect?: Dialect; readonly successorRequests?: SuccessorRequests } = {},
): DecidedHold {
  requireOptions(options, ["runId", "request", "plan", "manifests", "packets", "events", "recordedAt"]);
  const plan = requireArtifact(runtimePlan, options.plan, "plan-contract", "The plan", dialect);
  const request = requireRequest(options.request, successorRequests, dialect);
  const manifests = requireTable(options.manifests, "manifests");
  const packets = requireTable(options.packets, "packets");
  const projected = requireProjection(options.events);
  const freeze = requireFreeze(projected);
  const { events } = projected;
  const facts: CarryOverFacts = { request, plan, manifests, packets, events, freezeSequence: freeze.sequence, dialect };
  const conflicts = frozenConflicts(facts);
  const finding = conflicts.at(-1);
  if (finding === undefined || !conflicts.some(({ plan_epoch }) => plan_epoch === plan.plan_epoch)) {
    throw new RecompileError("no-conflict", `No conflict of epoch ${plan.plan_epoch} was found before the freeze.`);
  }
  const sets = holdSets(facts, affectedClosure);
  requireSameSets(sets, holdSets(facts, affectedClosureByFixpoint));

  const batch = new EventBatch(events, { runId: options.runId, recordedAt: options.recordedAt, dialect });
  const witnessFailures: Record<string, readonly WitnessFailure[]> = {};
  const continued: string[] = [];
  for (const [todoId, result] of sets.carryOvers) {
    if (result.kind === "failed") {
      witnessFailures[todoId] = result.failures;
      continue;
    }
    continued.push(todoId);
    batch.append({
      kind: "carry_over_witnessed",
      planEpoch: plan.plan_epoch,
      subject: { kind: "todo", ref: todoId },
      payload: { witness_digest: result.witness.witness_digest, witness: result.witness },
    });
  }
  const sealed = seal(
    {
      schema: "lattice.hold_decision.v1",
      decision_id: `hold-${String(options.runId)}-seq${freeze.sequence}`,
      finding: { sequence: finding.sequence, ...payloadOf(finding) },
      frozen_prefix_digest: frozenPrefixDigest(events, freeze, dialect),
      affected_closure: sets.closure,
      hold_set: sets.hold,
      continue_set: continued,
      evidence_digests: conflicts.map(({ event_digest }) => event_digest),
    },
    "decision_digest",
    dialect,
  );
  const holdDecision = requireArtifact(holdDecisionArtifact, sealed, "hold-decision-contract", "The hold decision", dialect);
  batch.append({
    kind: "hold_decided",
    planEpoch: plan.plan_epoch,
    subject: { kind: "runtime_plan", ref: plan.plan_ref },
    payload: holdDecision,
  });
  return { events: batch.all(), holdDecision, witnessFailures };
}
