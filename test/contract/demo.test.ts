// Owns: that the demo is what it claims to be: each lock is judged as its case says, by processes that really are so.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { scanRunState } from "../../src/core/index.js";
import type { ClaimSnapshot } from "../../src/core/claims/claim.js";
import { demoCases, type DemoCase } from "../demo/demoCases.js";
import { makeTemporaryDemo } from "../demo/makeDemo.js";
import { findOnPath } from "../tools/setup.mjs";

describe("the demo workspace", () => {
  let demo: Awaited<ReturnType<typeof makeTemporaryDemo>>;

  before(async () => {
    demo = await makeTemporaryDemo();
  });

  after(() => demo.remove());

  async function scannedClaims(): Promise<readonly ClaimSnapshot[]> {
    const { roots } = await scanRunState(Object.values(demo.projects));
    return roots.flatMap(({ stores }) => stores).flatMap(({ runs, claims }) => [...claims, ...runs.flatMap((run) => run.claims)]);
  }

  it("has one claim for each case, judged as the case says", async () => {
    const claims = await scannedClaims();
    const judged = [...demo.claims].map(([name, { lock }]) => [name, claims.find((claim) => claim.path === lock)?.verdict.kind]);
    assert.deepEqual(Object.fromEntries(judged), Object.fromEntries([...demo.claims.keys()].map((name) => [name, demoCases[name]])));
  });

  it("shows all cases on Linux", function () {
    if (process.platform !== "linux") this.skip();
    assert.deepEqual([...demo.claims.keys()].sort(), Object.keys(demoCases).sort());
  });

  it("says for each stale claim why it is", async () => {
    const claims = await scannedClaims();
    const reasonOf = (name: DemoCase): string | undefined => {
      const verdict = claims.find(({ path: at }) => at === demo.claims.get(name)?.lock)?.verdict;
      return verdict?.kind === "stale" ? verdict.reason : undefined;
    };
    assert.equal(reasonOf("stale"), "pid_absent");
    assert.equal(reasonOf("reusedPid"), "start_identity_changed");
    assert.equal(reasonOf("cliLeftover"), "no_process_has_file_open");
    if (process.platform === "linux") assert.equal(reasonOf("zombie"), "zombie");
  });

  it("records starts as ps prints them", function () {
    const ps = findOnPath("ps");
    if (ps === undefined) this.skip();
    for (const name of ["live", "liveOtherZone"] as const) {
      const lock = demo.claims.get(name)?.lock ?? "";
      const { owner_pid, owner_process_start_identity: identity } = JSON.parse(fs.readFileSync(lock, "utf8")) as {
        readonly owner_pid: number;
        readonly owner_process_start_identity: { readonly started_identity: string };
      };
      const timeZone = demo.processes.find(({ pid }) => pid === owner_pid)?.timeZone;
      const env = { ...process.env, LC_ALL: "C", ...(typeof timeZone === "string" ? { TZ: timeZone } : {}) };
      assert.equal(identity.started_identity, execFileSync(ps, ["-o", "lstart=", "-p", String(owner_pid)], { env, encoding: "utf8" }).trim(), name);
    }
  });

  it("has back what git cannot keep: a symlinked request and empty directories", () => {
    const runs = path.join(demo.projects.nightly, ".lattice/runs");
    const links = fs.readdirSync(runs).map((run) => path.join(runs, run, "request.json")).filter((file) => fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true);
    assert.equal(links.length, 1);
    const managed = path.join(demo.claims.get("stale")?.run ?? "", "leases");
    assert.deepEqual(fs.readdirSync(managed), []);
  });
});
