import assert from "node:assert/strict";
import fs from "node:fs";
import { executeQuarantine } from "../../../src/core/quarantine/executeQuarantine.js";
import { planQuarantine } from "../../../src/core/quarantine/planQuarantine.js";
import type { QuarantineEntry, QuarantinePlan, QuarantineResult } from "../../../src/core/quarantine/quarantineEntry.js";
import { parseRecord } from "../../../src/core/quarantine/quarantineRecord.js";
import { restoreFromQuarantine } from "../../../src/core/quarantine/restoreFromQuarantine.js";
import { toolVersion } from "../../../src/core/quarantine/toolVersion.js";
import { inspectLifecycleLock } from "../../../src/core/systems/lattice/inspectLifecycleLock.js";
import { silentLogger } from "../../../src/core/ports.js";
import { fileIdentityOf } from "../../../src/core/storage/fileIdentity.js";
import { fakeFiles, readOnlySpy } from "../../fakes/files.js";
import { lockOf, Workspace } from "../lattice/lockFixture.js";
import { memoryDisk, type Disk } from "./memoryDisk.js";
import { realDisk, type RealDisk } from "./realDisk.js";
import { group, livePid, liveLock, place, putFile, quarantine, run, stalePid, staleLock, World, worldOn } from "./world.js";

function entryOf(result: QuarantineResult): QuarantineEntry {
  assert.equal(result.kind, "quarantined", JSON.stringify(result));
  return result.entry;
}

async function recordAt(world: World<Disk>, plan: QuarantinePlan): Promise<ReturnType<typeof parseRecord>> {
  return parseRecord(new TextEncoder().encode((await world.read(`${plan.destination}.record.json`)) ?? ""));
}

