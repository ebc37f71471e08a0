import assert from "node:assert/strict";
import { Scenario, type ScenarioCase, type StepResult, type TreeEntry } from "./piAmqScenario.js";
import { consumeVectors } from "./vectors.js";

async function playOn<Value>(vector: ScenarioCase, check: (results: readonly StepResult[], tree: readonly TreeEntry[] | null) => Value): Promise<Value> {
  const scenario = new Scenario(vector);
  try {
    return check(await scenario.play(), scenario.tree());
  } finally {
    scenario.dispose();
  }
}

const kindOf = (result: StepResult | undefined): unknown => (result?.value as { kind?: unknown } | undefined)?.kind;

/** Where pi-amq is wrong: what is right, by the name of the case. */
const corrections: Readonly<Record<string, (results: readonly StepResult[], tree: readonly TreeEntry[]) => void>> = {
  "stale: stale owner whose generation is 300 characters long cannot be reclaimed": (results, tree) => {
    assert.equal(kindOf(results[0]), "acquired");
    assert.equal(kindOf(results[1]), "owned");
    assert.ok(tree.some((entry) => /^quarantine\/supervisor\..{80}-[0-9a-f]{8}\.\d+\.<uuid>\/owner\.json$/.test(entry.path)), JSON.stringify(tree));
  },
  "guard: stale guard whose generation is 300 characters long blocks everything": (results, tree) => {
    assert.equal(kindOf(results[0]), "acquired");
    assert.ok(tree.some((entry) => /^quarantine\/guard\.supervisor\.g{80}-[0-9a-f]{8}\.<uuid>\.json$/.test(entry.path)), JSON.stringify(tree));
  },
  "race: stale guard replaced by a live one between classification and rename: two holders": (results, tree) => {
    assert.equal(results[2]?.value, "B was inside alone");
    assert.deepEqual(results[1]?.value, { kind: "refused", reason: "lifecycle-busy", diagnostic_class: "guard_busy" });
    const live = tree.filter((entry) => (entry.json as { generation?: unknown } | undefined)?.generation === "guard-of-live-B");
    assert.deepEqual(live.map((entry) => entry.path), ["supervisor.lifecycle.guard.json"]);
  },
  "race: guard deleted by hand while A works: A's lease stays but A gets a fence error": (results) => {
    assert.equal(kindOf(results[0]), "acquired");
    assert.deepEqual((results[0]?.value as { warnings?: unknown }).warnings, ["guard_changed_before_release"]);
    assert.equal(kindOf(results[1]), "owned");
  },
};

/** For a defect that no correction names: nothing that was written is lost, and no operation ends in a bare kernel error. */
function requireNothingLost(vector: ScenarioCase, results: readonly StepResult[], tree: readonly TreeEntry[]): void {
  for (const result of results) assert.equal(result.throws?.code, undefined, JSON.stringify(result));
  const kept = JSON.stringify(tree);
  for (const step of vector.steps) {
    const generation = (step.json as { generation?: unknown } | undefined)?.generation;
    if (step.op === "write" && typeof generation === "string") assert.ok(kept.includes(generation), `${generation} is nowhere`);
  }
}

describe("vectors pi-amq/lease-scenarios.json", () => {
  for (const vector of consumeVectors<ScenarioCase>("pi-amq/lease-scenarios.json").cases) {
    const isDefect = vector.upstream_defect !== undefined;
    it(`${vector.category}: ${vector.name}${isDefect ? " (where pi-amq is wrong)" : ""}`, async () => {
      await playOn(vector, (results, tree) => {
        if (!isDefect) {
          assert.deepEqual(results, vector.expected.results);
          assert.deepEqual(tree, vector.expected.tree);
          return;
        }
        const correct = corrections[vector.name];
        if (correct === undefined) requireNothingLost(vector, results, tree ?? []);
        else correct(results, tree ?? []);
      });
    });
  }
});
