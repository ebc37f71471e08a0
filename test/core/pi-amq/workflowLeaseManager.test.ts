import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { ProcessIdentity } from "../../../src/core/process/processInspector.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { LeaseNamespaceError } from "../../../src/core/systems/pi-amq/leaseSession.js";
import { LeaseRecordError } from "../../../src/core/systems/pi-amq/leaseRecord.js";
import { LeaseArgumentError, WorkflowLeaseFenceError } from "../../../src/core/systems/pi-amq/leaseResults.js";
import { WorkflowLeaseManager } from "../../../src/core/systems/pi-amq/workflowLeaseManager.js";
import { readOnlySpy } from "../../fakes/files.js";
import { FakeProcesses, identityOf } from "../../fakes/processes.js";
import { eachWorld, workspaceId, type AmqWorld } from "./amqWorld.js";

function as(world: AmqWorld, pid: number, more: Partial<ProcessIdentity> = {}): FakeProcesses {
  const seen = new FakeProcesses();
  seen.self = identityOf(pid, more);
  for (const [known, inspection] of world.processes.inspections) seen.inspections.set(known, inspection);
  return seen;
}

const ids = { sessionPath: "/sessions/a.jsonl", runId: "r", workerId: "w", attemptId: "a", workerAttemptGeneration: "g" };