for (const [name, open] of [["memory", () => memoryDisk(Date.UTC(2026, 11, 1))], ["the real disk", realDisk]] as const) {
  describe(`quarantine of a stale lock on ${name}`, () => {
    let disk: Disk | RealDisk;
    beforeEach(() => (disk = open()));
    afterEach(() => ("remove" in disk ? disk.remove() : undefined));

    it("moves it, byte for byte, with a record that says who, what, when and why", async () => {
      const world = await worldOn(disk);
      const plan = await world.plan();
      assert.deepEqual([plan.permission, plan.proof, plan.itemType, plan.quarantineDirectory], ["normal", "weak", "file", group]);
      const result = await executeQuarantine(plan, world.options());
      assert.deepEqual([result.kind, result.warnings], ["quarantined", []]);
      assert.equal(entryOf(result).kind, "quarantined");
      assert.deepEqual(world.pathsOf(staleLock), [plan.destination]);
      assert.deepEqual(world.clock.slept, [1_000]);
      const parsed = await recordAt(world, plan);
      assert.ok(parsed.kind === "record");
      const { record } = parsed;
      assert.deepEqual(
        [record.state, record.outcome, record.forced, record.user, record.hostname, record.tool_version, record.original_path, record.sha256],
        ["done", "displaced", false, "ada", "host-a", "9.9.9", place, plan.sha256],
      );
      assert.deepEqual([record.planned_at, record.completed_at, record.restored_at], ["2026-12-02T00:00:00.000Z", "2026-12-02T00:00:01.000Z", null]);
      assert.deepEqual([record.verdict, record.owner?.pid, record.checks], [plan.claim.verdict, stalePid, plan.claim.checks]);
    });

    it("hides it from git and leaves the runs directory as it was", async () => {
      const world = await worldOn(disk);
      entryOf(await executeQuarantine(await world.plan(), world.options()));
      assert.equal(await world.read(`${quarantine}/.gitignore`), "*\n");
      assert.deepEqual(world.disk.snapshot().filter(([path]) => path.startsWith("/w/.lattice/runs/")), [[run, null]]);
    });

    it("restores the very file: same inode, same bytes, same mode, one name", async () => {
      const world = await worldOn(disk);
      const before = await disk.port.lstat(place);
      const entry = entryOf(await executeQuarantine(await world.plan(), world.options()));
      const restored = await restoreFromQuarantine(entry, world.options());
      assert.deepEqual(restored, { kind: "restored", path: place, warnings: [] });
      const after = await disk.port.lstat(place);
      assert.deepEqual({ ...after, ctimeNs: 0n }, { ...before, ctimeNs: 0n });
      assert.deepEqual(world.pathsOf(staleLock), [place]);
      assert.deepEqual((await world.list()).map((listed) => listed.kind), ["restored"]);
    });

    it("makes the same file steps on both disks", async () => {
      const world = await worldOn(disk);
      const fake = fakeFiles(disk.port);
      entryOf(await executeQuarantine(await world.plan(), world.options({ port: fake.port })));
      const twin = await worldOn(memoryDisk(Date.UTC(2026, 11, 1)));
      const twinFake = fakeFiles(twin.disk.port);
      entryOf(await executeQuarantine(await twin.plan(), twin.options({ port: twinFake.port })));
      const steps = (calls: typeof fake.calls): readonly string[] => calls.map(({ operation, path, to }) => `${operation} ${path} ${to ?? ""}`.replaceAll(/\d{8}-0000-4000-8000-/g, ""));
      assert.deepEqual(steps(fake.calls), steps(twinFake.calls));
    });

    it("makes each step durable before it relies on it", async () => {
      const world = await worldOn(disk);
      const fake = fakeFiles(disk.port);
      const plan = await world.plan();
      const entry = entryOf(await executeQuarantine(plan, world.options({ port: fake.port })));
      const lockSteps = (calls: typeof fake.calls): readonly string[] =>
        calls
          .filter(({ operation, path }) => ["link", "rename", "unlink", "syncDirectory", "file.sync"].includes(operation) && (path.startsWith(group) || path.startsWith(run)))
          .map(({ operation, path }) => `${operation} ${path.replace(plan.destination, "ITEM").replace(/\.[0-9a-f-]{36}\.tmp$/, ".TMP")}`);
      const writesRecord = ["file.sync ITEM.record.json.TMP", "rename ITEM.record.json.TMP", `syncDirectory ${group}`];
      assert.deepEqual(lockSteps(fake.calls), [
        ...writesRecord,
        `link ${place}`,
        `syncDirectory ${group}`,
        `rename ${place}`,
        `syncDirectory ${group}`,
        "unlink ITEM.frozen",
        `syncDirectory ${run}`,
        ...writesRecord,
      ]);
      const back = fakeFiles(disk.port);
      assert.equal((await restoreFromQuarantine(entry, world.options({ port: back.port }))).kind, "restored");
      assert.deepEqual(lockSteps(back.calls), ["link ITEM", `syncDirectory ${run}`, "unlink ITEM", `syncDirectory ${group}`, ...writesRecord]);
    });

    it("survives writes and reads that take a few bytes at a time", async () => {
      const world = await worldOn(disk);
      const fake = fakeFiles(disk.port, { shortRead: 7, shortWrite: 5 });
      const entry = entryOf(await executeQuarantine(await world.plan(), world.options({ port: fake.port })));
      assert.equal((await restoreFromQuarantine(entry, world.options({ port: fake.port }))).kind, "restored");
      assert.equal(await world.read(place), staleLock);
      assert.deepEqual(fake.openFiles(), []);
    });
  });
}

describe("with every default", () => {
  it("plans, displaces and restores a lock of a dead process on the real disk", async () => {
    const workspace = new Workspace();
    try {
      // No process can have this pid: Linux counts to 2^22, the others to less.
      const { bytes } = lockOf({ pid: 2_000_000_000, platform: process.platform });
      const path = workspace.write("run-a", ".lifecycle.lock", bytes);
      const claim = await inspectLifecycleLock(path);
      const plan = await planQuarantine(claim);
      const result = await executeQuarantine(plan, { drainMs: 0, ...(plan.permission === "force-only" ? { force: { typedId: claim.id } } : {}) });
      const entry = entryOf(result);
      assert.ok(!fs.existsSync(path));
      assert.equal((await restoreFromQuarantine(entry)).kind, "restored");
      assert.deepEqual(new Uint8Array(fs.readFileSync(path)), bytes);
      assert.ok(entry.kind === "quarantined" && entry.record.tool_version === toolVersion);
    } finally {
      workspace.remove();
    }
  });

  it("names the version of package.json in its records", () => {
    const manifest = JSON.parse(fs.readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string };
    assert.equal(toolVersion, manifest.version);
  });
});

