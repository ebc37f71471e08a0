import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createProcessInspector } from "../../../src/core/process/createProcessInspector.js";
import { listQuarantine } from "../../../src/core/quarantine/listQuarantine.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { acquireLifecycleLock, ownStartIdentity, type AcquireOptions } from "../../../src/core/systems/lattice/acquireLifecycleLock.js";
import { checkLifecycleLock, sealStartIdentity } from "../../../src/core/systems/lattice/lifecycleLock.js";
import { LifecycleLockError, type LifecycleLockErrorCode } from "../../../src/core/systems/lattice/lifecycleLockError.js";
import { releaseLifecycleLock } from "../../../src/core/systems/lattice/releaseLifecycleLock.js";
import { fakeFiles, type Call, type FakeFilesOptions } from "../../fakes/files.js";
import { FakeProcesses, startAt } from "../../fakes/processes.js";
import { JumpingClock, lockOf, ownerPid, ownerStartSeconds, Workspace } from "./lockFixture.js";

describe("acquireLifecycleLock", () => {
  let workspace: Workspace;
  let lockPath: string;
  let observer: FakeProcesses;
  let clock: JumpingClock;

  beforeEach(() => {
    workspace = new Workspace();
    lockPath = path.join(workspace.run("run-1"), ".lifecycle.lock");
    observer = new FakeProcesses().setLive(process.pid, {}, startAt(ownerStartSeconds));
    clock = new JumpingClock();
  });

  afterEach(() => workspace.remove());

  const options = (more: Partial<AcquireOptions> = {}): AcquireOptions => ({
    lockPath,
    sessionNonceDigest: "c".repeat(64),
    operation: "recompile",
    requestId: "request-b",
    timeoutMs: 0,
    processObserver: observer,
    clock,
    ...more,
  });
  const withPort = (files: FakeFilesOptions, more: Partial<AcquireOptions> = {}): AcquireOptions => options({ port: fakeFiles(nodeFilePort, files).port, ...more });
  const failsWith = async (code: LifecycleLockErrorCode, run: Promise<unknown>): Promise<void> => {
    await assert.rejects(run, (error) => LifecycleLockError.is(error, code));
  };
  const isLock = (call: Call): boolean => call.path === lockPath;
  const writeStale = (): Uint8Array => {
    const { bytes } = lockOf();
    fs.writeFileSync(lockPath, bytes, { mode: 0o600 });
    return bytes;
  };

  it("writes the whole record in one call, private, durable, as the runtime reads it", async () => {
    const { port, calls } = fakeFiles(nodeFilePort);
    const handle = await acquireLifecycleLock(options({ port, now: () => new Date("2026-12-01T03:00:00.000Z") }));
    const bytes = fs.readFileSync(lockPath);
    assert.deepEqual(checkLifecycleLock(bytes), { kind: "valid", lock: handle.lock });
    assert.equal(handle.lock.owner_pid, process.pid);
    assert.equal(handle.lock.acquired_at, "2026-12-01T03:00:00.000Z");
    assert.equal(fs.statSync(lockPath).mode & 0o777, 0o600);
    const steps = calls.map(({ operation }) => operation).filter((operation) => ["createExclusive", "file.write", "file.sync", "file.close", "syncDirectory"].includes(operation));
    assert.deepEqual(steps, ["createExclusive", "file.write", "file.sync", "file.close", "syncDirectory"]);
    await handle.release();
    assert.deepEqual(fs.readdirSync(path.dirname(lockPath)), []);
  });

  it("takes a run directory as well as a lock path, and gives back only once", async () => {
    const handle = await acquireLifecycleLock({ ...options(), lockPath: undefined, runDir: path.dirname(lockPath) } as unknown as AcquireOptions);
    assert.equal(handle.lockPath, lockPath);
    await Promise.all([handle.release(), handle.release()]);
    const other = await acquireLifecycleLock(options());
    await handle.release();
    assert.ok(fs.existsSync(lockPath));
    await other.release();
  });

  it("touches nothing when an argument is wrong", async () => {
    const wrong: readonly unknown[] = [
      { lockPath: ".lifecycle.lock" }, { lockPath: 5 }, { lockPath: undefined, runDir: "run" }, { sessionNonceDigest: "C".repeat(64) }, { operation: "two words" }, { operation: 5 },
      { requestId: "" }, { timeoutMs: -1 }, { timeoutMs: 0.5 }, { timeoutMs: "1" }, { timeoutMs: Number.NaN }, { retryIntervalMs: 0 }, { retryIntervalMs: 1.5 },
      { ownIdentity: {} }, { ownIdentity: sealStartIdentity({ platform: "linux", pid: process.pid + 1, started_identity: "x" }) }, { now: 5 }, { now: () => "today" }, { now: () => new Date(Number.NaN) },
      { now: () => new Date(8.64e15) }, { observer: {} }, { observer: () => null }, { observer: () => { throw new Error("ps"); } }, { pidExists: true },
    ];
    for (const more of wrong) await failsWith("RUN_LOCK_INVALID", acquireLifecycleLock(options(more as Partial<AcquireOptions>)));
    assert.deepEqual(fs.readdirSync(path.dirname(lockPath)), []);
  });

  it("waits for a live owner until the deadline and no longer", async () => {
    const live = await acquireLifecycleLock(options());
    await failsWith("RUN_BUSY", acquireLifecycleLock(options({ timeoutMs: 35, retryIntervalMs: 10 })));
    assert.deepEqual(clock.slept.slice(0, 3), [10, 10, 10]);
    assert.ok(clock.slept.reduce((sum, ms) => sum + ms, 0) <= 36);
    clock.duringSleep = () => live.release();
    const next = await acquireLifecycleLock(options({ timeoutMs: 1_000 }));
    await next.release();
  });

  it("stops waiting when nobody waits any more", async () => {
    const live = await acquireLifecycleLock(options());
    const abort = new AbortController();
    clock.duringSleep = () => abort.abort(new Error("closed"));
    await failsWith("RUN_BUSY", acquireLifecycleLock(options({ timeoutMs: 10_000, signal: abort.signal })));
    assert.equal(clock.slept.length, 1);
    await live.release();
  });

  it("lets one of many in at a time", async () => {
    let inside = 0;
    const times = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const handle = await acquireLifecycleLock({ ...options({ requestId: `request-${index}`, timeoutMs: 20_000, retryIntervalMs: 1 }), clock: undefined } as unknown as AcquireOptions);
        inside += 1;
        assert.equal(inside, 1);
        await new Promise(setImmediate);
        inside -= 1;
        await handle.release();
        return index;
      }),
    );
    assert.equal(times.length, 8);
  });

  it("displaces the lock of a gone owner into quarantine, with a record (W7)", async () => {
    const bytes = writeStale();
    const handle = await acquireLifecycleLock(options());
    const [entry, ...others] = await listQuarantine(workspace.root);
    assert.ok(entry?.kind === "quarantined" && others.length === 0);
    assert.deepEqual(fs.readFileSync(entry.path), Buffer.from(bytes));
    assert.equal(entry.record.owner?.pid, ownerPid);
    assert.deepEqual(fs.readdirSync(path.dirname(lockPath)), [".lifecycle.lock"]);
    await handle.release();
  });

  it("displaces nobody that it cannot judge: another zone, a container, a shared disk, another platform (W1, W9, W11)", async () => {
    const judged: readonly (() => void)[] = [
      () => observer.setLive(ownerPid, {}, startAt(ownerStartSeconds + 9 * 3_600)),
      () => observer.setUnknown(ownerPid),
      () => (observer.defaultEnvironment = { localFilesystem: true, pidNamespace: "nested", exclusiveToThisNamespace: false, nsPidMatch: false }),
      () => (observer.defaultEnvironment = { localFilesystem: false, pidNamespace: "initial", exclusiveToThisNamespace: false, nsPidMatch: false }),
    ];
    for (const prepare of judged) {
      observer = new FakeProcesses().setLive(process.pid, {}, startAt(ownerStartSeconds));
      const bytes = writeStale();
      prepare();
      await failsWith("RUN_BUSY", acquireLifecycleLock(options()));
      assert.deepEqual(fs.readFileSync(lockPath), Buffer.from(bytes));
    }
    fs.writeFileSync(lockPath, lockOf({ platform: "darwin" }).bytes);
    await failsWith("RUN_BUSY", acquireLifecycleLock(options()));
  });

  it("displaces the lock of a zombie, which the runtime never does (W10)", async () => {
    writeStale();
    observer.setAbsent(ownerPid, "zombie");
    await (await acquireLifecycleLock(options())).release();
  });

  it("keeps what it recovers beside the lock where there is no quarantine, under the runtime's own name", async () => {
    const outside = path.join(workspace.root, "elsewhere");
    fs.mkdirSync(outside);
    const place = path.join(outside, ".lifecycle.lock");
    const { bytes } = lockOf();
    fs.writeFileSync(place, bytes);
    const handle = await acquireLifecycleLock(options({ lockPath: place }));
    const aside = fs.readdirSync(outside).filter((name) => name !== ".lifecycle.lock");
    assert.match(aside.join(), new RegExp(`^\\.\\.lifecycle\\.lock\\.${process.pid}\\.[0-9a-f-]{36}\\.stale$`));
    assert.deepEqual(fs.readFileSync(path.join(outside, aside[0] ?? "")), Buffer.from(bytes));
    await handle.release();
  });

  it("puts back what it moved and had not judged, and never over a third one's lock (W5, W6)", async () => {
    const outside = path.join(workspace.root, "elsewhere");
    fs.mkdirSync(outside);
    const place = path.join(outside, ".lifecycle.lock");
    const fresh = lockOf({ pid: process.pid, requestId: "fresh" }).bytes;
    const third = lockOf({ pid: process.pid, requestId: "third" }).bytes;
    for (const hasThird of [false, true]) {
      fs.rmSync(outside, { recursive: true });
      fs.mkdirSync(outside);
      fs.writeFileSync(place, lockOf().bytes);
      const replace = (content: Uint8Array): void => {
        fs.rmSync(place, { force: true });
        fs.writeFileSync(place, content);
      };
      const files: FakeFilesOptions = {
        // Between the last look and the rename, where nothing can close the gap.
        before: ({ operation, path: from }) => (operation === "rename" && from === place ? replace(fresh) : undefined),
        after: ({ operation, path: from }) => (operation === "rename" && from === place && hasThird ? replace(third) : undefined),
      };
      await failsWith(hasThird ? "RUN_LOCK_INVALID" : "RUN_BUSY", acquireLifecycleLock(withPort(files, { lockPath: place })));
      const contents = fs.readdirSync(outside).map((name) => fs.readFileSync(path.join(outside, name), "utf8"));
      assert.deepEqual(contents.sort(), (hasThird ? [fresh, third] : [fresh]).map((bytes) => Buffer.from(bytes).toString()).sort());
      assert.equal(fs.readFileSync(place, "utf8"), Buffer.from(hasThird ? third : fresh).toString());
    }
  });

  it("never deletes what somebody is writing (W4)", async () => {
    writeStale();
    const torn = lockOf({ requestId: "fresh" }).bytes.subarray(0, 100);
    let hasSwapped = false;
    observer.beforeAnswer = (question) => {
      if (question !== `inspect ${ownerPid}` || hasSwapped) return;
      hasSwapped = true;
      fs.rmSync(lockPath);
      fs.writeFileSync(lockPath, torn);
    };
    await failsWith("RUN_BUSY", acquireLifecycleLock(options()));
    assert.deepEqual(fs.readFileSync(lockPath), Buffer.from(torn));
  });

  it("does not say that it has a lock which was taken away in the middle of its write (W4)", async () => {
    let creations = 0;
    const take = ({ operation, path: at }: Call): void => {
      if (at !== lockPath) return;
      if (operation === "createExclusive") creations += 1;
      if (operation === "file.sync" && creations === 1) fs.rmSync(lockPath);
    };
    const handle = await acquireLifecycleLock(withPort({ after: take }));
    assert.equal(creations, 2);
    assert.deepEqual(checkLifecycleLock(fs.readFileSync(lockPath)), { kind: "valid", lock: handle.lock });
    await handle.release();
  });

  it("removes after a failed write its own file and no other (W14)", async () => {
    for (const operation of ["file.write", "file.sync", "file.close", "syncDirectory"] as const) {
      await assert.rejects(acquireLifecycleLock(withPort({ faults: [{ operation, at: 0, code: "EIO" }] })), { code: "EIO" });
      assert.deepEqual(fs.readdirSync(path.dirname(lockPath)), [], operation);
    }
    const other = lockOf({ requestId: "other" }).bytes;
    const files: FakeFilesOptions = {
      faults: [{ operation: "file.sync", at: 0, code: "ENOSPC" }],
      before: ({ operation }) => {
        if (operation !== "file.sync") return;
        fs.rmSync(lockPath);
        fs.writeFileSync(lockPath, other);
      },
    };
    await assert.rejects(acquireLifecycleLock(withPort(files)), { code: "ENOSPC" });
    assert.deepEqual(fs.readFileSync(lockPath), Buffer.from(other));
  });

  it("passes the kernel's own errors through", async () => {
    await assert.rejects(acquireLifecycleLock(options({ lockPath: path.join(workspace.root, "none", ".lifecycle.lock") })), { code: "ENOENT" });
    writeStale();
    await assert.rejects(acquireLifecycleLock(withPort({ faults: [{ operation: "openRead", where: isLock, at: 0, code: "EACCES", forGood: true }] })), { code: "EACCES" });
  });

  it("tolerates a file system that cannot sync directories (0.53.0)", async () => {
    await (await acquireLifecycleLock(withPort({ faults: [{ operation: "syncDirectory", at: 0, code: "EINVAL", forGood: true }] }))).release();
  });

  it("records itself as the observer of the caller would see it", async () => {
    const observe = (pid: number): unknown => sealStartIdentity({ platform: "linux", pid, started_identity: "seen by the caller" });
    const handle = await acquireLifecycleLock(options({ observer: observe }));
    assert.equal(handle.lock.owner_process_start_identity.started_identity, "seen by the caller");
    await failsWith("RUN_BUSY", acquireLifecycleLock(options({ observer: observe })));
    await handle.release();
  });

  it("records itself as the machine's own ps tells it, in this zone and in others", async function () {
    const ps = ["/bin/ps", "/usr/bin/ps"].find((file) => fs.existsSync(file));
    if (process.platform !== "linux" || ps === undefined) this.skip();
    const before = process.env["TZ"];
    try {
      for (const zone of [before, "UTC", "Asia/Tokyo", "America/Los_Angeles", "Asia/Kolkata"]) {
        if (zone === undefined) delete process.env["TZ"];
        else process.env["TZ"] = zone;
        const { started_identity } = await ownStartIdentity(createProcessInspector());
        assert.equal(started_identity, execFileSync(ps, ["-o", "lstart=", "-p", String(process.pid)], { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } }).trim(), zone ?? "unset");
      }
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });
});

