import assert from "node:assert/strict";
import fc from "fast-check";
import { defaultDialect, selfDigest } from "../../../../src/core/artifact/canonical.js";
import type { RuntimePlan } from "../../../../src/core/systems/lattice/artifacts/planning.js";
import { buildCarryOverWitness } from "../../../../src/core/systems/lattice/hold/carryOverWitness.js";
import { affectedClosure, affectedClosureByFixpoint } from "../../../../src/core/systems/lattice/hold/closure.js";
import { decideHoldAndCarryOver } from "../../../../src/core/systems/lattice/hold/decideHold.js";
import { finalizeRecompileActivation } from "../../../../src/core/systems/lattice/hold/finalizeActivation.js";
import { detectNonConvergentConflicts } from "../../../../src/core/systems/lattice/hold/nonConvergence.js";
import { RecompileError, type RecompileErrorCode } from "../../../../src/core/systems/lattice/hold/recompileError.js";
import { recompileNextEpochPlan } from "../../../../src/core/systems/lattice/hold/recompilePlan.js";
import { routeConflictTreatment } from "../../../../src/core/systems/lattice/hold/routeTreatment.js";
import { verifyRunEventChain } from "../../../../src/core/systems/lattice/events/verifyRunEventChain.js";
import { aFrozenRun, asSuccessor, deepFreeze, recordedAt, sealed, without } from "./frozenRun.js";

function codeOf(run: () => unknown): RecompileErrorCode | null {
  try {
    run();
    return null;
  } catch (error) {
    assert.ok(RecompileError.is(error) && error instanceof TypeError, String(error));
    return error.code;
  }
}

const todo = fc.constantFrom("A", "B", "C", "D", "E", "F");
const pair = fc.tuple(todo, todo);

describe("the closure of a conflict", () => {
  it("is the same by search and by fixpoint, for any plan", () => {
    const manifest = fc.record({ resources: fc.array(fc.constantFrom("r", "s", "t"), { maxLength: 2 }), state_effects: fc.array(fc.record({ resource_id: fc.constantFrom("r", "u") }), { maxLength: 1 }) });
    fc.assert(
      fc.property(fc.array(todo), fc.array(pair), fc.array(pair), fc.dictionary(todo, manifest), (seed, conflicts, precedence, manifests) => {
        const plan = {
          nodes: ["A", "B", "C", "D", "E", "F"].map((todo_id) => ({ todo_id })),
          conflicts: conflicts.map(([a, b]) => ({ todo_ids: [a, b], resource_id: "x" })),
          precedence: precedence.map(([from_todo_id, to_todo_id]) => ({ from_todo_id, to_todo_id })),
        } as unknown as RuntimePlan;
        const table = JSON.parse(JSON.stringify(manifests)) as Record<string, unknown>;
        assert.deepEqual(affectedClosure(seed, plan, table), affectedClosureByFixpoint(seed, plan, table));
      }),
    );
  });

  it("does not follow precedence upstream", () => {
    const plan = { nodes: [], conflicts: [], precedence: [{ from_todo_id: "A", to_todo_id: "B" }] } as unknown as RuntimePlan;
    assert.deepEqual(affectedClosure(["B"], plan, {}), ["B"]);
    assert.deepEqual(affectedClosure(["A"], plan, {}), ["A", "B"]);
  });
});

describe("decideHoldAndCarryOver", () => {
  it("changes no input, and shares no object with one", () => {
    const run = aFrozenRun();
    const before = JSON.stringify(run);
    deepFreeze(run);
    const { events, holdDecision } = decideHoldAndCarryOver(run);
    assert.equal(JSON.stringify(run), before);
    const decided = events.at(-1)?.payload;
    assert.notEqual(decided, holdDecision);
    assert.deepEqual(decided, holdDecision);
    assert.ok(!Object.isFrozen((holdDecision.finding as { todo_ids?: unknown }).todo_ids));
  });

  it("gives a chain that verifies", () => {
    assert.deepEqual(verifyRunEventChain(decideHoldAndCarryOver(aFrozenRun()).events).failedConditions, []);
  });

  it("refuses a successor request as the runtime does, and decides with it when asked to (U2)", () => {
    const run = asSuccessor(aFrozenRun());
    assert.equal(codeOf(() => decideHoldAndCarryOver(run)), "request-contract");
    const { holdDecision } = decideHoldAndCarryOver(run, { successorRequests: "accept" });
    assert.deepEqual([holdDecision.hold_set, holdDecision.continue_set], [["T1", "T2"], ["T3"]]);
  });

  it("does not take a broken successor request even when asked to", () => {
    const run = asSuccessor(aFrozenRun());
    const broken = { ...run, request: { ...run.request, predecessor_request_digest: "0" } };
    assert.equal(codeOf(() => decideHoldAndCarryOver(broken, { successorRequests: "accept" })), "request-contract");
  });

  it("names options that are missing or too many", () => {
    assert.equal(codeOf(() => decideHoldAndCarryOver(without(aFrozenRun(), "recordedAt") as never)), "options-shape");
    assert.equal(codeOf(() => decideHoldAndCarryOver({ ...aFrozenRun(), dialect: "0.50" } as never)), "options-shape");
    assert.equal(codeOf(() => decideHoldAndCarryOver(null as never)), "options-shape");
  });

  it("holds a worker whose packet cannot be digested instead of failing", () => {
    const run = aFrozenRun();
    const packets = { ...run.packets, T3: { ...run.packets["T3"], verifier_refs: -0 } };
    const { witnessFailures, holdDecision } = decideHoldAndCarryOver({ ...run, packets });
    assert.deepEqual(witnessFailures, { T3: ["witness_schema", "carry_over_unprovable"] });
    assert.deepEqual(holdDecision.hold_set, ["T1", "T2", "T3"]);
  });

  it("refuses to extend a chain whose last event was altered", () => {
    const run = aFrozenRun();
    const last = run.events.at(-1);
    assert.equal(codeOf(() => decideHoldAndCarryOver({ ...run, events: [...run.events.slice(0, -1), { ...last, recorded_at: "2026-07-17T00:00:01.000Z" }] as never })), "foreign-prefix");
  });
});

