// When the view looks again: after a quiet moment, by a slow poll while someone looks, not at all otherwise.
import assert from "node:assert/strict";
import { RefreshScheduler, comeBackDelay, longestWait, mostBackOff, mostPaths, quietPeriod, type RefreshOutcome, type RefreshRequest } from "../../src/extension/state/refreshScheduler.js";
import { FakeTimers, settled } from "./fakeTimers.js";

const interval = 15_000;

interface Bench {
  readonly timers: FakeTimers;
  readonly scheduler: RefreshScheduler;
  readonly looks: RefreshRequest[];
  outcome: RefreshOutcome;
}

function bench(): Bench {
  const timers = new FakeTimers();
  const looks: RefreshRequest[] = [];
  const made: { outcome: RefreshOutcome } = { outcome: { changed: true, duration: 10 } };
  const scheduler = new RefreshScheduler({
    setTimer: timers.setTimer,
    look: (request) => {
      looks.push(request);
      return Promise.resolve(made.outcome);
    },
  });
  scheduler.configure({ automatic: true, intervalMs: interval });
  return Object.assign(made, { timers, scheduler, looks });
}

describe("the refresh scheduler", () => {
  it("looks once at all paths that changed, after a quiet moment", async () => {
    const { scheduler, timers, looks } = bench();
    scheduler.changed("/a");
    await timers.pass(quietPeriod - 1);
    scheduler.changed("/b");
    scheduler.changed("/a");
    await timers.pass(quietPeriod - 1);
    assert.deepEqual(looks, []);
    await timers.pass(1);
    assert.deepEqual(looks, [{ kind: "paths", paths: ["/a", "/b"] }]);
  });

  it("does not wait for ever for changes that never stop", async () => {
    const { scheduler, timers, looks } = bench();
    for (let passed = 0; passed < longestWait; passed += 100) {
      scheduler.changed("/a");
      await timers.pass(100);
    }
    assert.equal(looks.length, 1);
  });

  it("looks at everything when too many paths changed", async () => {
    const { scheduler, timers, looks } = bench();
    for (let index = 0; index <= mostPaths; index += 1) scheduler.changed(`/${String(index)}`);
    await timers.pass(quietPeriod);
    assert.deepEqual(looks, [{ kind: "all" }]);
  });

  it("does nothing by itself in manual mode", async () => {
    const { scheduler, timers, looks } = bench();
    scheduler.setVisible(true);
    scheduler.configure({ automatic: false, intervalMs: interval });
    scheduler.changed("/a");
    await timers.pass(100 * interval);
    assert.deepEqual(looks, []);
    assert.equal(timers.count, 0);
  });

  it("polls only while the view is visible and the window focused", async () => {
    const { scheduler, timers, looks } = bench();
    await timers.pass(10 * interval);
    assert.equal(looks.length, 0, "hidden");
    scheduler.setVisible(true);
    await timers.pass(comeBackDelay + interval);
    assert.deepEqual(looks, [{ kind: "owners" }, { kind: "owners" }]);
    scheduler.setFocused(false);
    await timers.pass(10 * interval);
    assert.equal(looks.length, 2, "not focused");
  });

  it("remembers what changed while the window was not focused, and looks at it on return", async () => {
    const { scheduler, timers, looks } = bench();
    scheduler.setFocused(false);
    scheduler.changed("/a");
    await timers.pass(10 * interval);
    assert.deepEqual(looks, []);
    scheduler.setFocused(true);
    await timers.pass(quietPeriod);
    assert.deepEqual(looks, [{ kind: "paths", paths: ["/a"] }]);
  });

  it("waits longer while polls find nothing, up to a limit, and shorter again after a change", async () => {
    const one = bench();
    one.outcome = { changed: false, duration: 10 };
    one.scheduler.setVisible(true);
    await one.timers.pass(comeBackDelay);
    const gaps: number[] = [];
    for (let seen = one.looks.length; gaps.length < 6; seen = one.looks.length) {
      let waited = 0;
      while (one.looks.length === seen) {
        await one.timers.pass(500);
        waited += 500;
      }
      gaps.push(waited);
    }
    assert.deepEqual(gaps, [22_500, 34_000, 50_500, 60_000, 60_000, 60_000]);
    assert.equal(gaps.at(-1), interval * mostBackOff);
    one.outcome = { changed: true, duration: 10 };
    await one.timers.pass(interval * mostBackOff);
    const before = one.looks.length;
    await one.timers.pass(interval);
    assert.equal(one.looks.length, before + 1);
  });

  it("never spends more than a twentieth of the time on polling", async () => {
    const one = bench();
    one.outcome = { changed: true, duration: 3_000 };
    one.scheduler.setVisible(true);
    await one.timers.pass(comeBackDelay);
    await one.timers.pass(59_000);
    assert.equal(one.looks.length, 1);
    await one.timers.pass(1_000);
    assert.equal(one.looks.length, 2);
  });

  it("never has two looks at once, and serves what changed during one afterwards", async () => {
    const timers = new FakeTimers();
    const looks: RefreshRequest[] = [];
    let finish: () => void = () => {};
    const scheduler = new RefreshScheduler({
      setTimer: timers.setTimer,
      look: (request) => {
        looks.push(request);
        return new Promise((resolve) => {
          finish = () => resolve({ changed: true, duration: 1 });
        });
      },
    });
    scheduler.changed("/a");
    await timers.pass(quietPeriod);
    scheduler.changed("/b");
    await timers.pass(10 * longestWait);
    assert.equal(looks.length, 1);
    finish();
    await settled();
    await timers.pass(quietPeriod);
    assert.deepEqual(looks[1], { kind: "paths", paths: ["/b"] });
  });

  it("leaves no timer behind when it is disposed", () => {
    const { scheduler, timers } = bench();
    scheduler.setVisible(true);
    scheduler.changed("/a");
    scheduler.dispose();
    scheduler.changed("/b");
    assert.equal(timers.count, 0);
  });
});