describe("releaseLifecycleLock", () => {
  let workspace: Workspace;
  let lockPath: string;
  const { lock, bytes } = lockOf();

  beforeEach(() => {
    workspace = new Workspace();
    lockPath = workspace.write("run-1", ".lifecycle.lock", bytes);
  });

  afterEach(() => workspace.remove());

  const release = (more: object = {}): Promise<void> => releaseLifecycleLock({ lockPath, ownerDigest: lock.lock_digest, ...more });
  const codeOf = async (run: Promise<void>): Promise<string> => run.then(() => "released", (error: unknown) => (LifecycleLockError.is(error) ? error.code : String(error)));

  it("removes the lock of its owner and nothing else", async () => {
    assert.equal(await codeOf(release({ ownerDigest: "f".repeat(64) })), "RUN_LOCK_OWNER_MISMATCH");
    assert.equal(await codeOf(release({ ownerDigest: "zz" })), "RUN_LOCK_INVALID");
    assert.equal(await codeOf(release({ lockPath: "relative" })), "RUN_LOCK_INVALID");
    assert.equal(await codeOf(release()), "released");
    assert.equal(await codeOf(release()), "RUN_LOCK_OWNER_MISMATCH");
  });

  it("leaves in place what is no lock with one name", async () => {
    const table: readonly (readonly [() => void, string])[] = [
      [() => fs.writeFileSync(lockPath, bytes.subarray(0, 50)), "RUN_BUSY"],
      [() => fs.writeFileSync(lockPath, ""), "RUN_BUSY"],
      [() => fs.writeFileSync(lockPath, "{}\n"), "RUN_LOCK_INVALID"],
      [() => fs.writeFileSync(lockPath, JSON.stringify(lock, null, 2)), "RUN_LOCK_INVALID"],
      [() => fs.linkSync(workspace.write("run-1", "other", bytes), lockPath), "RUN_LOCK_INVALID"],
      [() => fs.symlinkSync("other", lockPath), "RUN_LOCK_INVALID"],
      [() => fs.mkdirSync(lockPath), "RUN_LOCK_INVALID"],
    ];
    for (const [make, code] of table) {
      fs.rmSync(lockPath, { recursive: true, force: true });
      make();
      assert.equal(await codeOf(release()), code);
      assert.ok(fs.lstatSync(lockPath));
    }
  });

  it("does not remove a lock that took the place between its two looks", async () => {
    const other = lockOf({ requestId: "other" }).bytes;
    let looks = 0;
    const { port } = fakeFiles(nodeFilePort, {
      before: ({ operation }) => {
        if (operation !== "lstat" || (looks += 1) !== 2) return;
        fs.renameSync(lockPath, `${lockPath}.moved`);
        fs.writeFileSync(lockPath, other);
      },
    });
    assert.equal(await codeOf(release({ port })), "RUN_LOCK_OWNER_MISMATCH");
    assert.deepEqual(fs.readFileSync(lockPath), Buffer.from(other));
  });
});
