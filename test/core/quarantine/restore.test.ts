import assert from "node:assert/strict";
import { executeQuarantine } from "../../../src/core/quarantine/executeQuarantine.js";
import type { QuarantineEntry, QuarantineRecord, RestoreResult } from "../../../src/core/quarantine/quarantineEntry.js";
import { amendRecord, recordBytes } from "../../../src/core/quarantine/quarantineRecord.js";
import { restoreFromQuarantine } from "../../../src/core/quarantine/restoreFromQuarantine.js";
import { fakeFiles } from "../../fakes/files.js";
import { group, liveLock, place, putFile, run, settleAll, staleLock, World } from "./world.js";

type Quarantined = Extract<QuarantineEntry, { kind: "quarantined" }>;

async function quarantined(): Promise<{ world: World; entry: Quarantined }> {
  const world = await World.withStaleLock();
  const result = await executeQuarantine(await world.plan(), world.options());
  assert.ok(result.kind === "quarantined" && result.entry.kind === "quarantined");
  return { world, entry: result.entry };
}

async function replaceRecord(world: World, entry: Quarantined, change: Partial<QuarantineRecord>): Promise<Quarantined> {
  const record = amendRecord({ ...entry.record, ...change }, {});
  await world.disk.port.unlink(entry.recordPath);
  await putFile(world.disk.port, entry.recordPath, new TextDecoder().decode(recordBytes(record)));
  return { ...entry, record };
}

function reasonOf(result: RestoreResult): string {
  return "reason" in result ? `${result.kind} ${result.reason}` : result.kind;
}

describe("restoreFromQuarantine", () => {
  it("refuses a place that is taken, and says which; the new claim is not touched", async () => {
    const { world, entry } = await quarantined();
    await putFile(world.disk.port, place, liveLock);
    const result = await restoreFromQuarantine(entry, world.options());
    assert.deepEqual(result, { kind: "occupied", path: place, warnings: [] });
    assert.deepEqual([world.pathsOf(liveLock), world.pathsOf(staleLock)], [[place], [entry.path]]);
  });

  it("never overwrites a claim that comes before any of its steps", async () => {
    const { world, entry } = await quarantined();
    const twin = world.copy();
    const undisturbed = fakeFiles(twin.disk.port);
    await restoreFromQuarantine(entry, twin.options({ port: undisturbed.port }));
    for (const { index } of undisturbed.calls) {
      const copy = world.copy();
      const contender: { acquired: boolean } = { acquired: false };
      const fake = fakeFiles(copy.disk.port, {
        before: async (call) => {
          if (call.index === index) contender.acquired = await putFile(copy.disk.port, place, liveLock).then(() => true, () => false);
        },
      });
      const result = await restoreFromQuarantine(entry, copy.options({ port: fake.port }));
      assert.equal(result.kind, contender.acquired ? "occupied" : "restored", `${index}`);
      assert.deepEqual([copy.pathsOf(contender.acquired ? liveLock : staleLock)], [[place]], `${index}`);
      assert.equal(copy.pathsOf(staleLock).length, 1, `${index}`);
      await settleAll(copy.options());
    }
  });

  it("restores once: a second time is refused, also with the old entry", async () => {
    const { world, entry } = await quarantined();
    assert.equal((await restoreFromQuarantine(entry, world.options())).kind, "restored");
    assert.equal(reasonOf(await restoreFromQuarantine(entry, world.options())), "refused already-restored");
    const [listed] = await world.list();
    assert.ok(listed?.kind === "restored" && listed.record.restored_at !== null);
    assert.equal(reasonOf(await restoreFromQuarantine(listed, world.options())), "refused already-restored");
    assert.deepEqual(world.pathsOf(staleLock), [place]);
  });

  it("refuses an item whose bytes are no longer those of the record", async () => {
    const { world, entry } = await quarantined();
    await world.disk.port.unlink(entry.path);
    await putFile(world.disk.port, entry.path, `${staleLock.slice(0, -2)} \n`);
    assert.equal(reasonOf(await restoreFromQuarantine(entry, world.options())), "changed content-changed");
    assert.equal(await world.read(place), null);
  });

  it("refuses an item that is gone, or is a directory now", async () => {
    const { world, entry } = await quarantined();
    await world.disk.port.unlink(entry.path);
    assert.equal(reasonOf(await restoreFromQuarantine(entry, world.options())), "changed item-missing");
    await world.disk.port.mkdir(entry.path, 0o700);
    assert.equal(reasonOf(await restoreFromQuarantine(entry, world.options())), "changed type-changed");
  });

  it("refuses when the record is another one than the person saw", async () => {
    const { world, entry } = await quarantined();
    await replaceRecord(world, entry, { user: "eve" });
    assert.equal(reasonOf(await restoreFromQuarantine(entry, world.options())), "changed record-changed");
  });

  it("never writes outside of its own store, whatever path a record names", async () => {
    for (const original_path of ["/etc/cron.d/job", "/other/.lattice/runs/run-b/.lifecycle.lock", "/w/.lattice/runs/run-a/../../../etc/x", "/w/.lattice/quarantine/run-a/x", "/w/.lattice/runs//x"]) {
      const { world, entry } = await quarantined();
      const forged = await replaceRecord(world, entry, { original_path });
      assert.equal(reasonOf(await restoreFromQuarantine(forged, world.options())), "refused not-restorable", original_path);
      assert.deepEqual((await world.list()).map((listed) => listed.kind === "unreadable" && listed.reason), ["record-of-another-place"], original_path);
      assert.deepEqual(world.pathsOf(staleLock), [entry.path]);
    }
  });

  it("a store that was moved as a whole restores into itself, not to where it was", async () => {
    const { world, entry } = await quarantined();
    await world.disk.port.mkdir("/moved", 0o700);
    await world.disk.port.rename("/w/.lattice", "/moved/.lattice");
    const path = entry.path.replace("/w/", "/moved/");
    const result = await restoreFromQuarantine({ ...entry, path, recordPath: entry.recordPath.replace("/w/", "/moved/") }, world.options());
    assert.deepEqual(result, { kind: "restored", path: place.replace("/w/", "/moved/"), warnings: [] });
  });

  it("refuses when the run is gone", async () => {
    const { world, entry } = await quarantined();
    await world.disk.port.rmdir(run);
    assert.equal(reasonOf(await restoreFromQuarantine(entry, world.options())), "refused place-missing");
  });

  it("takes a second link of an interrupted repair away first: the restored lock has one name", async () => {
    const { world, entry } = await quarantined();
    await world.disk.port.link(entry.path, `${entry.path}.frozen`);
    const [listed] = await world.list();
    assert.ok(listed?.kind === "frozen" && listed.settle === "finish");
    assert.equal((await restoreFromQuarantine(listed, world.options())).kind, "restored");
    assert.deepEqual(world.pathsOf(staleLock), [place]);
  });

  it("does not restore what was never displaced or cannot be read", async () => {
    const { world, entry } = await quarantined();
    await world.disk.port.unlink(entry.recordPath);
    await putFile(world.disk.port, entry.recordPath, "");
    const [torn] = await world.list();
    assert.ok(torn?.kind === "unreadable" && torn.reason === "record-torn");
    assert.equal(reasonOf(await restoreFromQuarantine(torn, world.options())), "refused not-restorable");
    assert.deepEqual(world.pathsOf(staleLock), [`${group}/${entry.name}`]);
  });
});
