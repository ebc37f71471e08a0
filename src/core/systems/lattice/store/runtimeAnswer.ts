// Owns: what the runtime itself would answer to `run status`, `event verify` and `run observe` for a run directory, digests
// included (spec/lattice.md sections 3.3 to 3.6).
// Leaves to others: what we say beyond that (statusWord.ts, problems/).
import { ArtifactError, digestArtifact, selfDigest, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { ProjectionError, foldRunEvents, type RunFold } from "../events/foldRunEvents.js";
import { projectOverlays, summarize } from "../events/projectRunState.js";
import { readyFrontier } from "../events/readyFrontier.js";
import { replayDecisions } from "../events/replay.js";
import { chainConditions, type ChainVerification } from "../events/verifyRunEventChain.js";
import type { LoadedRun } from "./loadRun.js";
import { acceptedValue } from "./readDocument.js";
import type { RuntimeErrorCode, StoreInForce, StoreRefusal } from "./storeCheck.js";

export type JsonObject = Readonly<Record<string, unknown>>;

export type RuntimeAnswer =
  | { readonly kind: "answered"; readonly status: JsonObject; readonly verification: JsonObject; readonly observation: JsonObject }
  /** The verification is given when only the chain is at fault: the runtime prints it and fails all the same. */
  | { readonly kind: "refused"; readonly code: RuntimeErrorCode; readonly failedConditions: readonly string[]; readonly verification: JsonObject | null };

/** Why the runtime lets nothing be dispatched in a managed run; null when it does. */
export type FrozenBy = "intake" | "gate-missing" | "gate-invalid" | "gate-of-another-epoch";

/** spec/lattice.md section 3.6: managed runs only. */
export function runtimeFrozenBy(run: LoadedRun, store: StoreInForce, fold: RunFold): FrozenBy | null {
  if (!store.isManaged) return null;
  const last = fold.events.findLast(({ kind, planEpoch }) => kind === "intake_frozen" || (kind === "intake_resumed" && planEpoch === store.epoch));
  if (last?.kind === "intake_frozen") return "intake";
  if (run.gate.kind === "missing") return "gate-missing";
  const gate = acceptedValue(run.gate);
  if (gate === null || run.gate.kind !== "accepted" || !run.gate.isCanonical) return "gate-invalid";
  return gate.run_id === store.runId && gate.plan_epoch === store.epoch ? null : "gate-of-another-epoch";
}

function sealed(body: JsonObject, field: string, dialect: Dialect): JsonObject {
  return { ...body, [field]: selfDigest(body, field, { dialect }) };
}

/** What the runtime answers. `store` is the outcome of checkStore, `chain` that of the verifier, both in the dialect of `run`. */
export function runtimeAnswer(run: LoadedRun, store: StoreRefusal | StoreInForce, chain: ChainVerification): RuntimeAnswer {
  if (store.kind === "refused") return { kind: "refused", code: store.code, failedConditions: [], verification: null };
  const { dialect } = run;
  const fold = foldOrNull(store.events);
  const verification = verify(store, chain, fold, dialect);
  if (!chain.valid || fold === null) {
    return { kind: "refused", code: "EVENT_CHAIN_INVALID", failedConditions: chain.failedConditions, verification };
  }
  const frozenBy = runtimeFrozenBy(run, store, fold);
  const { running, accepted, terminal, closed } = summarize(fold);
  const common = { running, accepted, freeze_active: fold.freeze !== null, closed, event_count: store.events.length };
  const status = {
    schema: store.isManaged ? "lattice.managed_run_status.v1" : "lattice.run_status.v1",
    run_id: store.runId,
    executor_adapter: store.meta.executor_adapter,
    plan_digest: store.plan.plan_digest,
    ...common,
    dispatchable: frozenBy === null ? readyFrontier(store.plan, fold) : [],
    ...(store.isManaged ? { runtime_projection: runtimeProjection(fold, frozenBy !== null, dialect) } : {}),
  };
  const observation = {
    schema: "lattice.run_observation.v1",
    ...common,
    terminal,
    hold_count: fold.holds.length,
    conflict_count: fold.conflicts.length,
    events_digest: eventsDigest(store.events, dialect),
  };
  return { kind: "answered", status: sealed(status, "result_digest", dialect), verification, observation: sealed(observation, "result_digest", dialect) };
}

export function foldOrNull(events: readonly unknown[]): RunFold | null {
  try {
    return foldRunEvents(events);
  } catch (error) {
    if (ProjectionError.is(error)) return null;
    throw error;
  }
}

/** D15. */
function runtimeProjection(fold: RunFold, runtimeFrozen: boolean, dialect: Dialect): JsonObject {
  const { held, carryOver, redispatch, intakeFrozen, treatmentAdvice: advice } = projectOverlays(fold, dialect);
  const projection = {
    schema: dialect === "0.50" ? "lattice.runtime_status_projection.v2" : "lattice.runtime_status_projection.v1",
    held,
    carry_over: carryOver,
    redispatch,
    intake_frozen: intakeFrozen,
    runtime_frozen: runtimeFrozen,
    ...(advice === undefined
      ? {}
      : { treatment_advice: advice === null ? null : { finding_digest: advice.findingDigest, severability: advice.severability, transform_attemptable: advice.transformAttemptable } }),
  };
  return sealed(projection, "projection_digest", dialect);
}

function verify(store: StoreInForce, chain: ChainVerification, fold: RunFold | null, dialect: Dialect): JsonObject {
  const replays = fold === null ? [] : replayDecisions(fold, store.plan, dialect);
  const failed = [...chain.failedConditions.map((condition) => `chain:${condition}`), ...replays.filter(({ passed }) => !passed).map(({ id }) => id)];
  const verification = {
    schema: "lattice.event_verification.v1",
    valid: failed.length === 0,
    checks_total: chainConditions.length + replays.length,
    failed_conditions: failed,
    events_digest: eventsDigest(store.events, dialect),
  };
  return sealed(verification, "result_digest", dialect);
}

/** Of the list of event digests. Null when the runtime cannot compute it either: the chain is beyond its limits. */
function eventsDigest(events: readonly unknown[], dialect: Dialect): string | null {
  try {
    return digestArtifact(events.map((event) => (isPlainObject(event) ? event["event_digest"] : undefined)), { dialect });
  } catch (error) {
    if (ArtifactError.is(error)) return null;
    throw error;
  }
}
