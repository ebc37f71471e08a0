import assert from "node:assert/strict";
import type { Dialect } from "../../src/core/artifact/canonical.js";
import { checkArtifact, isArtifactKind } from "../../src/core/systems/lattice/artifacts/checkArtifact.js";
import { isAccepted } from "../../src/core/systems/lattice/finding.js";
import { consumeVectors, type VectorCase } from "./vectors.js";

interface ArtifactCase extends VectorCase {
  readonly artifact: string;
  readonly value: unknown;
  readonly pointer: string | null;
  readonly accepted: boolean | null;
  readonly dialect: "both" | "differs" | Dialect;
  readonly accepted_by?: Readonly<Record<Dialect, boolean>>;
}

/** Every finding must lead into the document. */
function resolves(value: unknown, pointer: string): boolean {
  let at = value;
  for (const token of pointer.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as Record<string, unknown>)[key];
  }
  return true;
}

describe("vectors lattice/artifacts.json", () => {
  for (const vector of consumeVectors<ArtifactCase>("lattice/artifacts.json").cases) {
    for (const dialect of ["0.12", "0.50"] as const) {
      if (vector.dialect !== "both" && vector.dialect !== "differs" && vector.dialect !== dialect) continue;
      it(`${vector.category}: ${vector.name} (${dialect})`, () => {
        assert.ok(isArtifactKind(vector.artifact), vector.artifact);
        const findings = checkArtifact(vector.artifact, vector.value, { dialect });
        const expected = vector.accepted_by?.[dialect] ?? vector.accepted;
        assert.equal(isAccepted(findings), expected, JSON.stringify(findings, null, 1));
        for (const { pointer, rule, message } of findings) {
          assert.ok(resolves(vector.value, pointer), `${rule} at ${pointer}`);
          assert.match(rule, /^[a-z0-9-]+\.[a-z0-9-]+$/);
          assert.match(message, /^[A-Z].*\.$/s);
        }
      });
    }
  }
});
