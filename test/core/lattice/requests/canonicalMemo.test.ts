import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalizeArtifact, selfDigest, selfDigestTodo } from "../../../../src/core/artifact/canonical.js";
import { CanonicalMemo } from "../../../../src/core/systems/lattice/requests/canonicalMemo.js";
import { compareCanonically } from "../../../../src/core/systems/lattice/requests/order.js";

// A literal __proto__ is lost by the projection of section 1.2; every record with a digest has exact keys, so it never occurs.
const key = fc.string().filter((name) => name !== "__proto__");
const record = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })).map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

describe("the memo of a document", () => {
  it("gives the digests of the canonicaliser, at the first and every later call", () => {
    fc.assert(
      fc.property(record, fc.string(), (value, field) => {
        const memo = new CanonicalMemo("0.50", true);
        for (let call = 0; call < 2; call += 1) assert.equal(memo.selfDigest(value, field), selfDigest(value, field));
      }),
      { numRuns: 300 },
    );
  });

  it("orders as the canonical texts do", () => {
    const memo = new CanonicalMemo("0.50");
    const item = fc.oneof(fc.string(), fc.constantFrom("a", "a b", "a!", "a\n", "A", "T1", "T1.", 7, null, true), record);
    fc.assert(
      fc.property(item, item, (a, b) => {
        const [left, right] = [canonicalizeArtifact(a), canonicalizeArtifact(b)];
        assert.equal(Math.sign(compareCanonically(a, b, memo)), left < right ? -1 : left > right ? 1 : 0);
      }),
      { numRuns: 1000 },
    );
  });

  it("says why a record has no canonical form instead of throwing, and counts its values all the same", () => {
    const value = { list: Array.from({ length: 10_001 }, () => 0), digest: "" };
    const memo = new CanonicalMemo("0.50", true);
    assert.equal(memo.problem(value, "digest")?.code, "nodes");
    assert.equal(memo.countValues(value, "digest"), 10_004);
    assert.throws(() => memo.selfDigest(value, "digest"), { name: "ArtifactError" });
  });

  it("looks for what JSON cannot hold only in values that were not parsed", () => {
    const value = Object.defineProperty({ digest: "" }, "hidden", { enumerable: true, get: () => 1 });
    assert.equal(new CanonicalMemo("0.50").problem(value, "digest")?.code, "property");
  });

  it("digests todo artifacts by their own rules", () => {
    const memo = new CanonicalMemo("0.50", true);
    const value = { b: 1, digest: "x" };
    assert.equal(memo.todoSelfDigest(value, "digest"), selfDigestTodo(value, "digest"));
    assert.equal(memo.todoProblem({ half: 0.5 })?.code, "not-safe-integer");
  });
});
