// Owns: whether a control journal is what it says. The runtime's status never looks at it (spec/lattice.md section 3.3), so an
// edited one goes unnoticed there.
// Leaves to others: what other files say about it (store/), schemas of its events (artifacts/controlEvent.ts).
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { artifact, checkBy } from "../artifacts/artifactDefinition.js";
import { controlEvent } from "../artifacts/controlEvent.js";
import { FindingCollector } from "../finding.js";
import { ChainMeter, defectOf, pointerIfThere, reportOf, type ChainDefect, type ChainReport } from "./chain.js";

/** Ours: the runtime has no names for them. */
export const controlConditions = ["input_shape", "event_shape", "run_identity", "event_digest_mismatch", "sequence_gap", "genesis_binding", "digest_chain_mismatch"] as const;
export type ControlCondition = (typeof controlConditions)[number];

export interface ControlVerification extends ChainReport<ControlCondition> {
  readonly valid: boolean;
  /** Conditions that some event fails, in order. */
  readonly failedConditions: readonly ControlCondition[];
}

/** Digest and genesis have conditions of their own. */
const shapeOnly = artifact({
  prefix: controlEvent.prefix,
  digestField: null,
  shape: controlEvent.shape,
  ...(controlEvent.foreign === undefined ? {} : { foreign: controlEvent.foreign }),
});

type Event = Readonly<Record<string, unknown>>;

/**
 * Verifies a control journal event by event: shape and payload of each, digests, and a gapless chain from sequence 1. An empty
 * journal is valid. A journal longer than the runtime can read is verified all the same. Not detected, because the file alone
 * cannot show it: the loss of the newest events. Never throws, never mutates. The events are taken to come from JSON.parse.
 */
export function verifyControlJournal(events: unknown, options: { readonly dialect?: Dialect } = {}): ControlVerification {
  const list: readonly unknown[] = Array.isArray(events) ? events : [];
  const dialect = options.dialect ?? defaultDialect;
  const meter = new ChainMeter(list.length, dialect, true);
  const defects: ChainDefect<ControlCondition>[] = [];
  const report = (condition: ControlCondition, index: number, pointer: string, message: string): void => {
    defects.push(defectOf(list, condition, index, pointer, message));
  };
  if (!Array.isArray(events)) defects.push({ condition: "input_shape", index: 0, sequence: null, pointer: "", message: "The journal is no list." });
  let runId: unknown;
  let previous: Event | null = null;
  for (const [index, event] of list.entries()) {
    const at = new FindingCollector("control-event");
    const digest = isPlainObject(event) ? meter.digest(event) : null;
    if (digest !== null && typeof digest !== "string") {
      report("input_shape", index, digest.pointer, digest.message);
      previous = null;
      continue;
    }
    checkBy(shapeOnly, event, at, dialect);
    for (const finding of at.findings) if (finding.severity === "error") report("event_shape", index, finding.pointer, finding.message);
    if (!isPlainObject(event)) {
      previous = null;
      continue;
    }
    runId ??= event["run_id"];
    if (event["run_id"] !== runId) report("run_identity", index, pointerIfThere(event, "run_id"), "Is of another run than the first event.");
    if (event["event_digest"] !== digest) {
      report("event_digest_mismatch", index, pointerIfThere(event, "event_digest"), `The digest does not match the content, whose digest is ${digest ?? ""}: the event was altered.`);
    }
    if (event["sequence"] !== index + 1) report("sequence_gap", index, pointerIfThere(event, "sequence"), `Must be ${index + 1}, its place counted from 1.`);
    if ((event["previous_digest"] === null) !== (index === 0)) {
      report("genesis_binding", index, pointerIfThere(event, "previous_digest"), "Must be null for the first event and for no other.");
    } else if (previous !== null && event["previous_digest"] !== previous["event_digest"]) {
      report("digest_chain_mismatch", index, pointerIfThere(event, "previous_digest"), "Is not the digest of the event before: one was replaced or lost.");
    }
    previous = event;
  }
  const result = reportOf(list, defects, meter.exceeded(), controlConditions);
  const failed = new Set(defects.map((defect) => defect.condition));
  return { ...result, valid: result.standing !== "invalid", failedConditions: controlConditions.filter((condition) => failed.has(condition)) };
}
