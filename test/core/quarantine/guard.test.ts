import assert from "node:assert/strict";
import fs from "node:fs";
import type { ObservationEnvironment, ProcessInspection } from "../../../src/core/process/processInspector.js";
import { executeQuarantine } from "../../../src/core/quarantine/executeQuarantine.js";
import { guardOwnerBytes, guardOwnerOf, judgeGuardOwner, parseGuardOwner, type GuardOwner, type GuardVerdict } from "../../../src/core/quarantine/guardOwner.js";
import { acquireInstanceGuard, type GuardAttempt } from "../../../src/core/quarantine/instanceGuard.js";
import { guardDirectory, placeOfClaim } from "../../../src/core/quarantine/latticeLayout.js";
import { openSession } from "../../../src/core/quarantine/session.js";
import { FakeProcesses, identityOf, localEnvironment } from "../../fakes/processes.js";
import { fakeFiles } from "../../fakes/files.js";
import { interleave, seeded } from "./interleave.js";
import { realDisk } from "./realDisk.js";
import { place, putFile, quarantine, staleLock, World, worldOn } from "./world.js";

const claimPlace = placeOfClaim(place);
assert.ok(claimPlace);
const guards = guardDirectory(claimPlace);

async function guardedWorld(): Promise<World> {
  const world = await World.withStaleLock();
  await world.disk.port.mkdir(quarantine, 0o700);
  return world;
}

function acquire(world: World, options = world.options()): Promise<GuardAttempt> {
  assert.ok(claimPlace);
  return acquireInstanceGuard(openSession(options), claimPlace);
}

async function held(attempt: Promise<GuardAttempt>): Promise<Extract<GuardAttempt, { kind: "held" }>["guard"]> {
  const result = await attempt;
  assert.equal(result.kind, "held", JSON.stringify(result));
  return result.guard;
}

async function busy(attempt: Promise<GuardAttempt>): Promise<Extract<GuardAttempt, { kind: "busy" }>["holder"]> {
  const result = await attempt;
  assert.equal(result.kind, "busy");
  return result.holder;
}

const numbers = (world: World): readonly string[] => world.disk.snapshot().map(([path]) => path.slice(guards.length + 1)).filter((name) => /^\d{10}$/.test(name));

