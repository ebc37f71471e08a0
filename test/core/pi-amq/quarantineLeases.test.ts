import assert from "node:assert/strict";
import { join } from "node:path";
import type { ClaimSnapshot } from "../../../src/core/claims/claim.js";
import { executeQuarantine } from "../../../src/core/quarantine/executeQuarantine.js";
import { listQuarantine } from "../../../src/core/quarantine/listQuarantine.js";
import { planQuarantine } from "../../../src/core/quarantine/planQuarantine.js";
import type { QuarantinePlan, QuarantineResult } from "../../../src/core/quarantine/quarantineEntry.js";
import { restoreFromQuarantine } from "../../../src/core/quarantine/restoreFromQuarantine.js";
import { settleFrozen } from "../../../src/core/quarantine/settleFrozen.js";
import { createExclusiveDurable } from "../../../src/core/storage/createSteps.js";
import { amqDriver } from "../../../src/core/systems/pi-amq/amqDriver.js";
import { sharedFormatMemory } from "../../../src/core/systems/pi-amq/formatMemory.js";
import { encodeWorkflowLeaseOwner } from "../../../src/core/systems/pi-amq/leaseRecord.js";
import { parseQuarantineName } from "../../../src/core/systems/pi-amq/namespaceLayout.js";
import { restoreDisplacedLease } from "../../../src/core/systems/pi-amq/restoreDisplacedLease.js";
import { Crash, fakeFiles, mutatingOperations } from "../../fakes/files.js";
import { identityOf } from "../../fakes/processes.js";
import { layout, MemoryWorld, namespace, ownerFile, sessionPath, supervisor, worker } from "./memoryWorld.js";

const me = 9000;
const gone = 300;

/** A namespace with one stale worker lease. */
async function withStaleLease(): Promise<MemoryWorld> {
  const world = new MemoryWorld();
  world.processes.setAbsent(gone);
  await world.writeOwner(worker, world.owner(worker, gone));
  return world;
}

async function claimOf(world: MemoryWorld, pick: "lease" | "guard" | "leftover" = "lease"): Promise<ClaimSnapshot> {
  const snapshot = await world.inspect(me);
  const claim = { lease: snapshot.workers[0]?.claim, guard: snapshot.orphanGuards[0]?.claim ?? snapshot.workers[0]?.guard?.claim, leftover: snapshot.leftovers[0]?.claim }[pick];
  assert.ok(claim !== undefined);
  return claim;
}

async function planOf(world: MemoryWorld, pick?: "lease" | "guard" | "leftover"): Promise<QuarantinePlan> {
  return await planQuarantine(await claimOf(world, pick), world.options(me));
}

function summary(result: QuarantineResult): string {
  const reason = "reason" in result ? ` ${result.reason}` : "";
  const detail = "detail" in result && result.detail !== null ? ` ${result.detail}` : "";
  return `${result.kind}${reason}${detail}`;
}

