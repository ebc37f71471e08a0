import assert from "node:assert/strict";
import { executeQuarantine } from "../../../src/core/quarantine/executeQuarantine.js";
import { planQuarantine } from "../../../src/core/quarantine/planQuarantine.js";
import { listQuarantine } from "../../../src/core/quarantine/listQuarantine.js";
import type { QuarantineEntry, QuarantinePlan, QuarantineResult, RestoreResult, SettleResult } from "../../../src/core/quarantine/quarantineEntry.js";
import { restoreFromQuarantine } from "../../../src/core/quarantine/restoreFromQuarantine.js";
import type { QuarantineOptions } from "../../../src/core/quarantine/session.js";
import { settleFrozen } from "../../../src/core/quarantine/settleFrozen.js";
import { inspectLifecycleLock } from "../../../src/core/systems/lattice/inspectLifecycleLock.js";
import { Crash, fakeFiles } from "../../fakes/files.js";
import { everyCrash, everyFault, type Subject } from "./sweep.js";
import { place, settleAll, staleLock, World } from "./world.js";

async function quarantining(): Promise<Subject<QuarantinePlan, QuarantineResult>> {
  const world = await World.withStaleLock();
  return { world, prepared: await world.plan(), run: executeQuarantine };
}

async function restoring(): Promise<Subject<QuarantineEntry, RestoreResult>> {
  const { world, prepared } = await quarantining();
  const result = await executeQuarantine(prepared, world.options());
  if (result.kind !== "quarantined") throw new Error(result.kind);
  return { world, prepared: result.entry, run: restoreFromQuarantine };
}

/** A repair that died right after its freeze; another process settles it. */
async function settling(): Promise<Subject<QuarantineEntry, SettleResult>> {
  const { world, prepared } = await quarantining();
  const fake = fakeFiles(world.disk.port, { faults: [{ operation: "link", at: 0, code: "crash", when: "after" }] });
  await assert.rejects(executeQuarantine(prepared, world.options({ port: fake.port })), Crash);
  const [entry] = await world.list();
  assert.ok(entry?.kind === "frozen" && entry.settle === "undo");
  return { world, prepared: entry, who: (at) => at.afterCrash(), run: settleFrozen };
}

/** Whatever happened: the lock is in its place with one name, or in quarantine with one name; the next command works. */
async function mustBeUsable(world: World, options: QuarantineOptions, name: string): Promise<void> {
  const entries = await settleAll(options);
  const names = world.pathsOf(staleLock);
  assert.equal(names.length, 1, `${name}: ${JSON.stringify(names)}`);
  if (names[0] === place) {
    const claim = await inspectLifecycleLock(place, { port: world.disk.port, observer: world.observer, clock: world.clock });
    assert.equal(claim.verdict.kind, "stale", name);
    const result = await executeQuarantine(await planQuarantine(claim, options), options);
    assert.equal(result.kind, "quarantined", `${name}: ${JSON.stringify(result)}`);
  } else {
    const entry = entries.find((candidate) => candidate.path === names[0]);
    assert.equal(entry?.kind, "quarantined", `${name}: ${JSON.stringify(entries)}`);
    assert.equal((await restoreFromQuarantine(entry, options)).kind, "restored", name);
    assert.equal(await world.read(place), staleLock, name);
  }
}

/** Many faults lead to few states: each is followed up once. */
function onceForEachState(): (world: World, options: QuarantineOptions, name: string) => Promise<void> {
  const seen = new Set<string>();
  return async (world, options, name) => {
    // Ids differ from run to run; what they are does not matter, and what guards contain says no more than their names.
    const key = JSON.stringify(world.disk.snapshot().map(([path, content]) => (path.includes("/.guards/") ? [path] : [path, content]))).replaceAll(/\d{8}-0000-4000-8000-/g, "");
    if (seen.has(key)) return;
    seen.add(key);
    await mustBeUsable(world, options, name);
  };
}

