// The locks of every captured run directory, found by a scan on a machine where none of the recorded processes runs. Expectations
// come from what the runtime itself said (expected.json) and from the bytes, so that other directories of the same form can be tried.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ClaimSnapshot } from "../../src/core/claims/claim.js";
import { scanRunState } from "../../src/core/scan/scanRunState.js";
import { checkLifecycleLock } from "../../src/core/systems/lattice/lifecycleLock.js";
import type { LifecycleLock } from "../../src/core/systems/lattice/lifecycleLockRecord.js";
import { FakeProcesses } from "../fakes/processes.js";
import { consumeRundirs, rundirsRoot } from "./vectors.js";

interface Expected {
  readonly lock?: { readonly artifact?: LifecycleLock; readonly expected_verdict: string };
}

/** What the runtime says of a lock, as our verdict: it has three answers where ours has six. */
function verdictOf({ expected_verdict: said }: NonNullable<Expected["lock"]>): ClaimSnapshot["verdict"]["kind"] {
  if (/stale/.test(said)) return "stale";
  if (/RUN_LOCK_INVALID|invalid JSON/.test(said)) return "corrupt";
  // No owner, nobody has it open, old: what the runtime can never recover.
  if (/no owner information/.test(said)) return "stale";
  throw new Error(`The runtime said something that no test knows: ${said}`);
}

describe("rundirs/lattice, locks", () => {
  let root: string;
  // The files of a checkout may be seconds old: the scan happens an hour later.
  const clock = { now: () => Date.now() + 3_600_000, monotonic: () => performance.now(), sleep: () => Promise.resolve() };

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-rundir-"));
  });

  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  for (const name of consumeRundirs("lattice")) {
    it(name, async () => {
      const source = path.join(rundirsRoot, "lattice", name);
      const expected = JSON.parse(fs.readFileSync(path.join(source, "expected.json"), "utf8")) as Expected;
      fs.cpSync(path.join(source, ".lattice"), path.join(root, ".lattice"), { recursive: true, verbatimSymlinks: true });
      const { roots } = await scanRunState([root], { observer: new FakeProcesses(), clock });
      const store = roots[0]?.stores[0];
      assert.ok(store !== undefined);
      assert.deepEqual(store.runs.map((run) => run.name), fs.readdirSync(path.join(root, ".lattice", "runs")).sort());
      assert.deepEqual([store.problems, store.claims, store.quarantine], [[], [], []]);
      const claims = store.runs.flatMap((run) => run.claims);
      assert.equal(claims.length, expected.lock === undefined ? 0 : 1);
      const [claim] = claims;
      if (claim === undefined || expected.lock === undefined) return;
      assert.equal(claim.verdict.kind, verdictOf(expected.lock));
      const { artifact } = expected.lock;
      assert.equal(claim.owner?.pid, artifact?.owner_pid);
      assert.equal(claim.owner?.started, artifact?.owner_process_start_identity.started_identity);
      assert.equal(claim.facts.find((fact) => fact.name === "request-id")?.value, artifact?.request_id);
      if (claim.kind !== "lifecycle-lock" || claim.verdict.kind !== "corrupt") return;
      const content = checkLifecycleLock(fs.readFileSync(claim.path));
      assert.ok(content.kind !== "valid");
      assert.equal(claim.verdict.reason, content.reason);
    });
  }
});
