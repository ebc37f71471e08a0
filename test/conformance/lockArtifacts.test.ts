import assert from "node:assert/strict";
import { canonicalizeArtifact } from "../../src/core/artifact/canonical.js";
import { checkLifecycleLock, findLifecycleLockProblems } from "../../src/core/systems/lattice/lifecycleLock.js";
import { consumeVectors, type VectorCase } from "./vectors.js";

interface LockCase extends VectorCase {
  readonly bytes_base64: string;
  readonly json: boolean;
  readonly valid_artifact: boolean;
  readonly canonical_bytes: boolean;
  readonly read_outcome: "OK" | "RUN_BUSY" | "RUN_LOCK_INVALID";
  readonly pointer?: string;
}

/** What the runtime's reader says, in our words (spec/lattice.md 4.1 step 4). */
const kindOf = { OK: "valid", RUN_BUSY: "torn", RUN_LOCK_INVALID: "invalid" } as const;

// The lock is the same in both dialects (section 0), and so is our check: each case is run once.
describe("vectors lattice/lock-artifacts.json", () => {
  for (const vector of consumeVectors<LockCase>("lattice/lock-artifacts.json").cases) {
    it(`${vector.category}: ${vector.name}`, () => {
      const bytes = Buffer.from(vector.bytes_base64, "base64");
      const check = checkLifecycleLock(bytes);
      assert.equal(check.kind, kindOf[vector.read_outcome]);
      if (check.kind !== "valid") assert.ok(check.diagnostic.length > 0);
      if (!vector.json) return;
      const text = bytes.toString("utf8");
      const value: unknown = JSON.parse(text);
      const problems = findLifecycleLockProblems(value);
      assert.equal(problems.length === 0, vector.valid_artifact);
      if (vector.valid_artifact) assert.equal(`${canonicalizeArtifact(value)}\n` === text, vector.canonical_bytes);
      if (vector.pointer === undefined) return;
      assert.ok(check.kind === "invalid");
      assert.equal(check.pointer, vector.pointer);
      assert.ok(problems.every(({ pointer }) => pointer === vector.pointer), JSON.stringify(problems));
    });
  }
});
