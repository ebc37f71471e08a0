import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { ArtifactError, canonicalizeArtifact, canonicalizeTodoArtifact, selfDigest, type Dialect } from "../../src/core/artifact/canonical.js";
import { consumeVectors, type VectorCase } from "./vectors.js";

interface Outcome {
  readonly canonical: string | null;
  readonly accepted: boolean;
  readonly canonical_length: number | null;
  readonly sha256: string | null;
  readonly error: "contract" | "json-parse" | null;
  readonly todo_canonical_sha256?: string | null;
}

interface TextCase extends VectorCase, Partial<Outcome> {
  readonly input_json_text?: string;
  readonly dialect: "both" | "differs" | Dialect;
  readonly "0.12"?: Outcome;
  readonly "0.50"?: Outcome;
  readonly value?: object;
  readonly digest_field?: string;
  readonly expected?: string;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function outcomeOf(run: () => string): Pick<Outcome, "canonical" | "error"> {
  try {
    return { canonical: run(), error: null };
  } catch (error) {
    if (error instanceof SyntaxError) return { canonical: null, error: "json-parse" };
    assert.ok(ArtifactError.is(error), String(error));
    return { canonical: null, error: "contract" };
  }
}

function checkText(text: string, expected: Outcome, dialect: Dialect): void {
  const actual = outcomeOf(() => canonicalizeArtifact(JSON.parse(text), { dialect }));
  assert.equal(actual.error, expected.error);
  assert.equal(actual.canonical !== null, expected.accepted);
  if (actual.canonical === null) return;
  assert.equal(Buffer.byteLength(actual.canonical), expected.canonical_length);
  assert.equal(sha256(actual.canonical), expected.sha256);
  if (expected.canonical !== null) assert.equal(actual.canonical, expected.canonical);
}

describe("vectors lattice/canonical.json", () => {
  for (const vector of consumeVectors<TextCase>("lattice/canonical.json").cases) {
    const text = vector.input_json_text;
    if (text === undefined) {
      it(`${vector.category}: ${vector.name}`, () => {
        assert.equal(selfDigest(vector.value ?? {}, vector.digest_field ?? ""), vector.expected);
      });
      continue;
    }
    for (const dialect of ["0.12", "0.50"] as const) {
      if (vector.dialect !== "both" && vector.dialect !== "differs" && vector.dialect !== dialect) continue;
      it(`${vector.category}: ${vector.name} (${dialect})`, () => {
        const expected = vector.dialect === "differs" ? vector[dialect] : (vector as unknown as Outcome);
        assert.ok(expected !== undefined);
        checkText(text, expected, dialect);
      });
    }
    const todoSha = vector.todo_canonical_sha256;
    if (todoSha === undefined) continue;
    it(`${vector.category}: ${vector.name} (todo artifact)`, () => {
      const actual = outcomeOf(() => canonicalizeTodoArtifact(JSON.parse(text)));
      assert.equal(actual.canonical === null ? null : sha256(actual.canonical), todoSha);
    });
  }
});
