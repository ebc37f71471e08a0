import assert from "node:assert/strict";
import { executeQuarantine } from "../../../src/core/quarantine/executeQuarantine.js";
import { planPurge, purgeQuarantine } from "../../../src/core/quarantine/purgeQuarantine.js";
import type { QuarantineEntry } from "../../../src/core/quarantine/quarantineEntry.js";
import { settleFrozen } from "../../../src/core/quarantine/settleFrozen.js";
import { settleClaim } from "../../../src/core/quarantine/settlePlace.js";
import { Crash, fakeFiles, type Fault } from "../../fakes/files.js";
import { group, liveLock, place, putFile, run, settleAll, staleLock, World } from "./world.js";

async function interrupted(fault: Fault, before?: (world: World) => Promise<void>): Promise<{ world: World; entry: QuarantineEntry }> {
  const world = await World.withStaleLock();
  const plan = await world.plan();
  let isOver = false;
  const fake = fakeFiles(world.disk.port, {
    faults: [fault],
    before: async (call) => {
      if (isOver || before === undefined || call.operation !== "rename" || call.path !== place) return;
      isOver = true;
      await before(world);
    },
  });
  await assert.rejects(executeQuarantine(plan, world.options({ port: fake.port })), Crash);
  const [entry] = await world.list();
  assert.ok(entry);
  return { world, entry };
}

const afterLink: Fault = { operation: "link", at: 0, code: "crash", when: "after" };
const afterMove: Fault = { operation: "rename", where: (call) => call.path === place, at: 0, code: "crash", when: "after" };

