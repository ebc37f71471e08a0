import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { discoverNamespaces } from "../../../src/core/systems/pi-amq/discoverNamespaces.js";
import { inspectNamespace } from "../../../src/core/systems/pi-amq/inspectNamespace.js";
import { errnoError, readOnlySpy } from "../../fakes/files.js";
import { identityOf } from "../../fakes/processes.js";
import { eachWorld, workspaceId } from "./amqWorld.js";

const isRoot = process.getuid?.() === 0;

describe("inspectNamespace", () => {
  const world = eachWorld();

  it("takes a missing namespace for an empty one, and makes nothing", async () => {
    const w = world();
    const { port, attempts } = readOnlySpy(nodeFilePort);
    const snapshot = await w.inspect({ port });
    assert.deepEqual([snapshot.supervisor, snapshot.workers, snapshot.problems, snapshot.changing], [null, [], [], false]);
    assert.deepEqual(attempts, []);
    assert.ok(!fs.existsSync(w.namespace));
  });

  it("refuses a relative path", async () => {
    await assert.rejects(inspectNamespace("namespace"), TypeError);
  });

  it("reads nothing through a symlink, at any level, and says so", async () => {
    const w = world();
    const elsewhere = path.join(w.root, "elsewhere");
    fs.mkdirSync(elsewhere);
    fs.mkdirSync(w.namespace);
    fs.symlinkSync(elsewhere, w.layout.workersDirectory);
    fs.symlinkSync(elsewhere, w.supervisor.lockPath);
    fs.symlinkSync("/nowhere", w.supervisor.guardPath);
    const snapshot = await w.inspect();
    assert.deepEqual(snapshot.problems, [{ code: "symlink", path: w.layout.workersDirectory, detail: "symlink" }]);
    const reasons = [snapshot.supervisor?.claim.verdict, snapshot.supervisor?.guard?.claim.verdict].map((verdict) => verdict?.kind === "corrupt" && verdict.reason);
    assert.deepEqual(reasons, ["symlink", "symlink"]);

    const link = path.join(w.root, "link");
    fs.symlinkSync(w.namespace, link);
    const linked = await inspectNamespace(link, { observer: w.processes, clock: w.clock, memory: w.memory });
    assert.deepEqual(linked.problems.map(({ code }) => code), ["symlink"]);
    assert.equal(linked.supervisor, null);
  });

  it("lets one bad entry hide no good one: directory, FIFO, huge, torn, binary, unreadable", async () => {
    const w = world();
    const good = w.worker();
    w.writeOwner(good, w.owner(good, identityOf(1000)));
    const bad = (name: string): string => path.join(w.layout.workersDirectory, `${name}.lock`, "owner.json");
    fs.mkdirSync(bad("directory"), { recursive: true });
    for (const name of ["fifo", "huge", "torn", "binary", "secret"]) fs.mkdirSync(path.dirname(bad(name)), { recursive: true });
    execFileSync("mkfifo", [bad("fifo")]);
    fs.writeFileSync(bad("huge"), Buffer.alloc(70_000, " "));
    fs.writeFileSync(bad("torn"), '{"schema":1,');
    fs.writeFileSync(bad("binary"), Buffer.from([0xff, 0xfe, 0x7b]));
    fs.writeFileSync(bad("secret"), "{}", { mode: 0 });
    const snapshot = await w.inspect();
    const verdicts = Object.fromEntries(snapshot.workers.map(({ resourceId, claim }) => [resourceId, claim.verdict.kind]));
    assert.equal(verdicts[good.resourceId], "live");
    for (const name of ["directory", "fifo", "huge", "torn", "binary", ...(isRoot ? [] : ["secret"])]) assert.equal(verdicts[name], "corrupt", name);
  });

  it("reports a directory that cannot be listed and goes on with the others", async () => {
    const w = world();
    w.writeOwner(w.supervisor, w.owner(w.supervisor, identityOf(1000)));
    fs.mkdirSync(w.layout.workersDirectory, { recursive: true });
    const port = { ...nodeFilePort, readdir: (directory: string) => (directory === w.layout.workersDirectory ? Promise.reject(errnoError("EACCES", "readdir", directory)) : nodeFilePort.readdir(directory)) };
    const snapshot = await w.inspect({ port });
    assert.deepEqual(snapshot.problems, [{ code: "unreadable", path: w.layout.workersDirectory, detail: "EACCES" }]);
    assert.equal(snapshot.supervisor?.claim.verdict.kind, "live");
  });

  it("marks what changed while it was looking, and only that", async () => {
    const w = world();
    const [a, b] = [w.worker("/sessions/a.jsonl"), w.worker("/sessions/b.jsonl")];
    for (const resource of [a, b]) w.writeOwner(resource, w.owner(resource, identityOf(1000), { sessionPath: resource === a ? "/sessions/a.jsonl" : "/sessions/b.jsonl" }));
    w.processes.beforeAnswer = (question) => {
      // Between the two listings: the lease of b is released, one of c appears.
      if (question !== "current" || !fs.existsSync(b.lockPath)) return;
      fs.rmSync(b.lockPath, { recursive: true });
      fs.mkdirSync(w.worker("/sessions/c.jsonl").lockPath);
    };
    const snapshot = await w.inspect();
    assert.equal(snapshot.changing, true);
    const changing = Object.fromEntries(snapshot.workers.map((row) => [row.resourceId, row.changing]));
    assert.deepEqual([changing[a.resourceId], changing[b.resourceId]], [false, true]);
  });

  it("reads a guard again that looks as if somebody is writing it", async () => {
    const w = world();
    const guard = w.writeGuard(w.supervisor, identityOf(1000));
    const whole = fs.readFileSync(w.supervisor.guardPath);
    fs.writeFileSync(w.supervisor.guardPath, whole.subarray(0, 20));
    w.clock.onSleep = () => fs.writeFileSync(w.supervisor.guardPath, whole);
    const snapshot = await w.inspect();
    assert.equal(w.clock.sleeps, 1);
    assert.equal(snapshot.supervisor?.guard?.record?.generation, guard.generation);
    assert.equal(snapshot.supervisor.claim.verdict.kind, "empty");
  });

  it("takes the workspace from the supervisor, and calls leases of another one corrupt", async () => {
    const w = world();
    w.writeOwner(w.supervisor, w.owner(w.supervisor, identityOf(1000)));
    const worker = w.worker();
    w.writeOwner(worker, w.owner(worker, identityOf(1000), { workspaceId: "ws-other" }));
    const snapshot = await w.inspect();
    assert.equal(snapshot.workspaceId, workspaceId);
    const [row] = snapshot.workers;
    assert.deepEqual(row?.claim.verdict.kind === "corrupt" && row.claim.verdict.reason, "resource_identity_mismatch");
    assert.equal((await w.inspect({ workspaceId: "ws-other" })).workers[0]?.claim.verdict.kind, "live");
  });

  it("explains what pi-amq itself would do, and says when that cannot be known", async () => {
    const w = world();
    const upstream = async (identity: Parameters<typeof w.owner>[1]): Promise<string> => {
      w.writeOwner(w.supervisor, w.owner(w.supervisor, identity));
      const view = (await w.inspect()).supervisor?.upstream;
      return view?.kind === "known" ? view.verdict.kind : (view?.kind ?? "none");
    };
    w.processes.setLive(42);
    assert.equal(await upstream(identityOf(42)), "live");
    assert.equal(await upstream(identityOf(42, { executable: "/usr/bin/other" })), "stale");
    assert.equal(await upstream(identityOf(42, { processStartIdentity: "start-42" })), "depends-on-its-inspector");
    assert.equal(await upstream(identityOf(43)), "stale");
    assert.equal(await upstream(identityOf(43, { hostname: "host-b" })), "remote");
    w.processes.setUnknown(44);
    assert.equal(await upstream(identityOf(44)), "depends-on-its-inspector");
  });

  it("learns the rendering of a namespace from its live leases and reads the others with it", async () => {
    const w = world();
    const sessions = ["/s/1", "/s/2", "/s/3"];
    for (const [index, sessionPath] of sessions.entries()) {
      const pid = 50 + index;
      const resource = w.worker(sessionPath);
      w.processes.setLive(pid);
      // The third pid was given to another process since.
      const ticks = index === 2 ? "1" : String(pid * 100);
      w.writeOwner(resource, w.owner(resource, identityOf(pid, { processStartIdentity: ticks, bootIdentity: null }), { sessionPath }));
    }
    const verdicts = Object.fromEntries((await w.inspect()).workers.map(({ record, claim }) => [record?.sessionPath ?? "", claim.verdict]));
    assert.deepEqual(sessions.map((session) => verdicts[session]?.kind), ["live", "live", "stale"]);
    const third = verdicts["/s/3"];
    assert.deepEqual(third?.kind === "stale" && [third.proof, third.assumptions], ["weak", ["boot_not_comparable", "learned_format"]]);
  });

  it("lets leftovers be set aside only when they have rested and name no live owner", async () => {
    const w = world();
    const prepared = path.join(w.namespace, ".lease.prepare-Ab12Cd");
    fs.mkdirSync(prepared, { recursive: true });
    const verdict = async (): Promise<string> => {
      const [row] = (await w.inspect()).leftovers;
      const found = row?.claim.verdict;
      return found === undefined || found.kind === "empty" || found.kind === "live" ? "none" : `${found.kind} ${found.reason}`;
    };
    assert.equal(await verdict(), "unknown leftover_is_young");
    w.age(prepared, 600_001);
    assert.equal(await verdict(), "stale no_process_has_file_open");
    fs.writeFileSync(path.join(prepared, "owner.json"), JSON.stringify(w.owner(w.supervisor, identityOf(1000))));
    w.age(prepared, 600_001);
    assert.equal(await verdict(), "unknown leftover_owner_live");
    w.age(prepared, -60_000);
    w.processes.self = identityOf(1001);
    assert.equal(await verdict(), "unknown leftover_in_the_future");
  });

  it("gives a claim another id when its file or its bytes are others", async () => {
    const w = world();
    const id = async (): Promise<string | undefined> => (await w.inspect()).supervisor?.claim.id;
    w.writeOwner(w.supervisor, w.owner(w.supervisor, identityOf(1000)));
    const first = await id();
    assert.equal(await id(), first);
    w.writeOwner(w.supervisor, w.owner(w.supervisor, identityOf(1000), { generation: "other" }));
    assert.notEqual(await id(), first);
  });
});

