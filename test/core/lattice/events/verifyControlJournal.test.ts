import assert from "node:assert/strict";
import path from "node:path";
import fc from "fast-check";
import { verifyControlJournal } from "../../../../src/core/systems/lattice/events/verifyControlJournal.js";
import { fixtureRun, readJson, type JsonObject } from "../artifacts/documents.js";
import { reseal } from "./chains.js";

const captured = (): JsonObject[] => readJson(path.join(fixtureRun("closed-epoch2"), "control-events.json")) as JsonObject[];

describe("verifyControlJournal", () => {
  it("accepts what the runtime wrote, and an empty journal", () => {
    assert.deepEqual([verifyControlJournal(captured()).standing, verifyControlJournal([]).standing], ["valid", "valid"]);
  });

  it("locates any edit of a single member of any event, which the status of the runtime never notices", () => {
    const events = captured();
    const keys = Object.keys(events[0] ?? {});
    fc.assert(
      fc.property(fc.nat(events.length - 1), fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 2 }), (index, key, value) => {
        const edited = captured();
        const event = edited[index] ?? {};
        fc.pre(JSON.stringify(event[key]) !== JSON.stringify(value) && !Object.is(value, -0));
        event[key] = value;
        const result = verifyControlJournal(edited);
        assert.equal(result.firstDefect?.index, index, JSON.stringify(result.defects.slice(0, 3)));
        assert.equal(result.valid, false);
      }),
      { numRuns: 120 },
    );
  });

  it("judges the payload of each kind, also when the digest fits", () => {
    const events = captured();
    const index = events.findIndex((event) => event["kind"] === "write_gate_committed");
    events[index] = reseal({ ...events[index], payload: { gate_digest: "0".repeat(64), gate_generation: 0 } });
    const { firstDefect } = verifyControlJournal(events);
    assert.deepEqual([firstDefect?.condition, firstDefect?.pointer], ["event_shape", `/${index}/payload/gate_generation`]);
  });

  it("knows the later kinds of events only in the dialect that has them", () => {
    assert.equal(verifyControlJournal(captured(), { dialect: "0.12" }).firstDefect?.condition, "event_shape");
  });

  it("names a removed event by its place and a foreign one by its run", () => {
    const events = captured();
    events.splice(3, 1);
    assert.deepEqual(verifyControlJournal(events).failedConditions, ["sequence_gap", "digest_chain_mismatch"]);
    const foreign = captured();
    foreign[5] = reseal({ ...foreign[5], run_id: "another" });
    assert.deepEqual(verifyControlJournal(foreign).failedConditions, ["run_identity", "digest_chain_mismatch"]);
  });

  it("never throws on what is no journal", () => {
    for (const value of [null, {}, "x", [null], [[]], [{ payload: {} }], [7]]) assert.equal(verifyControlJournal(value).standing, "invalid");
  });
});