describe("quarantining a lease of pi-amq", () => {
  it("moves the whole directory to a name that pi-amq's tools know, with a record beside it, and takes its guard meanwhile", async () => {
    const world = await withStaleLease();
    const plan = await planOf(world);
    assert.deepEqual([plan.permission, plan.proof], ["normal", "strong"]);
    let isGuarded = false;
    const fake = fakeFiles(world.disk.port, {
      before: ({ operation, path }) => {
        if (operation === "rename" && path === worker.lockPath) isGuarded = world.has(worker.guardPath);
      },
    });
    const result = await executeQuarantine(plan, world.options(me, fake.port));
    assert.equal(summary(result), "quarantined");
    assert.ok(result.kind === "quarantined");
    assert.deepEqual(result.warnings, []);
    assert.deepEqual(parseQuarantineName(result.entry.name), { kind: "lease", stem: worker.stem, generation: `lease-${gone}`, movedAtMs: plan.plannedAt });
    assert.ok(isGuarded, "the guard is held while the lease moves");
    assert.equal(world.has(worker.guardPath), false);
    const snapshot = await world.inspect(me);
    assert.deepEqual(snapshot.workers, []);
    const [row] = snapshot.quarantine;
    assert.deepEqual([row?.hasRecord, row?.record?.generation, snapshot.quarantine.length], [true, `lease-${gone}`, 1]);
  });

  it("makes both directories durable before it says that it is done", async () => {
    const world = await withStaleLease();
    const plan = await planOf(world);
    const fake = fakeFiles(world.disk.port);
    await executeQuarantine(plan, world.options(me, fake.port));
    const moved = fake.calls.findIndex(({ operation, path }) => operation === "rename" && path === worker.lockPath);
    const synced = fake.calls.slice(moved).filter(({ operation }) => operation === "syncDirectory").map(({ path }) => path);
    assert.ok(moved > 0 && synced.includes(layout.quarantineDirectory) && synced.includes(layout.workersDirectory), synced.join());
  });

  it("restores it byte for byte, under its guard, and refuses when somebody has the place", async () => {
    const world = await withStaleLease();
    const before = world.disk.snapshot();
    const result = await executeQuarantine(await planOf(world), world.options(me));
    assert.ok(result.kind === "quarantined");
    const taken = world.copy();
    await taken.writeOwner(worker, taken.owner(worker, 400));
    assert.equal((await restoreFromQuarantine(result.entry, taken.options(me))).kind, "occupied");
    assert.deepEqual(taken.where(`lease-${gone}`).length, 1);
    const restored = await restoreFromQuarantine(result.entry, world.options(me));
    assert.deepEqual([restored.kind, restored.warnings], ["restored", []]);
    for (const entry of before) assert.ok(world.disk.snapshot().some((now) => now[0] === entry[0] && now[1] === entry[1]), entry[0]);
  });

  it("touches nothing when the owner was replaced, came back, or cannot be judged any more", async () => {
    const replaced = await withStaleLease();
    const plan = await planOf(replaced);
    await replaced.disk.port.unlink(worker.ownerPath);
    await createExclusiveDurable(replaced.disk.port, worker.ownerPath, encodeWorkflowLeaseOwner(replaced.owner(worker, gone, { generation: "another" })), { mode: 0o600 });
    assert.match(summary(await executeQuarantine(plan, replaced.options(me))), /^changed content-changed/);

    const back = await withStaleLease();
    const second = await planOf(back);
    back.processes.setLive(gone);
    assert.equal(summary(await executeQuarantine(second, back.options(me))), "changed verdict-changed live");

    const hidden = await withStaleLease();
    const third = await planOf(hidden);
    hidden.processes.setUnknown(gone);
    assert.equal(summary(await executeQuarantine(third, hidden.options(me))), "changed verdict-changed unknown");
    for (const world of [replaced, back, hidden]) assert.deepEqual((await world.inspect(me)).quarantine, []);
  });

  it("waits for a guard that is held, then refuses and names the holder", async () => {
    const world = await withStaleLease();
    world.processes.setLive(400);
    await world.writeGuard(worker, 400);
    const started = world.clock.time;
    const result = await executeQuarantine(await planOf(world), world.options(me));
    assert.ok(result.kind === "refused" && result.reason === "busy");
    assert.deepEqual([result.guard?.pid, result.guard?.verdict, result.guard?.token], [400, "live", "guard-400"]);
    assert.ok(world.clock.time - started >= 1_000 && world.clock.time - started < 1_100);
    assert.equal(world.has(worker.ownerPath), true);
  });

  it("displaces a stale guard on the way, but never one that cannot be judged", async () => {
    const world = await withStaleLease();
    await world.writeGuard(worker, gone);
    const unknown = world.copy();
    assert.equal(summary(await executeQuarantine(await planOf(world), world.options(me))), "quarantined");
    assert.equal(world.where(`guard-${gone}`).length, 1);
    const plan = await planOf(unknown);
    const options = unknown.options(me);
    options.observer.environments.set(namespace, { localFilesystem: true, pidNamespace: "unknown", exclusiveToThisNamespace: false, nsPidMatch: false });
    const refused = await executeQuarantine(plan, options);
    assert.equal(refused.kind === "refused" ? refused.guard?.verdict : refused.kind, "unknown");
    assert.equal(unknown.has(worker.ownerPath), true);
  });

  it("puts another owner's lease back that came into its hands between the last look and the move", async () => {
    const world = await withStaleLease();
    const plan = await planOf(world);
    const intruder = world.owner(worker, 400);
    let isDone = false;
    const fake = fakeFiles(world.disk.port, {
      before: async ({ operation, path }) => {
        if (isDone || operation !== "rename" || path !== worker.lockPath) return;
        isDone = true;
        // pi-amq displaced the stale lease itself and installed a new one, in the last microsecond.
        await world.disk.port.rename(worker.lockPath, join(layout.quarantineDirectory, "theirs"));
        await world.writeOwner(worker, intruder);
      },
    });
    const result = await executeQuarantine(plan, world.options(me, fake.port));
    assert.match(summary(result), /^changed file-replaced/);
    assert.deepEqual(world.where("lease-400"), [`${worker.resourceId}.lock/owner.json`]);
    assert.deepEqual(world.where(`lease-${gone}`), ["theirs/owner.json"]);
  });

  it("keeps both when that lease's place is taken again, and reports both paths", async () => {
    const world = await withStaleLease();
    const plan = await planOf(world);
    let count = 0;
    const fake = fakeFiles(world.disk.port, {
      before: async ({ operation, path }) => {
        if (count > 0 || operation !== "rename" || path !== worker.lockPath) return;
        count += 1;
        await world.disk.port.rename(worker.lockPath, join(layout.quarantineDirectory, "theirs"));
        await world.writeOwner(worker, world.owner(worker, 400));
      },
      after: async ({ operation, path }) => {
        if (count !== 1 || operation !== "rename" || path !== worker.lockPath) return;
        count += 1;
        await world.writeOwner(worker, world.owner(worker, 500));
      },
    });
    const result = await executeQuarantine(plan, world.options(me, fake.port));
    assert.ok(result.kind === "conflict", summary(result));
    assert.equal(result.paths[1], worker.lockPath);
    assert.deepEqual(world.where("lease-500"), [`${worker.resourceId}.lock/owner.json`]);
    assert.equal(world.where("lease-400").length, 1);
    assert.equal(world.where(`lease-${gone}`).length, 1);
  });

  it("never moves what is only a link or a file in place of the lease", async () => {
    const world = new MemoryWorld();
    await world.makeDirectory(layout.workersDirectory);
    await createExclusiveDurable(world.disk.port, worker.lockPath, new TextEncoder().encode("x"), { mode: 0o600 });
    world.clock.advance(120_000);
    const plan = await planOf(world);
    assert.equal(plan.permission, "force-only");
    const result = await executeQuarantine(plan, { ...world.options(me), force: { typedId: plan.claim.id } });
    assert.match(summary(result), /^refused never-allowed file/);
    assert.equal(world.has(worker.lockPath), true);
  });

  it("sets a corrupt lease aside by force only, and only after it has rested", async () => {
    const world = new MemoryWorld();
    await world.makeDirectory(worker.lockPath);
    assert.equal((await planOf(world)).permission, "never");
    world.clock.advance(61_000);
    const plan = await planOf(world);
    assert.deepEqual([plan.permission, plan.cautions.slice(0, 2)], ["force-only", ["corrupt", "owner_file_missing"]]);
    assert.equal(summary(await executeQuarantine(plan, world.options(me))), "refused force-needed corrupt");
    assert.equal(summary(await executeQuarantine(plan, { ...world.options(me), force: { typedId: "no" } })), "refused typed-id-differs");
    assert.equal(summary(await executeQuarantine(plan, { ...world.options(me), force: { typedId: plan.claim.id } })), "quarantined");
  });

  it("takes the owner file for what somebody may be writing, not only its directory", async () => {
    const world = new MemoryWorld();
    await world.makeDirectory(worker.lockPath);
    const file = await world.disk.port.createExclusive(worker.ownerPath, 0o600);
    world.clock.advance(61_000);
    assert.equal((await planOf(world)).permission, "force-only");
    const open = world.options(me);
    const { device, inode } = await world.disk.port.lstat(worker.ownerPath);
    open.observer.openFiles.set(`${device}:${inode}`, { kind: "open", pids: [400] });
    assert.deepEqual((await planQuarantine(await claimOf(world), open)).cautions, ["corrupt", "file-open"]);
    // Written in place, the file changes and its directory does not.
    await file.write(new TextEncoder().encode("{"), 0);
    await file.close();
    assert.deepEqual((await planOf(world)).cautions, ["corrupt", "changed-recently"]);
  });

  it("writes its guard in the rendering that the namespace uses, once that was learned", async () => {
    const world = await withStaleLease();
    world.processes.setLive(50);
    await world.writeOwner(supervisor, world.owner(supervisor, 50, { processStartIdentity: "5000", bootIdentity: "foreign" }));
    sharedFormatMemory.learn(namespace, [{ record: world.owner(supervisor, 50, { processStartIdentity: "5000", bootIdentity: "foreign" }), facts: { identity: identityOf(50), startEpochSeconds: null, lstart: null } }]);
    let guard = "";
    const fake = fakeFiles(world.disk.port, {
      before: ({ operation, path }) => {
        if (operation !== "rename" || path !== worker.lockPath) return;
        guard = world.disk.snapshot().find(([known]) => known === worker.guardPath)?.[1] ?? "";
      },
    });
    assert.equal(summary(await executeQuarantine(await planOf(world), world.options(me, fake.port))), "quarantined");
    const written = JSON.parse(guard) as { processStartIdentity: string; bootIdentity: string | null };
    assert.deepEqual([written.processStartIdentity, written.bootIdentity], ["900000", null]);
  });
});