describe("the guard between instances of ours", () => {
  it("is held by one, who is named to the other, and free after release", async () => {
    const world = await guardedWorld();
    const guard = await held(acquire(world));
    const holder = await busy(acquire(world, world.other()));
    assert.deepEqual([holder.verdict, holder.pid, holder.hostname, holder.acquiredAt], ["live", 1000, "host-a", "2026-12-02T00:00:00.000Z"]);
    assert.equal(await guard.isStillHeld(), true);
    assert.deepEqual(await guard.release(), []);
    await held(acquire(world, world.other()));
  });

  it("also excludes a second operation in the same process", async () => {
    const world = await guardedWorld();
    await held(acquire(world));
    assert.equal((await busy(acquire(world))).verdict, "live");
  });

  it("of a dead holder goes to the next, who sweeps what the dead has left", async () => {
    const world = await guardedWorld();
    await held(acquire(world));
    await world.disk.port.mkdir(`${guards}/.prepare-left`, 0o700);
    await putFile(world.disk.port, `${guards}/.prepare-left/owner.json`, "half");
    const guard = await held(acquire(world, world.afterCrash()));
    assert.equal(await guard.isStillHeld(), true);
    assert.deepEqual(numbers(world), ["0000000002"]);
    assert.ok(!world.disk.snapshot().some(([path]) => path.includes(".prepare-")));
  });

  it("tells a holder that was taken for dead that it is no longer his", async () => {
    const world = await guardedWorld();
    const first = await held(acquire(world));
    await held(acquire(world, world.afterCrash()));
    assert.equal(await first.isStillHeld(), false);
  });

  it("of a holder that cannot be judged goes only to who types its token", async () => {
    const cases: readonly (readonly [string, (observer: FakeProcesses) => void])[] = [
      ["unknown", (observer) => observer.setUnknown(1000)],
      ["remote", (observer) => (observer.self = identityOf(9, { hostname: "host-b" }))],
    ];
    for (const [verdict, arrange] of cases) {
      const world = await guardedWorld();
      await held(acquire(world));
      const observer = new FakeProcesses();
      observer.self = identityOf(9);
      arrange(observer);
      const other = world.other({ observer });
      const holder = await busy(acquire(world, other));
      assert.equal(holder.verdict, verdict);
      assert.equal((await busy(acquire(world, { ...other, breakGuard: { typedId: `${holder.token}x` } }))).verdict, verdict);
      await held(acquire(world, { ...other, breakGuard: { typedId: holder.token } }));
    }
  });

  it("of a live holder goes to nobody, whatever is typed", async () => {
    const world = await guardedWorld();
    await held(acquire(world));
    const { token } = await busy(acquire(world, world.other()));
    await busy(acquire(world, world.other({ breakGuard: { typedId: token } })));
  });

  it("without a readable holder is busy, and is overridden by its number", async () => {
    for (const content of ["", "{}", "null", '{"schema":"run-state.quarantine_guard.v1"}']) {
      const world = await guardedWorld();
      for (const path of [`${quarantine}/.guards`, guards, `${guards}/0000000007`]) await world.disk.port.mkdir(path, 0o700);
      await putFile(world.disk.port, `${guards}/0000000007/owner.json`, content);
      const holder = await busy(acquire(world));
      assert.deepEqual([holder.verdict, holder.token, holder.pid], ["unreadable", "0000000007", null]);
      await held(acquire(world, world.options({ breakGuard: { typedId: "0000000007" } })));
      assert.deepEqual(numbers(world), ["0000000008"]);
    }
  });

  it("that could not be released is a warning, and no obstacle to the next operation of this process", async () => {
    const world = await guardedWorld();
    const fake = fakeFiles(world.disk.port, { faults: [{ operation: "createExclusive", where: ({ path }) => path.endsWith("/released"), at: 0, code: "EIO", forGood: true }] });
    const guard = await held(acquire(world, world.options({ port: fake.port })));
    assert.deepEqual(await guard.release(), ["guard-not-released"]);
    await held(acquire(world));
  });

  it("goes to exactly one of four who find it stale, in any mixture of their steps", async () => {
    const stale = await guardedWorld();
    await held(acquire(stale));
    for (let seed = 1; seed <= 100; seed += 1) {
      const world = stale.copy();
      const actors = [1, 2, 3, 4].map((actor) => {
        const observer = new FakeProcesses();
        for (const pid of [1, 2, 3, 4]) observer.setLive(2000 + pid);
        observer.self = identityOf(2000 + actor);
        const options = world.other({ observer });
        return (port: typeof world.disk.port) => acquire(world, { ...options, port });
      });
      const attempts = await interleave<readonly GuardAttempt[]>(world.disk.port, actors, seeded(seed));
      const holders = attempts.filter((attempt) => attempt.kind === "held");
      assert.ok(holders.length <= 1, `seed ${seed}`);
      for (const holder of holders) assert.equal(await holder.guard.isStillHeld(), true, `seed ${seed}`);
      // Nobody got it only when the last ones met in the same moment; then it must not stay blocked.
      if (holders.length === 0) await held(acquire(world, world.other()));
    }
  });

  it("brought by a hostile repository neither blocks for ever nor leads elsewhere", async () => {
    const world = await guardedWorld();
    for (const path of [`${quarantine}/.guards`, guards, `${guards}/9999999999`]) await world.disk.port.mkdir(path, 0o700);
    await held(acquire(world, world.options({ breakGuard: { typedId: "9999999999" } })));
    const disk = realDisk();
    try {
      const real = await worldOn(disk);
      fs.mkdirSync(`${disk.root}/elsewhere`);
      fs.writeFileSync(`${disk.root}/elsewhere/owner.json`, "theirs");
      fs.mkdirSync(`${disk.root}${guards}`, { recursive: true });
      // An old guard that is a link: sweeping it must delete nothing there.
      fs.symlinkSync(`${disk.root}/elsewhere`, `${disk.root}${guards}/0000000001`);
      fs.mkdirSync(`${disk.root}${guards}/0000000002`);
      fs.writeFileSync(`${disk.root}${guards}/0000000002/released`, "");
      const result = await executeQuarantine(await real.plan(), real.options());
      assert.equal(result.kind, "quarantined", JSON.stringify(result));
      assert.deepEqual(fs.readdirSync(`${disk.root}/elsewhere`), ["owner.json"]);
      fs.renameSync(`${disk.root}${quarantine}/.guards`, `${disk.root}/aside`);
      fs.symlinkSync(`${disk.root}/elsewhere`, `${disk.root}${quarantine}/.guards`);
      await putFile(disk.port, place, staleLock);
      const refused = await executeQuarantine(await real.plan(), real.options());
      assert.ok(refused.kind === "refused");
      assert.deepEqual([refused.reason, refused.detail], ["unsafe-directory", `${quarantine}/.guards`]);
      assert.deepEqual(fs.readdirSync(`${disk.root}/elsewhere`), ["owner.json"]);
    } finally {
      disk.remove();
    }
  });

  it("lost before the move stops the move: the lock stays where it is", async () => {
    const world = await World.withStaleLock();
    const plan = await world.plan();
    world.clock.duringSleep = async () => {
      await held(acquire(world, world.afterCrash()));
    };
    const result = await executeQuarantine(plan, world.options());
    assert.ok(result.kind === "refused" && result.reason === "busy" && result.detail === "guard-lost");
    assert.deepEqual(world.pathsOf(staleLock), [place]);
  });
});

