// Owns: how long a valid request of about 1 MiB takes from text to findings, against parsing, canonicalising and hashing it once.
// Leaves to others: running benches and judging their ratios (main.ts).
import { createHash } from "node:crypto";
import { canonicalizeArtifact } from "../../src/core/artifact/canonical.js";
import type { RecompileContext } from "../../src/core/systems/lattice/requests/context.js";
import { checkRecompileRequestText } from "../../src/core/systems/lattice/requests/text.js";
import { largeRequest } from "../core/lattice/requests/documents.js";

export interface ValidationBench {
  readonly bytes: number;
  readonly findings: number;
  /** Best of the runs, milliseconds. */
  readonly baselineMs: number;
  readonly validateMs: number;
  /** With the predecessor bundle, so that unchanged parts are compared too. */
  readonly validateWithContextMs: number;
  readonly ratio: number;
}

/** Best of `rounds` of each, in turn, so that a disturbance of the machine meets all of them alike. */
function bestOfEach(rounds: number, runs: readonly (() => void)[]): readonly number[] {
  const fastest = runs.map(() => Infinity);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, run] of runs.entries()) {
      const start = performance.now();
      run();
      fastest[index] = Math.min(fastest[index] ?? Infinity, performance.now() - start);
    }
  }
  return fastest;
}

/** Both sides in one process, best of `runs`. */
export function measureValidation(runs = 30): ValidationBench {
  const { text, predecessorRequest, todoIds } = largeRequest();
  const context: RecompileContext = { predecessorBundle: { plan_epoch: 1, plan: { nodes: todoIds.map((id) => ({ todo_id: id })) }, request: predecessorRequest } };
  const baseline = (): void => {
    createHash("sha256").update(canonicalizeArtifact(JSON.parse(text)), "utf8").digest("hex");
  };
  let findings = 0;
  const validate = (): void => {
    findings = checkRecompileRequestText(text, {}).filter(({ severity }) => severity === "error").length;
  };
  const withContext = (): void => {
    checkRecompileRequestText(text, context);
  };
  bestOfEach(5, [baseline, validate, withContext]);
  const [baselineMs = 0, validateMs = 0, validateWithContextMs = 0] = bestOfEach(runs, [baseline, validate, withContext]);
  return { bytes: Buffer.byteLength(text), findings, baselineMs, validateMs, validateWithContextMs, ratio: validateMs / baselineMs };
}