describe("sweeping a guard of pi-amq", () => {
  it("moves a stale guard that has rested, under a marker that only we know", async () => {
    const world = new MemoryWorld();
    world.processes.setAbsent(gone);
    await world.writeGuard(worker, gone);
    const young = await executeQuarantine(await planOf(world, "guard"), world.options(me));
    assert.equal(summary(young), "refused never-allowed guard-is-young");
    world.clock.advance(11_000);
    const result = await executeQuarantine(await planOf(world, "guard"), world.options(me));
    assert.equal(summary(result), "quarantined");
    assert.ok(result.kind === "quarantined");
    assert.deepEqual(parseQuarantineName(result.entry.name), { kind: "guard", stem: worker.stem, generation: `guard-${gone}` });
    assert.equal(world.has(layout.sweepMarker(worker.stem)), false);
  });

  it("leaves the guard alone while another instance of ours is at it, and clears a marker that a crash left", async () => {
    const world = new MemoryWorld();
    world.processes.setAbsent(gone);
    await world.writeGuard(worker, gone);
    world.clock.advance(11_000);
    const marker = layout.sweepMarker(worker.stem);
    const holder = { schema: 1, generation: "marker", ...identityOf(gone), createdAt: "2026-01-02T03:04:05.000Z" };
    await createExclusiveDurable(world.disk.port, marker, new TextEncoder().encode(JSON.stringify(holder)), { mode: 0o600 });
    const busy = await executeQuarantine(await planOf(world, "guard"), world.options(me));
    assert.ok(busy.kind === "refused" && busy.reason === "busy" && busy.guard?.token === "marker");
    world.clock.advance(11_000);
    await executeQuarantine(await planOf(world, "guard"), world.options(me));
    assert.equal(summary(await executeQuarantine(await planOf(world, "guard"), world.options(me))), "quarantined");
  });

  it("puts a live guard back that took the place of the stale one in the last moment", async () => {
    const world = new MemoryWorld();
    world.processes.setAbsent(gone).setLive(400);
    await world.writeGuard(worker, gone);
    world.clock.advance(11_000);
    const plan = await planOf(world, "guard");
    let isDone = false;
    const fake = fakeFiles(world.disk.port, {
      before: async ({ operation, path }) => {
        if (isDone || operation !== "rename" || path !== worker.guardPath) return;
        isDone = true;
        await world.disk.port.rename(worker.guardPath, join(layout.quarantineDirectory, "theirs"));
        await world.writeGuard(worker, 400);
      },
    });
    assert.match(summary(await executeQuarantine(plan, world.options(me, fake.port))), /^changed/);
    assert.deepEqual(world.where("guard-400"), [`worker-session-leases/${worker.resourceId}.lifecycle.guard.json`]);
  });
});

