// The store keeps the last good snapshot, never overlaps looks, and never rejects.
import assert from "node:assert/strict";
import type { RunStateSnapshot } from "../../src/core/scan/snapshot.js";
import { RunStateStore, type Scanner } from "../../src/extension/state/runStateStore.js";
import { settled } from "./fakeTimers.js";
import { root, run, snapshot, stale, store as lattice } from "./builders.js";

const full = snapshot([root("/p", [lattice("/p/.lattice", { runs: [run("/p/.lattice", "a", [stale])] })])]);
const bare = snapshot([root("/p", [])]);

interface Script {
  /** What the next looks give: a snapshot or an error. */
  next: (RunStateSnapshot | Error)[];
  /** Looks end only after this. */
  hold: Promise<void>;
  readonly calls: string[];
}

function scripted(...next: (RunStateSnapshot | Error)[]): Script & { readonly scanner: Scanner } {
  const script: Script = { next, hold: Promise.resolve(), calls: [] };
  const answer = async (call: string): Promise<RunStateSnapshot> => {
    script.calls.push(call);
    await script.hold;
    const given = script.next.shift() ?? full;
    if (given instanceof Error) throw given;
    return given;
  };
  return Object.assign(script, {
    scanner: {
      lookEverywhere: (roots: readonly string[]) => answer(`everywhere ${roots.join(" ")}`),
      lookAt: (paths: readonly string[]) => answer(`at ${paths.join(" ")}`),
      lookAtOwners: () => answer("owners"),
    },
  });
}

function open(scanner: Scanner): { readonly store: RunStateStore; readonly failures: unknown[] } {
  const failures: unknown[] = [];
  const store = new RunStateStore({ scanner, monotonic: () => 0, onFailure: (error) => failures.push(error) });
  store.setRoots(["/p"]);
  return { store, failures };
}

describe("the run state store", () => {
  it("knows the phases that welcome texts depend on", async () => {
    const script = scripted(new Error("EIO"), bare, full);
    const { store } = open(script.scanner);
    assert.equal(store.state.phase, "scanning");
    await store.refresh({ kind: "all" });
    assert.equal(store.state.phase, "failed");
    await store.refresh({ kind: "all" });
    assert.equal(store.state.phase, "empty");
    await store.refresh({ kind: "all" });
    assert.equal(store.state.phase, "found");
    store.setRoots([]);
    assert.equal(store.state.phase, "no-roots");
    assert.equal(store.state.snapshot, null);
  });

  it("keeps the last good snapshot when a look fails, and says why", async () => {
    const script = scripted(full, new Error("EIO: i/o error"));
    const { store, failures } = open(script.scanner);
    await store.refresh({ kind: "all" });
    const outcome = await store.refresh({ kind: "owners" });
    assert.deepEqual(outcome, { changed: false, duration: 0 });
    assert.equal(store.state.snapshot, full);
    assert.equal(store.state.phase, "found");
    assert.equal(store.state.failure, "EIO: i/o error");
    assert.equal(failures.length, 1);
    await store.refresh({ kind: "owners" });
    assert.equal(store.state.failure, null);
  });

  it("looks at everything the first time, whatever was asked for", async () => {
    const script = scripted();
    const { store } = open(script.scanner);
    await store.refresh({ kind: "paths", paths: ["/p/.lattice/runs/a"] });
    assert.deepEqual(script.calls, ["everywhere /p"]);
  });

  it("serves requests that come during a look by one look afterwards", async () => {
    const script = scripted();
    const { store } = open(script.scanner);
    await store.refresh({ kind: "all" });
    let finish: () => void = () => {};
    script.hold = new Promise((resolve) => {
      finish = resolve;
    });
    const first = store.refresh({ kind: "owners" });
    await settled();
    assert.equal(script.calls.at(-1), "owners");
    const second = store.refresh({ kind: "paths", paths: ["/a"] });
    const third = store.refresh({ kind: "paths", paths: ["/b"] });
    assert.equal(second, third);
    finish();
    await Promise.all([first, second]);
    assert.deepEqual(script.calls, ["everywhere /p", "owners", "at /a /b"]);
  });

  it("merges different requests into one look at everything", async () => {
    const script = scripted();
    const { store } = open(script.scanner);
    await store.refresh({ kind: "all" });
    await Promise.all([store.refresh({ kind: "owners" }), store.refresh({ kind: "paths", paths: ["/a"] })]);
    assert.deepEqual(script.calls, ["everywhere /p", "everywhere /p"]);
  });

  it("does not show a look at roots that are no longer the roots", async () => {
    let finish: (snapshot: RunStateSnapshot) => void = () => {};
    const slow = new Promise<RunStateSnapshot>((resolve) => {
      finish = resolve;
    });
    const { store } = open({ ...scripted().scanner, lookEverywhere: () => slow });
    const looking = store.refresh({ kind: "all" });
    await settled();
    store.setRoots(["/other"]);
    finish(full);
    await looking;
    assert.equal(store.state.snapshot, null);
    assert.equal(store.state.phase, "scanning");
  });
});
