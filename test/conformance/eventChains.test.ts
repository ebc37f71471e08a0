import assert from "node:assert/strict";
import type { Dialect } from "../../src/core/artifact/canonical.js";
import { findRedactionViolations } from "../../src/core/systems/lattice/events/redaction.js";
import { ProjectionError } from "../../src/core/systems/lattice/events/foldRunEvents.js";
import { projectRunState } from "../../src/core/systems/lattice/events/projectRunState.js";
import { verifyRunEventChain } from "../../src/core/systems/lattice/events/verifyRunEventChain.js";
import { consumeVectors, type VectorCase } from "./vectors.js";

interface ChainCase extends VectorCase {
  readonly dialect: "both" | Dialect;
  readonly events?: readonly { readonly payload?: unknown }[];
  /** The runtime's one argument, raw, for cases about the argument itself. */
  readonly options_json?: unknown;
  readonly valid: boolean;
  readonly failed_conditions: readonly string[];
  readonly violations?: readonly { readonly pointer: string; readonly key: string | null }[];
  readonly projection?: "invalid" | Readonly<Record<string, unknown>>;
}

function summary(events: unknown): unknown {
  try {
    const state = projectRunState(events);
    const { running, accepted, terminal, closed } = state;
    return { running, accepted, terminal, frozen: state.freeze !== null, closed, holds: state.holds, conflicts: state.conflicts };
  } catch (error) {
    assert.ok(ProjectionError.is(error), String(error));
    return "invalid";
  }
}

describe("vectors lattice/event-chains.json", () => {
  for (const vector of consumeVectors<ChainCase>("lattice/event-chains.json").cases) {
    for (const dialect of ["0.12", "0.50"] as const) {
      if (vector.dialect !== "both" && vector.dialect !== dialect) continue;
      it(`${vector.category}: ${vector.name} (${dialect})`, () => {
        const result = verifyRunEventChain("options_json" in vector ? vector.options_json : vector.events, { dialect });
        assert.deepEqual(result.failedConditions, vector.failed_conditions);
        assert.equal(result.valid, vector.valid);
        // Whatever the runtime rejects is located, unless it is only too long for it or there is no event to point at.
        if (!result.valid) assert.ok(result.firstDefect !== null || result.limit !== null || result.count === 0);
        else assert.equal(result.standing, "valid");
        if (vector.violations !== undefined) {
          assert.deepEqual(vector.events?.flatMap((event) => findRedactionViolations(event.payload)), vector.violations);
        }
        if (vector.projection !== undefined) assert.deepEqual(summary(vector.events), vector.projection);
      });
    }
  }
});
