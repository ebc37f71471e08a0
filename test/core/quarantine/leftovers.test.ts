import assert from "node:assert/strict";
import type { ClaimSnapshot } from "../../../src/core/claims/claim.js";
import { executeQuarantine } from "../../../src/core/quarantine/executeQuarantine.js";
import { planQuarantine } from "../../../src/core/quarantine/planQuarantine.js";
import type { QuarantineEntry, QuarantineResult } from "../../../src/core/quarantine/quarantineEntry.js";
import { restoreFromQuarantine } from "../../../src/core/quarantine/restoreFromQuarantine.js";
import { fileIdentityOf } from "../../../src/core/storage/fileIdentity.js";
import { fakeFiles } from "../../fakes/files.js";
import { sha256Of } from "../../../src/core/quarantine/claimContent.js";
import { everyCrash, everyFault, type Subject } from "./sweep.js";
import { putFile, quarantine, run, settleAll, store, World } from "./world.js";

/** What issue 3 hands over: something that a crash has left and that nobody owns. */
async function leftover(world: World, path: string, content: string | null): Promise<ClaimSnapshot> {
  const stat = await world.disk.port.lstat(path);
  return {
    id: "leftover@1",
    key: path,
    system: "lattice",
    kind: "leftover",
    path,
    resource: "run-a",
    owner: null,
    verdict: { kind: "stale", reason: "no_process_has_file_open", proof: "weak", assumptions: ["no_owner_recorded"] },
    checks: [],
    file: fileIdentityOf(stat),
    sha256: content === null ? null : sha256Of(new TextEncoder().encode(content)),
    linkCount: stat.type === "directory" ? null : Number(stat.linkCount),
    facts: [],
    observedAt: world.clock.now(),
  };
}

const file = `${run}/.events-17-1700000000.tmp`;
const tree = `${store}/runs/.run-b.tmp-aB3dE9`;

async function withLeftovers(): Promise<World> {
  const world = await World.withStaleLock();
  const { port } = world.disk;
  await putFile(port, file, "half an event");
  await port.mkdir(tree, 0o700);
  await port.mkdir(`${tree}/epochs`, 0o700);
  await putFile(port, `${tree}/epochs/bundle.json`, "bundle");
  return world;
}

function entryOf(result: QuarantineResult): QuarantineEntry {
  assert.equal(result.kind, "quarantined", JSON.stringify(result));
  return result.entry;
}

const treeContent = (world: World): readonly string[] => world.disk.snapshot().map(([path]) => path).filter((path) => path.endsWith("/epochs/bundle.json"));