describe("WorkflowLeaseManager, where pi-amq goes wrong", () => {
  const world = eachWorld();

  it("inspects without writing, unless it is asked to make directories as pi-amq does", async () => {
    const w = world();
    const { port, attempts } = readOnlySpy(nodeFilePort);
    const manager = w.manager({ port });
    assert.deepEqual(await manager.inspectSupervisor(), { kind: "empty" });
    assert.deepEqual(await manager.inspectWorkerSession(ids.sessionPath), { kind: "empty" });
    assert.deepEqual(await manager.diagnoseWorkerSessionLeases(), []);
    assert.deepEqual(attempts, []);
    await w.manager({ inspection: "creates-directories" }).inspectSupervisor();
    assert.deepEqual(Object.keys(w.tree()), ["quarantine", "worker-session-leases"]);
    for (const directory of ["", "quarantine", "worker-session-leases"]) assert.equal(fs.statSync(path.join(w.namespace, directory)).mode & 0o777, 0o700);
  });

  it("ends at its deadline where a guard path is a dangling link, instead of spinning", async () => {
    const w = world();
    fs.mkdirSync(w.namespace);
    fs.symlinkSync("nowhere", w.supervisor.guardPath);
    const refused = await w.manager({ guardWaitMs: 30 }).acquireSupervisor();
    assert.ok(refused.kind === "refused" && refused.reason === "lifecycle-unverifiable");
    assert.ok(w.clock.sleeps < 3);
  });

  it("ends at its deadline where a guard comes and goes at every look", async () => {
    const w = world();
    w.processes.setLive(400);
    await w.manager({ inspection: "creates-directories" }).inspectSupervisor();
    w.writeGuard(w.supervisor, identityOf(400));
    let count = 0;
    w.clock.onSleep = () => void w.writeGuard(w.supervisor, identityOf(400), { generation: `g${count++}` });
    const refused = await w.manager({ guardWaitMs: 50 }).acquireSupervisor();
    assert.deepEqual(refused.kind === "refused" && [refused.reason, refused.diagnosticCode], ["lifecycle-busy", "guard_busy"]);
    assert.ok(count <= 11, String(count));
  });

  it("ends at its deadline where stale guards keep coming", async () => {
    const w = world();
    w.processes.setAbsent(400);
    await w.manager({ inspection: "creates-directories" }).inspectSupervisor();
    let count = 0;
    const put = (): void => void w.writeGuard(w.supervisor, identityOf(400), { generation: `g${count++}` });
    put();
    // As soon as one is displaced there is another, before ours can be created.
    const rename = async (from: string, to: string): Promise<void> => {
      await nodeFilePort.rename(from, to);
      if (from === w.supervisor.guardPath) put();
    };
    const port = { ...nodeFilePort, rename };
    const refused = await w.manager({ guardWaitMs: 0, port }).acquireSupervisor();
    assert.equal(refused.kind === "refused" && refused.diagnosticCode, "guard_busy");
    assert.ok(count < 20, String(count));
    assert.equal(fs.readdirSync(w.layout.quarantineDirectory).length, count - 1);
  });

  it("takes only a finite wait", () => {
    const w = world();
    for (const guardWaitMs of [Number.NaN, Number.POSITIVE_INFINITY, -1]) assert.throws(() => w.manager({ guardWaitMs }), RangeError);
  });

  it("never writes a boot identity that could not be read back", async () => {
    const w = world();
    for (const bootIdentity of ["", undefined]) {
      const inspector = as(w, 100, { bootIdentity: bootIdentity as never });
      const acquired = await w.manager({ inspector }).acquireSupervisor();
      assert.ok(acquired.kind === "acquired");
      assert.equal(acquired.owner.bootIdentity, null);
      assert.equal((await w.manager({ inspector }).releaseSupervisor(acquired.owner.generation)).kind, "released");
    }
    assert.deepEqual(Object.keys(w.tree()), ["quarantine", "worker-session-leases"]);
  });

  it("refuses to write through a link in place of one of its directories", async () => {
    const w = world();
    const elsewhere = path.join(w.root, "elsewhere");
    fs.mkdirSync(elsewhere);
    fs.mkdirSync(w.namespace);
    fs.symlinkSync(elsewhere, w.layout.quarantineDirectory);
    await assert.rejects(w.manager().acquireSupervisor(), (error: unknown) => LeaseNamespaceError.is(error, "symlink"));
    fs.symlinkSync(w.namespace, path.join(w.root, "link"));
    const linked = new WorkflowLeaseManager({ namespaceDirectory: path.join(w.root, "link"), workspaceId, inspector: w.processes, clock: w.clock });
    await assert.rejects(linked.acquireSupervisor(), (error: unknown) => LeaseNamespaceError.is(error, "symlink"));
    assert.deepEqual(fs.readdirSync(elsewhere), []);
  });

  it("does not move the link where a stale lease is reached through one", async () => {
    const w = world();
    const real = path.join(w.root, "real.lock");
    w.writeStaleLease(w.supervisor);
    fs.renameSync(w.supervisor.lockPath, real);
    fs.symlinkSync(real, w.supervisor.lockPath);
    const refused = await w.manager().acquireSupervisor();
    assert.deepEqual(refused.kind === "refused" && [refused.reason, refused.diagnosticCode], ["corrupt-owner", "lock_not_a_directory"]);
    assert.ok(fs.lstatSync(w.supervisor.lockPath).isSymbolicLink() && fs.existsSync(path.join(real, "owner.json")));
  });

  it("keeps the result of a fenced operation whose guard was lost", async () => {
    const w = world();
    const acquired = await w.manager().acquireSupervisor();
    assert.ok(acquired.kind === "acquired");
    const fenced = w.manager().withCurrentSupervisor(acquired.owner.generation, () => {
      fs.rmSync(w.supervisor.guardPath);
      return 7;
    });
    await assert.rejects(fenced, (error: unknown) => WorkflowLeaseFenceError.is(error, "guard_changed_before_release") && error.completed?.value === 7);
  });

  it("gives both errors when the operation fails and the guard is lost, the operation's first", async () => {
    const w = world();
    const acquired = await w.manager().acquireSupervisor();
    assert.ok(acquired.kind === "acquired");
    const failing = w.manager().withCurrentSupervisor(acquired.owner.generation, () => {
      fs.rmSync(w.supervisor.guardPath);
      throw new Error("boom");
    });
    await assert.rejects(failing, (error: unknown) => {
      assert.ok(error instanceof AggregateError);
      const [first, second] = error.errors as unknown[];
      return (first as Error).message === "boom" && WorkflowLeaseFenceError.is(second, "guard_changed_before_release");
    });
  });

  it("passes on whatever an operation throws, also undefined", async () => {
    const w = world();
    const acquired = await w.manager().acquireSupervisor();
    assert.ok(acquired.kind === "acquired");
    let thrown: unknown = "nothing";
    await w.manager().withCurrentSupervisor(acquired.owner.generation, () => Promise.reject(undefined as unknown as Error)).catch((error: unknown) => (thrown = error));
    assert.equal(thrown, undefined);
    assert.ok(!fs.existsSync(w.supervisor.guardPath));
  });

  it("says that a lease survived although a guard was lost, for workers too", async () => {
    const w = world();
    const acquired = await w.manager().acquireSupervisor();
    assert.ok(acquired.kind === "acquired");
    const worker = w.worker();
    const rename = async (from: string, to: string): Promise<void> => {
      await nodeFilePort.rename(from, to);
      if (to === worker.lockPath) fs.rmSync(worker.guardPath);
    };
    const port = { ...nodeFilePort, rename };
    const leased = await w.manager({ port }).reserveWorkerSession({ ...ids, supervisorGeneration: acquired.owner.generation });
    assert.ok(leased.kind === "acquired");
    assert.deepEqual(leased.warnings, ["guard_changed_before_release"]);
    assert.equal((await w.manager().inspectWorkerSession(ids.sessionPath)).kind, "owned");
  });

  it("does not trust an observation that is older than the guard it is about", async () => {
    const w = world();
    await w.manager({ inspection: "creates-directories" }).inspectSupervisor();
    w.writeGuard(w.supervisor, identityOf(400));
    // The observer remembers that pid 400 was absent a moment ago; by now it is the holder of the guard.
    const inspector = as(w, 100);
    inspector.setAbsent(400);
    inspector.forget = () => void inspector.setLive(400);
    const refused = await w.manager({ inspector, guardWaitMs: 0 }).acquireSupervisor();
    assert.equal(refused.kind === "refused" && refused.diagnosticCode, "guard_busy");
  });

  it("stops waiting when nobody waits for it, and leaves nothing", async () => {
    const w = world();
    w.processes.setLive(400);
    w.writeGuard(w.supervisor, identityOf(400));
    const controller = new AbortController();
    w.clock.onSleep = () => controller.abort(new Error("closed"));
    await assert.rejects(w.manager({ signal: controller.signal }).acquireSupervisor(), /closed/);
    assert.deepEqual(Object.keys(w.tree()), ["quarantine", "supervisor.lifecycle.guard.json", "worker-session-leases"]);
  });

  it("checks arguments before it touches anything", async () => {
    const w = world();
    const manager = w.manager();
    const bad: readonly [() => Promise<unknown>, (error: unknown) => boolean][] = [
      [() => manager.inspectWorkerSession("relative"), (error) => LeaseArgumentError.is(error, "argument_not_absolute")],
      [() => manager.releaseSupervisor(""), (error) => LeaseArgumentError.is(error, "argument_required") && error instanceof TypeError],
      [() => manager.withCurrentSupervisor("", () => 1), (error) => LeaseArgumentError.is(error, "argument_required")],
      [() => manager.acquireWorkerSession({ ...ids, supervisorGeneration: "g", processIdentity: identityOf(1, { executable: "node" }) }), (error) => LeaseRecordError.is(error, "field")],
      [() => manager.acquireWorkerSession({ ...ids, supervisorGeneration: "g", processIdentity: identityOf(-1) }), (error) => LeaseArgumentError.is(error)],
      [() => manager.reserveWorkerSession({ ...ids, workerId: "", supervisorGeneration: "g" }), (error) => LeaseArgumentError.is(error)],
    ];
    for (const [run, isExpected] of bad) await assert.rejects(run, isExpected);
    assert.ok(!fs.existsSync(w.namespace));
    assert.throws(() => new WorkflowLeaseManager({ namespaceDirectory: "relative", workspaceId }), TypeError);
    assert.throws(() => new WorkflowLeaseManager({ namespaceDirectory: "/x", workspaceId: "" }), TypeError);
  });

  it("lists one unreadable lease as such and the others as they are", async () => {
    const w = world();
    const worker = w.worker();
    w.writeStaleLease(worker);
    fs.mkdirSync(path.join(w.layout.workersDirectory, "loop.lock"), { recursive: true });
    const port = { ...nodeFilePort, realpath: (file: string) => Promise.reject(Object.assign(new Error("EIO"), { code: file.endsWith("loop.lock") ? "EIO" : "ENOENT" })) };
    const listed = await w.manager({ port }).diagnoseWorkerSessionLeases();
    assert.deepEqual(listed.map(({ projection }) => projection.kind).sort(), ["corrupt", "owned"]);
  });

  it("writes records byte for byte as pi-amq does", async () => {
    const w = world();
    const acquired = await w.manager().acquireSupervisor();
    assert.ok(acquired.kind === "acquired");
    const text = fs.readFileSync(w.supervisor.ownerPath, "utf8");
    assert.ok(text.startsWith('{\n  "schema": 1,\n  "kind": "supervisor",\n  "stage": "active",\n  "generation": ') && text.endsWith('Z"\n}\n'), text);
    assert.equal(fs.statSync(w.supervisor.lockPath).mode & 0o777, 0o700);
  });
});