describe("buildCarryOverWitness", () => {
  const ask = (todoId: string, run = aFrozenRun()): ReturnType<typeof buildCarryOverWitness> => {
    const { request, plan, manifests, packets, events } = run;
    return buildCarryOverWitness({ todoId, request, plan, manifests, packets, events });
  };

  it("gives the witness that the decision records", () => {
    const recorded = decideHoldAndCarryOver(aFrozenRun()).events.find(({ kind }) => kind === "carry_over_witnessed")?.payload;
    const built = ask("T3");
    assert.ok(built.kind === "witnessed");
    assert.deepEqual(built.witness, recorded?.["witness"]);
  });

  it("says why there is none", () => {
    assert.deepEqual(ask("T2"), { kind: "failed", failures: ["finding_scope_overlap"] });
    assert.deepEqual(ask("T9"), { kind: "failed", failures: ["missing_packet_or_manifest"] });
    assert.deepEqual(ask("constructor"), { kind: "failed", failures: ["missing_packet_or_manifest"] });
  });

  it("needs a freeze", () => {
    const run = aFrozenRun();
    assert.equal(codeOf(() => ask("T3", { ...run, events: run.events.slice(0, -1) })), "not-frozen");
  });
});

/** All options of a recompile of the frozen run. */
function aRecompile(more: Partial<Parameters<typeof recompileNextEpochPlan>[0]> = {}): Parameters<typeof recompileNextEpochPlan>[0] {
  const run = aFrozenRun();
  const { events, holdDecision } = decideHoldAndCarryOver(run);
  return { ...run, events, holdDecision, additionalConflicts: [{ todo_ids: ["T2", "T1"], resource_id: "own-path-x" }], ...more };
}

describe("recompileNextEpochPlan", () => {
  it("sorts by code units, never by a locale (U3)", () => {
    const conflicts = [["T2", "T1", "b"], ["T1", "T2", "a"], ["T2", "T1", "B"]].map(([a, b, resource_id]) => ({ todo_ids: [a, b], resource_id }));
    const { newPlan, planDiff } = recompileNextEpochPlan(aRecompile({ additionalConflicts: conflicts }));
    assert.deepEqual(newPlan.conflicts.map(({ resource_id }) => resource_id), ["B", "a", "b"]);
    assert.deepEqual(planDiff.node_edge_diff, { added_nodes: [], removed_nodes: [], added_conflicts: 3 });
  });

  it("recompiles a v4 run whose todos create files, which the runtime cannot (U5)", () => {
    const run = aFrozenRun();
    const manual_witness = structuredClone(run.request["manual_witness"]) as Record<string, { owns: { creates?: true }[] }>;
    for (const witness of Object.values(manual_witness)) for (const own of witness.owns) own.creates = true;
    const request = sealed({ ...run.request, schema: "lattice.run_request.v4", manual_witness }, "request_digest");
    const plan = sealed({ ...run.plan, request_digest: request["request_digest"] }, "plan_digest");
    const decided = decideHoldAndCarryOver({ ...run, request, plan });
    const { newPlan } = recompileNextEpochPlan({ ...run, request, plan, events: decided.events, holdDecision: decided.holdDecision, additionalConflicts: [] });
    assert.equal(newPlan.plan_epoch, 2);
  });

  it("changes no input and stays frozen", () => {
    const options = aRecompile();
    const before = JSON.stringify(options);
    deepFreeze(options);
    const { events } = recompileNextEpochPlan(options);
    assert.equal(JSON.stringify(options), before);
    assert.deepEqual(verifyRunEventChain(events).failedConditions, []);
    assert.ok(!events.some(({ kind }) => kind === "intake_resumed" || kind === "epoch_rebound"));
  });

  it("needs a manifest for every held todo", () => {
    const manifests = without(aFrozenRun().manifests, "T1");
    assert.equal(codeOf(() => recompileNextEpochPlan(aRecompile({ manifests }))), "redispatch-binding-missing");
  });

  it("takes no conflict that is none", () => {
    for (const conflict of [null, 7, {}, { todo_ids: "T1" }]) {
      assert.equal(codeOf(() => recompileNextEpochPlan(aRecompile({ additionalConflicts: [conflict] }))), "additional-conflict-shape");
    }
    assert.equal(codeOf(() => recompileNextEpochPlan(aRecompile({ additionalConflicts: [{ todo_ids: [1, 2], resource_id: "x" }] }))), "new-plan-contract");
  });
});

