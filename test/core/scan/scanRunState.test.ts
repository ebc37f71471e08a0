import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { problemCodes } from "../../../src/core/scan/problemCodes.js";
import { createScanIndex, type ScanOptions } from "../../../src/core/scan/scanIndex.js";
import { scanRunState } from "../../../src/core/scan/scanRunState.js";
import type { LatticeStoreSnapshot, RunSnapshot, RunStateSnapshot, ScanProblem } from "../../../src/core/scan/snapshot.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { fakeFiles, mutatingOperations } from "../../fakes/files.js";
import { FakeProcesses, startAt } from "../../fakes/processes.js";
import { JumpingClock, lockOf, ownerPid, ownerStartSeconds, Workspace } from "../lattice/lockFixture.js";

function onlyStore(snapshot: RunStateSnapshot): LatticeStoreSnapshot {
  const [store] = snapshot.roots.flatMap(({ stores }) => stores);
  assert.ok(store !== undefined);
  return store;
}

function runNamed(snapshot: RunStateSnapshot, name: string): RunSnapshot {
  const run = onlyStore(snapshot).runs.find((candidate) => candidate.name === name);
  assert.ok(run !== undefined, name);
  return run;
}

const codesOf = (problems: readonly ScanProblem[]): readonly string[] => problems.map(({ code }) => code).sort();

