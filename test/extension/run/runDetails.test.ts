// When runs are looked into: when somebody asks, once, and again when something changed while it is shown.
import assert from "node:assert/strict";
import type { RunDetail } from "../../../src/core/systems/lattice/store/runDetail.js";
import type { RunStateSnapshot } from "../../../src/core/scan/snapshot.js";
import { RunDetails } from "../../../src/extension/run/runDetails.js";
import { root, run, snapshot, store } from "../builders.js";

const lattice = "/p/.lattice";
const one = `${lattice}/runs/one`;
const other = `${lattice}/runs/other`;

function taken(...names: readonly string[]): RunStateSnapshot {
  return snapshot([root("/p", [store(lattice, { runs: names.map((name) => run(lattice, name)) })])]);
}

/** Looks that end when the test says so. */
class Looks {
  readonly began: string[] = [];
  readonly failures: unknown[] = [];
  readonly changed: string[] = [];
  private readonly waiting: ((end: Error | null) => void)[] = [];
  readonly details = new RunDetails({
    inspect: (directory) => {
      this.began.push(directory);
      return new Promise((resolve, reject) => {
        this.waiting.push((error) => {
          if (error === null) resolve({ directory, takenAt: this.began.length } as RunDetail);
          else reject(error);
        });
      });
    },
    onFailure: (error) => this.failures.push(error),
  });

  constructor() {
    this.details.onDidChange((path) => this.changed.push(path));
  }

  async end(error: Error | null = null): Promise<void> {
    await settled();
    this.waiting.shift()?.(error);
    await settled();
  }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe("looks into runs", () => {
  it("are made when somebody asks, and once", async () => {
    const looks = new Looks();
    assert.equal(looks.details.lookOf({ path: one }).kind, "unseen");
    const [first, second] = [looks.details.show(one), looks.details.know(one)];
    assert.equal(looks.details.lookOf({ path: one }).kind, "looking");
    await looks.end();
    assert.equal((await first).kind, "seen");
    assert.equal(await second, await first);
    assert.equal(await looks.details.show(one), await first);
    assert.deepEqual(looks.began, [one]);
    assert.deepEqual(looks.changed, [one, one]);
  });

  it("are made one run at a time", async () => {
    const looks = new Looks();
    void looks.details.show(one);
    void looks.details.show(other);
    await settled();
    assert.deepEqual(looks.began, [one]);
    await looks.end();
    assert.deepEqual(looks.began, [one, other]);
  });

  it("are made again when something in a shown run changed, and show what was known meanwhile", async () => {
    const looks = new Looks();
    void looks.details.show(one);
    await looks.end();
    const before = looks.details.lookOf({ path: one });
    looks.details.looked({ kind: "paths", paths: [`${one}/events.json`] }, taken("one"));
    await settled();
    assert.equal(looks.details.lookOf({ path: one }), before);
    await looks.end();
    assert.notEqual(looks.details.lookOf({ path: one }), before);
    assert.deepEqual(looks.began, [one, one]);
  });

  it("are not made again for a change elsewhere, nor for a run that nobody shows", async () => {
    const looks = new Looks();
    void looks.details.show(one);
    await looks.end();
    looks.details.looked({ kind: "paths", paths: [`${other}/events.json`, `${one}-2/events.json`] }, taken("one", "other"));
    await settled();
    looks.details.rest(one);
    looks.details.looked({ kind: "all" }, taken("one", "other"));
    await settled();
    assert.deepEqual(looks.began, [one]);
    void looks.details.show(one);
    await settled();
    assert.deepEqual(looks.began, [one, one]);
  });

  it("are made once more when something changed during one", async () => {
    const looks = new Looks();
    const shown = looks.details.show(one);
    await settled();
    looks.details.looked({ kind: "owners" }, taken("one"));
    looks.details.looked({ kind: "owners" }, taken("one"));
    await looks.end();
    assert.deepEqual(looks.began, [one, one]);
    await looks.end();
    const look = await shown;
    assert.ok(look.kind === "seen" && look.detail.takenAt === 2);
  });

  it("that fail say why, once, and are tried again when somebody asks", async () => {
    const looks = new Looks();
    const shown = looks.details.show(one);
    await looks.end(new Error("EIO"));
    assert.deepEqual(await shown, { kind: "failed", message: "EIO" });
    assert.equal(looks.failures.length, 1);
    const again = looks.details.again(one);
    await looks.end();
    assert.equal((await again).kind, "seen");
  });

  it("are forgotten with their run", async () => {
    const looks = new Looks();
    void looks.details.show(one);
    await looks.end();
    looks.details.looked({ kind: "all" }, taken("other"));
    assert.equal(looks.details.lookOf({ path: one }).kind, "unseen");
  });

  it("end with the extension", async () => {
    const looks = new Looks();
    const shown = looks.details.show(one);
    await settled();
    looks.details.dispose();
    await looks.end(new Error("aborted"));
    await shown;
    assert.deepEqual(looks.failures, []);
  });
});