describe("what is logged", () => {
  it("is one line for each operation, without control characters of a path", async () => {
    const world = await World.withStaleLock();
    const path = "/w/.lattice/runs/run-a/.odd\nname";
    await putFile(world.disk.port, path, "x");
    const stat = await world.disk.port.lstat(path);
    const claim = { ...(await world.inspect()), kind: "leftover" as const, path, sha256: null, file: fileIdentityOf(stat) };
    const lines: string[] = [];
    const logger = { ...silentLogger, info: (line: string) => lines.push(line) };
    entryOf(await executeQuarantine(await planQuarantine(claim, world.options()), world.options({ logger })));
    assert.deepEqual(lines, ['lattice "runs/run-a/.odd\\nname": quarantined']);
  });
});

describe("planQuarantine", () => {
  it("never writes", async () => {
    const world = await World.withStaleLock();
    const before = world.disk.snapshot();
    const spy = readOnlySpy(world.disk.port);
    const plan = await planQuarantine(await world.inspect(), world.options({ port: spy.port }));
    assert.deepEqual([plan.permission, spy.attempts], ["normal", []]);
    assert.deepEqual(world.disk.snapshot(), before);
  });

  it("says never, with the reason, for what is gone, changed, outside of a store or not observed", async () => {
    const world = await World.withStaleLock();
    const claim = await world.inspect();
    const cautionsOf = async (changed: Partial<typeof claim>): Promise<readonly unknown[]> => {
      const { permission, cautions } = await planQuarantine({ ...claim, ...changed }, world.options());
      return [permission, ...cautions];
    };
    assert.deepEqual(await cautionsOf({ path: `${run}/nothing` }), ["never", "missing"]);
    assert.deepEqual(await cautionsOf({ path: "/w/.lifecycle.lock" }), ["never", "not-supported"]);
    assert.deepEqual(await cautionsOf({ system: "pi-actors" }), ["never", "not-supported"]);
    assert.deepEqual(await cautionsOf({ file: null }), ["never", "not-observed"]);
    await world.disk.port.unlink(place);
    await putFile(world.disk.port, place, liveLock);
    assert.deepEqual(await cautionsOf({}), ["never", "changed-since-scan"]);
  });

  it("does not look through a directory that cannot be read", async () => {
    const world = await World.withStaleLock();
    const claim = await world.inspect();
    const fake = fakeFiles(world.disk.port, { faults: [{ operation: "lstat", at: 0, code: "EACCES" }] });
    const plan = await planQuarantine(claim, world.options({ port: fake.port }));
    assert.deepEqual([plan.permission, ...plan.cautions], ["never", "unreadable", "EACCES"]);
  });
});