describe("setting a leftover of pi-amq aside", () => {
  it("moves a rested one, with all that is in it, and can put it back", async () => {
    const world = new MemoryWorld();
    const prepared = layout.prepared(supervisor, "Ab12Cd");
    await world.makeDirectory(prepared);
    await createExclusiveDurable(world.disk.port, ownerFile(prepared), new TextEncoder().encode("{}"), { mode: 0o600 });
    assert.equal((await planOf(world, "leftover")).permission, "force-only");
    world.clock.advance(601_000);
    const plan = await planOf(world, "leftover");
    assert.equal(plan.permission, "normal");
    const result = await executeQuarantine(plan, world.options(me));
    assert.ok(result.kind === "quarantined", summary(result));
    assert.deepEqual((await world.inspect(me)).leftovers, []);
    assert.equal((await restoreFromQuarantine(result.entry, world.options(me))).kind, "restored");
    assert.ok(world.has(ownerFile(prepared)));
  });
});

describe("restoring what pi-amq itself displaced", () => {
  async function displacedByRuntime(): Promise<{ world: MemoryWorld; path: string }> {
    const world = await withStaleLease();
    const acquired = await world.manager(400).acquireSupervisor();
    assert.ok(acquired.kind === "acquired");
    const leased = await world.manager(400).reserveWorkerSession({ sessionPath, runId: "r", workerId: "w", attemptId: "a", workerAttemptGeneration: "g", supervisorGeneration: acquired.owner.generation });
    assert.ok(leased.kind === "acquired" && leased.reclaimed !== undefined);
    return { world, path: leased.reclaimed.quarantinePath };
  }

  it("never overwrites, and warns that the owner is gone", async () => {
    const { world, path } = await displacedByRuntime();
    assert.equal((await restoreDisplacedLease(path, world.options(me))).kind, "occupied");
    const free = world.copy();
    await free.disk.port.rename(worker.lockPath, join(layout.quarantineDirectory, "aside"));
    const restored = await restoreDisplacedLease(path, free.options(me));
    assert.deepEqual([restored.kind, restored.warnings], ["restored", ["owner-not-live"]]);
    assert.deepEqual(free.where(`lease-${gone}`), [`${worker.resourceId}.lock/owner.json`]);
  });

  it("refuses an item whose record belongs to another resource than its name, and anything outside of a quarantine", async () => {
    const { world, path } = await displacedByRuntime();
    const elsewhere = layout.displacedLease(`worker-session.${"0".repeat(64)}`, "g", 1, "u");
    await world.disk.port.rename(path, elsewhere);
    for (const item of [elsewhere, worker.lockPath, join(layout.quarantineDirectory, "missing")]) {
      assert.equal((await restoreDisplacedLease(item, world.options(me))).kind, "refused", item);
    }
  });
});

