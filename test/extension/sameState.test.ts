// What counts as a change: claims, verdicts, problems, quarantine; not the moment of looking.
import assert from "node:assert/strict";
import type { RunSnapshot, RunStateSnapshot } from "../../src/core/scan/snapshot.js";
import { isSameState } from "../../src/extension/state/sameState.js";
import { claim, entry, live, root, run, snapshot, stale, store } from "./builders.js";

const lattice = "/p/.lattice";
const held = claim(stale, { path: `${lattice}/runs/a/.lifecycle.lock` });

function taken(parts: Partial<Parameters<typeof store>[1]> = {}, runs: readonly RunSnapshot[] = [run(lattice, "a", [stale]), run(lattice, "b")]): RunStateSnapshot {
  return snapshot([root("/p", [store(lattice, { runs, quarantine: [entry("quarantined", held)], ...parts })])]);
}

describe("two looks", () => {
  it("saw the same when only the moment of observation differs", () => {
    const [first, ...rest] = taken().roots[0]?.stores[0]?.runs ?? [];
    assert.ok(first);
    const later = { ...first, claims: first.claims.map((one) => ({ ...one, observedAt: one.observedAt + 15_000 })) };
    assert.equal(isSameState(taken(), { ...taken({}, [later, ...rest]), takenAt: 1 }), true);
  });

  for (const [what, other] of [
    ["a verdict", taken({}, [run(lattice, "a", [live]), run(lattice, "b")])],
    ["the reason of a verdict", taken({}, [run(lattice, "a", [{ ...stale, reason: "zombie" }]), run(lattice, "b")])],
    ["a claim", taken({}, [run(lattice, "a", [stale, live]), run(lattice, "b")])],
    ["a run", taken({}, [run(lattice, "a", [stale])])],
    ["a problem", taken({ problems: [{ code: "stray-entry", path: `${lattice}/runs/x`, detail: null }] })],
    ["an item in quarantine", taken({ quarantine: [] })],
    ["the state of an item in quarantine", taken({ quarantine: [entry("restored", held)] })],
    ["a folder", snapshot([])],
  ] as const) {
    it(`differ in ${what}`, () => {
      assert.equal(isSameState(taken(), other), false);
    });
  }
});
