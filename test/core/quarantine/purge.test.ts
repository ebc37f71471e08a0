import assert from "node:assert/strict";
import { executeQuarantine } from "../../../src/core/quarantine/executeQuarantine.js";
import { planQuarantine } from "../../../src/core/quarantine/planQuarantine.js";
import { planPurge, purgeQuarantine, type PurgeOutcome, type PurgePlan } from "../../../src/core/quarantine/purgeQuarantine.js";
import type { QuarantineEntry } from "../../../src/core/quarantine/quarantineEntry.js";
import { restoreFromQuarantine } from "../../../src/core/quarantine/restoreFromQuarantine.js";
import { fileIdentityOf } from "../../../src/core/storage/fileIdentity.js";
import { readOnlySpy } from "../../fakes/files.js";
import { everyCrash, everyFault } from "./sweep.js";
import { group, place, putFile, settleAll, staleLock, store, World } from "./world.js";

const day = 86_400_000;

async function quarantined(): Promise<{ world: World; entry: QuarantineEntry }> {
  const world = await World.withStaleLock();
  const result = await executeQuarantine(await world.plan(), world.options());
  assert.ok(result.kind === "quarantined");
  world.clock.time += 10 * day;
  return { world, entry: result.entry };
}

const kindsOf = (outcomes: readonly PurgeOutcome[]): readonly string[] => outcomes.map(({ kind, detail }) => `${kind} ${detail ?? ""}`.trim());

describe("purge", () => {
  it("lists what is older than the age, writes nothing, and deletes exactly that", async () => {
    const { world, entry } = await quarantined();
    await putFile(world.disk.port, place, staleLock);
    const second = await executeQuarantine(await world.plan(), world.options());
    assert.ok(second.kind === "quarantined");
    const spy = readOnlySpy(world.disk.port);
    const plan = await planPurge("/w", { olderThanMs: 7 * day }, world.options({ port: spy.port }));
    assert.deepEqual([plan.items.map((item) => item.entry.path), spy.attempts], [[entry.path], []]);
    assert.deepEqual(kindsOf(await purgeQuarantine(plan, world.options())), ["purged"]);
    assert.deepEqual((await world.list()).map((listed) => listed.path), [second.entry.path]);
    assert.ok(!world.disk.snapshot().some(([path]) => path.startsWith(entry.path)));
  });

  it("of something restored removes the record only; the claim stays", async () => {
    const { world, entry } = await quarantined();
    assert.equal((await restoreFromQuarantine(entry, world.options())).kind, "restored");
    const plan = await planPurge("/w", { olderThanMs: day }, world.options());
    assert.deepEqual(kindsOf(await purgeQuarantine(plan, world.options())), ["purged"]);
    assert.deepEqual([await world.list(), world.pathsOf(staleLock)], [[], [place]]);
  });

  it("skips what has changed since it was listed", async () => {
    const { world, entry } = await quarantined();
    const plan = await planPurge("/w", { olderThanMs: day }, world.options());
    const restoredMeanwhile = world.copy();
    assert.equal((await restoreFromQuarantine(entry, restoredMeanwhile.options())).kind, "restored");
    assert.deepEqual(kindsOf(await purgeQuarantine(plan, restoredMeanwhile.options())), ["changed"]);
    assert.deepEqual(restoredMeanwhile.pathsOf(staleLock), [place]);
    await world.disk.port.unlink(entry.path);
    await putFile(world.disk.port, entry.path, staleLock);
    assert.deepEqual(kindsOf(await purgeQuarantine(plan, world.options())), ["changed"]);
    assert.deepEqual(world.pathsOf(staleLock), [entry.path]);
  });

  it("offers neither foreign files nor unfinished states", async () => {
    const { world, entry } = await quarantined();
    await putFile(world.disk.port, `${group}/notes`, "mine");
    await world.disk.port.link(entry.path, `${entry.path}.frozen`);
    assert.deepEqual((await world.list()).map((listed) => listed.kind).sort(), ["frozen", "unreadable"]);
    assert.deepEqual((await planPurge("/w", { olderThanMs: 0 }, world.options())).items, []);
  });

  it("removes temporary files of crashed writes and records whose item is gone", async () => {
    const { world, entry } = await quarantined();
    await putFile(world.disk.port, `${group}/x.record.json.00000009-0000-4000-8000-000000000001.tmp`, "half");
    await world.disk.port.unlink(entry.path);
    const plan = await planPurge("/w", { olderThanMs: day }, world.options());
    assert.deepEqual(kindsOf(await purgeQuarantine(plan, world.options())), ["purged", "purged"]);
    assert.deepEqual(await world.list(), []);
  });

  it("deletes a directory whole, without following a link out of it", async () => {
    const { world, prepared } = await purgingTree();
    await putFile(world.disk.port, "/outside", "safe");
    assert.deepEqual(kindsOf(await purgeQuarantine(prepared, world.options())), ["purged"]);
    assert.deepEqual([await world.list(), world.pathsOf("inner"), world.pathsOf("safe")], [[], [], ["/outside"]]);
  });

  it("stops between entries when it is cancelled, and says so for the rest", async () => {
    const { world } = await quarantined();
    const plan = await planPurge("/w", { olderThanMs: day }, world.options());
    const cancelled = new AbortController();
    cancelled.abort();
    assert.deepEqual(kindsOf(await purgeQuarantine(plan, world.options({ signal: cancelled.signal }))), ["refused cancelled"]);
    assert.equal(world.pathsOf(staleLock).length, 1);
  });

  it("with a fault or a crash at any step, leaves either an item that is whole or a purge that can be finished", async () => {
    const { world, prepared } = await purgingTree();
    const subject = { world, prepared, run: purgeQuarantine };
    for await (const { world: after, name, result } of everyFault(subject, ["ENOENT", "EIO", "EACCES", "ENOTEMPTY"])) {
      assert.equal(result.length, 1, name);
      await mustBeWholeOrGone(after, after.options(), name);
    }
    for await (const { world: after, name } of everyCrash(subject)) await mustBeWholeOrGone(after, after.afterCrash(), name);
  });
});

async function purgingTree(): Promise<{ world: World; prepared: PurgePlan }> {
  const world = await World.withStaleLock();
  const path = `${store}/runs/.run-b.tmp-000000`;
  await world.disk.port.mkdir(path, 0o700);
  for (const name of ["a", "b"]) {
    await world.disk.port.mkdir(`${path}/${name}`, 0o700);
    await putFile(world.disk.port, `${path}/${name}/file`, "inner");
  }
  const stat = await world.disk.port.lstat(path);
  const claim = {
    ...(await world.inspect()),
    kind: "leftover" as const,
    path,
    file: fileIdentityOf(stat),
    sha256: null,
    linkCount: null,
  };
  assert.equal((await executeQuarantine(await planQuarantine(claim, world.options()), world.options())).kind, "quarantined");
  world.clock.time += 10 * day;
  return { world, prepared: await planPurge("/w", { olderThanMs: day }, world.options()) };
}

async function mustBeWholeOrGone(world: World, options: ReturnType<World["options"]>, name: string): Promise<void> {
  const entries = await settleAll(options);
  const kept = entries.filter((entry) => entry.kind === "quarantined");
  assert.deepEqual(world.pathsOf("inner").length, kept.length * 2, `${name}: ${JSON.stringify(entries)}`);
}
