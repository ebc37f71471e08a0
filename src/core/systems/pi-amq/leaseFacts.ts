// Owns: gathering what the verdicts of one refresh need: each process is asked about once, and formats are learned from the live ones.
// Leaves to others: the verdicts (judgeLeaseOwner.ts, classifyOwner.ts), observing (process/).
import type { Judgement, Verdict } from "../../claims/verdict.js";
import { writeStartText } from "../../process/lstart.js";
import type { ProcessIdentity, ProcessInspection, ProcessObserver } from "../../process/processInspector.js";
import { ownTimeZone, resolveTimeZone, wallSecondsIn } from "../../process/timeZone.js";
import { classifyInspected } from "./classifyOwner.js";
import type { FormatMemory } from "./formatMemory.js";
import { judgeLeaseOwner, type LearnedStart } from "./judgeLeaseOwner.js";
import { areComparableStarts, renderStart, type StartFacts } from "./startFormat.js";

/** What pi-amq would say on its next acquire; its own inspector decides where ours cannot speak its language. */
export type UpstreamView = { readonly kind: "known"; readonly verdict: Verdict } | { readonly kind: "depends-on-its-inspector" };

export interface OwnerAssessment extends Judgement {
  readonly upstream: UpstreamView;
}

export interface FactsOptions {
  readonly observer: ProcessObserver;
  readonly memory: FormatMemory;
  readonly hostAliases: readonly string[];
  /** The namespace, absolute. */
  readonly namespace: string;
  /** TZ value of the observer, for `ps` texts. Default: that of this process. */
  readonly timeZone?: string | undefined;
}

/** Everything about a process start that some rendering needs. */
export async function observeStart(observer: Pick<ProcessObserver, "startInstant">, identity: ProcessIdentity, timeZone: string = ownTimeZone()): Promise<StartFacts> {
  const start = await observer.startInstant(identity.pid);
  const wall = start === null ? null : wallSecondsIn(resolveTimeZone(timeZone, start.systemTimeZone), start.epochSeconds);
  return { identity, startEpochSeconds: start?.epochSeconds ?? null, lstart: wall === null ? null : writeStartText(wall) };
}

/** Known only where no text of pi-amq's own making had to be compared, or both sides write the same format. */
function upstreamView(record: ProcessIdentity, current: ProcessIdentity, inspection: ProcessInspection): UpstreamView {
  const isComparable =
    record.hostname !== current.hostname ||
    inspection.kind === "absent" ||
    (inspection.kind === "live" &&
      (record.processStartIdentity === inspection.identity.processStartIdentity ||
        areComparableStarts(record.processStartIdentity, inspection.identity.processStartIdentity)));
  return isComparable ? { kind: "known", verdict: classifyInspected(record, current, inspection) } : { kind: "depends-on-its-inspector" };
}

export class LeaseFacts {
  readonly #inspections = new Map<number, Promise<ProcessInspection>>();
  readonly #starts = new Map<number, Promise<StartFacts>>();
  #current: Promise<ProcessIdentity> | null = null;

  constructor(private readonly options: FactsOptions) {}

  current(): Promise<ProcessIdentity> {
    this.#current ??= this.options.observer.current();
    return this.#current;
  }

  inspect(pid: number): Promise<ProcessInspection> {
    const known = this.#inspections.get(pid);
    if (known !== undefined) return known;
    const asked = this.options.observer.inspect(pid);
    this.#inspections.set(pid, asked);
    return asked;
  }

  /** Whether anything on this host can be said about the record's process. */
  async #isHere(record: ProcessIdentity): Promise<boolean> {
    const { hostname } = await this.current();
    return record.hostname === hostname || this.options.hostAliases.includes(record.hostname);
  }

  #startFacts(identity: ProcessIdentity): Promise<StartFacts> {
    const known = this.#starts.get(identity.pid);
    if (known !== undefined) return known;
    const asked = observeStart(this.options.observer, identity, this.options.timeZone);
    this.#starts.set(identity.pid, asked);
    return asked;
  }

  /** Lets the live records of a refresh teach the namespace's format, before any of them is judged. */
  async learnFrom(records: readonly ProcessIdentity[]): Promise<void> {
    const observations = await Promise.all(
      records.map(async (record) => {
        if (!(await this.#isHere(record))) return [];
        const inspection = await this.inspect(record.pid);
        if (inspection.kind !== "live" || areComparableStarts(record.processStartIdentity, inspection.identity.processStartIdentity)) return [];
        return [{ record, facts: await this.#startFacts(inspection.identity) }];
      }),
    );
    const { memory, namespace, observer, timeZone } = this.options;
    memory.learn(namespace, observations.flat());
    if (memory.recall(namespace) !== null) memory.noteOwn(await observeStart(observer, await this.current(), timeZone));
  }

  async #learnedStart(inspection: ProcessInspection): Promise<LearnedStart | null> {
    const learned = this.options.memory.recall(this.options.namespace);
    if (learned === null || inspection.kind !== "live") return null;
    const text = renderStart(await this.#startFacts(inspection.identity)).get(learned.rendering);
    return text === undefined ? null : { text, confirmations: learned.confirmations };
  }

  async assess(record: ProcessIdentity): Promise<OwnerAssessment> {
    const { observer, hostAliases, namespace } = this.options;
    const current = await this.current();
    const isHere = await this.#isHere(record);
    const inspection: ProcessInspection = isHere ? await this.inspect(record.pid) : { kind: "unknown", diagnostic: "the process is on another host" };
    const environment = await observer.environment(namespace, record.pid);
    const learnedStart = await this.#learnedStart(inspection);
    const judgement = judgeLeaseOwner(record, { current, inspection, environment, hostAliases, learnedStart });
    return { ...judgement, upstream: upstreamView(record, current, inspection) };
  }
}
