import assert from "node:assert/strict";
import fc from "fast-check";
import { fixAll, judgeRequestText } from "../../../../src/core/systems/lattice/requests/fixes.js";
import { applyEdits } from "../../../../src/core/systems/lattice/requests/fixes/textChanges.js";
import { checkPhaseRevision } from "../../../../src/core/systems/lattice/requests/phaseRevision.js";
import { checkRecompileRequest } from "../../../../src/core/systems/lattice/requests/recompileRequest.js";
import { checkRunRequest, checkRunRequestV2 } from "../../../../src/core/systems/lattice/requests/runRequest.js";
import { sealInPlace } from "../../../../src/core/systems/lattice/requests/seal.js";
import { checkTaskMigration } from "../../../../src/core/systems/lattice/requests/taskMigration.js";
import { validDocument, type Fields } from "./documents.js";

type Place = readonly [holder: Fields, key: string];

function placesOf(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) => [[value as Fields, key] as const, ...placesOf((value as Fields)[key])]);
}

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, 1.5, 2 ** 60, "", "T1", ["T1"], [["X"]], [null], {}, { toString: 1 }, { length: 3 }, "x".repeat(200)),
);
const damage = fc.record({ choice: fc.nat(100_000), action: fc.constantFrom("remove", "replace", "repeat", "reverse"), value: junk });
const damaged = fc.tuple(fc.constantFrom("seam", "serial", "split", "primary"), fc.array(damage, { minLength: 1, maxLength: 4 }), fc.boolean()).map(([kind, damages, isSealed]) => {
  const { value, context } = validDocument(kind);
  for (const { choice, action, value: other } of damages) {
    const places = placesOf(value);
    const [holder, key] = places[choice % Math.max(places.length, 1)] ?? [value, "schema"];
    const found = holder[key];
    if (action === "remove") Reflect.deleteProperty(holder, key);
    else if (Array.isArray(found) && action === "repeat") found.push(structuredClone(found[0]));
    else if (Array.isArray(found) && action === "reverse") found.reverse();
    else holder[key] = JSON.parse(JSON.stringify(other)) as unknown;
  }
  if (isSealed) sealInPlace(value);
  return { value, context };
});

describe("a damaged request", () => {
  it("is judged without an exception by every checker in both dialects", () => {
    fc.assert(
      fc.property(damaged, ({ value, context }) => {
        for (const dialect of ["0.12", "0.50"] as const) {
          checkRecompileRequest(value, context, { dialect });
          checkRunRequest(value["successor_request"], { dialect });
          checkRunRequestV2(value["successor_request"], { dialect });
          checkTaskMigration(value["task_migration"], { dialect });
          checkPhaseRevision(value["phase_revision"], { dialect });
        }
      }),
      { numRuns: 80 },
    );
  });

  it("has fewer findings after fixing everything, or nothing is offered", () => {
    fc.assert(
      fc.property(damaged, ({ value, context }) => {
        const options = { context };
        const judged = judgeRequestText(JSON.stringify(value, null, 1), options);
        const fix = fixAll(judged, options);
        if (fix === null) return;
        assert.ok(judgeRequestText(applyEdits(judged.text, fix.edits), options).findings.length < judged.findings.length);
      }),
      { numRuns: 12 },
    );
  });

  it("is judged as a value too when it holds what JSON does not know", () => {
    const hidden = Object.defineProperty({}, "schema", { enumerable: true, get: () => "x" });
    for (const value of [undefined, Number.NaN, () => 1, Symbol("s"), 1n, new Map(), Object.create(null), hidden, [hidden]]) {
      assert.ok(checkRecompileRequest(value).some(({ severity }) => severity === "error"));
      assert.ok(checkRunRequest(value).some(({ severity }) => severity === "error"));
      assert.ok(checkTaskMigration(value).some(({ severity }) => severity === "error"));
    }
    const { value, context } = validDocument("seam");
    const members = value["task_migration"] as Fields;
    const entries = members["entries"];
    Object.defineProperty(members, "entries", { enumerable: true, get: () => entries });
    assert.ok(checkRecompileRequest(value, context).some(({ rule }) => rule.endsWith("canonical-limits")));
  });

  it("takes null for absent in a context, as JSON writes it", () => {
    const { value } = validDocument("seam");
    const nulls = { predecessorBundle: null, frozenEventDigest: null, holdDecisionDigest: null } as never;
    assert.deepEqual(checkRecompileRequest(value, nulls), []);
    assert.deepEqual(checkTaskMigration(value["task_migration"], { predecessorTaskIds: null, successorTaskIds: null }), []);
  });
});
