// Owns: whether a chain of run events is what it says: the runtime's own twelve conditions, and event by event beyond them
// (spec/lattice.md sections 2.5 and 7, U1).
// Leaves to others: what the events mean (projectRunState.ts), reading them from disk (store/).
import { ArtifactError, canonicalizeArtifact, defaultDialect, pointerTo, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { checkShape } from "../artifacts/checkShape.js";
import { runEvent, runEventKinds, runEventMembers } from "../artifacts/execution.js";
import { shapeOf } from "../artifacts/artifactDefinition.js";
import { objectPredicate, predicateOf } from "../artifacts/predicate.js";
import { FindingCollector } from "../finding.js";
import { ChainMeter, defectOf, pointerIfThere, reportOf, type ChainDefect, type ChainReport, type RuntimeLimit } from "./chain.js";
import { locateRedactionViolations, type RedactionViolation } from "./redaction.js";

/** In the order of spec/lattice.md section 2.5. */
export const chainConditions = [
  "input_shape",
  "event_shape",
  "run_identity",
  "unknown_kind",
  "event_digest_mismatch",
  "payload_redaction",
  "storage_order",
  "duplicate_event",
  "sequence_fork",
  "sequence_gap",
  "genesis_binding",
  "digest_chain_mismatch",
] as const;
export type ChainCondition = (typeof chainConditions)[number];

export interface ChainVerification extends ChainReport<ChainCondition> {
  /** Exactly as the runtime of the dialect says. */
  readonly valid: boolean;
  /** The conditions that the runtime reports as failed, in its order. */
  readonly failedConditions: readonly ChainCondition[];
  /** Where forbidden keys or texts are; never the texts. */
  readonly redactions: readonly (RedactionViolation & { readonly index: number })[];
}

/** Judged apart, under conditions of their own, so the shape must not depend on them. */
const neutral = { kind: runEventKinds[0], sequence: 0, previous_digest: null, event_digest: "" } as const;
const neutralKeys = Object.keys(neutral);

const isShaped = objectPredicate(
  Object.entries(runEventMembers)
    .filter(([key]) => !neutralKeys.includes(key))
    .map(([key, shape]) => [key, predicateOf(shape)] as const),
  neutralKeys,
);

const kinds: ReadonlySet<unknown> = new Set(runEventKinds);

type Event = Readonly<Record<string, unknown>>;

interface Located {
  readonly index: number;
  readonly event: Event;
}

class Verification {
  #defects: ChainDefect<ChainCondition>[] = [];
  /** Found in the order of sequences that do not ascend: true of the chain, but the event named may be an innocent neighbour. */
  readonly #indirect = new Set<ChainDefect<ChainCondition>>();
  readonly redactions: (RedactionViolation & { index: number })[] = [];
  readonly #failed = new Set<ChainCondition>();
  readonly #meter: ChainMeter;

  constructor(
    readonly events: readonly unknown[],
    dialect: Dialect,
    parsed: boolean,
  ) {
    this.#meter = new ChainMeter(events.length, dialect, parsed);
  }

  #defect(condition: ChainCondition, index: number, pointer: string, message: string): void {
    this.#failed.add(condition);
    this.#defects.push(defectOf(this.events, condition, index, pointer, message));
  }

  run(): ChainVerification {
    const shaped: Located[] = [];
    // Everything about an event is judged while it is at hand: a long journal is many times larger than a processor's cache.
    for (const [index, event] of this.events.entries()) {
      if (this.#isShaped(index, event)) {
        const located = { index, event };
        this.#judgePlace(located, shaped.at(-1), shaped[0]);
        this.#judgeLink(located, shaped.at(-1));
        shaped.push(located);
      }
      if (isPlainObject(event)) this.#judgeContent(index, event);
    }
    const [first] = shaped;
    if (first !== undefined && !shaped.some(({ event }) => event["sequence"] === 0)) {
      this.#defect("genesis_binding", first.index, "", "No event has sequence 0: the beginning is lost.");
    }
    // As long as sequences ascend, none repeats and the order of the file is that of the sequences.
    if (this.#failed.has("storage_order")) this.#judgeAgainInOrder(shaped);
    return this.#result();
  }

  #isShaped(index: number, event: unknown): event is Event {
    if (isShaped(event)) return true;
    const at = new FindingCollector("run-event");
    checkShape(shapeOf(runEvent, { dialect: "0.50", coerce: false }), isPlainObject(event) ? { ...event, ...neutral } : event, at);
    for (const finding of at.findings) this.#defect("event_shape", index, finding.pointer, finding.message);
    return false;
  }

  #judgeContent(index: number, event: Event): void {
    if (!kinds.has(event["kind"])) this.#defect("unknown_kind", index, pointerIfThere(event, "kind"), "The kind is none of the nineteen.");
    const digest = this.#meter.digest(event);
    if (typeof digest !== "string") {
      this.#defect("input_shape", index, digest.pointer, digest.message);
      return;
    }
    if (event["event_digest"] !== digest) {
      this.#defect("event_digest_mismatch", index, pointerIfThere(event, "event_digest"), `The digest does not match the content, whose digest is ${digest}: the event was altered.`);
    }
    for (const { tokens, key } of locateRedactionViolations(event["payload"])) {
      // The runtime's pointer starts at the payload and knows no escapes; ours is for editors.
      this.redactions.push({ index, pointer: tokens.map((token) => `/${token}`).join(""), key });
      this.#defect("payload_redaction", index, tokens.reduce<string>(pointerTo, "/payload"), key === null ? "The value looks like a secret." : "The key is one of those that name secrets.");
    }
  }

  /** run_identity, storage_order, genesis_binding: what an event says of its own place in the file. */
  #judgePlace({ index, event }: Located, previous: Located | undefined, first: Located | undefined): void {
    const sequence = event["sequence"];
    if (first !== undefined && event["run_id"] !== first.event["run_id"]) this.#defect("run_identity", index, "/run_id", "Is of another run than the first event.");
    // Compared as the runtime compares, without a look at the type: sequence "5" between 4 and 6 is in order, but leaves a gap.
    if (previous !== undefined && !((sequence as number) > (previous.event["sequence"] as number))) {
      this.#defect("storage_order", index, pointerIfThere(event, "sequence"), "The sequence is not greater than that of the event before.");
    }
    if ((event["previous_digest"] === null) !== (sequence === 0)) {
      this.#defect("genesis_binding", index, pointerIfThere(event, "previous_digest"), "previous_digest must be null for sequence 0 and for no other.");
    }
  }

  /** sequence_gap, digest_chain_mismatch: what an event says of the one before it in the order of sequences. */
  #judgeLink({ index, event }: Located, previous: Located | undefined): void {
    const expected = previous === undefined ? 0 : Number(previous.event["sequence"]) + 1;
    if (event["sequence"] !== expected) this.#defect("sequence_gap", index, pointerIfThere(event, "sequence"), `Sequence ${expected} is missing before it.`);
    if (previous !== undefined && event["previous_digest"] !== previous.event["event_digest"]) {
      this.#defect("digest_chain_mismatch", index, pointerIfThere(event, "previous_digest"), "Is not the digest of the event before: one was replaced or lost.");
    }
  }

  #judgeAgainInOrder(shaped: readonly Located[]): void {
    this.#withdraw("sequence_gap", "digest_chain_mismatch");
    this.#judgeRepeats(shaped);
    const direct = this.#defects.length;
    let previous: Located | undefined;
    for (const located of firstOfEachSequence(shaped)) {
      this.#judgeLink(located, previous);
      previous = located;
    }
    for (const defect of this.#defects.slice(direct)) this.#indirect.add(defect);
  }

  #withdraw(...conditions: readonly ChainCondition[]): void {
    for (const condition of conditions) this.#failed.delete(condition);
    this.#defects = this.#defects.filter((defect) => !conditions.includes(defect.condition));
  }

  /** duplicate_event, sequence_fork */
  #judgeRepeats(events: readonly Located[]): void {
    const textsOf = new Map<unknown, Set<string>>();
    for (const { index, event } of events) {
      const sequence = event["sequence"];
      const texts = textsOf.get(sequence) ?? new Set();
      const text = canonicalOrEmpty(event);
      const isRepeat = texts.has(text);
      if (isRepeat) this.#defect("duplicate_event", index, "", "Repeats an earlier event byte for byte.");
      else if (texts.size > 0) this.#defect("sequence_fork", index, pointerIfThere(event, "sequence"), "An earlier event has the same sequence: two writers, or a history that was replaced.");
      textsOf.set(sequence, texts.add(text));
    }
  }

  #result(): ChainVerification {
    const limit = this.#meter.exceeded();
    const report = reportOf(this.events, this.#defects, limit, chainConditions);
    const direct = reportOf(this.events, this.#defects.filter((defect) => !this.#indirect.has(defect)), limit, chainConditions);
    const failedConditions = this.#failedAtRuntime(limit);
    return {
      ...report,
      firstDefect: direct.firstDefect ?? report.firstDefect,
      // A run has at least one event: an empty file has lost it.
      standing: this.events.length === 0 ? "invalid" : report.standing,
      valid: failedConditions.length === 0,
      failedConditions,
      redactions: this.redactions,
    };
  }

  /** When an earlier group fails, the runtime reports all later ones as failed too. */
  #failedAtRuntime(limit: RuntimeLimit | null): readonly ChainCondition[] {
    if (this.events.length === 0 || limit !== null || this.#failed.has("input_shape")) return chainConditions;
    if (this.#failed.has("event_shape")) return chainConditions.slice(1);
    return chainConditions.filter((condition) => this.#failed.has(condition));
  }
}

/** As the runtime: sorted by number, the first event of each sequence. */
function firstOfEachSequence(events: readonly Located[]): Located[] {
  const firsts = new Map<unknown, Located>();
  for (const located of events) if (!firsts.has(located.event["sequence"])) firsts.set(located.event["sequence"], located);
  return [...firsts.values()].sort((a, b) => (a.event["sequence"] as number) - (b.event["sequence"] as number));
}

function canonicalOrEmpty(event: Event): string {
  try {
    return canonicalizeArtifact(event);
  } catch (error) {
    if (!ArtifactError.is(error)) throw error;
    return "";
  }
}

/**
 * Verifies a chain of run events. `events` is what `events.json` holds; anything else fails like an empty list.
 *
 * `valid` and `failedConditions` are the runtime's answer of the dialect, word for word. Everything else is ours: a chain that
 * is longer than the runtime can read is verified all the same, and every defect names its event. Not detected, because the
 * file alone cannot show it: the loss of the newest events (store/ looks for traces of them). Never throws, never mutates.
 *
 * The events are taken to come from JSON.parse. With `parsed: false`, accessors, symbol keys and hidden properties are looked
 * for too, as the runtime does.
 */
export function verifyRunEventChain(events: unknown, options: { readonly dialect?: Dialect; readonly parsed?: boolean } = {}): ChainVerification {
  return new Verification(Array.isArray(events) ? events : [], options.dialect ?? defaultDialect, options.parsed ?? true).run();
}
