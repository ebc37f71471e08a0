import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { OpenFileEvidence, ProcessInspection } from "../../../src/core/process/processInspector.js";
import { createProcessInspector } from "../../../src/core/process/createProcessInspector.js";
import { inspectWeakLock, judgeWeakLock, recordedPid, weakLockGraceMs, weakLockReasons, type WeakLockFacts } from "../../../src/core/systems/lattice/weakLocks.js";
import { FakeProcesses, identityOf, localEnvironment } from "../../fakes/processes.js";
import { JumpingClock, Workspace } from "./lockFixture.js";

const notOpen: OpenFileEvidence = { kind: "not-open" };
const othersHidden: OpenFileEvidence = { kind: "unknown", diagnostic: "fd_unreadable_of_other_users" };
const absent: ProcessInspection = { kind: "absent", why: "no-such-process" };
const facts: WeakLockFacts = { open: notOpen, inspection: null, environment: localEnvironment, ageMs: weakLockGraceMs, isOwnFile: true };

describe("judgeWeakLock", () => {
  const table: readonly (readonly [string, number | null, Partial<WeakLockFacts>, string])[] = [
    ["open by a process", null, { open: { kind: "open", pids: [7] } }, "live"],
    ["open by a process, whatever else", 5, { open: { kind: "open", pids: [7] }, inspection: absent, ageMs: 0 }, "live"],
    ["not open, a minute old", null, {}, "stale"],
    ["not open, a moment younger", null, { ageMs: weakLockGraceMs - 1 }, "unknown weak_lock_is_young"],
    ["not open, from the future", null, { ageMs: -3_600_000 }, "unknown weak_lock_is_young"],
    ["recorded pid gone", 5, { inspection: absent }, "stale"],
    ["recorded pid a zombie", 5, { inspection: { kind: "absent", why: "zombie" } }, "stale"],
    ["recorded pid in use", 5, { inspection: { kind: "live", identity: identityOf(5) } }, "unknown recorded_pid_in_use"],
    ["recorded pid not observable", 5, { inspection: { kind: "unknown", diagnostic: "stat_EACCES" } }, "unknown process_not_observable"],
    ["some process of ours could not be looked into", null, { open: { kind: "unknown", diagnostic: "fd_unreadable" } }, "unknown open_files_not_observable"],
    ["only others' processes hidden, file is ours", null, { open: othersHidden }, "stale"],
    ["only others' processes hidden, file is not ours", null, { open: othersHidden, isOwnFile: false }, "unknown open_files_not_observable"],
    ["shared disk", null, { environment: { ...localEnvironment, localFilesystem: false } }, "unknown filesystem_not_local"],
    ["in a container", null, { environment: { ...localEnvironment, pidNamespace: "nested" } }, "unknown pid_namespace_nested"],
    ["in a container that owns the disk", null, { environment: { ...localEnvironment, pidNamespace: "nested", exclusiveToThisNamespace: true } }, "stale"],
    ["namespace not known", null, { environment: { ...localEnvironment, pidNamespace: "unknown" } }, "unknown pid_namespace_unknown"],
  ];
  for (const [name, pid, change, expected] of table) {
    it(`${name}: ${expected}`, () => {
      const { verdict, checks } = judgeWeakLock(pid, { ...facts, ...change });
      assert.equal(verdict.kind === "unknown" ? `unknown ${verdict.reason}` : verdict.kind, expected);
      assert.equal(checks.filter(({ decides }) => decides).length, 1);
      assert.ok(checks.at(-1)?.decides);
      if (verdict.kind === "stale") {
        assert.equal(verdict.proof, "weak");
        assert.equal(verdict.assumptions.includes("processes_of_other_users_not_observed"), change.open === othersHidden);
      }
    });
  }

  it("says stale for no combination in which one thing is not known or speaks for an owner", () => {
    const open: readonly OpenFileEvidence[] = [notOpen, othersHidden, { kind: "unknown", diagnostic: "proc_hides_processes" }, { kind: "open", pids: [1] }];
    const inspections: readonly (ProcessInspection | null)[] = [null, absent, { kind: "live", identity: identityOf(5) }, { kind: "unknown", diagnostic: "x" }];
    for (const openEvidence of open)
      for (const inspection of inspections)
        for (const localFilesystem of [true, false])
          for (const pidNamespace of ["initial", "nested", "unknown", "not_applicable"] as const)
            for (const ageMs of [0, weakLockGraceMs])
              for (const isOwnFile of [true, false]) {
                const environment = { ...localEnvironment, localFilesystem, pidNamespace };
                const { verdict } = judgeWeakLock(inspection === null ? null : 5, { open: openEvidence, inspection, environment, ageMs, isOwnFile });
                const mayBeStale: boolean =
                  (openEvidence === notOpen || (openEvidence === othersHidden && isOwnFile)) &&
                  (inspection === null || inspection === absent) && localFilesystem && ageMs >= weakLockGraceMs &&
                  (pidNamespace === "initial" || pidNamespace === "not_applicable");
                assert.equal(verdict.kind === "stale", mayBeStale);
                if (verdict.kind === "unknown") {
                  assert.ok((weakLockReasons.unknown as readonly string[]).includes(verdict.reason));
                  assert.ok(verdict.settles.every((code) => (weakLockReasons.settles as readonly string[]).includes(code)));
                }
              }
  });
});

