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

function best(runs: number, run: () => void): number {
  let fastest = Infinity;
  for (let index = 0; index < runs; index += 1) {
    const start = performance.now();
    run();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}

/** Both sides in one process, alternating warm-up, best of `runs`. */
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
  best(5, baseline);
  best(5, validate);
  const baselineMs = best(runs, baseline);
  const validateMs = best(runs, validate);
  const validateWithContextMs = best(runs, () => void checkRecompileRequestText(text, context));
  return { bytes: Buffer.byteLength(text), findings, baselineMs, validateMs, validateWithContextMs, ratio: validateMs / baselineMs };
}