describe("discoverNamespaces", () => {
  const world = eachWorld();

  it("recognises a namespace by what is in it, not by a name only", async () => {
    const w = world();
    const at = (...parts: string[]): string => path.join(w.root, "folder", ...parts);
    w.writeOwner(w.supervisor, w.owner(w.supervisor, identityOf(1000)));
    fs.mkdirSync(at("other-tool", "supervisor.lock"), { recursive: true });
    fs.writeFileSync(at("other-tool", "supervisor.lock", "owner.json"), "{}");
    fs.mkdirSync(at("idle", "worker-session-leases"), { recursive: true });
    fs.mkdirSync(at("idle", "quarantine"));
    fs.mkdirSync(at("node_modules", "x", "worker-session-leases"), { recursive: true });
    fs.mkdirSync(at("node_modules", "x", "quarantine"));
    fs.mkdirSync(at("linked"), { recursive: true });
    fs.symlinkSync(w.supervisor.lockPath, at("linked", "supervisor.lock"));
    const found = await discoverNamespaces([w.root]);
    assert.deepEqual(found.namespaces, [at("idle"), w.namespace]);
    assert.deepEqual(found.problems, [{ code: "symlink", path: at("linked", "supervisor.lock"), detail: "symlink" }]);
  });

  it("finds a namespace in which only a guard or a displaced lease is left", async () => {
    const w = world();
    w.writeGuard(w.supervisor, identityOf(1000));
    assert.deepEqual((await discoverNamespaces([w.root])).namespaces, [w.namespace]);
    fs.rmSync(w.supervisor.guardPath);
    const displaced = w.layout.displacedLease("supervisor", "g", 1, "u");
    fs.mkdirSync(displaced, { recursive: true });
    fs.writeFileSync(path.join(displaced, "owner.json"), JSON.stringify(w.owner(w.supervisor, identityOf(1000))));
    assert.deepEqual((await discoverNamespaces([w.root])).namespaces, [w.namespace]);
  });

  it("stops at its limits and says so, and never writes", async () => {
    const w = world();
    for (let index = 0; index < 5; index += 1) fs.mkdirSync(path.join(w.root, "many", String(index)), { recursive: true });
    const { port, attempts } = readOnlySpy(nodeFilePort);
    const found = await discoverNamespaces([w.root], { maxDirectories: 3, port });
    assert.deepEqual(found.problems.map(({ code }) => code), ["search-limit"]);
    assert.deepEqual(attempts, []);
    const aborted = AbortSignal.abort(new Error("nobody waits"));
    await assert.rejects(discoverNamespaces([w.root], { signal: aborted }), /nobody waits/);
  });

  it("takes a root that is missing for one without namespaces, and a file for a problem", async () => {
    const w = world();
    const file = path.join(w.root, "file");
    fs.writeFileSync(file, "");
    const found = await discoverNamespaces([path.join(w.root, "missing"), file]);
    assert.deepEqual([found.namespaces, found.problems.map(({ code }) => code)], [[], ["not-a-directory"]]);
  });
});