describe("a fault at every file step of a quarantine", () => {
  it("gives a typed result, loses no byte and leaves a state that the offered commands settle", async () => {
    const followUp = onceForEachState();
    const kinds = new Map<string, number>();
    for await (const { world, result, name } of everyFault(await quarantining())) {
      kinds.set(result.kind, (kinds.get(result.kind) ?? 0) + 1);
      const names = world.pathsOf(staleLock);
      assert.ok(names.length > 0, name);
      if (result.kind === "quarantined") assert.ok(!names.includes(place) && names.includes(result.entry.path), name);
      else assert.ok(names.includes(place) || result.warnings.length > 0 || (result.kind === "changed" && result.entry !== null), `${name}: ${JSON.stringify(result)}`);
      await followUp(world, world.options(), name);
    }
  });

  it("the process dies before or after each: a fresh look settles it, nothing is lost", async () => {
    for await (const { world, name } of everyCrash(await quarantining())) {
      assert.ok(world.pathsOf(staleLock).length > 0, name);
      await mustBeUsable(world, world.afterCrash(), name);
    }
  });
});

describe("a fault at every file step of a restore", () => {
  it("gives a typed result, loses no byte and leaves a state that the offered commands settle", async () => {
    const followUp = onceForEachState();
    for await (const { world, result, name } of everyFault(await restoring())) {
      assert.ok(world.pathsOf(staleLock).length > 0, name);
      if (result.kind === "restored") assert.equal(await world.read(place), staleLock, name);
      await followUp(world, world.options(), name);
    }
  });

  it("the process dies before or after each: a fresh look settles it, nothing is lost", async () => {
    for await (const { world, name } of everyCrash(await restoring())) await mustBeUsable(world, world.afterCrash(), name);
  });
});

describe("a fault at every file step of settling an interrupted repair", () => {
  it("gives a typed result, loses no byte and can be settled again", async () => {
    const followUp = onceForEachState();
    for await (const { world, name } of everyFault(await settling())) {
      assert.ok(world.pathsOf(staleLock).length > 0, name);
      await followUp(world, world.afterCrash(), name);
    }
  });

  it("the process dies before or after each: the next one settles it", async () => {
    for await (const { world, name } of everyCrash(await settling())) {
      assert.ok(world.pathsOf(staleLock).length > 0, name);
      await mustBeUsable(world, world.afterCrash(), name);
    }
  });
});

describe("without hard links, a crash or a fault at every file step", () => {
  async function withoutLinks<Prepared, Result>(subject: Subject<Prepared, Result>): Promise<Subject<Prepared, Result>> {
    subject.world.disk.hasHardLinks = false;
    return await Promise.resolve(subject);
  }

  it("of a quarantine loses nothing and can be settled", async () => {
    const subject = await withoutLinks(await quarantining());
    for await (const { world, name } of everyCrash(subject)) await mustBeUsable(world, world.afterCrash(), name);
    const followUp = onceForEachState();
    for await (const { world, name } of everyFault(subject, ["EIO", "EEXIST"])) await followUp(world, world.options(), name);
  });

  it("of a restore keeps the item until it is back; at worst an empty placeholder is left, which force displaces", async () => {
    const subject = await withoutLinks(await restoring());
    let placeholders = 0;
    for await (const { world, name } of everyCrash(subject)) {
      const options = world.afterCrash();
      assert.equal(world.pathsOf(staleLock).length, 1, name);
      if ((await world.read(place)) === "") {
        placeholders += 1;
        await settleAll(options);
        // The placeholder is a torn lock to everybody. A minute later it may be displaced like any other.
        world.clock.time += 120_000;
        const claim = await world.inspect();
        assert.equal(claim.verdict.kind, "corrupt", name);
        const forced = await executeQuarantine(await planQuarantine(claim, options), { ...options, force: { typedId: claim.id } });
        assert.equal(forced.kind, "quarantined", `${name}: ${JSON.stringify(forced)}`);
        const item = (await listQuarantine("/w", options)).find((entry) => entry.path === world.pathsOf(staleLock)[0]);
        assert.ok(item);
        assert.equal((await restoreFromQuarantine(item, options)).kind, "restored", name);
        assert.equal(await world.read(place), staleLock, name);
      } else {
        await mustBeUsable(world, options, name);
      }
    }
    assert.ok(placeholders > 0);
  });
});
