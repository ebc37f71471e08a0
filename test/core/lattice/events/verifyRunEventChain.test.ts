import assert from "node:assert/strict";
import path from "node:path";
import fc from "fast-check";
import { selfDigest } from "../../../../src/core/artifact/canonical.js";
import { verifyRunEventChain, chainConditions } from "../../../../src/core/systems/lattice/events/verifyRunEventChain.js";
import { fixtureRun, readJson, type JsonObject } from "../artifacts/documents.js";
import { chainOf, minimalChain, reseal } from "./chains.js";

const captured = (): JsonObject[] => readJson(path.join(fixtureRun("closed-epoch2"), "events.json")) as JsonObject[];

describe("verifyRunEventChain", () => {
  it("locates any edit of a single member of any event at that event", () => {
    const events = captured();
    const keys = Object.keys(events[0] ?? {});
    fc.assert(
      fc.property(fc.nat(events.length - 1), fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 2 }), (index, key, value) => {
        const edited = captured();
        const event = edited[index] ?? {};
        fc.pre(JSON.stringify(event[key]) !== JSON.stringify(value) && !Object.is(value, -0));
        event[key] = value;
        const result = verifyRunEventChain(edited);
        assert.equal(result.standing, "invalid");
        assert.equal(result.firstDefect?.index, index, JSON.stringify(result.defects.slice(0, 3)));
        assert.ok(!result.valid);
      }),
      { numRuns: 200 },
    );
  });

  it("locates an edit anywhere inside a payload", () => {
    const events = captured();
    fc.assert(
      fc.property(fc.nat(events.length - 1), fc.string({ minLength: 1 }), fc.jsonValue(), (index, key, value) => {
        fc.pre(key !== "__proto__");
        const edited = captured();
        const payload = edited[index]?.["payload"] as JsonObject;
        fc.pre(!Object.hasOwn(payload, key));
        payload[key] = value;
        assert.equal(verifyRunEventChain(edited).firstDefect?.index, index);
      }),
      { numRuns: 200 },
    );
  });

  it("locates an event that was edited and given the right digest by the link that breaks after it", () => {
    const events = minimalChain(20);
    events[7] = reseal({ ...events[7], actor: "somebody-else" });
    const { firstDefect, failedConditions } = verifyRunEventChain(events);
    assert.deepEqual(failedConditions, ["digest_chain_mismatch"]);
    assert.deepEqual([firstDefect?.index, firstDefect?.pointer], [8, "/8/previous_digest"]);
  });

  it("names a lost event by the gap, the break of the chain and the sequence that is missing", () => {
    const events = minimalChain(10);
    events.splice(4, 1);
    const { failedConditions, firstDefect } = verifyRunEventChain(events);
    assert.deepEqual(failedConditions, ["sequence_gap", "digest_chain_mismatch"]);
    assert.deepEqual([firstDefect?.index, firstDefect?.sequence, firstDefect?.message], [4, 5, "Sequence 4 is missing before it."]);
  });

  it("tells a repeated event from two different ones with the same sequence, also far apart", () => {
    const events = minimalChain(6);
    const [, , third] = events;
    assert.deepEqual(verifyRunEventChain([...events, third]).failedConditions, ["storage_order", "duplicate_event"]);
    const other = reseal({ ...third, actor: "other" });
    assert.deepEqual(verifyRunEventChain([...events, other]).failedConditions, ["storage_order", "sequence_fork"]);
    assert.deepEqual(verifyRunEventChain([...events, other, third]).failedConditions, ["storage_order", "duplicate_event", "sequence_fork"]);
  });

  it("does not let a swap of two events pass for a gap", () => {
    const [first, second, third, ...rest] = minimalChain(5);
    assert.deepEqual(verifyRunEventChain([first, third, second, ...rest]).failedConditions, ["storage_order"]);
  });

  it("verifies a chain longer than the runtime can read, and says which limit it passes", () => {
    for (const [count, dialect, code] of [[257, "0.12", "array-items"], [900, "0.50", "nodes"]] as const) {
      const events = minimalChain(count);
      const result = verifyRunEventChain(events, { dialect });
      assert.deepEqual([result.valid, result.standing, result.limit?.code, result.firstDefect], [false, "beyond-limit", code, null]);
      assert.deepEqual(result.failedConditions, chainConditions);
      (events[200] as JsonObject)["actor"] = "edited";
      const broken = verifyRunEventChain(events, { dialect });
      assert.deepEqual([broken.standing, broken.firstDefect?.index, broken.firstDefect?.condition], ["invalid", 200, "event_digest_mismatch"]);
    }
  });

  it("counts the bytes of the whole as the runtime does, to the last one", () => {
    // Sixty-three payloads of 16 KiB stay below 1 MiB; the last one fills it up.
    const fill = (length: number): JsonObject[] => chainOf([...Array.from({ length: 63 }, () => ({ text: "x".repeat(16_000) })), { text: "x".repeat(length) }]);
    const bytesOf = (events: readonly unknown[]): number => Buffer.byteLength(JSON.stringify(events), "utf8");
    const room = 1_048_576 - bytesOf(fill(0));
    assert.ok(room > 0 && room < 16_384);
    assert.equal(verifyRunEventChain(fill(room)).standing, "valid");
    assert.deepEqual(verifyRunEventChain(fill(room + 1)).limit, { code: "total-bytes", limit: 1_048_576 });
  });

  it("points at what looks like a secret and never hands it out", () => {
    const secret = "Bearer 9f8e7d6c5b4a";
    const events = chainOf([{}, { deep: [{ "a/b": { header: secret } }], authToken: "hunter2hunter2" }]);
    const result = verifyRunEventChain(events);
    assert.deepEqual(result.redactions, [
      { index: 1, pointer: "/deep/0/a/b/header", key: null },
      { index: 1, pointer: "/authToken", key: "authToken" },
    ]);
    assert.deepEqual(result.defects.map(({ pointer }) => pointer), ["/1/payload/deep/0/a~1b/header", "/1/payload/authToken"]);
    assert.ok(!JSON.stringify(result).includes("hunter2") && !JSON.stringify(result).includes("9f8e7d6c5b4a"));
  });

  it("finds a private key wherever it begins in a text", () => {
    for (let before = 0; before < 8; before += 1) {
      const events = chainOf([{ note: `${"x".repeat(before)}-----BEGIN EC PRIVATE KEY-----` }]);
      assert.deepEqual(verifyRunEventChain(events).failedConditions, ["payload_redaction"], String(before));
    }
  });

  it("gives no event a place when there is none", () => {
    for (const nothing of [[], null, {}, "x", 7]) {
      const { standing, firstDefect, failedConditions, count } = verifyRunEventChain(nothing);
      assert.deepEqual([standing, firstDefect, count], ["invalid", null, 0]);
      assert.deepEqual(failedConditions, chainConditions);
    }
  });

  it("looks for accessors only when the events may not come from JSON", () => {
    const events = minimalChain(3);
    Object.defineProperty(events[1]?.["payload"], "n", { enumerable: true, get: () => 1 });
    assert.equal(verifyRunEventChain(events, { parsed: false }).firstDefect?.condition, "input_shape");
  });

  it("never throws and never changes what it is given", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), fc.record({ sequence: fc.oneof(fc.nat(5), fc.string()), kind: fc.string(), run_id: fc.string() }, { noNullPrototype: true })), { maxLength: 6 }), (events) => {
        const copy = structuredClone(events);
        verifyRunEventChain(events);
        assert.deepEqual(events, copy);
      }),
      { numRuns: 500 },
    );
  });

  it("agrees with self digests computed one by one", () => {
    for (const event of captured()) assert.equal(selfDigest(event, "event_digest"), event["event_digest"]);
    assert.equal(verifyRunEventChain(captured()).standing, "valid");
  });
});
