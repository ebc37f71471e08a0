// Owns: remembering how the runtime of a namespace writes process starts, learned from live records (spec/pi-amq.md section 14).
// Leaves to others: the renderings (startFormat.ts), what a learned one may decide (judgeLeaseOwner.ts).
import { normalize } from "node:path";
import type { ProcessIdentity } from "../../process/processInspector.js";
import { areComparableStarts, compareBoots, renderStart, type StartFacts, type StartRendering } from "./startFormat.js";

/** A record whose pid is live here, and what is known about that process. */
export interface LiveObservation {
  readonly record: ProcessIdentity;
  readonly facts: StartFacts;
}

export interface LearnedFormat {
  readonly rendering: StartRendering;
  /** Distinct processes whose records the rendering reproduced exactly. */
  readonly confirmations: number;
  /** Whether the records write boots in our own format; else nothing is known about theirs. */
  readonly hasOurBoots: boolean;
}

interface Votes {
  readonly byRendering: Map<StartRendering, Set<number>>;
  hasForeignBoots: boolean;
}

/** The one rendering that reproduces the recorded text; null when none does, or several do. */
function onlyRendering({ record, facts }: LiveObservation): StartRendering | null {
  const matching = [...renderStart(facts)].filter(([, text]) => text === record.processStartIdentity);
  return matching.length === 1 ? (matching[0]?.[0] ?? null) : null;
}

/**
 * What was learned about namespaces, for one session. Two renderings that were each seen contradict each other: then nothing
 * counts as learned, because a wrong format must never lead to a verdict.
 */
export class FormatMemory {
  readonly #votes = new Map<string, Votes>();
  #own: StartFacts | null = null;

  /** `namespace`: the absolute path. Records in our own format, or of another executable, teach nothing. */
  learn(namespace: string, observations: readonly LiveObservation[]): void {
    for (const observation of observations) {
      const { record, facts } = observation;
      const isOurs = areComparableStarts(record.processStartIdentity, facts.identity.processStartIdentity);
      if (isOurs || normalize(record.executable) !== normalize(facts.identity.executable)) continue;
      const rendering = onlyRendering(observation);
      if (rendering === null) continue;
      const votes = this.#votes.get(namespace) ?? { byRendering: new Map<StartRendering, Set<number>>(), hasForeignBoots: false };
      this.#votes.set(namespace, votes);
      votes.byRendering.set(rendering, new Set(votes.byRendering.get(rendering)).add(record.pid));
      if (record.bootIdentity !== null && compareBoots(record.bootIdentity, facts.identity.bootIdentity) === "not-comparable") votes.hasForeignBoots = true;
    }
  }

  recall(namespace: string): LearnedFormat | null {
    const votes = this.#votes.get(namespace);
    const [first, ...others] = votes?.byRendering ?? [];
    if (votes === undefined || first === undefined || others.length > 0) return null;
    const [rendering, pids] = first;
    return { rendering, confirmations: pids.size, hasOurBoots: !votes.hasForeignBoots };
  }

  /** What can be rendered about the process that runs this code: later an identity of ours is to be presented. */
  noteOwn(facts: StartFacts): void {
    this.#own = facts;
  }

  /**
   * An identity of ours as the runtime's own inspector would compare it; null when nothing was learned or the fact is missing.
   * A boot that it could not compare is left out: null means no information to it, a foreign text a difference.
   */
  present(namespace: string, identity: ProcessIdentity): ProcessIdentity | null {
    const learned = this.recall(namespace);
    const isNoted = this.#own !== null && this.#own.identity.pid === identity.pid && this.#own.identity.processStartIdentity === identity.processStartIdentity;
    const facts = isNoted && this.#own !== null ? this.#own : { identity, startEpochSeconds: null, lstart: null };
    const start = learned === null ? undefined : renderStart(facts).get(learned.rendering);
    if (learned === null || start === undefined) return null;
    return { ...identity, processStartIdentity: start, bootIdentity: learned.hasOurBoots ? identity.bootIdentity : null };
  }
}

/** For everything in this process that does not bring its own: inspecting teaches, quarantining asks. */
export const sharedFormatMemory = new FormatMemory();