describe("scanRunState", () => {
  let workspace: Workspace;
  let observer: FakeProcesses;
  let options: ScanOptions;

  beforeEach(() => {
    workspace = new Workspace();
    observer = new FakeProcesses().setLive(ownerPid, {}, startAt(ownerStartSeconds));
    options = { observer, clock: new JumpingClock() };
  });

  afterEach(() => workspace.remove());

  it("finds every run, its locks worst first, and the adapter registry's lock", async () => {
    workspace.run("run-b");
    workspace.write("run-a", ".lifecycle.lock", lockOf().bytes);
    workspace.write("run-a", ".cli-lifecycle.lock", "");
    const registry = path.join(workspace.store, "runtime", "adapter-registry");
    fs.mkdirSync(registry, { recursive: true });
    fs.writeFileSync(path.join(registry, ".registry.lock"), "");
    const snapshot = await scanRunState([workspace.root], options);
    const store = onlyStore(snapshot);
    assert.deepEqual(store.runs.map(({ name }) => name), ["run-a", "run-b"]);
    assert.deepEqual(runNamed(snapshot, "run-a").claims.map(({ kind, verdict }) => [kind, verdict.kind]), [["cli-lock", "stale"], ["lifecycle-lock", "live"]]);
    assert.deepEqual(store.claims.map(({ kind, resource }) => [kind, resource]), [["registry-lock", "adapter-registry"]]);
    assert.deepEqual(store.problems, []);
  });

  it("takes a workspace folder, a .lattice, its runs, one run, and links to any of these", async () => {
    const run = path.dirname(workspace.write("run-1", ".lifecycle.lock", lockOf().bytes));
    workspace.run("run-2");
    const linkTo = (target: string): string => {
      const link = path.join(workspace.root, `link-${fs.readdirSync(workspace.root).length}`);
      fs.symlinkSync(target, link);
      return link;
    };
    for (const [root, runs] of [
      [workspace.root, 2],
      [`${workspace.root}${path.sep}.`, 2],
      [workspace.store, 2],
      [workspace.runs, 2],
      [run, 1],
      [linkTo(workspace.root), 2],
      [linkTo(workspace.store), 2],
      [linkTo(run), 1],
    ] as const) {
      const store = onlyStore(await scanRunState([root], options));
      assert.equal(store.runs.length, runs, root);
      assert.equal(store.runs[0]?.claims.length, 1, root);
      assert.deepEqual(store.problems, [], root);
    }
  });

  it("keeps runs of the same name in two roots apart", async () => {
    const other = new Workspace();
    try {
      for (const each of [workspace, other]) each.write("run-1", ".lifecycle.lock", lockOf().bytes);
      const { roots } = await scanRunState([workspace.root, other.root], options);
      const runs = roots.flatMap(({ stores }) => stores.flatMap((store) => store.runs));
      for (const keys of [roots.map(({ key }) => key), runs.map(({ key }) => key), runs.flatMap(({ claims }) => claims.map(({ key }) => key)), runs.flatMap(({ claims }) => claims.map(({ id }) => id))]) {
        assert.equal(new Set(keys).size, 2, keys.join());
      }
    } finally {
      other.remove();
    }
  });

  it("shows a store once, however many roots lead to it, and prefers the root that has all of it", async () => {
    const run = workspace.run("run-1");
    const link = `${workspace.root}-link`;
    fs.symlinkSync(workspace.root, link);
    try {
      const { roots } = await scanRunState([run, workspace.root, workspace.root, link, workspace.store], options);
      assert.deepEqual(roots.map(({ path: root, stores, problems }) => [root, stores.length, problems[0]?.code, problems[0]?.detail]), [
        [run, 0, "already-listed", workspace.root],
        [workspace.root, 1, undefined, undefined],
        [link, 0, "already-listed", workspace.root],
        [workspace.store, 0, "already-listed", workspace.root],
      ]);
    } finally {
      fs.rmSync(link);
    }
  });

  it("says what is wrong with a root, and goes on with the others", async () => {
    const file = path.join(workspace.root, "file");
    fs.writeFileSync(file, "");
    fs.symlinkSync("nowhere", path.join(workspace.root, "dangling"));
    workspace.run("run-1");
    const { roots } = await scanRunState([path.join(workspace.root, "none"), file, path.join(workspace.root, "dangling"), workspace.root], options);
    assert.deepEqual(roots.map(({ problems, stores }) => [problems[0]?.code, stores.length]), [["missing", 0], ["not-a-directory", 0], ["missing", 0], [undefined, 1]]);
    assert.deepEqual((await scanRunState([fs.mkdtempSync(path.join(workspace.root, "empty-"))], options)).roots[0]?.stores, []);
  });

  it("reports a .lattice, a runs directory, a run or a runtime area that is a link, and follows none", async () => {
    const outside = new Workspace();
    try {
      outside.write("run-1", ".lifecycle.lock", lockOf().bytes);
      fs.symlinkSync(outside.store, workspace.store);
      assert.deepEqual(onlyStore(await scanRunState([workspace.root], options)).problems, [{ code: "symlink", path: workspace.store, detail: outside.store }]);
      fs.rmSync(workspace.store);
      fs.mkdirSync(workspace.store);
      fs.symlinkSync(outside.runs, workspace.runs);
      fs.symlinkSync(path.join(outside.store, "runtime"), path.join(workspace.store, "runtime"));
      fs.mkdirSync(path.join(outside.store, "runtime", "adapter-registry"), { recursive: true });
      fs.writeFileSync(path.join(outside.store, "runtime", "adapter-registry", ".registry.lock"), "");
      const linked = onlyStore(await scanRunState([workspace.root], options));
      assert.deepEqual([linked.runs, linked.claims], [[], []]);
      assert.deepEqual(codesOf(linked.problems), ["symlink"]);
      fs.rmSync(workspace.runs);
      fs.mkdirSync(workspace.runs);
      fs.symlinkSync(path.join(outside.runs, "run-1"), path.join(workspace.runs, "run-1"));
      const store = onlyStore(await scanRunState([workspace.root], options));
      assert.deepEqual([store.runs, codesOf(store.problems)], [[], ["symlink"]]);
    } finally {
      outside.remove();
    }
  });

  it("gives every bad entry a row with its reason and hides no good one", async () => {
    workspace.write("run-1", ".lifecycle.lock", lockOf().bytes);
    const inRuns = (name: string): string => path.join(workspace.runs, name);
    fs.writeFileSync(inRuns("README.md"), "");
    execFileSync("mkfifo", [inRuns("fifo")]);
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(inRuns("socket"), resolve));
    fs.mkdirSync(inRuns(".run-9.tmp-aB3xY9"));
    for (const name of ["\u202Egnp.run", "two\nlines", "caf\u00E9", "cafe\u0301", "with space"]) fs.mkdirSync(inRuns(name));
    fs.symlinkSync("run-1", inRuns("link"));
    fs.writeFileSync(path.join(inRuns("run-1"), "..lifecycle.lock.4711.11111111-2222-4333-8444-555555555555.stale"), "");
    const snapshot = await scanRunState([workspace.root], options);
    server.close();
    const store = onlyStore(snapshot);
    assert.deepEqual(
      store.problems.map(({ code, path: at, detail }) => [path.basename(at), code, detail]),
      [[".run-9.tmp-aB3xY9", "crash-leftover", null], ["README.md", "stray-entry", "file"], ["fifo", "stray-entry", "fifo"], ["link", "symlink", "run-1"], ["socket", "stray-entry", "socket"]],
    );
    assert.deepEqual(Object.fromEntries(store.runs.map(({ name, problems }) => [name, codesOf(problems)])), {
      "run-1": ["recovery-leftover"],
      "two\nlines": ["not-a-run-id"],
      "with space": ["not-a-run-id"],
      "caf\u00E9": ["composition-twin", "not-a-run-id"],
      "cafe\u0301": ["composition-twin", "not-a-run-id"],
      "\u202Egnp.run": ["not-a-run-id"],
    });
    assert.equal(runNamed(snapshot, "run-1").problems[0]?.detail, "4711");
    assert.equal(runNamed(snapshot, "run-1").claims[0]?.verdict.kind, "live");
    for (const { code } of [...store.problems, ...store.runs.flatMap(({ problems }) => problems)]) assert.ok((problemCodes as readonly string[]).includes(code), code);
  });

  it("sorts by code units, in whatever order the file system lists", async () => {
    const names = ["b", "B", "a-10", "a-2", "Z", "0"];
    for (const name of names) workspace.run(name);
    const { port } = fakeFiles(nodeFilePort);
    const reversed = { ...port, readdir: async (directory: string) => [...(await port.readdir(directory))].reverse() };
    for (const each of [options, { ...options, port: reversed }]) {
      assert.deepEqual(onlyStore(await scanRunState([workspace.root], each)).runs.map(({ name }) => name), ["0", "B", "Z", "a-10", "a-2", "b"]);
    }
  });

  it("shows a directory that it may not read as one, and reads the others", async () => {
    for (const name of ["run-1", "run-2"]) workspace.write(name, ".lifecycle.lock", lockOf().bytes);
    const { port } = fakeFiles(nodeFilePort, { faults: [{ operation: "readdir", where: (call) => call.path.endsWith("run-1"), at: 0, code: "EACCES", forGood: true }] });
    const snapshot = await scanRunState([workspace.root], { ...options, port });
    assert.deepEqual(runNamed(snapshot, "run-1").problems, [{ code: "unreadable", path: path.join(workspace.runs, "run-1"), detail: "EACCES" }]);
    assert.equal(runNamed(snapshot, "run-2").claims.length, 1);
  });

  it("never writes and opens nothing but the locks", async () => {
    workspace.write("run-1", ".lifecycle.lock", lockOf().bytes);
    workspace.write("run-1", "events.json", "[]");
    workspace.write("run-1", "supervisor-session", "secret");
    fs.mkdirSync(path.join(workspace.store, "quarantine", "run-1"), { recursive: true });
    const { port, calls } = fakeFiles(nodeFilePort);
    await scanRunState([workspace.root], { ...options, port });
    assert.deepEqual(calls.filter(({ operation }) => operation !== "file.close" && mutatingOperations.includes(operation)), []);
    assert.deepEqual([...new Set(calls.filter(({ operation }) => operation === "openRead").map((call) => path.basename(call.path)))], [".lifecycle.lock"]);
  });

  it("needs no permission to write: a read-only tree gives the same verdicts to another user", function () {
    if (process.getuid?.() !== 0) this.skip();
    workspace.write("run-1", ".lifecycle.lock", lockOf().bytes);
    workspace.write("run-1", ".cli-lifecycle.lock", "");
    execFileSync("chmod", ["-R", "a+rX,a-w", workspace.root]);
    const before = execFileSync("find", [workspace.root, "-printf", "%p %i %T@ %C@ %m\n"], { encoding: "utf8" });
    const printed = execFileSync(process.execPath, ["--import", "tsx", fileURLToPath(new URL("scanAsNobody.ts", import.meta.url)), workspace.root], { encoding: "utf8" });
    assert.deepEqual(JSON.parse(printed), { uid: 65_534, canWrite: false, claims: ["cli-lock", "lifecycle-lock"], problems: [] });
    assert.equal(execFileSync("find", [workspace.root, "-printf", "%p %i %T@ %C@ %m\n"], { encoding: "utf8" }), before);
  });

  it("ends when nobody waits any more, and the index then stands as before", async () => {
    for (let index = 0; index < 50; index += 1) workspace.run(`run-${index}`);
    const abort = new AbortController();
    const reason = new Error("view closed");
    const { port } = fakeFiles(nodeFilePort, { after: (call) => (call.path.endsWith("run-20") ? abort.abort(reason) : undefined) });
    const index = createScanIndex([workspace.root], { ...options, port });
    await assert.rejects(index.refresh(undefined, { signal: abort.signal }), reason);
    assert.equal(onlyStore(await index.refresh()).runs.length, 50);
    await assert.rejects(scanRunState([workspace.root], { ...options, signal: AbortSignal.abort(reason) }), reason);
  });
});