/** All options that end the recompile above. */
function anActivation(more: Partial<Parameters<typeof finalizeRecompileActivation>[0]> = {}): Parameters<typeof finalizeRecompileActivation>[0] {
  const { events, newPlan, planDiff, rebindPackets } = recompileNextEpochPlan(aRecompile());
  const rebindAcks = Object.fromEntries(
    Object.values(rebindPackets).map((packet) => [
      packet.todo_id,
      sealed({ schema: "lattice.executor_epoch_rebind_ack.v1", todo_id: packet.todo_id, rebind_packet_digest: packet.packet_digest, successor_epoch: newPlan.plan_epoch }, "ack_digest"),
    ]),
  );
  const digest = "a".repeat(64);
  return { runId: "req-hold", events, plan: newPlan, planDiff, rebindPackets, rebindAcks, gateDigest: digest, gateControlEventDigest: digest, recordedAt, ...more };
}

describe("finalizeRecompileActivation", () => {
  it("rebinds every carried-over worker, then resumes, in a chain that verifies", () => {
    const options = anActivation();
    deepFreeze(options);
    const { events, redispatchTodoIds } = finalizeRecompileActivation(options);
    assert.deepEqual(events.slice(-2).map(({ kind }) => kind), ["epoch_rebound", "intake_resumed"]);
    assert.deepEqual(redispatchTodoIds, ["T1", "T2"]);
    assert.deepEqual(verifyRunEventChain(events).failedConditions, []);
  });

  it("gives no event at all when one acknowledgement of several is wrong", () => {
    const good = anActivation();
    const packets = good.rebindPackets as Record<string, object>;
    const second = sealed({ ...(packets["T3"] as Record<string, unknown>), todo_id: "T4" }, "packet_digest");
    const acks = { ...(good.rebindAcks as object), T4: { schema: "lattice.executor_epoch_rebind_ack.v1" } };
    assert.equal(codeOf(() => finalizeRecompileActivation({ ...good, rebindPackets: { ...packets, T4: second }, rebindAcks: acks })), "ack-binding");
  });

  it("compares acknowledgements by their own keys only", () => {
    assert.equal(codeOf(() => finalizeRecompileActivation(anActivation({ rebindPackets: { toString: {} }, rebindAcks: { T3: {} } }))), "ack-set-mismatch");
  });
});

describe("routeConflictTreatment", () => {
  it("gives a copy of the treatment", () => {
    const treatment = { treatment_id: "t", covered_paths: ["a"] };
    const route = routeConflictTreatment({ finding: { kind: "observed_write_conflict", path: "a" }, predeclaredTreatments: [treatment] });
    assert.deepEqual(route.treatment, treatment);
    assert.notEqual(route.treatment, treatment);
  });

  it("looks past treatments that are none", () => {
    const route = routeConflictTreatment({ finding: { kind: "observed_write_conflict", path: "a" }, predeclaredTreatments: [null, { covered_paths: "a" }, { covered_paths: [1, "a"] }] });
    assert.equal(route.lane, "seam_transform");
    assert.equal(codeOf(() => routeConflictTreatment({ finding: { kind: "x" }, predeclaredTreatments: {} })), "treatments-array");
  });
});

describe("detectNonConvergentConflicts", () => {
  const conflict = (plan_epoch: number, payload: object): object => ({ kind: "conflict_found", plan_epoch, payload });

  it("tells resources apart where there is no path", () => {
    const events = [1, 2, 3].flatMap((epoch) => [conflict(epoch, { kind: "k", todo_ids: ["A"], resource_id: "r" }), conflict(epoch, { kind: "k", todo_ids: ["A"], resource_id: `s${epoch}` })]);
    assert.deepEqual(detectNonConvergentConflicts({ events }).entries.map(({ resource }) => resource), ["r"]);
  });

  it("is not misled by events that are none", () => {
    assert.deepEqual(detectNonConvergentConflicts({ events: [null, 1, {}, conflict(1, { todo_ids: 5 }), { kind: "conflict_found", payload: null }] }), { entries: [] });
    for (const threshold of [1, 0, 1.5, "3", Number.NaN]) assert.equal(codeOf(() => detectNonConvergentConflicts({ events: [], threshold })), "threshold");
    assert.equal(codeOf(() => detectNonConvergentConflicts({ events: {} })), "options-shape");
  });
});

describe("the fixture of these tests", () => {
  it("is sealed by the rules of the default dialect", () => {
    const { plan } = aFrozenRun();
    assert.equal(plan["plan_digest"], selfDigest(plan, "plan_digest", { dialect: defaultDialect }));
  });
});
