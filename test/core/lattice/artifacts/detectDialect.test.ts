import assert from "node:assert/strict";
import { selfDigest } from "../../../../src/core/artifact/canonical.js";
import { checkArtifactOfAnyDialect, detectDialect } from "../../../../src/core/systems/lattice/artifacts/detectDialect.js";
import { isAccepted } from "../../../../src/core/systems/lattice/finding.js";
import { valid } from "./documents.js";

describe("detectDialect", () => {
  it("knows what only one version writes, anywhere in any document", () => {
    const table: readonly (readonly [unknown, "0.12" | "0.50" | null])[] = [
      [{ schema: "lattice.run_request.v1" }, null],
      [{ schema: "lattice.run_request.v4" }, "0.50"],
      [{ bundle: [{ schema: "lattice.boundary_manifest.v3" }] }, "0.50"],
      [{ finding: { kind: "scope_violation" } }, "0.12"],
      [{ finding: { kind: "undeclared_write" } }, "0.50"],
      [[{ kind: "workers_resumed" }], "0.50"],
      [{ forbidden_operations: ["commit", "push"] }, "0.12"],
      [{ forbidden_operations: ["push", "branch"] }, "0.50"],
      [{ forbidden_operations: ["deploy"] }, null],
      [{ payload: { reauthorized_via: "epoch_rebind" } }, "0.12"],
      [null, null],
    ];
    for (const [document, dialect] of table) assert.equal(detectDialect(document).dialect, dialect, JSON.stringify(document));
  });

  it("decides nothing when signs contradict each other, and shows both", () => {
    const detected = detectDialect({ kind: "scope_violation" }, { schema: "lattice.run_request.v3" });
    assert.equal(detected.dialect, null);
    assert.ok(detected.isContradictory);
    assert.deepEqual(detected.evidence.map(({ dialect, document, pointer }) => [dialect, document, pointer]), [["0.12", 0, "/kind"], ["0.50", 1, "/schema"]]);
  });

  it("does not take a name of every object for a sign", () => {
    assert.deepEqual(detectDialect({ constructor: "lattice.run_request.v3", kind: "toString" }).evidence, []);
  });
});

describe("checkArtifactOfAnyDialect", () => {
  it("says which of the two accepts what the other rejects", () => {
    const manifest = valid("boundary_manifest");
    const findings = checkArtifactOfAnyDialect("boundary_manifest", manifest);
    assert.ok(isAccepted(findings));
    assert.deepEqual(findings.map(({ rule, severity }) => [rule, severity]), [["dialect.one-only", "warning"], ["boundary-manifest.schema-id", "info"]]);
    assert.match(findings[0]?.message ?? "", /Only lattice 0\.50 accepts/);
  });

  it("reports an error when both reject, and nothing when both accept", () => {
    const packet = valid("executor_packet");
    assert.deepEqual(checkArtifactOfAnyDialect("executor_packet", packet), []);
    packet["todo_id"] = "-";
    packet["packet_digest"] = selfDigest(packet, "packet_digest");
    assert.ok(!isAccepted(checkArtifactOfAnyDialect("executor_packet", packet)));
  });
});
