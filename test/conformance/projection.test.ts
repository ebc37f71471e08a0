import assert from "node:assert/strict";
import type { Dialect } from "../../src/core/artifact/canonical.js";
import type { RuntimePlan } from "../../src/core/systems/lattice/artifacts/planning.js";
import { foldRunEvents } from "../../src/core/systems/lattice/events/foldRunEvents.js";
import { projectOverlays, projectRunState } from "../../src/core/systems/lattice/events/projectRunState.js";
import { computeReadyFrontier } from "../../src/core/systems/lattice/events/readyFrontier.js";
import { decideReceipts } from "../../src/core/systems/lattice/events/receiptDecisions.js";
import { consumeVectors, type VectorCase } from "./vectors.js";

interface Expected {
  readonly state: unknown;
  readonly overlays: unknown;
  readonly ready_frontier_by_epoch: Readonly<Record<string, readonly string[]>>;
  readonly receipt_decisions_by_epoch: Readonly<Record<string, unknown>>;
}

interface ProjectionCase extends VectorCase {
  readonly chain: string;
  readonly length: number;
  readonly expected: Readonly<Record<Dialect, Expected>>;
}

/** The vectors are in the runtime's snake_case. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), snakeCase(member)]));
}

describe("vectors lattice/projection.json", () => {
  const { cases, tables } = consumeVectors<ProjectionCase>("lattice/projection.json");
  const chains = tables["chains"] as Readonly<Record<string, readonly unknown[]>>;
  const plans = tables["plans"] as Readonly<Record<string, RuntimePlan>>;
  for (const vector of cases) {
    for (const dialect of ["0.12", "0.50"] as const) {
      it(`${vector.category}: ${vector.name} (${dialect})`, () => {
        const events = chains[vector.chain]?.slice(0, vector.length);
        const expected = vector.expected[dialect];
        const fold = foldRunEvents(events);
        assert.deepEqual(snakeCase(projectRunState(events)), expected.state);
        assert.deepEqual(snakeCase(projectOverlays(fold, dialect)), expected.overlays);
        for (const [epoch, frontier] of Object.entries(expected.ready_frontier_by_epoch)) {
          const plan = plans[`${vector.chain}#${epoch}`];
          assert.ok(plan !== undefined);
          assert.deepEqual(computeReadyFrontier(plan, events), frontier);
        }
        for (const [epoch, decisions] of Object.entries(expected.receipt_decisions_by_epoch)) {
          assert.deepEqual(snakeCase(decideReceipts(fold, Number(epoch), dialect)), decisions);
        }
      });
    }
  }
});
