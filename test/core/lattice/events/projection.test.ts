import assert from "node:assert/strict";
import path from "node:path";
import { foldRunEvents, ProjectionError, replayEvents } from "../../../../src/core/systems/lattice/events/foldRunEvents.js";
import { projectOverlays, projectRunState, summarize } from "../../../../src/core/systems/lattice/events/projectRunState.js";
import { computeReadyFrontier } from "../../../../src/core/systems/lattice/events/readyFrontier.js";
import { decideReceipts } from "../../../../src/core/systems/lattice/events/receiptDecisions.js";
import { replayDecisions } from "../../../../src/core/systems/lattice/events/replay.js";
import { runtimePlan } from "../../../../src/core/systems/lattice/artifacts/planning.js";
import { judge } from "../../../../src/core/systems/lattice/artifacts/checkArtifact.js";
import { fixtureRun, readJson, seal, valid, type JsonObject } from "../artifacts/documents.js";

type Step = readonly [kind: string, todo: string | null, payload?: JsonObject, epoch?: number];

/** Events with only what a projection reads. */
const events = (...steps: readonly Step[]): JsonObject[] =>
  steps.map(([kind, todo, payload = {}, epoch = 1], sequence) => ({ sequence, kind, plan_epoch: epoch, subject: todo === null ? { kind: "runtime_plan", ref: "p" } : { kind: "todo", ref: todo }, payload }));

function planOf(changes: JsonObject): Parameters<typeof computeReadyFrontier>[0] {
  const nodes = ["T1", "T2", "T3", "T4"];
  const manifests = Object.fromEntries(nodes.map((node) => [node, "a".repeat(64)]));
  const document = seal({ ...valid("runtime_plan"), plan_epoch: 1, nodes: nodes.map((todo_id) => ({ todo_id })), manifest_digests: manifests, precedence: [], conflicts: [], capacity: { executors: 4 }, ...changes }, "plan_digest");
  const judged = judge(runtimePlan, document, "0.50");
  assert.equal(judged.kind, "accepted", JSON.stringify(judged.findings));
  return judged.value;
}

const captured = (): JsonObject[] => readJson(path.join(fixtureRun("closed-epoch2"), "events.json")) as JsonObject[];

describe("projectRunState", () => {
  it("refuses what the runtime refuses, and names the event", () => {
    const table: readonly (readonly [unknown, string, number])[] = [
      ["x", "not-an-event", 0],
      [[null], "not-an-event", 0],
      [[{ sequence: -1, kind: "run_initialized" }], "sequence", 0],
      [[{ sequence: 0.5, kind: "run_initialized" }], "sequence", 0],
      [[...events(["run_initialized", null]), { sequence: 0, kind: "run_closed" }], "sequence", 1],
      [[{ sequence: 0, kind: "toString" }], "kind", 0],
      [events(["receipt_accepted", null]), "subject", 0],
    ];
    for (const [value, code, index] of table) {
      assert.throws(
        () => projectRunState(value),
        (error) => ProjectionError.is(error) && error.code === code && error.index === index,
        code,
      );
    }
  });

  it("decides about the newest undecided receipt of the todo", () => {
    const { receipts } = projectRunState(events(["receipt_recorded", "T1", { receipt_id: "a" }], ["receipt_recorded", "T1"], ["receipt_rejected", "T1"], ["receipt_accepted", "T1"], ["receipt_accepted", "T1"]));
    assert.deepEqual(receipts, [
      { receiptId: "a", todoId: "T1", sequence: 0, acceptedSequence: 3, rejectedSequence: null },
      { receiptId: "T1#seq1", todoId: "T1", sequence: 1, acceptedSequence: null, rejectedSequence: 2 },
    ]);
  });

  it("keeps a second freeze in place of the first, and forgets nothing of one that was lifted", () => {
    const { freeze, freezeHistory } = projectRunState(events(["intake_frozen", null, { frozen_prefix_digest: "x" }], ["intake_frozen", null], ["intake_resumed", null], ["intake_resumed", null]));
    assert.equal(freeze, null);
    assert.deepEqual(freezeHistory, [{ sequence: 1, frozenPrefixDigest: null, resumedSequence: 2 }]);
  });

  it("shows before each event exactly the state of the prefix", () => {
    const all = captured();
    replayEvents(foldRunEvents(all), (event, before) => {
      assert.deepEqual(summarize(before), projectRunState(all.slice(0, event.index)));
    });
  });

  it("takes a payload that is no object for one that says nothing", () => {
    const fold = foldRunEvents(events(["hold_decided", null, { hold_set: "T1", continue_set: [1, "T2"] }], ["conflict_found", "T1", { path: 7 }]));
    assert.deepEqual(projectOverlays(fold, "0.50"), { held: [], carryOver: ["T2"], redispatch: [], intakeFrozen: false, treatmentAdvice: { findingDigest: null, severability: "serial", transformAttemptable: false } });
    assert.equal("treatmentAdvice" in projectOverlays(fold, "0.12"), false);
  });
});