describe("what executeQuarantine refuses", () => {
  it("a live owner, whatever is typed", async () => {
    const world = await World.withStaleLock();
    world.observer.setLive(stalePid, {}, { epochSeconds: Date.UTC(2026, 11, 1, 2) / 1000, ownerTimeZone: "UTC", environmentReadable: true, systemTimeZone: "Etc/UTC" });
    const plan = await world.plan();
    const result = await executeQuarantine(plan, world.options({ force: { typedId: plan.claim.id } }));
    assert.ok(result.kind === "refused");
    assert.deepEqual([result.reason, result.detail], ["never-allowed", "live"]);
    assert.deepEqual(world.disk.snapshot().map(([path]) => path), ["/w", "/w/.lattice", "/w/.lattice/runs", run, place]);
  });

  it("an unknown owner without force, and with another id than the claim's", async () => {
    const world = await World.withStaleLock();
    world.observer.setUnknown(stalePid);
    const plan = await world.plan();
    assert.deepEqual([plan.permission, plan.cautions[0]], ["force-only", "unknown"]);
    const without = await executeQuarantine(plan, world.options());
    const wrong = await executeQuarantine(plan, world.options({ force: { typedId: `${plan.claim.id} ` } }));
    assert.deepEqual([without, wrong].map((result) => result.kind === "refused" && result.reason), ["force-needed", "typed-id-differs"]);
    assert.deepEqual(world.pathsOf(staleLock), [place]);
    const forced = entryOf(await executeQuarantine(plan, world.options({ force: { typedId: plan.claim.id } })));
    assert.ok(forced.kind === "quarantined" && forced.record.forced);
  });

  it("everything when it is cancelled before the move, also during the drain", async () => {
    const world = await World.withStaleLock();
    const plan = await world.plan();
    const early = new AbortController();
    early.abort();
    const before = await executeQuarantine(plan, world.options({ signal: early.signal }));
    const late = new AbortController();
    world.clock.duringSleep = () => late.abort();
    const during = await executeQuarantine(plan, world.options({ signal: late.signal }));
    assert.deepEqual([before, during].map((result) => result.kind === "refused" && result.reason), ["cancelled", "cancelled"]);
    assert.deepEqual(world.pathsOf(staleLock), [place]);
    assert.equal((await world.disk.port.lstat(place)).linkCount, 1n);
    assert.deepEqual(await world.list(), []);
  });

  it("a store, a run or a quarantine that is a symbolic link", async function () {
    const disk = realDisk();
    try {
      const world = await worldOn(disk);
      const plan = await world.plan();
      fs.mkdirSync(`${disk.root}/elsewhere`);
      fs.symlinkSync(`${disk.root}/elsewhere`, `${disk.root}${quarantine}`);
      const linked = await executeQuarantine(plan, world.options());
      fs.unlinkSync(`${disk.root}${quarantine}`);
      fs.renameSync(`${disk.root}${run}`, `${disk.root}/elsewhere/run-a`);
      fs.symlinkSync(`${disk.root}/elsewhere/run-a`, `${disk.root}${run}`);
      const moved = await executeQuarantine(plan, world.options());
      assert.deepEqual([linked, moved].map((result) => result.kind === "refused" && [result.reason, result.detail]), [["unsafe-directory", quarantine], ["unsafe-directory", run]]);
      assert.deepEqual(fs.readdirSync(`${disk.root}/elsewhere`), ["run-a"]);
    } finally {
      disk.remove();
    }
  });

  it("a plan whose destination is not in the quarantine of its own store", async () => {
    const world = await World.withStaleLock();
    const plan = await world.plan();
    const result = await executeQuarantine({ ...plan, destination: "/w/somewhere" }, world.options());
    assert.ok(result.kind === "refused" && result.reason === "not-supported");
    assert.deepEqual(world.pathsOf(staleLock), [place]);
  });
});

describe("the re-check between confirmation and move", () => {
  it("asks the observer again, after it was told to forget", async () => {
    const world = await World.withStaleLock();
    const plan = await world.plan();
    world.observer.asked.length = 0;
    entryOf(await executeQuarantine(plan, world.options()));
    const { asked } = world.observer;
    assert.ok(asked.lastIndexOf("forget") >= 0 && asked.indexOf(`inspect ${stalePid}`) > asked.indexOf("forget"), asked.join(", "));
  });

  it("an owner that turns out to live ends it, and nothing was touched", async () => {
    const world = await World.withStaleLock();
    const plan = await world.plan();
    world.observer.setLive(stalePid, {}, { epochSeconds: Date.UTC(2026, 11, 1, 2) / 1000, ownerTimeZone: "UTC", environmentReadable: true, systemTimeZone: "Etc/UTC" });
    const result = await executeQuarantine(plan, world.options());
    assert.ok(result.kind === "changed");
    assert.deepEqual([result.reason, result.detail], ["verdict-changed", "live"]);
    assert.deepEqual(world.pathsOf(staleLock), [place]);
    assert.deepEqual(await world.list(), []);
  });

  it("a lock that its owner released is already handled: changed, missing", async () => {
    const world = await World.withStaleLock();
    const plan = await world.plan();
    await world.disk.port.unlink(place);
    const result = await executeQuarantine(plan, world.options());
    assert.ok(result.kind === "changed" && result.reason === "missing");
    assert.deepEqual(await world.list(), []);
  });

  it("a lock with the same bytes in another file is another claim", async () => {
    const world = await World.withStaleLock();
    const plan = await world.plan();
    await putFile(world.disk.port, `${run}/new`, staleLock);
    await world.disk.port.rename(`${run}/new`, place);
    const result = await executeQuarantine(plan, world.options());
    assert.ok(result.kind === "changed" && result.reason === "file-replaced");
  });

  it("a plan that was carried out once does nothing a second time", async () => {
    const world = await World.withStaleLock();
    const plan = await world.plan();
    entryOf(await executeQuarantine(plan, world.options()));
    const again = await executeQuarantine(plan, world.options());
    assert.ok(again.kind === "changed" && again.reason === "missing");
    assert.deepEqual(world.pathsOf(staleLock), [plan.destination]);
  });
});

