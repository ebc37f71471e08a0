import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { selfDigest } from "../../../../src/core/artifact/canonical.js";
import { artifactKinds, checkArtifact, isArtifactKind, type ArtifactKind } from "../../../../src/core/systems/lattice/artifacts/checkArtifact.js";
import { controlEventKinds } from "../../../../src/core/systems/lattice/artifacts/controlEvent.js";
import { predicateOf } from "../../../../src/core/systems/lattice/artifacts/predicate.js";
import { runEvent } from "../../../../src/core/systems/lattice/artifacts/execution.js";
import { isAccepted } from "../../../../src/core/systems/lattice/finding.js";
import { fixtureRun, readJson, valid, type JsonObject } from "./documents.js";

function errorsOf(kind: ArtifactKind, value: unknown): string[] {
  return checkArtifact(kind, value)
    .filter(({ severity }) => severity === "error")
    .map(({ rule, pointer }) => `${rule} ${pointer}`);
}

/** Every object of a document, with its pointer and the way to it. */
function* objectsOf(value: unknown, pointer = ""): Generator<{ readonly pointer: string; readonly object: JsonObject }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { pointer, object: value as JsonObject };
  for (const [key, member] of Object.entries(value)) yield* objectsOf(member, `${pointer}/${key}`);
}

