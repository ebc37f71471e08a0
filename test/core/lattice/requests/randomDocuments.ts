// Owns: random valid recompile requests: the accepted ones of the vectors with other ids, texts, digests and lists, sealed again.
import fc from "fast-check";
import { selfDigest } from "../../../../src/core/artifact/canonical.js";
import type { RecompileContext } from "../../../../src/core/systems/lattice/requests/context.js";
import { sealInPlace } from "../../../../src/core/systems/lattice/requests/seal.js";
import { at, list, validDocument, type Fields } from "./documents.js";

export type Kind = "seam" | "serial" | "split" | "primary";

export interface RandomDocument {
  readonly value: Fields;
  context: RecompileContext;
  /** A whole number to choose by. */
  readonly choice: number;
  readonly indent: string | number;
}

const identifier = fc.stringMatching(/^[0-9A-Za-z][0-9A-Za-z._-]{0,12}$/);
const digest = fc.stringMatching(/^[0-9a-f]{64}$/);
const sentence = fc.string({ minLength: 1, maxLength: 30, unit: fc.constantFrom("a", "b", "c", " ", "X", "Z", ".", ",", "!", "?", "ä", "語", "🙂") });

const seedArbitrary = fc.record({
  runId: identifier,
  requestId: identifier,
  reason: sentence,
  epoch: fc.integer({ min: 1, max: 9 }),
  executors: fc.integer({ min: 1, max: 50 }),
  frozen: digest,
  hold: digest,
  evidence: fc.uniqueArray(digest, { minLength: 2, maxLength: 4 }),
  verifiers: fc.uniqueArray(sentence, { minLength: 2, maxLength: 4 }),
  read: fc.stringMatching(/^[a-z]{1,9}\/[a-z]{1,9}$/),
  choice: fc.nat(1000),
  indent: fc.constantFrom<string | number>(1, 2, 4, "\t"),
});

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

export function randomDocument(kind: Kind): fc.Arbitrary<RandomDocument> {
  return seedArbitrary.map((seed) => {
    const { value, context } = validDocument(kind);
    const bundle = structuredClone(context.predecessorBundle);
    if (bundle === undefined) throw new Error("The document has no predecessor.");
    const predecessor = bundle.request as Fields;
    const successor = at(value, "/successor_request") as Fields;
    Object.assign(value, { request_id: seed.requestId, run_id: seed.runId, reason: seed.reason, predecessor_epoch: seed.epoch, frozen_event_digest: seed.frozen, hold_decision_digest: seed.hold });
    successor["request_id"] = seed.runId;
    successor["capacity"] = { executors: seed.executors };
    for (const request of [successor, predecessor]) {
      const witness = Object.values(request["manual_witness"] as Record<string, Fields>)[0];
      if (witness !== undefined) witness["reads"] = [seed.read];
    }
    if (value["phase_revision"] === null) successor["manual_witness"] = structuredClone(predecessor["manual_witness"]);
    for (const entry of list(value, "/task_migration/entries") as Fields[]) Object.assign(entry, { reason: seed.reason, evidence_digests: [...seed.evidence].sort() });
    if (value["seam_split"] !== null) (value["seam_split"] as Fields)["verifier_refs"] = [...seed.verifiers].sort(byText);
    predecessor["request_digest"] = selfDigest(predecessor, "request_digest");
    successor["predecessor_request_digest"] = predecessor["request_digest"];
    copyMigration(value);
    sealInPlace(value);
    return {
      value,
      context: { ...context, phaseValidator: "built-in", predecessorBundle: { ...bundle, plan_epoch: seed.epoch }, frozenEventDigest: seed.frozen, holdDecisionDigest: seed.hold },
      choice: seed.choice,
      indent: seed.indent,
    };
  });
}

/** Keeps the revision's copy of the migration equal. */
export function copyMigration(value: Fields): void {
  const revision = value["phase_revision"];
  if (typeof revision === "object" && revision !== null) (revision as Fields)["runtime_task_migration"] = structuredClone(value["task_migration"]);
}
