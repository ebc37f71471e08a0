// Owns: whether a chain of run events is what it says: the runtime's own twelve conditions, and event by event beyond them
// (spec/lattice.md sections 2.5 and 7, U1).
// Leaves to others: what the events mean (projectRunState.ts), reading them from disk (store/).
import { canonicalizeArtifact, defaultDialect, pointerTo, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { checkShape } from "../artifacts/checkShape.js";
import { runEvent, runEventKinds, runEventMembers } from "../artifacts/execution.js";
import { shapeOf } from "../artifacts/artifactDefinition.js";
import { objectPredicate, predicateOf } from "../artifacts/predicate.js";
import { FindingCollector } from "../finding.js";
import { ChainMeter, digestOrPlace, type ChainDefect, type ChainStanding, type RuntimeLimit } from "./chain.js";
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

export interface ChainVerification {
  /** Exactly as the runtime of the dialect says. */
  readonly valid: boolean;
  /** The conditions that the runtime reports as failed, in its order. */
  readonly failedConditions: readonly ChainCondition[];
  /** What the chain is worth: `beyond-limit` is valid, but longer than the runtime can read. */
  readonly standing: ChainStanding;
  readonly limit: RuntimeLimit | null;
  /** The first ones, ordered by event. Empty exactly when the standing is not `invalid`. */
  readonly defects: readonly ChainDefect<ChainCondition>[];
  readonly defectCount: number;
  /** The defect of the earliest event; null when there is none, or when there is no event at all. */
  readonly firstDefect: ChainDefect<ChainCondition> | null;
  /** Where forbidden keys or texts are; never the texts. */
  readonly redactions: readonly (RedactionViolation & { readonly index: number })[];
  readonly count: number;
  /** Digest of the whole chain's last event as recorded; null when it is none. */
  readonly headDigest: string | null;
}

const defectsShown = 100;

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

class Verification {
  readonly defects: ChainDefect<ChainCondition>[] = [];
  readonly redactions: (RedactionViolation & { index: number })[] = [];
  readonly #failed = new Set<ChainCondition>();
  readonly #meter: ChainMeter;

  constructor(
    readonly events: readonly unknown[],
    dialect: Dialect,
  ) {
    this.#meter = new ChainMeter(events.length, dialect);
  }

  #defect(condition: ChainCondition, index: number, pointer: string, message: string): void {
    this.#failed.add(condition);
    const event = this.events[index];
    const sequence = isPlainObject(event) && typeof event["sequence"] === "number" ? event["sequence"] : null;
    this.defects.push({ condition, index, sequence, pointer: `/${index}${pointer}`, message });
  }

  run(): ChainVerification {
    const shaped: (readonly [index: number, event: Event])[] = [];
    for (const [index, event] of this.events.entries()) {
      if (this.#isShaped(index, event)) shaped.push([index, event]);
      this.#judgeContent(index, event);
    }
    this.#judgeIdentity(shaped);
    this.#judgeOrder(shaped);
    this.#judgeLinks(shaped);
    return this.#result();
  }

  #isShaped(index: number, event: unknown): event is Event {
    if (isShaped(event)) return true;
    const at = new FindingCollector("run-event");
    checkShape(shapeOf(runEvent, { dialect: "0.50", coerce: false }), isPlainObject(event) ? { ...event, ...neutral } : event, at);
    for (const finding of at.findings) this.#defect("event_shape", index, finding.pointer, finding.message);
    return false;
  }

  #judgeContent(index: number, event: unknown): void {
    if (!isPlainObject(event)) return;
    if (!kinds.has(event["kind"])) this.#defect("unknown_kind", index, pointerIfThere(event, "kind"), "The kind is none of the nineteen.");
    const digest = digestOrPlace(() => this.#meter.digest(event));
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

  #judgeIdentity(events: readonly (readonly [number, Event])[]): void {
    const runId = events[0]?.[1]["run_id"];
    for (const [index, event] of events) {
      if (event["run_id"] !== runId) this.#defect("run_identity", index, "/run_id", "Is of another run than the first event.");
    }
  }

  #judgeOrder(events: readonly (readonly [number, Event])[]): void {
    let previous: Event | undefined;
    for (const [index, event] of events) {
      // Compared as the runtime compares, without a look at the type: sequence "5" between 4 and 6 is in order, but leaves a gap.
      if (previous !== undefined && !((event["sequence"] as number) > (previous["sequence"] as number))) {
        this.#defect("storage_order", index, pointerIfThere(event, "sequence"), "The sequence is not greater than that of the event before.");
      }
      previous = event;
    }
    // As long as sequences ascend, none repeats.
    if (this.#failed.has("storage_order")) this.#judgeRepeats(events);
  }

  #judgeRepeats(events: readonly (readonly [number, Event])[]): void {
    const textsOf = new Map<unknown, Set<string>>();
    for (const [index, event] of events) {
      const sequence = event["sequence"];
      const texts = textsOf.get(sequence) ?? new Set();
      const text = canonicalOrEmpty(event);
      const isRepeat = texts.has(text);
      if (isRepeat) this.#defect("duplicate_event", index, "", "Repeats an earlier event byte for byte.");
      else if (texts.size > 0) this.#defect("sequence_fork", index, pointerIfThere(event, "sequence"), "An earlier event has the same sequence: two writers, or a history that was replaced.");
      textsOf.set(sequence, texts.add(text));
    }
  }

  /** sequence_gap, genesis_binding, digest_chain_mismatch: in order of sequence, the first event of each. */
  #judgeLinks(events: readonly (readonly [number, Event])[]): void {
    const firsts = new Map<unknown, readonly [index: number, event: Event]>();
    for (const entry of events) if (!firsts.has(entry[1]["sequence"])) firsts.set(entry[1]["sequence"], entry);
    const ordered = [...firsts.entries()].sort(([a], [b]) => (a as number) - (b as number));
    let expected = 0;
    let previous: Event | undefined;
    for (const [sequence, [index, event]] of ordered) {
      if (sequence !== expected) {
        this.#defect("sequence_gap", index, pointerIfThere(event, "sequence"), `Sequence ${expected} is missing before it.`);
        if (typeof sequence === "number") expected = sequence;
      }
      expected += 1;
      if (previous !== undefined && event["previous_digest"] !== previous["event_digest"]) {
        this.#defect("digest_chain_mismatch", index, pointerIfThere(event, "previous_digest"), "Is not the digest of the event before: one was replaced or lost.");
      }
      previous = event;
    }
    this.#judgeGenesis(events, firsts.get(0));
  }

  #judgeGenesis(events: readonly (readonly [number, Event])[], genesis: readonly [number, Event] | undefined): void {
    const [first] = events;
    if (genesis === undefined && first !== undefined) this.#defect("genesis_binding", first[0], "", "No event has sequence 0: the beginning is lost.");
    for (const [index, event] of events) {
      if ((event["previous_digest"] === null) === (event["sequence"] === 0)) continue;
      this.#defect("genesis_binding", index, pointerIfThere(event, "previous_digest"), "previous_digest must be null for sequence 0 and for no other.");
    }
  }

  #result(): ChainVerification {
    const { events, defects } = this;
    const limit = this.#meter.exceeded();
    const failedConditions = this.#failedAtRuntime(limit);
    const ordered = defects.sort((a, b) => a.index - b.index || chainConditions.indexOf(a.condition) - chainConditions.indexOf(b.condition));
    const last = events.at(-1);
    const head = isPlainObject(last) ? last["event_digest"] : null;
    return {
      valid: failedConditions.length === 0,
      failedConditions,
      standing: defects.length > 0 || events.length === 0 ? "invalid" : limit === null ? "valid" : "beyond-limit",
      limit,
      defects: ordered.slice(0, defectsShown),
      defectCount: defects.length,
      firstDefect: ordered[0] ?? null,
      redactions: this.redactions,
      count: events.length,
      headDigest: typeof head === "string" ? head : null,
    };
  }

  /** When an earlier group fails, the runtime reports all later ones as failed too. */
  #failedAtRuntime(limit: RuntimeLimit | null): readonly ChainCondition[] {
    if (this.events.length === 0 || limit !== null || this.#failed.has("input_shape")) return chainConditions;
    if (this.#failed.has("event_shape")) return chainConditions.slice(1);
    return chainConditions.filter((condition) => this.#failed.has(condition));
  }
}

function pointerIfThere(event: Event, key: string): string {
  return Object.hasOwn(event, key) ? `/${key}` : "";
}

function canonicalOrEmpty(event: Event): string {
  const text = digestOrPlace(() => canonicalizeArtifact(event, { dialect: "0.50" }));
  return typeof text === "string" ? text : "";
}

/**
 * Verifies a chain of run events. `events` is what `events.json` holds; anything else fails like an empty list.
 *
 * `valid` and `failedConditions` are the runtime's answer of the dialect, word for word. Everything else is ours: a chain that
 * is longer than the runtime can read is verified all the same, and every defect names its event. Not detected, because the
 * file alone cannot show it: the loss of the newest events (store/ looks for traces of them). Never throws, never mutates.
 */
export function verifyRunEventChain(events: unknown, options: { readonly dialect?: Dialect } = {}): ChainVerification {
  return new Verification(Array.isArray(events) ? events : [], options.dialect ?? defaultDialect).run();
}