describe("checkArtifact", () => {
  it("accepts what the runtimes wrote, for every kind that a run directory has a file of", () => {
    const run = fixtureRun("closed-epoch2");
    const files: Readonly<Partial<Record<ArtifactKind, string>>> = {
      run_meta: "run-meta.json",
      plan_compile_result: "plan-compile-result.json",
      runtime_epoch_bundle: "epochs/00000002/epoch-bundle.json",
      runtime_epoch_prepare: "epochs/00000002/prepare.json",
      committed_epoch_pointer: "committed-epoch.json",
      release_epoch_barrier: "release-epoch.json",
      runtime_control_request_ledger: "control-request-ledger.json",
      runtime_hold_result: "hold-result.json",
      runtime_control_operation_receipt: "hold-operation-receipt.json",
      runtime_pending_recompile: "pending-recompile.json",
      runtime_epoch_activation_transaction: "epoch-activation-transaction.json",
      supervisor_descriptor: "supervisor/descriptor.json",
      supervisor_write_gate: "supervisor/write-gate.json",
      runtime_gate_commit_bundle: "supervisor/gate-commits/00000002.bundle.json",
      runtime_gate_commit_receipt: "supervisor/gate-receipts/00000002.receipt.json",
    };
    for (const [kind, file] of Object.entries(files)) assert.deepEqual(errorsOf(kind as ArtifactKind, readJson(path.join(run, file))), [], kind);
    const batch = fs.readdirSync(run).find((name) => name.startsWith("run-event-batch-"));
    assert.deepEqual(errorsOf("runtime_run_event_batch_receipt", readJson(path.join(run, String(batch)))), []);
    for (const event of readJson(path.join(run, "control-events.json")) as unknown[]) assert.deepEqual(errorsOf("runtime_control_event", event), []);
    for (const event of readJson(path.join(run, "events.json")) as unknown[]) assert.deepEqual(errorsOf("run_event", event), []);
    assert.deepEqual(errorsOf("run_meta", readJson(path.join(fixtureRun("fresh-0.50"), "run-meta.json"))), []);
  });

  it("has a valid example of every kind of the tests, so that no kind goes untested", () => {
    for (const kind of artifactKinds) assert.deepEqual(errorsOf(kind, valid(kind)), [], kind);
  });

  it("finds a key that is missing or too much in any object of any kind, once and at its place", () => {
    for (const kind of artifactKinds) {
      const document = valid(kind);
      for (const { pointer, object } of objectsOf(document)) {
        const before = errorsOf(kind, document).length;
        assert.equal(before, 0);
        Object.assign(object, { "an unknown key": 1 });
        const found = checkArtifact(kind, document).filter(({ severity }) => severity === "error");
        delete object["an unknown key"];
        assert.ok(found.length > 0, `${kind} ${pointer}`);
        // Free objects (payloads, scopes, evidence) are no schema of ours; there the digests notice.
        const exact = found.filter(({ rule }) => rule.endsWith("exact-keys"));
        assert.ok(exact.length <= 1, `${kind} ${pointer}`);
        for (const finding of exact) assert.equal(finding.pointer, pointer, `${kind} ${finding.rule}`);
      }
    }
  });

  it("finds a self digest that is wrong in its format or does not match, as one finding", () => {
    for (const kind of artifactKinds) {
      const document = valid(kind);
      const field = Object.keys(document).find((key) => key.endsWith("_digest") && document[key] === selfDigestOrNull(document, key));
      if (field === undefined) continue;
      assert.deepEqual(errorsOf(kind, { ...document, [field]: "0".repeat(64) }).map((text) => text.replace(/^[^.]*/, "")), [`.digest-match /${field}`], kind);
      assert.deepEqual(errorsOf(kind, { ...document, [field]: "x" }).map((text) => text.replace(/^[^.]*/, "")), [`.digest-format /${field}`], kind);
    }
  });

  it("never throws, whatever JSON it is given, and names a place that is there", () => {
    const anything = fc.jsonValue({ maxDepth: 4 });
    const kind = fc.constantFrom(...artifactKinds);
    fc.assert(
      fc.property(kind, anything, (which, value) => {
        assert.ok(Array.isArray(checkArtifact(which, value)));
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(kind, fc.nat(), anything, (which, at, value) => {
        const document = valid(which);
        const objects = [...objectsOf(document)];
        const { object } = objects[at % objects.length] ?? { object: document };
        const keys = Object.keys(object);
        const key = keys[at % Math.max(keys.length, 1)];
        if (key !== undefined) object[key] = value;
        checkArtifact(which, document);
      }),
      { numRuns: 500 },
    );
  });

  it("says at its own place why a document has no canonical form, and nothing else", () => {
    const deep = valid("run_event");
    deep["payload"] = { list: [1, { zero: -0 }] };
    assert.deepEqual(errorsOf("run_event", deep), ["run-event.canonical-limits /payload/list/1/zero"]);
  });

  it("takes in the families that the runtime tests by coercion what only turns into a match, and warns", () => {
    const record = valid("runtime_finding_record");
    record["run_id"] = 12;
    record["finding_digest"] = selfDigest(record, "finding_digest");
    const findings = checkArtifact("runtime_finding_record", record);
    assert.ok(isAccepted(findings));
    assert.deepEqual(findings.map(({ rule, severity, pointer }) => [rule, severity, pointer]), [["strict.type", "warning", "/run_id"]]);
    const gate = valid("supervisor_write_gate");
    gate["run_id"] = 12;
    gate["gate_digest"] = selfDigest(gate, "gate_digest");
    assert.deepEqual(errorsOf("supervisor_write_gate", gate), ["write-gate.run-id-syntax /run_id"]);
  });

  it("leaves out what depends on a member that is itself wrong", () => {
    const plan = valid("runtime_plan");
    plan["nodes"] = [{ todo_id: "-" }];
    plan["plan_digest"] = selfDigest(plan, "plan_digest");
    assert.deepEqual(errorsOf("runtime_plan", plan), ["runtime-plan.nodes-todo-id-syntax /nodes/0/todo_id"]);
  });

  it("points at the item that breaks the order of a list", () => {
    const gate = valid("supervisor_write_gate");
    gate["armed_lease_digests"] = ["b", "a", "a"].map((letter) => letter.repeat(64));
    gate["gate_digest"] = selfDigest(gate, "gate_digest");
    assert.deepEqual(errorsOf("supervisor_write_gate", gate), [
      "write-gate.armed-lease-digests-ascending /armed_lease_digests/1",
      "write-gate.armed-lease-digests-ascending /armed_lease_digests/2",
    ]);
  });

  it("knows the payloads of exactly the kinds of control events of a dialect", () => {
    assert.equal(controlEventKinds("0.12").length, 16);
    assert.equal(controlEventKinds("0.50").length, 20);
    for (const kind of controlEventKinds("0.50")) assert.ok(isArtifactKind(`control_payload:${kind}`));
    assert.ok(!isArtifactKind("control_payload:nothing"));
    assert.ok(!isArtifactKind("toString"));
  });

  it("compiles predicates that agree with the schema they come from", () => {
    const shape = runEvent.shape({ dialect: "0.50", coerce: false });
    const isShaped = predicateOf(shape);
    const event = valid("run_event");
    const mutate = fc.tuple(fc.constantFrom(...Object.keys(event), "other"), fc.oneof(fc.jsonValue(), fc.constant(undefined)));
    fc.assert(
      fc.property(fc.array(mutate, { maxLength: 3 }), (changes) => {
        const removed = new Set(changes.filter(([, value]) => value === undefined).map(([key]) => key));
        const changed: JsonObject = Object.fromEntries([...Object.entries(event), ...changes].filter(([key]) => !removed.has(key)));
        assert.equal(isShaped(changed), shape.safeParse(changed).success, JSON.stringify(changed));
      }),
      { numRuns: 1000 },
    );
  });
});

function selfDigestOrNull(document: JsonObject, field: string): string | null {
  try {
    return selfDigest(document, field);
  } catch {
    return null;
  }
}