describe("an interrupted repair", () => {
  it("that only had written its intention is forgotten", async () => {
    const { world, entry } = await interrupted({ ...afterLink, when: "before" });
    assert.ok(entry.kind === "intended" && entry.settle === "forget");
    const settled = await settleFrozen(entry, world.afterCrash());
    assert.deepEqual([settled.kind === "settled" && settled.action, await world.list()], ["forget", []]);
  });

  it("that had frozen the lock shows as frozen, to the claim too, and is undone", async () => {
    const { world, entry } = await interrupted(afterLink);
    assert.ok(entry.kind === "frozen" && entry.settle === "undo");
    const claim = await world.inspect();
    assert.ok(claim.verdict.kind === "corrupt" && claim.verdict.reason === "frozen");
    assert.equal((await world.plan()).permission, "never");
    const settled = await settleFrozen(entry, world.afterCrash());
    assert.deepEqual([settled.kind === "settled" && settled.action, await world.list(), world.pathsOf(staleLock)], ["undo", [], [place]]);
    assert.equal((await world.inspect()).verdict.kind, "stale");
  });

  it("that had moved the lock is finished, and can then be restored", async () => {
    const { world, entry } = await interrupted(afterMove);
    assert.ok(entry.kind === "frozen" && entry.settle === "finish");
    const settled = await settleFrozen(entry, world.afterCrash());
    assert.ok(settled.kind === "settled" && settled.entry?.kind === "quarantined" && settled.entry.record.outcome === "displaced");
    assert.deepEqual(world.pathsOf(staleLock), [entry.path]);
  });

  it("that had moved another owner's lock gives it back, and keeps the frozen one", async () => {
    const { world, entry } = await interrupted(afterMove, async ({ disk: { port } }) => {
      await port.unlink(place);
      await putFile(port, place, liveLock);
    });
    assert.ok(entry.kind === "frozen" && entry.settle === "put-back");
    const settled = await settleFrozen(entry, world.afterCrash());
    assert.ok(settled.kind === "settled" && settled.entry?.kind === "quarantined" && settled.entry.record.outcome === "vanished");
    assert.deepEqual([world.pathsOf(liveLock), world.pathsOf(staleLock)], [[place], [entry.path]]);
  });

  it("that had moved another owner's lock, whose place is taken again, ends as a conflict with both kept", async () => {
    const { world, entry } = await interrupted(afterMove, async ({ disk: { port } }) => {
      await port.unlink(place);
      await putFile(port, place, liveLock);
    });
    await putFile(world.disk.port, place, "third");
    const settled = await settleFrozen(entry, world.afterCrash());
    assert.ok(settled.kind === "conflict");
    assert.deepEqual(settled.paths, [entry.path, place]);
    await settleAll(world.afterCrash());
    assert.deepEqual([world.pathsOf("third"), world.pathsOf(liveLock), world.pathsOf(staleLock).length], [[place], [entry.path], 1]);
  });

  it("whose lock the runtime has recovered since keeps the last bytes", async () => {
    const { world, entry } = await interrupted(afterLink);
    await world.disk.port.unlink(place);
    const [now] = await world.list();
    assert.ok(now?.kind === "frozen" && now.settle === "keep");
    const settled = await settleFrozen(entry, world.afterCrash());
    assert.ok(settled.kind === "settled" && settled.entry?.kind === "quarantined" && settled.entry.record.outcome === "vanished");
    assert.deepEqual(world.pathsOf(staleLock), [entry.path]);
  });

  it("is settled once: a second settling finds nothing to do", async () => {
    const { world, entry } = await interrupted(afterLink);
    assert.equal((await settleFrozen(entry, world.afterCrash())).kind, "settled");
    const again = await settleFrozen(entry, world.afterCrash());
    assert.ok(again.kind === "refused" && again.reason === "nothing-to-settle");
  });

  it("is not settled while the instance that makes it is alive", async () => {
    const { world, entry } = await interrupted(afterLink);
    const result = await settleFrozen(entry, world.other());
    assert.ok(result.kind === "refused" && result.reason === "busy" && result.guard?.verdict === "live");
    assert.equal(world.pathsOf(staleLock).length, 2);
  });

  it("is undone first by the next repair, which then goes on", async () => {
    const world = await World.withStaleLock();
    const plan = await world.plan();
    const fake = fakeFiles(world.disk.port, { faults: [afterLink] });
    await assert.rejects(executeQuarantine(plan, world.options({ port: fake.port })), Crash);
    const second = await executeQuarantine({ ...plan, destination: `${group}/second` }, world.afterCrash());
    assert.deepEqual([second.kind, second.warnings], ["quarantined", ["settled-undo"]]);
    assert.deepEqual(world.pathsOf(staleLock), [`${group}/second`]);
  });

  it("can be settled from the claim alone, also when somebody has removed the record", async () => {
    for (const removesRecord of [false, true]) {
      const { world, entry } = await interrupted(afterLink);
      if (removesRecord) await world.disk.port.unlink(entry.recordPath);
      const claim = await world.inspect();
      assert.ok(claim.verdict.kind === "corrupt" && claim.verdict.reason === "frozen");
      const settled = await settleClaim(claim, world.afterCrash());
      assert.deepEqual(settled.kind === "settled" && settled.actions, ["undo"]);
      assert.deepEqual(world.pathsOf(staleLock), [place]);
      assert.equal((await world.inspect()).verdict.kind, "stale");
    }
  });
});

describe("after the run has been removed", () => {
  const removeRun = async (world: World): Promise<void> => {
    if ((await world.read(place)) !== null) await world.disk.port.unlink(place);
    await world.disk.port.rmdir(run);
  };

  it("an interrupted repair can still be settled, whatever it had reached, and what it kept purged", async () => {
    const takeOver = async ({ disk: { port } }: World): Promise<void> => {
      await port.unlink(place);
      await putFile(port, place, liveLock);
    };
    for (const [fault, before] of [[{ ...afterLink, when: "before" as const }], [afterLink], [afterMove], [afterMove, takeOver]] as const) {
      const { world } = await interrupted(fault, before);
      await removeRun(world);
      const options = world.afterCrash();
      const entries = await settleAll(options);
      assert.ok(entries.every((entry) => entry.kind === "quarantined"));
      if (before !== undefined) assert.equal(world.pathsOf(liveLock).length, 1);
      const plan = await planPurge("/w", { olderThanMs: -1 }, options);
      assert.deepEqual((await purgeQuarantine(plan, options)).map(({ kind }) => kind), entries.map(() => "purged"));
      assert.deepEqual(await world.list(), []);
    }
  });
});
