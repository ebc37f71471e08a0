import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createScanIndex, type ScanIndex } from "../../../src/core/scan/scanIndex.js";
import type { RunSnapshot, RunStateSnapshot } from "../../../src/core/scan/snapshot.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { fakeFiles, type Call, type FakeFilesOptions } from "../../fakes/files.js";
import { FakeProcesses, startAt } from "../../fakes/processes.js";
import { JumpingClock, lockOf, ownerPid, ownerStartSeconds, Workspace } from "../lattice/lockFixture.js";

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

function runsOf(snapshot: RunStateSnapshot): readonly RunSnapshot[] {
  return snapshot.roots.flatMap(({ stores }) => stores.flatMap(({ runs }) => runs));
}

function verdictsOf(snapshot: RunStateSnapshot): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(runsOf(snapshot).map(({ name, claims }) => [name, claims.map(({ verdict }) => verdict.kind)]));
}

/** Everything below a directory becomes an hour old: what was just made is read again by the rule of racy stamps. */
function age(directory: string, ms = 3_600_000): void {
  const at = new Date(Date.now() - ms);
  for (const name of fs.readdirSync(directory, { recursive: true, encoding: "utf8" })) fs.lutimesSync(path.join(directory, name), at, at);
}

describe("createScanIndex", () => {
  let workspace: Workspace;
  let observer: FakeProcesses;
  let clock: JumpingClock;
  let calls: readonly Call[];

  beforeEach(() => {
    workspace = new Workspace();
    observer = new FakeProcesses().setLive(ownerPid, {}, startAt(ownerStartSeconds));
    clock = new JumpingClock();
    for (const name of ["run-1", "run-2", "run-3"]) workspace.write(name, ".lifecycle.lock", lockOf().bytes);
    workspace.run("run-4");
    age(workspace.root);
    // ctime cannot be set: the scan happens an hour later instead.
    void clock.sleep(3_600_000);
    clock.slept.length = 0;
  });

  afterEach(() => workspace.remove());

  const indexWith = (files: FakeFilesOptions = {}): ScanIndex => {
    const fake = fakeFiles(nodeFilePort, files);
    ({ calls } = fake);
    return createScanIndex([workspace.root], { observer, clock, port: fake.port });
  };
  const since = (start: number, ...operations: readonly string[]): readonly string[] =>
    calls.slice(start).filter(({ operation }) => operations.includes(operation)).map((call) => path.relative(workspace.store, call.path));

  it("looks at everything again but reads nothing when nothing has changed", async () => {
    const index = indexWith();
    const first = deepFreeze(await index.refresh());
    const start = calls.length;
    const second = deepFreeze(await index.refresh());
    assert.deepEqual(since(start, "openRead", "readdir").filter((name) => name.startsWith("runs")), []);
    assert.deepEqual(verdictsOf(second), verdictsOf(first));
    assert.ok(runsOf(first)[3] === runsOf(second)[3], "a run without locks that did not change is the same object");
  });

  it("judges again what it does not read again", async () => {
    const index = indexWith();
    assert.deepEqual(verdictsOf(await index.refresh())["run-1"], ["live"]);
    observer.setAbsent(ownerPid);
    assert.deepEqual(verdictsOf(await index.refresh([])), { "run-1": ["stale"], "run-2": ["stale"], "run-3": ["stale"], "run-4": [] });
    assert.ok(observer.asked.filter((question) => question === "forget").length === 2);
  });

  it("reads the lock that was rewritten, and only that", async () => {
    const index = indexWith();
    await index.refresh();
    fs.writeFileSync(path.join(workspace.runs, "run-2", ".lifecycle.lock"), lockOf({ requestId: "request-b" }).bytes);
    const start = calls.length;
    const snapshot = await index.refresh();
    assert.deepEqual(since(start, "openRead"), [path.join("runs", "run-2", ".lifecycle.lock")]);
    assert.equal(runsOf(snapshot)[1]?.claims[0]?.facts.find(({ name }) => name === "request-id")?.value, "request-b");
  });

  it("sees locks and runs come, go and be replaced by rename", async () => {
    const index = indexWith();
    await index.refresh();
    fs.rmSync(path.join(workspace.runs, "run-1", ".lifecycle.lock"));
    fs.rmSync(path.join(workspace.runs, "run-2"), { recursive: true });
    workspace.write("run-4", ".lifecycle.lock", lockOf().bytes);
    workspace.write("run-5", ".lifecycle.lock", lockOf({ pid: 7 }).bytes);
    const temporary = workspace.write("run-3", "temporary", lockOf({ pid: 7 }).bytes);
    fs.renameSync(temporary, path.join(workspace.runs, "run-3", ".lifecycle.lock"));
    assert.deepEqual(verdictsOf(await index.refresh()), { "run-1": [], "run-3": ["stale"], "run-4": ["live"], "run-5": ["stale"] });
    fs.rmSync(workspace.store, { recursive: true });
    assert.deepEqual((await index.refresh()).roots[0]?.stores, []);
    workspace.write("run-1", ".lifecycle.lock", lockOf().bytes);
    assert.deepEqual(verdictsOf(await index.refresh()), { "run-1": ["live"] });
  });

  it("looks only where it was told that something changed", async () => {
    const index = indexWith();
    await index.refresh();
    for (const name of ["run-1", "run-2"]) fs.writeFileSync(path.join(workspace.runs, name, ".lifecycle.lock"), lockOf({ pid: 7 }).bytes);
    const start = calls.length;
    const snapshot = await index.refresh([path.join(workspace.runs, "run-2", ".lifecycle.lock")]);
    assert.deepEqual(verdictsOf(snapshot), { "run-1": ["live"], "run-2": ["stale"], "run-3": ["live"], "run-4": [] });
    assert.deepEqual(since(start, "lstat").filter((name) => name.startsWith(path.join("runs", "run-"))).map((name) => name.split(path.sep)[1]).filter((name) => name !== "run-2"), []);
  });

  it("understands paths above the store, in the quarantine, through links, and elsewhere", async () => {
    const link = `${workspace.root}-link`;
    fs.symlinkSync(workspace.root, link);
    try {
      const fake = fakeFiles(nodeFilePort);
      const index = createScanIndex([link], { observer, clock, port: fake.port });
      await index.refresh();
      const looked = async (...changed: readonly string[]): Promise<readonly string[]> => {
        const start = fake.calls.length;
        await index.refresh(changed);
        const seen = fake.calls.slice(start).filter(({ operation }) => operation === "lstat").map((call) => path.relative(path.join(link, ".lattice"), call.path));
        return [...new Set(seen.filter((name) => /^(runs.run-\d|quarantine)$/.test(name)))];
      };
      const everything = ["runs/run-1", "runs/run-2", "runs/run-3", "runs/run-4", "quarantine"];
      assert.deepEqual(await looked(), []);
      assert.deepEqual(await looked("/elsewhere", path.join(workspace.root, "src", "x.ts")), []);
      assert.deepEqual(await looked(path.join(workspace.runs, "run-1", "events.json")), ["runs/run-1"]);
      assert.deepEqual(await looked(path.join(link, ".lattice", "runs", "run-1")), ["runs/run-1"]);
      assert.deepEqual(await looked(path.join(link, ".lattice", "quarantine", "run-1", "x")), ["quarantine"]);
      assert.deepEqual(await looked(workspace.root), everything);
      assert.deepEqual(await looked(path.join(link, ".lattice")), everything);
    } finally {
      fs.rmSync(link);
    }
  });

  it("does not trust the times of a file that was written in the moment when it was read", async () => {
    const lockPath = path.join(workspace.runs, "run-1", ".lifecycle.lock");
    const index = createScanIndex([workspace.root], { observer, clock: { now: () => Date.now(), monotonic: () => performance.now(), sleep: (ms) => clock.sleep(ms) } });
    fs.writeFileSync(lockPath, lockOf().bytes);
    const { mtime } = fs.statSync(lockPath);
    assert.deepEqual(verdictsOf(await index.refresh())["run-1"], ["live"]);
    // Same size, same times: as two writes within one tick of the file system's clock.
    fs.writeFileSync(lockPath, lockOf({ pid: 4243 }).bytes);
    fs.utimesSync(lockPath, mtime, mtime);
    assert.deepEqual(verdictsOf(await index.refresh())["run-1"], ["stale"]);
  });

  it("keeps a good lock until two looks agree that it is unusable (pains 31, 38)", async () => {
    const index = indexWith();
    await index.refresh();
    const lockPath = path.join(workspace.runs, "run-1", ".lifecycle.lock");
    const { bytes } = lockOf({ pid: 7 });
    const write = (content: Uint8Array): void => {
      fs.writeFileSync(lockPath, content);
    };
    // In the middle of a write at the first look, whole at the second.
    write(bytes.subarray(0, 100));
    clock.duringSleep = () => write(bytes);
    assert.deepEqual(verdictsOf(await index.refresh())["run-1"], ["stale"]);
    // Cut at the first look, cut elsewhere at the second: nothing is established.
    write(bytes.subarray(0, 100));
    clock.duringSleep = () => write(bytes.subarray(0, 200));
    const unsettled = await index.refresh();
    assert.deepEqual(verdictsOf(unsettled)["run-1"], ["stale"]);
    assert.deepEqual(runsOf(unsettled)[0]?.problems.map(({ code }) => code), ["unsettled"]);
    // The same at both looks: it is so.
    clock.duringSleep = () => {};
    const settled = await index.refresh([]);
    assert.deepEqual(verdictsOf(settled)["run-1"], ["corrupt"]);
    assert.deepEqual(runsOf(settled)[0]?.problems, []);
  });

  it("keeps the runs when one moment of the disk is bad, and says so when it stays bad", async () => {
    for (const code of ["EIO", "EACCES", "EBUSY"]) {
      const inStore = (call: Call): boolean => /runs(.run-1)?$/.test(call.path) && call.operation === "readdir";
      const fault = { where: inStore, at: 0, code };
      const fake = fakeFiles(nodeFilePort, { faults: [{ ...fault, at: 2 }, { ...fault, at: 4 }] });
      const index = createScanIndex([workspace.root], { observer, clock, port: fake.port });
      const first = verdictsOf(await index.refresh());
      // Something changed, so that both are listed again.
      workspace.run(`run-new-${code}`);
      fs.writeFileSync(path.join(workspace.runs, "run-1", code), "");
      assert.deepEqual(verdictsOf(await index.refresh()), { ...first, [`run-new-${code}`]: [] }, code);
    }
    const stays = fakeFiles(nodeFilePort, { faults: [{ operation: "readdir", where: (call) => call.path.endsWith("run-1"), at: 1, code: "EIO", forGood: true }] });
    const index = createScanIndex([workspace.root], { observer, clock, port: stays.port });
    await index.refresh();
    fs.writeFileSync(path.join(workspace.runs, "run-1", "more"), "");
    const bad = runsOf(await index.refresh())[0];
    assert.deepEqual([bad?.claims.length, bad?.problems.map(({ code, detail }) => [code, detail])], [0, [["unreadable", "EIO"]]]);
    stays.arm(false);
    assert.deepEqual(verdictsOf(await index.refresh())["run-1"], ["live"]);
  });

  it("keeps a root and its store when one look at them fails, and says so when they stay unreadable", async () => {
    for (const place of [workspace.root, workspace.store]) {
      const fault = { operation: "lstat", where: (call: Call) => call.path === place, at: 1, code: "EIO" } as const;
      const once = fakeFiles(nodeFilePort, { faults: [fault] });
      const index = createScanIndex([workspace.root], { observer, clock, port: once.port });
      const first = verdictsOf(await index.refresh());
      assert.deepEqual(verdictsOf(await index.refresh()), first, place);
      assert.equal(once.faultsHit(), 1);
      const forGood = createScanIndex([workspace.root], { observer, clock, port: fakeFiles(nodeFilePort, { faults: [{ ...fault, forGood: true }] }).port });
      await forGood.refresh();
      const [root] = (await forGood.refresh()).roots;
      assert.deepEqual([...(root?.problems ?? []), ...(root?.stores[0]?.problems ?? [])], [{ code: "unreadable", path: place, detail: "EIO" }]);
    }
  });

  it("does not follow a run that was replaced by a link", async () => {
    const index = indexWith();
    await index.refresh();
    fs.rmSync(path.join(workspace.runs, "run-1"), { recursive: true });
    fs.symlinkSync("run-2", path.join(workspace.runs, "run-1"));
    const snapshot = await index.refresh();
    assert.ok(!("run-1" in verdictsOf(snapshot)));
    assert.deepEqual(snapshot.roots[0]?.stores[0]?.problems.map(({ code }) => code), ["symlink"]);
  });

  it("runs one refresh after the other, also after one that failed", async () => {
    const abort = AbortSignal.abort(new Error("gone"));
    const index = indexWith();
    const results = await Promise.allSettled([index.refresh(), index.refresh(undefined, { signal: abort }), index.refresh()]);
    assert.deepEqual(results.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
    const forgets = observer.asked.filter((question) => question === "forget").length;
    assert.equal(forgets, 2);
  });
});