describe("a torn lock", () => {
  async function torn(): Promise<World> {
    const world = await World.withStaleLock();
    await world.disk.port.unlink(place);
    await putFile(world.disk.port, place, staleLock.slice(0, 100));
    return world;
  }

  it("is left alone until it has rested for a minute", async () => {
    const world = await torn();
    world.clock.time = world.disk.now + 59_000;
    const plan = await world.plan();
    assert.deepEqual([plan.permission, ...plan.cautions], ["never", "corrupt", "changed-recently"]);
  });

  it("is left alone while any process has it open", async () => {
    const world = await torn();
    const { device, inode } = await world.disk.port.lstat(place);
    world.observer.openFiles.set(`${device}:${inode}`, { kind: "open", pids: [livePid] });
    const plan = await world.plan();
    assert.deepEqual([plan.permission, ...plan.cautions], ["never", "corrupt", "file-open"]);
  });

  it("is left alone when a process opens it between plan and move", async () => {
    const world = await torn();
    const plan = await world.plan();
    assert.equal(plan.permission, "force-only");
    const { device, inode } = await world.disk.port.lstat(place);
    world.observer.openFiles.set(`${device}:${inode}`, { kind: "open", pids: [livePid] });
    const result = await executeQuarantine(plan, world.options({ force: { typedId: plan.claim.id } }));
    assert.ok(result.kind === "refused");
    assert.deepEqual([result.reason, result.detail], ["never-allowed", "file-open"]);
    assert.equal(await world.read(place), staleLock.slice(0, 100));
  });

  it("is displaced by force, and the record says so", async () => {
    const world = await torn();
    const plan = await world.plan();
    const entry = entryOf(await executeQuarantine(plan, world.options({ force: { typedId: plan.claim.id } })));
    assert.ok(entry.kind === "quarantined" && entry.record.forced && entry.record.verdict.kind === "corrupt");
    assert.equal(await world.read(entry.path), staleLock.slice(0, 100));
  });
});

describe("a file system without hard links", () => {
  it("moves the lock without a freeze, says so, and restores it", async () => {
    const world = await World.withStaleLock();
    world.disk.hasHardLinks = false;
    const result = await executeQuarantine(await world.plan(), world.options());
    const entry = entryOf(result);
    assert.deepEqual([result.warnings, world.clock.slept], [["no-hard-links"], []]);
    assert.equal((await restoreFromQuarantine(entry, world.options())).kind, "restored");
    assert.deepEqual(world.pathsOf(staleLock), [place]);
  });

  it("takes any of the answers that such file systems give", async () => {
    for (const code of ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]) {
      const world = await World.withStaleLock();
      const fake = fakeFiles(world.disk.port, { faults: [{ operation: "link", at: 0, code, forGood: true }] });
      const result = await executeQuarantine(await world.plan(), world.options({ port: fake.port }));
      assert.deepEqual([result.kind, result.warnings], ["quarantined", ["no-hard-links"]], code);
    }
  });

  it("another file system than the quarantine's is a refusal, not a copy", async () => {
    const world = await World.withStaleLock();
    const fake = fakeFiles(world.disk.port, { faults: [{ operation: "link", at: 0, code: "EXDEV" }] });
    const result = await executeQuarantine(await world.plan(), world.options({ port: fake.port }));
    assert.ok(result.kind === "refused" && result.reason === "other-file-system");
    assert.deepEqual(world.pathsOf(staleLock), [place]);
    assert.deepEqual(await world.list(), []);
  });
});
