// Owns: what verifying a journal of digested, chained events has in common: measuring, hashing and the limits of the whole.
// Leaves to others: the conditions of each journal (verifyRunEventChain.ts, verifyControlJournal.ts).
import { ArtifactError, artifactLimitsOf, measureArtifact, type ArtifactErrorCode, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";

/** One thing wrong with one event. */
export interface ChainDefect<Condition extends string = string> {
  readonly condition: Condition;
  /** Position in the file, from 0. */
  readonly index: number;
  /** As recorded, when it is a number. */
  readonly sequence: number | null;
  /** RFC 6901, into the whole journal. */
  readonly pointer: string;
  /** One sentence; holds no text of a payload. */
  readonly message: string;
}

/** Why the runtime cannot read a journal that is right in itself (spec/lattice.md section 7, U1). */
export interface RuntimeLimit {
  readonly code: ArtifactErrorCode;
  readonly limit: number;
}

const digestKey = "event_digest";

/** `beyond-limit`: valid, but longer than the runtime can read. */
export type ChainStanding = "valid" | "beyond-limit" | "invalid";

/** What is known about a journal of chained events. */
export interface ChainReport<Condition extends string> {
  readonly standing: ChainStanding;
  readonly limit: RuntimeLimit | null;
  /** The first hundred, ordered by event. Empty exactly when the standing is not `invalid`, or there is no event at all. */
  readonly defects: readonly ChainDefect<Condition>[];
  readonly defectCount: number;
  /** The defect of the earliest event. */
  readonly firstDefect: ChainDefect<Condition> | null;
  readonly count: number;
  /** Digest of the last event as recorded; null when it has none. */
  readonly headDigest: string | null;
}

const defectsShown = 100;

/** `order` ranks the conditions of one event. */
export function reportOf<Condition extends string>(
  events: readonly unknown[],
  defects: readonly ChainDefect<Condition>[],
  limit: RuntimeLimit | null,
  order: readonly Condition[],
): ChainReport<Condition> {
  const ordered = [...defects].sort((a, b) => a.index - b.index || order.indexOf(a.condition) - order.indexOf(b.condition));
  const last = events.at(-1);
  const head = isPlainObject(last) ? last[digestKey] : null;
  return {
    standing: defects.length > 0 ? "invalid" : limit === null ? "valid" : "beyond-limit",
    limit,
    defects: ordered.slice(0, defectsShown),
    defectCount: defects.length,
    firstDefect: ordered[0] ?? null,
    count: events.length,
    headDigest: typeof head === "string" ? head : null,
  };
}

/** A defect of the event at `index`; `pointer` is relative to it. */
export function defectOf<Condition extends string>(events: readonly unknown[], condition: Condition, index: number, pointer: string, message: string): ChainDefect<Condition> {
  const event = events[index];
  const sequence = isPlainObject(event) && typeof event["sequence"] === "number" ? event["sequence"] : null;
  return { condition, index, sequence, pointer: `/${index}${pointer}`, message };
}

export function pointerIfThere(event: Readonly<Record<string, unknown>>, key: string): string {
  return Object.hasOwn(event, key) ? `/${key}` : "";
}

/**
 * Hashes the events of a journal one by one and keeps count of what the runtime, which canonicalises the journal as one
 * value, would need for it.
 */
export class ChainMeter {
  #nodes = 1;
  /** The two brackets, less the comma that no event comes after. */
  #bytes = 1;
  readonly #limits: ReturnType<typeof artifactLimitsOf>;

  /** `parsed`: the events come from JSON.parse. */
  constructor(
    readonly count: number,
    readonly dialect: Dialect,
    readonly parsed: boolean,
  ) {
    this.#limits = artifactLimitsOf(dialect);
  }

  /** Self digest of the event, which is counted with it; or the place in the event that has no canonical form. */
  digest(event: Readonly<Record<string, unknown>>): string | { readonly pointer: string; readonly message: string } {
    const { dialect, parsed } = this;
    try {
      const { digest, nodes, bytes } = measureArtifact(event, { dialect, depth: 1, omit: digestKey, parsed });
      this.#nodes += nodes;
      this.#bytes += bytes + 1;
      if (Object.hasOwn(event, digestKey)) this.#addRecorded(event[digestKey], digest);
      return digest;
    } catch (error) {
      if (!ArtifactError.is(error)) throw error;
      return { pointer: error.pointer, message: error.message };
    }
  }

  #addRecorded(recorded: unknown, actual: string): void {
    const { dialect, parsed } = this;
    const { nodes, bytes } = recorded === actual ? { nodes: 1, bytes: 66 } : measureArtifact(recorded, { dialect, depth: 2, parsed });
    this.#nodes += nodes;
    this.#bytes += `"${digestKey}":,`.length + bytes;
  }

  /** What the whole takes of the limits that the runtime sets to one value. Asked at the end. */
  exceeded(): RuntimeLimit | null {
    const { arrayItems, nodes, totalBytes } = this.#limits;
    if (this.count > arrayItems) return { code: "array-items", limit: arrayItems };
    if (this.#nodes > nodes) return { code: "nodes", limit: nodes };
    return this.#bytes > totalBytes ? { code: "total-bytes", limit: totalBytes } : null;
  }
}