describe("judgeGuardOwner", () => {
  const owner = guardOwnerOf(identityOf(50), "token", "runs/run-a/.lifecycle.lock", 0);
  const same: ProcessInspection = { kind: "live", identity: identityOf(50) };
  const absent: ProcessInspection = { kind: "absent", why: "no-such-process" };
  const reused: ProcessInspection = { kind: "live", identity: identityOf(50, { processStartIdentity: "linux:starttime:77" }) };
  const foreign: ProcessInspection = { kind: "live", identity: identityOf(50, { processStartIdentity: "other:kind:77" }) };
  const unknown: ProcessInspection = { kind: "unknown", diagnostic: "x" };
  const shared: ObservationEnvironment = { ...localEnvironment, localFilesystem: false };
  const nested: ObservationEnvironment = { ...localEnvironment, pidNamespace: "nested" };
  const rebooted = identityOf(9, { bootIdentity: "linux:boot_id:other" });
  const bootless = identityOf(9, { bootIdentity: null });
  const here = identityOf(9);
  const table: readonly (readonly [string, GuardVerdict, typeof here, ProcessInspection, ObservationEnvironment])[] = [
    ["the same process", "live", here, same, localEnvironment],
    ["the same process, even where nothing else could be judged", "live", bootless, same, { ...shared, pidNamespace: "unknown" }],
    ["another host", "remote", identityOf(9, { hostname: "host-b" }), absent, localEnvironment],
    ["no such process", "gone", here, absent, localEnvironment],
    ["the number was used again", "gone", here, reused, localEnvironment],
    ["start identities of two kinds", "unknown", here, foreign, localEnvironment],
    ["a process that cannot be looked at", "unknown", here, unknown, localEnvironment],
    ["another boot on a local disk", "gone", rebooted, same, localEnvironment],
    ["another boot on a shared disk: perhaps another machine of that name", "unknown", rebooted, absent, shared],
    ["absent, shared disk, same boot", "gone", here, absent, shared],
    ["absent, shared disk, boot not known", "unknown", bootless, absent, shared],
    ["absent in a nested namespace", "unknown", here, absent, nested],
    ["absent in a nested namespace that has the disk for itself", "gone", here, absent, { ...nested, exclusiveToThisNamespace: true }],
    ["absent in an unknown namespace", "unknown", here, absent, { ...localEnvironment, pidNamespace: "unknown" }],
    ["absent here, but a child namespace has that number", "unknown", here, absent, { ...localEnvironment, nsPidMatch: true }],
  ];
  for (const [name, expected, current, inspection, environment] of table) {
    it(`${name}: ${expected}`, () => assert.equal(judgeGuardOwner(owner, { current, inspection, environment }), expected));
  }

  it("reads back what it writes and nothing else", () => {
    assert.deepEqual(parseGuardOwner(guardOwnerBytes(owner)), owner);
    const text = new TextDecoder().decode(guardOwnerBytes(owner));
    const bytesOf = (changed: string): Uint8Array => new TextEncoder().encode(changed);
    for (let length = 0; length < text.length - 1; length += 1) assert.equal(parseGuardOwner(bytesOf(text.slice(0, length))), null);
    assert.equal(parseGuardOwner(bytesOf(text.replace('"pid":50', '"pid":51'))), null);
    assert.equal(parseGuardOwner(new Uint8Array([0xff, 0xfe])), null);
    const resealed = (change: Partial<Record<keyof GuardOwner, unknown>>): Uint8Array => bytesOf(JSON.stringify({ ...owner, ...change }));
    assert.equal(parseGuardOwner(resealed({ pid: -1 })), null);
  });
});
