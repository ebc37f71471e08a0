import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Dialect } from "../../src/core/artifact/canonical.js";
import { decideHoldAndCarryOver } from "../../src/core/systems/lattice/hold/decideHold.js";
import { finalizeRecompileActivation } from "../../src/core/systems/lattice/hold/finalizeActivation.js";
import { detectNonConvergentConflicts } from "../../src/core/systems/lattice/hold/nonConvergence.js";
import { RecompileError } from "../../src/core/systems/lattice/hold/recompileError.js";
import { recompileNextEpochPlan } from "../../src/core/systems/lattice/hold/recompilePlan.js";
import { routeConflictTreatment } from "../../src/core/systems/lattice/hold/routeTreatment.js";
import { consumeVectors, rundirsRoot, type VectorCase } from "./vectors.js";

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

interface CapturedEvent {
  readonly kind: string;
  readonly recorded_at: string;
  readonly event_digest: string;
}

interface CapturedBundle {
  readonly request: unknown;
  readonly plan: unknown;
  readonly manifests: Readonly<Record<string, { readonly schema: string }>>;
  readonly executor_packets: unknown;
}

interface CapturedHold {
  readonly name: string;
  readonly runId: string;
  readonly bundle: CapturedBundle;
  readonly events: readonly CapturedEvent[];
  readonly decidedAt: number;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    // Some of the directories are damaged on purpose.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined) return null;
    throw error;
  }
}

/** Every captured run in which the runtime itself decided a hold. */
function* capturedHolds(): Generator<CapturedHold> {
  const directory = path.join(rundirsRoot, "lattice");
  for (const name of fs.existsSync(directory) ? fs.readdirSync(directory).sort() : []) {
    const runs = path.join(directory, name, ".lattice/runs");
    for (const runId of fs.existsSync(runs) ? fs.readdirSync(runs) : []) {
      const events = readJson(path.join(runs, runId, "events.json")) as readonly CapturedEvent[] | null;
      const bundle = readJson(path.join(runs, runId, "epochs/00000001/epoch-bundle.json")) as CapturedBundle | null;
      const decidedAt = events?.findIndex(({ kind }) => kind === "hold_decided") ?? -1;
      if (events !== null && bundle !== null && decidedAt >= 0) yield { name, runId, bundle, events, decidedAt };
    }
  }
}

describe("holds that the runtime decided itself, in the captured run directories", () => {
  for (const { name, runId, bundle, events, decidedAt } of capturedHolds()) {
    it(`gives the very event that is recorded: ${name}`, () => {
      const prefix = events.slice(0, decidedAt).filter(({ kind }, index, all) => kind !== "carry_over_witnessed" || all.slice(index).some((later) => later.kind !== kind));
      const isNew = Object.values(bundle.manifests).some(({ schema }) => schema === "lattice.boundary_manifest.v3");
      const { request, plan, manifests, executor_packets: packets } = bundle;
      const recorded = events[decidedAt];
      const decided = decideHoldAndCarryOver(
        { runId, request, plan, manifests, packets, events: prefix, recordedAt: recorded?.recorded_at },
        { dialect: isNew ? "0.50" : "0.12" },
      );
      assert.deepEqual(decided.events.slice(prefix.length).at(-1)?.event_digest, recorded?.event_digest);
      assert.deepEqual(decided.events, events.slice(0, decidedAt + 1));
    });
  }
});