describe("recordedPid", () => {
  it("reads a bare decimal number and nothing else", () => {
    const pidOf = (text: string): number | null => recordedPid(Buffer.from(text));
    assert.equal(pidOf("4242\n"), 4242);
    assert.equal(pidOf(" 1 "), 1);
    for (const text of ["", "0", "-1", "1.5", "0x10", "4242 4243", "99999999999", "2147483648", '{"pid":1}', "\uFEFF1"]) assert.equal(pidOf(text), null, text);
  });
});

describe("inspectWeakLock", () => {
  let workspace: Workspace;
  const observer = new FakeProcesses();
  const clock = new JumpingClock();

  before(() => {
    workspace = new Workspace();
  });

  after(() => workspace.remove());

  it("offers a left-over command lock that nobody has open", async () => {
    const claim = await inspectWeakLock(workspace.write("run-1", ".cli-lifecycle.lock", ""), { observer, clock });
    assert.equal(claim.kind, "cli-lock");
    assert.equal(claim.owner, null);
    assert.ok(claim.verdict.kind === "stale");
    assert.equal(claim.verdict.reason, "no_process_has_file_open");
    assert.equal(claim.resource, "run-1");
  });

  it("shows the pid that a registry lock records", async () => {
    observer.setLive(77);
    const lockPath = path.join(workspace.store, "runtime", "adapter-registry", ".registry.lock");
    fs.mkdirSync(path.dirname(lockPath), { recursive: true });
    fs.writeFileSync(lockPath, "77\n");
    const claim = await inspectWeakLock(lockPath, { observer, clock });
    assert.equal(claim.kind, "registry-lock");
    assert.equal(claim.owner?.pid, 77);
    assert.deepEqual(claim.verdict, { kind: "unknown", reason: "recorded_pid_in_use", settles: ["wait_and_watch"] });
  });

  it("trusts neither a link, nor a directory, nor a large file, nor a second name", async () => {
    const lockPath = path.join(workspace.run("run-2"), ".cli-lifecycle.lock");
    const reasons: unknown[] = [];
    for (const make of [() => fs.symlinkSync("x", lockPath), () => fs.mkdirSync(lockPath), () => fs.writeFileSync(lockPath, "x".repeat(4_097)), () => fs.linkSync(workspace.write("run-2", "other", ""), lockPath)]) {
      make();
      const { verdict } = await inspectWeakLock(lockPath, { observer, clock });
      reasons.push(verdict.kind === "corrupt" ? verdict.reason : verdict.kind);
      fs.rmSync(lockPath, { recursive: true });
    }
    assert.deepEqual(reasons, ["symlink", "not_a_regular_file", "too_large", "hard_linked"]);
    assert.deepEqual((await inspectWeakLock(lockPath, { observer, clock })).verdict, { kind: "empty" });
  });

  it("refuses a name that is no weak lock's: that would be a mistake of the caller", async () => {
    await assert.rejects(inspectWeakLock(path.join(workspace.root, ".lifecycle.lock"), { observer, clock }), TypeError);
  });

  it("sees the real kernel: held open by this very process it is live, closed it is not", async function () {
    if (process.platform !== "linux") this.skip();
    const lockPath = workspace.write("run-3", ".cli-lifecycle.lock", "");
    const descriptor = fs.openSync(lockPath, "r");
    const open = await inspectWeakLock(lockPath, { observer: createProcessInspector() });
    fs.closeSync(descriptor);
    assert.deepEqual(open.verdict, { kind: "live", notes: ["open_by_a_process"] });
    assert.equal(open.checks.at(-1)?.observed, String(process.pid));
    assert.notEqual((await inspectWeakLock(lockPath, { observer: createProcessInspector() })).verdict.kind, "live");
  });
});
