import assert from "node:assert/strict";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import type { Clock } from "../../../../src/core/ports.js";
import { HeartbeatMemory, judgeHeartbeat } from "../../../../src/core/systems/lattice/store/supervisorDetail.js";
import { FakeProcesses, startAt } from "../../../fakes/processes.js";
import { runCopies } from "./runCopies.js";

const clockAt = (now: number, monotonic = 0): Clock => ({ now: () => now, monotonic: () => monotonic, sleep: () => Promise.resolve() });

describe("owners of a run", () => {
  const copyOf = runCopies();

  it("are told from their descriptors, and judged only when somebody observes processes", async () => {
    const run = copyOf("held-epoch1-serial");
    const { supervisor, controllers } = await run.inspect();
    assert.deepEqual([supervisor?.owner.pid, supervisor?.owner.platform, supervisor?.judgement], [32020, "linux", null]);
    assert.deepEqual(controllers.map(({ owner, adapterKind, judgement }) => [owner.pid, adapterKind, judgement]), [[32035, "scripted", null]]);
  });

  it("are live, gone or unknown by the same judgement as the owner of a lock", async () => {
    const run = copyOf("held-epoch1-serial");
    const observer = new FakeProcesses();
    // The descriptor says "Tue Dec  1 02:41:33 2026".
    observer.setLive(32020, {}, startAt(Date.UTC(2026, 11, 1, 2, 41, 33) / 1000));
    const { supervisor, controllers } = await run.inspect({ observer });
    assert.equal(supervisor?.judgement?.verdict.kind, "live");
    assert.equal(controllers[0]?.judgement?.verdict.kind, "stale");
    observer.inspections.set(32020, { kind: "unknown", diagnostic: "EACCES" });
    assert.equal((await run.inspect({ observer })).supervisor?.judgement?.verdict.kind, "unknown");
  });

  it("are reachable when their sockets are there, and only told of a session that is never opened", async () => {
    const run = copyOf("held-epoch1-serial");
    const socket = run.at("supervisor/control.sock");
    const server = net.createServer();
    // The path of a socket is limited to about a hundred bytes: bind it by a name that is shorter.
    const here = process.cwd();
    process.chdir(path.dirname(socket));
    await new Promise<void>((resolve) => server.listen("control.sock", resolve));
    process.chdir(here);
    fs.writeFileSync(run.at("supervisor/session"), "secret");
    const { supervisor, problems } = await run.inspect();
    assert.deepEqual([supervisor?.isSocketPresent, supervisor?.isSessionPresent, supervisor?.hasStopped], [true, true, false]);
    assert.ok(!problems.some(({ code }) => code === "supervisor-socket-missing"));
    await new Promise((resolve) => server.close(resolve));
  });

  it("have leases that the gate armed, with the todo that each is for", async () => {
    const { leases, gate } = await copyOf("closed-epoch2").inspect();
    assert.deepEqual(leases.map(({ state, leaseId, todoId }) => [state, leaseId, todoId]), [["armed", "lease-serial-r1-T1", "T1"], ["armed", "lease-serial-r1-T2", "T2"]]);
    assert.deepEqual([gate?.generation, gate?.planEpoch, gate?.isInForce], [2, 2, true]);
  });

  it("have staged leases while a release has no gate yet", async () => {
    const run = copyOf("lib-serial-050-7-epoch2-active");
    fs.cpSync(path.join(copyOf("lib-serial-050-4-held").directory, "supervisor", "write-gate.json"), run.at("supervisor/write-gate.json"));
    const { leases, gate, status } = await run.inspect();
    assert.deepEqual([gate?.isInForce, status.frozenBy, new Set(leases.map(({ state }) => state))], [false, "gate-of-another-epoch", new Set(["armed", "staged"])]);
  });
});

describe("heartbeats", () => {
  const copyOf = runCopies();
  const policy = { interval_ms: 1000, ttl_ms: 10_000 };

  it("are judged by the worse of two clocks, and a record of the future proves nothing", () => {
    const table: readonly (readonly [ageMs: number | null, seenForMs: number | null, state: string])[] = [
      [null, null, "none"],
      [0, null, "fresh"],
      [1000, 0, "fresh"],
      [1001, null, "late"],
      [10_000, null, "late"],
      [10_001, null, "expired"],
      [-1, null, "future"],
      [-1, 99_999, "future"],
      // The wall clock was set back: by it the beat is young, but it has been looked at for eleven seconds.
      [5, 11_000, "expired"],
      [5, 2000, "late"],
      [20_000, 1, "expired"],
    ];
    for (const [age, seen, state] of table) assert.equal(judgeHeartbeat(age, seen, policy), state, `${age} ${seen}`);
  });

  it("grow old while a run is looked at again, even if the wall clock stands still", async () => {
    const run = copyOf("closed-epoch2");
    const recorded = run.list("control-events.json").findLast((event) => event["kind"] === "controller_heartbeat");
    const at = Date.parse(String(recorded?.["recorded_at"]));
    const heartbeats = new HeartbeatMemory();
    const stateAt = async (now: number, monotonic: number): Promise<unknown[]> => {
      const [controller] = (await run.inspect({ clock: clockAt(now, monotonic), heartbeats })).controllers;
      return [controller?.heartbeat.state, controller?.heartbeat.seenForMs];
    };
    assert.deepEqual(await stateAt(at, 50_000), ["fresh", null]);
    assert.deepEqual(await stateAt(at, 55_000), ["late", 5000]);
    assert.deepEqual(await stateAt(at, 61_000), ["expired", 11_000]);
    assert.deepEqual(await stateAt(at - 1, 62_000), ["future", 12_000]);
  });
});