describe("a leftover", () => {
  it("file goes to the quarantine of its run and comes back", async () => {
    const world = await withLeftovers();
    const plan = await planQuarantine(await leftover(world, file, "half an event"), world.options());
    assert.deepEqual([plan.permission, plan.quarantineDirectory, plan.itemType], ["normal", `${quarantine}/run-a`, "file"]);
    const entry = entryOf(await executeQuarantine(plan, world.options()));
    assert.deepEqual(world.pathsOf("half an event"), [entry.path]);
    assert.equal((await restoreFromQuarantine(entry, world.options())).kind, "restored");
    assert.deepEqual(world.pathsOf("half an event"), [file]);
  });

  it("directory beside the runs goes to a group of its own, whole, and comes back, also without hard links", async () => {
    for (const hasHardLinks of [true, false]) {
      const world = await withLeftovers();
      world.disk.hasHardLinks = hasHardLinks;
      const plan = await planQuarantine(await leftover(world, tree, null), world.options());
      assert.deepEqual([plan.quarantineDirectory, plan.itemType, plan.sha256], [`${quarantine}/.runs`, "directory", null]);
      const result = await executeQuarantine(plan, world.options());
      const entry = entryOf(result);
      assert.deepEqual([treeContent(world), result.warnings, world.clock.slept], [[`${entry.path}/epochs/bundle.json`], [], []]);
      const restored = await restoreFromQuarantine(entry, world.options());
      assert.equal(restored.kind, "restored");
      assert.deepEqual(treeContent(world), [`${tree}/epochs/bundle.json`]);
    }
  });

  it("directory into which somebody has written since is changed", async () => {
    const world = await withLeftovers();
    const plan = await planQuarantine(await leftover(world, tree, null), world.options());
    await putFile(world.disk.port, `${tree}/new`, "x");
    const result = await executeQuarantine(plan, world.options());
    assert.ok(result.kind === "changed" && result.reason === "content-changed");
  });

  it("directory that is another one right before the move goes back", async () => {
    const world = await withLeftovers();
    const plan = await planQuarantine(await leftover(world, tree, null), world.options());
    const fake = fakeFiles(world.disk.port, {
      before: async (call) => {
        if (call.operation !== "rename" || call.path !== tree) return;
        await world.disk.port.rename(tree, `${store}/aside`);
        await world.disk.port.mkdir(tree, 0o700);
        await putFile(world.disk.port, `${tree}/theirs`, "theirs");
      },
    });
    const result = await executeQuarantine(plan, world.options({ port: fake.port }));
    assert.ok(result.kind === "changed" && result.reason === "file-replaced");
    assert.deepEqual(world.pathsOf("theirs"), [`${tree}/theirs`]);
  });

  it("directory is not restored over one that has come meanwhile, empty or not", async () => {
    for (const isEmpty of [true, false]) {
      const world = await withLeftovers();
      const entry = entryOf(await executeQuarantine(await planQuarantine(await leftover(world, tree, null), world.options()), world.options()));
      await world.disk.port.mkdir(tree, 0o700);
      if (!isEmpty) await putFile(world.disk.port, `${tree}/theirs`, "theirs");
      assert.equal((await restoreFromQuarantine(entry, world.options())).kind, "occupied");
      assert.equal(treeContent(world).length, 1);
    }
  });

  it("file that a process has open by now is left alone", async () => {
    const world = await withLeftovers();
    const plan = await planQuarantine(await leftover(world, file, "half an event"), world.options());
    const { device, inode } = await world.disk.port.lstat(file);
    world.observer.openFiles.set(`${device}:${inode}`, { kind: "open", pids: [5] });
    const result = await executeQuarantine(plan, world.options());
    assert.ok(result.kind === "changed" && result.reason === "verdict-changed");
  });

  it("with a name of any kind gets a plain name of bounded length, and the record keeps the real one", async () => {
    for (const name of [`.${"é".repeat(120)}`, "line\nbreak\u202Etxt", "...", " "]) {
      const world = await World.withStaleLock();
      const path = `${run}/${name}`;
      await putFile(world.disk.port, path, "odd");
      const entry = entryOf(await executeQuarantine(await planQuarantine(await leftover(world, path, "odd"), world.options()), world.options()));
      assert.match(entry.name, /^[0-9A-Za-z_-][0-9A-Za-z._-]{0,160}$/);
      assert.ok(entry.kind === "quarantined" && entry.record.original_path === path);
      assert.equal((await restoreFromQuarantine(entry, world.options())).kind, "restored");
      assert.deepEqual(world.pathsOf("odd"), [path]);
    }
  });
});

describe("a leftover directory, with a fault or a crash at every step", () => {
  async function displacing(hasHardLinks: boolean): Promise<Subject<Awaited<ReturnType<typeof planQuarantine>>, QuarantineResult>> {
    const world = await withLeftovers();
    world.disk.hasHardLinks = hasHardLinks;
    return { world, prepared: await planQuarantine(await leftover(world, tree, null), world.options()), run: executeQuarantine };
  }

  it("is whole in one of its two places", async () => {
    for await (const { world, result, name } of everyFault(await displacing(true), ["ENOENT", "EIO", "EEXIST", "EXDEV"])) {
      assert.equal(treeContent(world).length, 1, name);
      if (result.kind === "quarantined") assert.deepEqual(treeContent(world), [`${result.entry.path}/epochs/bundle.json`], name);
      await settleAll(world.options());
      assert.equal(treeContent(world).length, 1, name);
    }
  });

  it("is whole in one of its two places after a crash, and restoring survives one too", async () => {
    for await (const { world, name } of everyCrash(await displacing(false))) {
      await settleAll(world.afterCrash());
      assert.equal(treeContent(world).length, 1, name);
    }
    const { world, prepared } = await displacing(false);
    const entry = entryOf(await executeQuarantine(prepared, world.options()));
    for await (const crashed of everyCrash({ world, prepared: entry, run: restoreFromQuarantine })) {
      await settleAll(crashed.world.afterCrash());
      assert.equal(treeContent(crashed.world).length, 1, crashed.name);
    }
  });
});
