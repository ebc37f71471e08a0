import assert from "node:assert/strict";
import { longestAgeMs, ObservationCache, ObservedValue } from "../../../src/core/process/observationCache.js";

function cacheOf(observe?: (keys: readonly string[]) => Promise<ReadonlyMap<string, number>>) {
  const clock = { at: 0, monotonic: () => clock.at };
  const batches: (readonly string[])[] = [];
  const cache = new ObservationCache<string, number>((keys) => {
    batches.push(keys);
    return observe?.(keys) ?? Promise.resolve(new Map(keys.map((key) => [key, batches.length])));
  }, clock);
  return { clock, batches, cache };
}

describe("ObservationCache", () => {
  it("joins all questions of one turn into one observation and asks each key once", async () => {
    const { batches, cache } = cacheOf();
    const answers = await Promise.all([cache.get("a"), cache.get("b"), cache.get("a")]);
    assert.deepEqual(answers, [1, 1, 1]);
    assert.deepEqual(batches, [["a", "b"]]);
  });

  it("reuses an answer for less than a second and not a moment longer", async () => {
    const { clock, batches, cache } = cacheOf();
    await cache.get("a");
    clock.at = longestAgeMs - 1;
    assert.equal(await cache.get("a"), 1);
    clock.at = longestAgeMs;
    assert.equal(await cache.get("a"), 2);
    assert.equal(batches.length, 2);
  });

  it("counts the age from the start of the observation, not from its end", async () => {
    let finish = (): void => {};
    const { clock, batches, cache } = cacheOf(async (keys) => {
      if (batches.length === 1) await new Promise<void>((resolve) => (finish = resolve));
      return new Map(keys.map((key) => [key, batches.length]));
    });
    const slow = cache.get("a");
    while (batches.length === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.at = longestAgeMs;
    const fresh = cache.get("a");
    assert.equal(await fresh, 2);
    finish();
    await slow;
    assert.equal(await cache.get("a"), 2);
  });

  it("observes anew after forget, also while an older observation is still running", async () => {
    let finish = (): void => {};
    const { batches, cache } = cacheOf(async (keys) => {
      const turn = batches.length;
      if (turn === 1) await new Promise<void>((resolve) => (finish = resolve));
      return new Map(keys.map((key) => [key, turn]));
    });
    const before = cache.get("a");
    while (batches.length === 0) await new Promise((resolve) => setImmediate(resolve));
    cache.forget();
    const after = cache.get("a");
    assert.equal(await after, 2);
    finish();
    assert.equal(await before, 1);
    assert.equal(await cache.get("a"), 2, "the late answer of the older observation does not replace the newer one");
  });

  it("lets a question that still waits be answered by the observation after forget", async () => {
    const { batches, cache } = cacheOf();
    const waiting = cache.get("a");
    cache.forget();
    assert.equal(await waiting, 1);
    assert.deepEqual(batches, [["a"]]);
  });

  it("gives a failure to everyone who waits for it and to nobody else", async () => {
    let fails = true;
    const { batches, cache } = cacheOf((keys) => (fails ? Promise.reject(new Error("bug")) : Promise.resolve(new Map(keys.map((key) => [key, 7])))));
    const results = await Promise.allSettled([cache.get("a"), cache.get("b")]);
    assert.deepEqual(results.map(({ status }) => status), ["rejected", "rejected"]);
    fails = false;
    assert.equal(await cache.get("a"), 7);
    assert.equal(batches.length, 2);
  });

  it("refuses an observation that leaves a key out", async () => {
    const { cache } = cacheOf(() => Promise.resolve(new Map([["a", 1]])));
    const [, missing] = await Promise.allSettled([cache.get("a"), cache.get("b")]);
    assert.equal(missing.status, "rejected");
  });
});

describe("ObservedValue", () => {
  it("is observed once for all who ask at the same time", async () => {
    let count = 0;
    const value = new ObservedValue(() => Promise.resolve(++count), { monotonic: () => 0 });
    assert.deepEqual(await Promise.all([value.get(), value.get()]), [1, 1]);
    value.forget();
    assert.equal(await value.get(), 2);
  });
});
