import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import type { ClaimSnapshot } from "../../../src/core/claims/claim.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { inspectLifecycleLock } from "../../../src/core/systems/lattice/inspectLifecycleLock.js";
import { beingWrittenGraceMs } from "../../../src/core/systems/lattice/lifecycleLockClaim.js";
import { fakeFiles, mutatingOperations } from "../../fakes/files.js";
import { FakeProcesses, startAt } from "../../fakes/processes.js";
import { JumpingClock, lockOf, ownerPid, ownerStartSeconds, ownerStartText, Workspace } from "./lockFixture.js";

describe("inspectLifecycleLock", () => {
  let workspace: Workspace;
  let observer: FakeProcesses;
  let clock: JumpingClock;

  beforeEach(() => {
    workspace = new Workspace();
    observer = new FakeProcesses();
    clock = new JumpingClock();
  });

  afterEach(() => workspace.remove());

  const inspect = (lockPath: string): Promise<ClaimSnapshot> => inspectLifecycleLock(lockPath, { observer, clock });
  const deciding = (claim: ClaimSnapshot): readonly string[] => claim.checks.filter(({ decides }) => decides).map(({ id }) => id);

  it("calls the lock of a running owner live and tells all that it records", async () => {
    observer.setLive(ownerPid, {}, startAt(ownerStartSeconds));
    const lockPath = workspace.write("run-1", ".lifecycle.lock", lockOf().bytes);
    const claim = await inspect(lockPath);
    assert.deepEqual(claim.verdict, { kind: "live", notes: [] });
    assert.deepEqual(claim.owner, { pid: ownerPid, started: ownerStartText, platform: "linux", hostname: null, bootIdentity: null, executable: null });
    assert.deepEqual(claim.facts.slice(0, 3), [
      { name: "operation", value: "recompile" },
      { name: "request-id", value: "request-a" },
      { name: "acquired-at", value: "2026-12-01T02:00:01.000Z" },
    ]);
    assert.equal(claim.resource, "run-1");
    assert.equal(claim.linkCount, 1);
    assert.equal(claim.file?.inode, fs.lstatSync(lockPath, { bigint: true }).ino.toString());
    assert.equal(deciding(claim).length, 1);
  });

  it("calls the lock of a gone owner stale, by weak proof only", async () => {
    const claim = await inspect(workspace.write("run-1", ".lifecycle.lock", lockOf().bytes));
    assert.ok(claim.verdict.kind === "stale");
    assert.equal(claim.verdict.reason, "pid_absent");
    assert.equal(claim.verdict.proof, "weak");
    assert.deepEqual(deciding(claim), ["pid-exists"]);
  });

  it("calls a place with nothing there empty", async () => {
    const lockPath = path.join(workspace.run("run-1"), ".lifecycle.lock");
    for (const place of [lockPath, path.join(workspace.root, "none", ".lifecycle.lock")]) {
      const claim = await inspect(place);
      assert.deepEqual(claim.verdict, { kind: "empty" });
      assert.equal(claim.file, null);
      assert.equal(claim.key, place);
    }
  });

  it("gives every unusable content its own reason, and says whether anybody has the file open", async () => {
    const { bytes } = lockOf();
    const text = Buffer.from(bytes).toString();
    const table: readonly (readonly [Uint8Array | string, string])[] = [
      ["", "empty_file"],
      [Buffer.alloc(564), "zero_filled"],
      [text.slice(0, 200), "cut_json"],
      ["locked\n", "not_json"],
      [`\uFEFF${text}`, "byte_order_mark"],
      [Buffer.from(`\uFEFF${text}`, "utf16le"), "utf_16"],
      [Buffer.from([0x22, 0xff, 0x22]), "not_utf_8"],
      ["{}\n", "invalid_record"],
      [text.trimEnd(), "not_canonical"],
      [JSON.stringify(JSON.parse(text), null, 1), "not_canonical"],
      ["x".repeat(65_537), "too_large"],
    ];
    for (const [content, reason] of table) {
      const claim = await inspect(workspace.write("run-1", ".lifecycle.lock", content));
      assert.ok(claim.verdict.kind === "corrupt", `${reason}: ${JSON.stringify(claim.verdict)}`);
      assert.equal(claim.verdict.reason, reason);
      assert.equal(deciding(claim).length, 1);
      if (reason !== "too_large") assert.deepEqual(claim.facts.at(-1), { name: "open-in", value: "none" });
      assert.ok(claim.facts.some(({ name }) => name === "modified-at"));
    }
  });

  it("shows the owner of a lock that was only re-formatted, with checks that decide nothing", async () => {
    observer.setLive(ownerPid, {}, startAt(ownerStartSeconds));
    const claim = await inspect(workspace.write("run-1", ".lifecycle.lock", JSON.stringify(lockOf().lock, null, 2)));
    assert.equal(claim.verdict.kind, "corrupt");
    assert.equal(claim.owner?.pid, ownerPid);
    assert.deepEqual(deciding(claim), ["lock-content"]);
    assert.ok(claim.checks.some(({ id, outcome }) => id === "start-instant" && outcome === "same"));
  });

  it("names the processes that have an unusable lock open, and says when that cannot be seen", async () => {
    const lockPath = workspace.write("run-1", ".lifecycle.lock", "");
    const { dev, ino } = fs.lstatSync(lockPath, { bigint: true });
    observer.openFiles.set(`${dev}:${ino}`, { kind: "open", pids: [17, 4] });
    assert.deepEqual((await inspect(lockPath)).facts.at(-1), { name: "open-in", value: "17, 4" });
    observer.openFiles.set(`${dev}:${ino}`, { kind: "unknown", diagnostic: "fd_unreadable" });
    const claim = await inspect(lockPath);
    assert.deepEqual(claim.facts.at(-1), { name: "open-in", value: "not observed: fd_unreadable" });
    assert.equal(claim.checks.find(({ id }) => id === "open-files")?.outcome, "not-observed");
  });

  it("takes unusable content that is younger than two seconds for a write under way (pains 36, 37)", async () => {
    for (const [content, ageMs, expected] of [
      ["", 200, "unknown"],
      ["", beingWrittenGraceMs + 500, "corrupt"],
      [lockOf().bytes.subarray(0, -1), 200, "unknown"],
      // From the future, as by a server whose clock is ahead: near is young, far is no age at all.
      ["", -500, "unknown"],
      ["", -3_600_000, "corrupt"],
    ] as const) {
      const claim = await inspect(workspace.write("run-1", ".lifecycle.lock", content, ageMs));
      assert.equal(claim.verdict.kind, expected, `${String(content.length)} bytes, ${ageMs} ms`);
      if (claim.verdict.kind === "unknown") assert.equal(claim.verdict.reason, "being_written");
      assert.equal(deciding(claim).length, 1);
    }
  });

  it("looks again when the first look was in the middle of a write", async () => {
    const lockPath = workspace.write("run-1", ".lifecycle.lock", "", 0);
    clock.duringSleep = () => fs.writeFileSync(lockPath, lockOf().bytes);
    const claim = await inspect(lockPath);
    assert.equal(claim.verdict.kind, "stale");
    assert.deepEqual(clock.slept, [20]);
  });

  it("neither follows nor opens what is no regular file", async () => {
    const run = workspace.run("run-1");
    const lockPath = path.join(run, ".lifecycle.lock");
    const target = workspace.write("run-1", "real", lockOf().bytes);
    const server = net.createServer();
    const make: readonly (readonly [string, () => void | Promise<void>])[] = [
      ["symlink", () => fs.symlinkSync(target, lockPath)],
      ["symlink", () => fs.symlinkSync("nowhere", lockPath)],
      ["not_a_regular_file", () => void execFileSync("mkfifo", [lockPath])],
      ["not_a_regular_file", () => fs.mkdirSync(lockPath)],
      ["not_a_regular_file", () => new Promise<void>((resolve) => server.listen(lockPath, resolve))],
    ];
    const { port, calls } = fakeFiles(nodeFilePort);
    for (const [reason, create] of make) {
      await create();
      const claim = await inspectLifecycleLock(lockPath, { observer, clock, port });
      assert.ok(claim.verdict.kind === "corrupt");
      assert.equal(claim.verdict.reason, reason);
      assert.equal(claim.sha256, null);
      assert.equal(claim.file?.inode, fs.lstatSync(lockPath, { bigint: true }).ino.toString());
      fs.rmSync(lockPath, { recursive: true, force: true });
    }
    server.close();
    assert.deepEqual(calls.filter(({ operation }) => operation === "openRead"), []);
    assert.deepEqual(calls.filter(({ operation }) => mutatingOperations.includes(operation)), []);
  });

  it("tells a lock that an interrupted repair holds frozen from one that somebody else has linked", async () => {
    const lockPath = workspace.write("run-1", ".lifecycle.lock", lockOf().bytes);
    fs.linkSync(lockPath, path.join(workspace.root, "copy"));
    const linked = await inspect(lockPath);
    assert.ok(linked.verdict.kind === "corrupt");
    assert.equal(linked.verdict.reason, "hard_linked");
    assert.equal(linked.linkCount, 2);
    assert.equal(linked.owner?.pid, ownerPid);
    fs.rmSync(path.join(workspace.root, "copy"));
    const quarantine = path.join(workspace.store, "quarantine", "run-1");
    fs.mkdirSync(quarantine, { recursive: true });
    fs.linkSync(lockPath, path.join(quarantine, "item.frozen"));
    const frozen = await inspect(lockPath);
    assert.ok(frozen.verdict.kind === "corrupt");
    assert.equal(frozen.verdict.reason, "frozen");
    assert.deepEqual(deciding(frozen), ["link-count"]);
  });

  it("says that it may not look instead of guessing", async () => {
    const lockPath = workspace.write("run-1", ".lifecycle.lock", lockOf().bytes);
    for (const operation of ["lstat", "openRead", "file.read"] as const) {
      const { port } = fakeFiles(nodeFilePort, { faults: [{ operation, at: 0, code: "EACCES", forGood: true }] });
      const claim = await inspectLifecycleLock(lockPath, { observer, clock, port });
      assert.deepEqual(claim.verdict, { kind: "unknown", reason: "unreadable", settles: ["run_as_owner_or_root"] });
      assert.equal(claim.checks[0]?.observed, "EACCES");
    }
  });

  it("forgives one bad moment of the disk", async () => {
    const lockPath = workspace.write("run-1", ".lifecycle.lock", lockOf().bytes);
    for (const code of ["EIO", "EACCES", "EBUSY"]) {
      const { port } = fakeFiles(nodeFilePort, { faults: [{ operation: "openRead", at: 0, code }] });
      assert.equal((await inspectLifecycleLock(lockPath, { observer, clock, port })).verdict.kind, "stale");
    }
  });

  it("notes a mode that lets others read the lock, without changing the verdict", async () => {
    observer.setLive(ownerPid, {}, startAt(ownerStartSeconds));
    const lockPath = workspace.write("run-1", ".lifecycle.lock", lockOf().bytes);
    fs.chmodSync(lockPath, 0o644);
    const claim = await inspect(lockPath);
    assert.deepEqual(claim.verdict, { kind: "live", notes: ["lock_mode_not_private"] });
    assert.deepEqual(claim.checks.at(-1), { id: "file-mode", recorded: "600", observed: "644", outcome: "noted", decides: false });
    observer.platform = "win32";
    assert.ok(!(await inspect(lockPath)).checks.some(({ id }) => id === "file-mode"));
  });

  it("names the very claim in its id: same again when nothing changed, another for other bytes or another file", async () => {
    const lockPath = workspace.write("run-1", ".lifecycle.lock", lockOf().bytes);
    const first = await inspect(lockPath);
    assert.match(first.id, /^run-1\/\.lifecycle\.lock@[0-9a-f]{8}$/);
    assert.equal((await inspect(lockPath)).id, first.id);
    fs.writeFileSync(lockPath, lockOf({ requestId: "request-b" }).bytes);
    const rewritten = await inspect(lockPath);
    assert.notEqual(rewritten.id, first.id);
    assert.equal(rewritten.key, first.key);
    fs.copyFileSync(lockPath, `${lockPath}.new`);
    fs.renameSync(`${lockPath}.new`, lockPath);
    assert.notEqual((await inspect(lockPath)).id, rewritten.id);
  });

  it("gives an id that people can type, whatever the run is called", async () => {
    const claim = await inspect(workspace.write("ru\u202En 1\n", ".lifecycle.lock", lockOf().bytes));
    assert.match(claim.id, /^[0-9A-Za-z._/@-]+$/);
    assert.equal(claim.resource, "ru\u202En 1\n");
  });
});