describe("computeReadyFrontier", () => {
  it("waits for predecessors, keeps conflict partners apart and stops when no executor is free", () => {
    const chained = planOf({ precedence: [{ from_todo_id: "T1", to_todo_id: "T2" }] });
    assert.deepEqual(computeReadyFrontier(chained, []), ["T1", "T3", "T4"]);
    assert.deepEqual(computeReadyFrontier(chained, events(["receipt_accepted", "T1"])), ["T2", "T3", "T4"]);
    const conflicting = planOf({ conflicts: [{ todo_ids: ["T1", "T3"], resource_id: "r" }] });
    assert.deepEqual(computeReadyFrontier(conflicting, []), ["T1", "T2", "T4"]);
    assert.deepEqual(computeReadyFrontier(conflicting, events(["executor_dispatched", "T3", {}, 0])), ["T2", "T4"]);
    assert.deepEqual(computeReadyFrontier(planOf({ capacity: { executors: 2 } }), events(["executor_dispatched", "T4", {}, 0])), ["T1"]);
  });

  it("gives nothing while the run is frozen or closed", () => {
    assert.deepEqual(computeReadyFrontier(planOf({}), events(["intake_frozen", null])), []);
    assert.deepEqual(computeReadyFrontier(planOf({}), events(["run_closed", null])), []);
  });

  it("leaves out what this epoch held, dispatched or ended, not what an earlier one did", () => {
    const steps: readonly Step[] = [["executor_dispatched", "T1"], ["executor_terminal", "T1"], ["hold_decided", null, { hold_set: ["T2"] }]];
    assert.deepEqual(computeReadyFrontier(planOf({}), events(...steps)), ["T3", "T4"]);
    assert.deepEqual(computeReadyFrontier(planOf({ plan_epoch: 2 }), events(...steps)), ["T1", "T2", "T3", "T4"]);
  });
});

describe("receipts and replays", () => {
  it("a carried receipt counts only when each epoch on the way was crossed properly (0.50)", () => {
    const carried: readonly Step[] = [["carry_over_witnessed", "T1"], ["hold_decided", null, { continue_set: ["T1"] }], ["plan_recompiled", null, {}, 2]];
    const receipt: Step = ["receipt_recorded", "T1", {}, 1];
    const detail = (steps: readonly Step[], dialect: "0.12" | "0.50" = "0.50"): string | null => decideReceipts(foldRunEvents(events(...steps)), 2, dialect)[0]?.detail ?? null;
    assert.equal(detail([...carried, receipt]), null);
    assert.equal(detail([...carried, receipt], "0.12"), "epoch_mismatch");
    for (const left of [0, 1, 2]) assert.equal(detail([...carried.filter((_, index) => index !== left), receipt]), "epoch_mismatch", String(left));
    assert.equal(detail([receipt, ...carried]), "epoch_mismatch");
    assert.equal(detail([...carried, ["context_invalidated", "T1", {}, 2], receipt]), "epoch_mismatch");
    assert.equal(detail([...carried, ["intake_frozen", null, {}, 2], receipt]), "post_freeze");
  });

  it("finds a dispatch or a receipt that the events do not lead to", () => {
    const plan = planOf({});
    const check = (...steps: readonly Step[]): Readonly<Record<string, boolean>> => Object.fromEntries(replayDecisions(foldRunEvents(events(...steps)), plan, "0.50").map(({ id, passed }) => [id, passed]));
    const all = ["T1", "T2", "T3", "T4"];
    assert.deepEqual(check(["dispatch_decided", null, { dispatchable: all }], ["dispatch_decided", null, { dispatchable: ["T1"] }]), { "dispatch_replay:seq0": true, "dispatch_replay:seq1": false, receipt_replay: true });
    assert.deepEqual(check(["receipt_accepted", "T1"]), { receipt_replay: false });
    assert.deepEqual(check(["intake_frozen", null], ["receipt_recorded", "T1"], ["receipt_accepted", "T1"]), { receipt_replay: false });
    assert.deepEqual(check(["receipt_recorded", "T1"], ["receipt_rejected", "T1", { detail: "post_freeze" }]), { receipt_replay: false });
    assert.deepEqual(check(["receipt_recorded", "T1"], ["receipt_rejected", "T1", { detail: "checkpoint_moved" }]), { receipt_replay: true });
    assert.deepEqual(check(["dispatch_decided", null, { dispatchable: [] }, 7]), { receipt_replay: true });
  });
});
