// Owns: joining questions that are asked at the same time into one observation, and remembering the answers for a moment.
// Leaves to others: observing.
import type { Clock } from "../ports.js";

/** Longest age of an answer, in ms of a monotonic clock, counted from the start of its observation (spec/pi-amq.md 13). */
export const longestAgeMs = 1000;

interface Entry<Value> {
  readonly answer: Promise<Value>;
  /** Null while it waits for its observation to start. */
  startedAt: number | null;
}

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly entry: () => Entry<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Answers by key. All questions of one turn of the event loop go into one call of `observe`, which must answer every key.
 * A failed observation is remembered by nobody.
 */
export class ObservationCache<Key, Value> {
  readonly #observe: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #entries = new Map<Key, Entry<Value>>();
  #waiting: Waiting<Key, Value>[] = [];

  constructor(observe: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>, clock: Pick<Clock, "monotonic">) {
    this.#observe = observe;
    this.#clock = clock;
  }

  get(key: Key): Promise<Value> {
    const known = this.#entries.get(key);
    if (known !== undefined && this.#isFresh(known)) return known.answer;
    if (this.#waiting.length === 0) setImmediate(() => void this.#flush());
    const entry: Entry<Value> = {
      startedAt: null,
      answer: new Promise((resolve, reject) => {
        this.#waiting.push({ key, entry: () => entry, resolve, reject });
      }),
    };
    this.#entries.set(key, entry);
    return entry.answer;
  }

  /** Whatever is asked from now on is observed from now on. Questions still waiting keep waiting: they will be. */
  forget(): void {
    for (const [key, entry] of this.#entries) if (entry.startedAt !== null) this.#entries.delete(key);
  }

  #isFresh(entry: Entry<Value>): boolean {
    return entry.startedAt === null || this.#clock.monotonic() - entry.startedAt < longestAgeMs;
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    for (const [key, entry] of this.#entries) if (!this.#isFresh(entry)) this.#entries.delete(key);
    const startedAt = this.#clock.monotonic();
    for (const { entry } of batch) entry().startedAt = startedAt;
    try {
      const answers = await this.#observe(batch.map(({ key }) => key));
      for (const { key, resolve } of batch) {
        if (!answers.has(key)) throw new Error(`The observation gave no answer for ${String(key)}.`);
        resolve(answers.get(key) as Value);
      }
    } catch (error) {
      for (const { key, entry, reject } of batch) {
        if (this.#entries.get(key) === entry()) this.#entries.delete(key);
        reject(error);
      }
    }
  }
}

/** One value under the same rules. */
export class ObservedValue<Value> {
  readonly #cache: ObservationCache<"value", Value>;

  constructor(observe: () => Promise<Value>, clock: Pick<Clock, "monotonic">) {
    this.#cache = new ObservationCache(async () => new Map<"value", Value>([["value", await observe()]]), clock);
  }

  get(): Promise<Value> {
    return this.#cache.get("value");
  }

  forget(): void {
    this.#cache.forget();
  }
}
