import assert from "node:assert/strict";
import fs from "node:fs";
import { executeQuarantine } from "../../../src/core/quarantine/executeQuarantine.js";
import { listQuarantine } from "../../../src/core/quarantine/listQuarantine.js";
import { readOnlySpy } from "../../fakes/files.js";
import { realDisk } from "./realDisk.js";
import { group, place, putFile, quarantine, store, worldOn, World } from "./world.js";

async function quarantinedWorld(): Promise<World> {
  const world = await World.withStaleLock();
  assert.equal((await executeQuarantine(await world.plan(), world.options())).kind, "quarantined");
  return world;
}

async function shown(world: World): Promise<readonly string[]> {
  return (await world.list()).map((entry) => `${entry.kind === "unreadable" ? entry.reason : entry.kind} ${entry.name.replace(/\d{8}T.*/, "…")}`);
}

describe("listQuarantine", () => {
  it("of a store without quarantine is empty, and makes none", async () => {
    const world = await World.withStaleLock();
    const before = world.disk.snapshot();
    assert.deepEqual(await world.list(), []);
    assert.deepEqual(world.disk.snapshot(), before);
  });

  it("takes a workspace folder, its store or the quarantine itself", async () => {
    const world = await quarantinedWorld();
    const spy = readOnlySpy(world.disk.port);
    for (const root of ["/w", store, quarantine]) assert.equal((await listQuarantine(root, world.options({ port: spy.port }))).length, 1, root);
    assert.deepEqual(spy.attempts, []);
  });

  it("shows what should not be there: foreign files, items without record, records without item, temporary files", async () => {
    const world = await quarantinedWorld();
    const { port } = world.disk;
    await putFile(port, `${quarantine}/notes.txt`, "x");
    await putFile(port, `${group}/item-without-record`, "y");
    await putFile(port, `${group}/a.record.json.00000001-0000-4000-8000-000000000009.tmp`, "z");
    await putFile(port, `${group}/alone.frozen`, "w");
    const [entry] = await world.list();
    await port.unlink((await world.list()).find((listed) => listed.kind === "quarantined")?.path ?? "");
    assert.ok(entry);
    assert.deepEqual([...(await shown(world))].sort(), [
      "foreign-entry notes.txt",
      "item-missing lifecycle.lock.…",
      "no-record alone.frozen",
      "no-record item-without-record",
      "temporary-file a.record.json.00000001-0000-4000-8000-000000000009.tmp",
    ]);
  });

  it("one bad record never hides a good one; each says what is wrong with it", async () => {
    const world = await quarantinedWorld();
    const { port } = world.disk;
    const [good] = await world.list();
    assert.ok(good?.kind === "quarantined");
    const text = (await world.read(good.recordPath)) ?? "";
    const bad: readonly (readonly [string, string])[] = [
      ["empty", ""],
      ["cut", text.slice(0, 300)],
      ["no-object", "[]\n"],
      ["edited", text.replace('"user":"ada"', '"user":"eve"')],
      ["spaced", `${text.slice(0, -1)} \n`],
      ["bom", `\uFEFF${text}`],
      ["deep", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
      ["other", text],
      ["huge", " ".repeat(1_048_600)],
      ["nul", "\u0000".repeat(400)],
    ];
    for (const [name, content] of bad) {
      await putFile(port, `${group}/${name}`, "item");
      await putFile(port, `${group}/${name}.record.json`, content);
    }
    assert.deepEqual([...(await shown(world))].sort(), [
      "quarantined lifecycle.lock.…",
      "record-digest edited",
      "record-invalid deep",
      "record-invalid no-object",
      "record-invalid spaced",
      "record-of-another-item other",
      "record-too-large huge",
      "record-torn bom",
      "record-torn cut",
      "record-torn empty",
      "record-torn nul",
    ]);
  });

  it("cut at any byte, a record is never taken for a whole one and never throws", async () => {
    const world = await quarantinedWorld();
    const [good] = await world.list();
    assert.ok(good);
    const text = (await world.read(good.recordPath)) ?? "";
    for (let length = 0; length < text.length; length += 13) {
      await world.disk.port.unlink(good.recordPath);
      await putFile(world.disk.port, good.recordPath, text.slice(0, length));
      assert.equal((await world.list())[0]?.kind, "unreadable", `${length}`);
    }
  });

  it("an entry that cannot be looked at is shown with its errno, the others as ever", async () => {
    const world = await quarantinedWorld();
    const [good] = await world.list();
    assert.ok(good);
    await putFile(world.disk.port, `${group}/other`, "y");
    const { port } = world.disk;
    const failing = { ...port, lstat: (path: string) => (path === good.path ? Promise.reject(Object.assign(new Error("EACCES"), { code: "EACCES" })) : port.lstat(path)) };
    const entries = await listQuarantine("/w", world.options({ port: failing }));
    assert.deepEqual(entries.map((entry) => entry.kind === "unreadable" && `${entry.reason} ${entry.detail ?? ""}`).sort(), ["no-record ", "unreadable-item EACCES"]);
  });

  it("follows no symbolic link and opens no pipe", async () => {
    const disk = realDisk();
    try {
      const world = await worldOn(disk);
      assert.equal((await executeQuarantine(await world.plan(), world.options())).kind, "quarantined");
      fs.symlinkSync("/etc", `${disk.root}${quarantine}/run-b`);
      fs.symlinkSync("/etc/passwd", `${disk.root}${group}/linked.record.json`);
      const { execFileSync } = await import("node:child_process");
      execFileSync("mkfifo", [`${disk.root}${group}/pipe.record.json`]);
      const entries = await world.list();
      assert.deepEqual(entries.map((entry) => entry.kind === "unreadable" ? `${entry.reason} ${entry.detail ?? ""}` : entry.kind).sort(), [
        "foreign-entry symlink",
        "quarantined",
        "record-not-regular fifo",
        "record-not-regular symlink",
      ]);
    } finally {
      disk.remove();
    }
  });

  it("shows a quarantine that is no directory as that", async () => {
    const world = await World.withStaleLock();
    await putFile(world.disk.port, quarantine, "x");
    assert.deepEqual((await world.list()).map((entry) => entry.kind === "unreadable" && `${entry.reason} ${entry.detail ?? ""}`), ["not-a-directory file"]);
    const result = await executeQuarantine(await world.plan(), world.options());
    assert.ok(result.kind === "refused" && result.reason === "unsafe-directory");
    assert.equal((await world.read(place)) === null, false);
  });

  it("lists fifteen displacements of one lock, oldest first", async () => {
    const world = await World.withStaleLock();
    for (let count = 0; count < 15; count += 1) {
      if (count > 0) await putFile(world.disk.port, place, (await world.read((await world.list())[0]?.path ?? "")) ?? "");
      assert.equal((await executeQuarantine(await world.plan(), world.options())).kind, "quarantined");
    }
    const times = (await world.list()).map((entry) => entry.at ?? 0);
    assert.equal(times.length, 15);
    assert.deepEqual(times, [...times].sort((a, b) => a - b));
  });
});
