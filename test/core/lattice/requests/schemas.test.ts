import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { recompileRequestSchema, runRequestSchema, taskMigrationSchema, toJsonSchemas } from "../../../../src/core/systems/lattice/requests/schemas.js";
import { vectorsRoot } from "../../../conformance/vectors.js";
import type { CheckCase } from "./checkCases.js";

const files = [
  ["recompile-request", recompileRequestSchema],
  ["run-request", runRequestSchema],
  ["task-migration", taskMigrationSchema],
] as const;

/** Rules whose breach a shape can show, whatever the version. */
const shapeRules = /\.(?:schema-id|mode-enum|disposition-enum|access-kind-enum|kind-enum|claim-mode|entries-array|successors-array|evidence-array|predecessors-array|todo-ids-array|verifier-refs-array|reason-nonempty|todo-exact-keys|entry-exact-keys|repo-exact-keys|capacity-exact-keys|witness-exact-keys|base-sha-format|executors-positive|todos-bounds|predecessor-epoch|witness-(?:object|reads|writes|resources|state-effects|affected-tests|unknowns))$/;

function casesOf(name: string): readonly CheckCase[] {
  return (JSON.parse(readFileSync(path.join(vectorsRoot, "lattice", `${name}.json`), "utf8")) as { cases: readonly CheckCase[] }).cases;
}

describe("schemas of request documents", () => {
  for (const [index, [name, definition]] of files.entries()) {
    it(`what the schema of a ${name} rejects, the validator rejects, on every vector`, () => {
      for (const { name: title, value, accepted, dialect } of casesOf(name)) {
        const outcome = definition.safeParse(value);
        assert.ok(outcome.success || !accepted, `${title} (${dialect}): ${outcome.success ? "" : outcome.error.message}`);
      }
    });

    it(`a wrong shape of a ${name} is rejected by its schema`, () => {
      let seen = 0;
      for (const { name: title, value, rule, dialect, pointer = "" } of casesOf(name)) {
        // A schema id that only the older version refuses, and 0.12's looser members, are no matter of shape.
        if (rule === undefined || !shapeRules.test(rule) || (dialect === "0.12" && rule.endsWith("schema-id")) || pointer.includes("sensor_provenance")) continue;
        if (name === "run-request" && pointer === "/schema") continue;
        // JSON schema counts characters, not bytes.
        if (title.includes("utf8")) continue;
        seen += 1;
        assert.ok(!definition.safeParse(value).success, `${title}: ${rule}`);
      }
      assert.ok(seen > 20, String(seen));
    });

    it(`the JSON schema of a ${name} answers as its definition on every vector`, () => {
      const generated = toJsonSchemas()[index];
      assert.equal(generated?.fileName, `${name}.schema.json`);
      const again = z.fromJSONSchema(generated.schema);
      for (const { name: title, value } of casesOf(name)) assert.equal(again.safeParse(value).success, definition.safeParse(value).success, title);
    });
  }

  it("the generated schemas are the same on every call and explain their members", () => {
    assert.equal(JSON.stringify(toJsonSchemas()), JSON.stringify(toJsonSchemas()));
    for (const { schema } of toJsonSchemas()) {
      assert.equal(schema["$schema"], "http://json-schema.org/draft-07/schema#");
      assert.match(JSON.stringify(schema), /"description":"disposition says|"description":"capacity|"description":"request_digest/);
    }
  });
});
