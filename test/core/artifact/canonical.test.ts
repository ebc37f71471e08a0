import assert from "node:assert/strict";
import serialize from "canonicalize";
import fc from "fast-check";
import { ArtifactError, canonicalizeArtifact, digestArtifact, pointerTo, selfDigest, type ArtifactErrorCode } from "../../../src/core/artifact/canonical.js";
import { hasExactKeys, isIdentifier, isRepoPath, isTimestamp } from "../../../src/core/artifact/syntax.js";

function codeOf(run: () => unknown): { code: ArtifactErrorCode; pointer: string } | null {
  try {
    run();
    return null;
  } catch (error) {
    assert.ok(ArtifactError.is(error), String(error));
    return { code: error.code, pointer: error.pointer };
  }
}

describe("canonicalizeArtifact", () => {
  it("equals the canonicalize package on 10,000 random documents without negative zero", () => {
    const json = fc.jsonValue({ maxDepth: 5 }).filter((value) => !JSON.stringify(value, (_key, member: unknown) => (Object.is(member, -0) ? "\u0000-0" : member)).includes("\\u0000-0"));
    fc.assert(
      fc.property(json, (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        assert.equal(canonicalizeArtifact(plain), serialize(plain));
      }),
      { numRuns: 10_000 },
    );
  });

  it("does not depend on the order in which keys were written", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (record) => {
        const reversed = Object.fromEntries(Object.entries(record).reverse());
        assert.equal(canonicalizeArtifact({ ...record }), canonicalizeArtifact(reversed));
      }),
    );
  });

  it("writes a lone surrogate as an escape, at any depth, in keys too", () => {
    assert.equal(canonicalizeArtifact({ b: ["\ud800x"], "\udc00": 1, a: null }), '{"a":null,"b":["\\ud800x"],"\\udc00":1}');
  });

  it("names the place of what has no canonical form", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = [cyclic];
    const sparse: unknown[] = [1];
    sparse[2] = 3;
    const accessor = Object.defineProperty({}, "x", { enumerable: true, get: () => 1 });
    const table: readonly (readonly [unknown, ArtifactErrorCode, string])[] = [
      [{ "a/b": [0, -0] }, "negative-zero", "/a~1b/1"],
      [{ a: Number.NaN }, "not-finite", "/a"],
      [[undefined], "unsupported-type", "/0"],
      [[1n], "unsupported-type", "/0"],
      [Object.create(null), "prototype", ""],
      [new Map(), "prototype", ""],
      [new Date(0), "prototype", ""],
      [cyclic, "cycle", "/self/0"],
      [sparse, "property", ""],
      [accessor, "property", "/x"],
      [{ toJSON: () => 1 }, "unsupported-type", "/toJSON"],
      [{ [Symbol("s")]: 1 }, "property", ""],
    ];
    for (const [value, code, pointer] of table) assert.deepEqual(codeOf(() => canonicalizeArtifact(value)), { code, pointer });
  });

  it("accepts a value that occurs twice without a cycle", () => {
    const shared = { x: 1 };
    assert.equal(canonicalizeArtifact([shared, shared]), '[{"x":1},{"x":1}]');
  });

  it("rejects an array of 257 items in dialect 0.12 only", () => {
    const items = Array.from({ length: 257 }, () => 0);
    assert.deepEqual(codeOf(() => canonicalizeArtifact(items, { dialect: "0.12" })), { code: "array-items", pointer: "" });
    assert.equal(codeOf(() => canonicalizeArtifact(items, { dialect: "0.50" })), null);
  });
});

describe("selfDigest", () => {
  it("ignores the digest field at the top level only, and never mutates the record", () => {
    const record = Object.freeze({ digest: "x", nested: Object.freeze({ digest: "kept" }) });
    assert.equal(selfDigest(record, "digest"), digestArtifact({ nested: { digest: "kept" } }));
  });
});

describe("syntaxes", () => {
  it("a timestamp must survive a round trip", () => {
    for (const good of ["2026-02-28T23:59:59.999Z", "2024-02-29T00:00:00.000Z"]) assert.ok(isTimestamp(good), good);
    for (const bad of ["2026-02-30T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2026-01-01T00:00:60.000Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z\n", 5]) {
      assert.ok(!isTimestamp(bad), String(bad));
    }
  });

  it("an identifier has 1 to 128 characters and no trailing newline", () => {
    assert.ok(isIdentifier("a".repeat(128)));
    for (const bad of ["", "a".repeat(129), "-a", ".a", "abc\n", "é", 12]) assert.ok(!isIdentifier(bad), String(bad));
  });

  it("a repo path stays inside the repository", () => {
    for (const good of ["a", "a/b.c", "..a/b"]) assert.ok(isRepoPath(good), good);
    for (const bad of ["", "/a", "a//b", "a/", "./a", "a/../b", "a\\b", "a\u0000", "x".repeat(1025)]) assert.ok(!isRepoPath(bad), bad);
    assert.ok(isRepoPath("a/", { prefixAllowed: true }));
    assert.ok(!isRepoPath("/", { prefixAllowed: true }));
  });

  it("exact keys means own keys, all and only", () => {
    assert.ok(hasExactKeys({ a: 1, b: undefined }, ["a", "b"]));
    assert.ok(!hasExactKeys(Object.create({ a: 1 }) as unknown, ["a"]));
    assert.ok(!hasExactKeys({ a: 1, c: 1 }, ["a", "b"]));
  });

  it("a pointer escapes tilde before slash", () => {
    assert.equal(pointerTo("", "a~/b"), "/a~0~1b");
  });
});
