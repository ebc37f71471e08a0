// Owns: what verifying a journal of digested, chained events has in common: measuring, hashing and the limits of the whole.
// Leaves to others: the conditions of each journal (verifyRunEventChain.ts, verifyControlJournal.ts).
import { ArtifactError, artifactLimitsOf, measureArtifact, sha256OfText, type ArtifactErrorCode, type Dialect } from "../../../artifact/canonical.js";

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

export type ChainStanding = "valid" | "beyond-limit" | "invalid";

const digestKey = "event_digest";

/**
 * Hashes the events of a journal one by one and keeps count of what the runtime, which canonicalises the journal as one
 * value, would need for it.
 */
export class ChainMeter {
  #nodes = 1;
  #bytes = 2;
  #bytesExceeded = false;
  readonly #limits: ReturnType<typeof artifactLimitsOf>;

  constructor(
    readonly count: number,
    readonly dialect: Dialect,
  ) {
    this.#limits = artifactLimitsOf(dialect);
  }

  /**
   * Self digest of the event, which is counted with it.
   * @throws ArtifactError with a pointer relative to the event
   */
  digest(event: Readonly<Record<string, unknown>>): string {
    const { text, nodes } = measureArtifact(event, { dialect: this.dialect, depth: 1, omit: digestKey });
    this.#add(text, nodes);
    if (Object.hasOwn(event, digestKey)) this.#addRecordedDigest(event[digestKey]);
    return sha256OfText(text);
  }

  #add(text: string, nodes: number): void {
    this.#nodes += nodes;
    if (this.#bytesExceeded) return;
    // One for the comma; the text of most events is ASCII, and more than the limit in code units is more in bytes too.
    this.#bytes += 1 + (this.#bytes + text.length > this.#limits.totalBytes ? text.length : Buffer.byteLength(text, "utf8"));
    this.#bytesExceeded = this.#bytes - 1 > this.#limits.totalBytes;
  }

  #addRecordedDigest(recorded: unknown): void {
    const { text, nodes } = measureArtifact(recorded, { dialect: this.dialect, depth: 2 });
    this.#add(`"${digestKey}":${text}`, nodes);
  }

  /** What the whole takes of the limits that the runtime sets to one value. Asked at the end. */
  exceeded(): RuntimeLimit | null {
    const { arrayItems, nodes, totalBytes } = this.#limits;
    if (this.count > arrayItems) return { code: "array-items", limit: arrayItems };
    if (this.#nodes > nodes) return { code: "nodes", limit: nodes };
    return this.#bytesExceeded ? { code: "total-bytes", limit: totalBytes } : null;
  }
}

/** Runs `measure`; a value without canonical form gives its place instead. */
export function digestOrPlace(measure: () => string): string | { readonly pointer: string; readonly message: string } {
  try {
    return measure();
  } catch (error) {
    if (!ArtifactError.is(error)) throw error;
    return { pointer: error.pointer, message: error.message };
  }
}
