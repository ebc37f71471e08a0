import assert from "node:assert/strict";
import type { Dialect } from "../../src/core/artifact/canonical.js";
import { decideHoldAndCarryOver } from "../../src/core/systems/lattice/hold/decideHold.js";
import { finalizeRecompileActivation } from "../../src/core/systems/lattice/hold/finalizeActivation.js";
import { detectNonConvergentConflicts } from "../../src/core/systems/lattice/hold/nonConvergence.js";
import { RecompileError } from "../../src/core/systems/lattice/hold/recompileError.js";
import { recompileNextEpochPlan } from "../../src/core/systems/lattice/hold/recompilePlan.js";
import { routeConflictTreatment } from "../../src/core/systems/lattice/hold/routeTreatment.js";
import { consumeVectors, type VectorCase } from "./vectors.js";

const operations = { decideHoldAndCarryOver, recompileNextEpochPlan, finalizeRecompileActivation, routeConflictTreatment, detectNonConvergentConflicts };

interface HoldCase extends VectorCase {
  readonly operation: keyof typeof operations;
  readonly dialect: Dialect | "both" | "each" | "differs";
  readonly input: object;
  readonly output?: unknown;
  readonly error?: string | null;
  readonly "0.12"?: Pick<HoldCase, "output" | "error">;
  readonly "0.50"?: Pick<HoldCase, "output" | "error">;
}

/** Strict mode makes every write to a frozen value throw: whatever mutates an input fails the case. */
function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
}

function run(vector: HoldCase, dialect: Dialect): unknown {
  const operation = operations[vector.operation] as (options: unknown, settings: { dialect: Dialect }) => unknown;
  return operation(vector.input, { dialect });
}

describe("vectors lattice/hold-recompile.json", () => {
  for (const vector of consumeVectors<HoldCase>("lattice/hold-recompile.json").cases) {
    deepFreeze(vector.input);
    for (const dialect of ["0.12", "0.50"] as const) {
      const expected = vector.dialect === "each" || vector.dialect === "differs" ? vector[dialect] : vector;
      if (expected === undefined || (vector.dialect === "0.12" && dialect !== "0.12") || (vector.dialect === "0.50" && dialect !== "0.50")) continue;
      it(`${vector.category}: ${vector.name} (${dialect})`, () => {
        const code = expected.error ?? null;
        if (code === null) {
          assert.deepEqual(run(vector, dialect), expected.output);
          return;
        }
        assert.throws(
          () => run(vector, dialect),
          (error: unknown) => {
            assert.ok(RecompileError.is(error) && error instanceof TypeError, String(error));
            assert.equal(error.code, code, error.message);
            return true;
          },
        );
      });
    }
  }
});