describe("quarantining a lease with a fault at every file step", () => {
  it("loses nothing, and what is left can be settled by the offered commands alone", async () => {
    const world = await withStaleLease();
    await world.writeGuard(worker, gone);
    const plan = await planOf(world);
    const first = world.copy();
    const counted = fakeFiles(first.disk.port);
    assert.equal(summary(await executeQuarantine(plan, first.options(me, counted.port))), "quarantined");
    for (const { index, operation } of counted.calls) {
      for (const code of ["EIO", "EACCES", "crash"]) {
        for (const when of mutatingOperations.includes(operation) ? (["before", "after"] as const) : (["before"] as const)) {
          await interrupt(index, code, when);
        }
      }
    }

    async function interrupt(at: number, code: string, when: "before" | "after"): Promise<void> {
      const trial = world.copy();
      const fake = fakeFiles(trial.disk.port, { faults: [{ at, code, when }] });
      const name = (): string => `${code} ${when} at ${JSON.stringify(fake.calls[at])}`;
      await executeQuarantine(plan, trial.options(me, fake.port)).catch((error: unknown) => {
        assert.ok(error instanceof Crash, `${name()}: ${String(error)}`);
      });
      assert.equal(trial.where(`lease-${gone}`).length, 1, name());
      assert.equal(trial.where(`guard-${gone}`).length, 1, name());
      // The process that was at it is gone, or its disk is well again; some time later a person looks.
      if (code === "crash") trial.processes.setAbsent(me);
      trial.clock.advance(60_000);
      for (const entry of await listQuarantine(namespace, trial.options(9001), amqDriver)) {
        if (entry.kind === "intended" || entry.kind === "frozen") assert.equal((await settleFrozen(entry, trial.options(9001))).kind, "settled", name());
      }
      const row = (await trial.inspect(9001)).workers[0];
      if (row !== undefined) {
        const again = await executeQuarantine(await planQuarantine(row.claim, trial.options(9001)), trial.options(9001));
        assert.equal(summary(again), "quarantined", name());
      }
      assert.equal(trial.where(`lease-${gone}`).length, 1, name());
      const acquired = await trial.manager(400).acquireSupervisor();
      assert.equal(acquired.kind, "acquired", name());
    }
  });
});
