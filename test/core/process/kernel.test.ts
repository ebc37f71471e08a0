// The real kernel: what no table of ours can promise. Linux only; each case says why when it cannot run here.
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { createProcessInspector } from "../../../src/core/process/createProcessInspector.js";
import { readStartText } from "../../../src/core/process/lstart.js";
import { nodePlatformPort } from "../../../src/core/process/nodePlatformPort.js";
import type { ObservationEnvironment, OpenFileEvidence, ProcessInspection, StartInstant } from "../../../src/core/process/processInspector.js";
import { judgeLifecycleLock } from "../../../src/core/systems/lattice/judgeLifecycleLock.js";
import { sealLifecycleLock, sealStartIdentity } from "../../../src/core/systems/lattice/lifecycleLock.js";
import { gatherLifecycleLockFacts } from "../../../src/core/systems/lattice/lifecycleLockFacts.js";
import type { LifecycleLock } from "../../../src/core/systems/lattice/lifecycleLockRecord.js";
import type { Questions } from "./observeAs.js";

interface Answers {
  readonly inspections: readonly ProcessInspection[];
  readonly starts: readonly (StartInstant | null)[];
  readonly environments: readonly ObservationEnvironment[];
  readonly open: OpenFileEvidence | null;
  readonly own: ProcessInspection;
  readonly ownPid: number;
}

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const children: ChildProcess[] = [];

function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess & { readonly pid: number } {
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  assert.ok(child.pid !== undefined, `${file} did not start`);
  return child as ChildProcess & { readonly pid: number };
}

/** Kills and collects it: afterwards the kernel knows it no longer. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}

async function until<Value>(what: string, look: () => Value | null | undefined | false): Promise<Value> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const value = look();
    if (value !== null && value !== undefined && value !== false) return value;
    assert.ok(performance.now() < deadline, `waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** First line that a child prints; null when it ends without one. */
async function firstLine(child: ChildProcess): Promise<string | null> {
  let text = "";
  let ended = false;
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.once("close", () => (ended = true));
  const line = (): string | undefined => /^(.*)\n/.exec(text)?.[1];
  await until("a line of the child, or its end", () => line() !== undefined || ended);
  return line() ?? null;
}

function ps(pid: number, zone: string): string {
  return spawnSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { env: { TZ: zone }, encoding: "utf8" }).stdout.trim();
}

function lockOf(pid: number, started: string): LifecycleLock {
  return sealLifecycleLock({
    owner_pid: pid,
    owner_process_start_identity: sealStartIdentity({ platform: process.platform, pid, started_identity: started }),
    session_nonce_digest: "a".repeat(64),
    operation: "hold",
    request_id: "r-1",
    acquired_at: new Date().toISOString(),
  }).lock;
}

async function verdictOf(lock: LifecycleLock, directory: string, zone = "UTC"): Promise<string> {
  const { verdict } = judgeLifecycleLock(lock, await gatherLifecycleLockFacts(createProcessInspector(), lock, directory, zone));
  return "reason" in verdict ? `${verdict.kind} ${verdict.reason}` : verdict.kind;
}

/** Whether absence proves anything in this place (spec/pi-amq.md section 14, rule 5). */
function isProvable({ localFilesystem, pidNamespace, exclusiveToThisNamespace }: ObservationEnvironment): boolean {
  const provable = localFilesystem && (pidNamespace === "initial" || (pidNamespace === "nested" && exclusiveToThisNamespace));
  if (!provable) console.log(`here no owner is ever provably gone: ${JSON.stringify({ localFilesystem, pidNamespace, exclusiveToThisNamespace })}`);
  return provable;
}

describe("the real kernel", function () {
  this.timeout(60_000);
  let directory = "";
  let bundle = "";

  before(async function () {
    if (process.platform !== "linux") {
      console.log("skipped: the kernel of this platform is not Linux");
      this.skip();
    }
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-kernel-"));
    fs.chmodSync(directory, 0o755);
    bundle = path.join(directory, "observeAs.mjs");
    await build({ entryPoints: [path.join(path.dirname(fileURLToPath(import.meta.url)), "observeAs.ts")], outfile: bundle, bundle: true, platform: "node", format: "esm", logLevel: "error" });
    fs.chmodSync(bundle, 0o644);
  });

  afterEach(async () => {
    for (const child of children.splice(0)) await end(child);
  });

  after(() => {
    if (directory !== "") fs.rmSync(directory, { recursive: true, force: true });
  });

  /** Asks in a process of its own, started by `prefix`; null, with a message, when this machine does not allow the prefix. */
  function askFrom(prefix: readonly string[], questions: Questions): Answers | null {
    const run = (command: readonly string[]) => {
      const [file = "", ...args] = [...prefix, ...command];
      return spawnSync(file, args, { encoding: "utf8", cwd: "/", timeout: 30_000, env: { PATH: process.env["PATH"] } });
    };
    const trial = run(["true"]);
    if (trial.status !== 0) {
      console.log(`skipped: ${prefix.join(" ")} is not possible here: ${trial.error?.message ?? trial.stderr.trim()}`);
      return null;
    }
    const result = run([process.execPath, bundle, JSON.stringify(questions)]);
    assert.equal(result.status, 0, result.stderr);
    return JSON.parse(result.stdout) as Answers;
  }

  it("says live of a child, absent once it was killed and collected", async () => {
    const child = start("/bin/sleep", ["60"]);
    const observer = createProcessInspector();
    const inspection = await observer.inspect(child.pid);
    assert.equal(inspection.kind, "live");
    assert.equal(inspection.identity.executable, fs.realpathSync("/bin/sleep"));
    const lock = lockOf(child.pid, ps(child.pid, "UTC"));
    assert.equal(await verdictOf(lock, directory), "live");
    await end(child);
    observer.forget();
    assert.deepEqual(await observer.inspect(child.pid), { kind: "absent", why: "no-such-process" });
    const provable = isProvable(await observer.environment(directory, child.pid));
    assert.equal((await verdictOf(lock, directory)).split(" ")[0], provable ? "stale" : "unknown");
  });

  it("is current() exactly as it inspects itself", async () => {
    const observer = createProcessInspector();
    const current = await observer.current();
    assert.deepEqual(await observer.inspect(process.pid), { kind: "live", identity: current });
    assert.equal(current.executable, fs.realpathSync(process.execPath));
    assert.deepEqual(await createProcessInspector().current(), current);
  });

  it("says zombie of a child whose parent does not collect it", async () => {
    const parent = start("/bin/sh", ["-c", "sleep 0.01 & echo $!; exec sleep 60"]);
    const pid = Number(await firstLine(parent));
    assert.ok(pid > 0);
    await until("the zombie", () => fs.readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z "));
    assert.equal(nodePlatformPort.probe(pid), "ok", "the kernel still answers for it");
    const observer = createProcessInspector();
    assert.deepEqual(await observer.inspect(pid), { kind: "absent", why: "zombie" });
    const provable = isProvable(await observer.environment(directory, pid));
    assert.equal((await verdictOf(lockOf(pid, ps(pid, "UTC")), directory)).split(" ")[0], provable ? "stale" : "unknown");
  });

  it("says absent of a thread, although the kernel answers for its number", async () => {
    const thread = fs.readdirSync("/proc/self/task").map(Number).find((id) => id !== process.pid);
    assert.ok(thread !== undefined, "this process has but one thread");
    assert.equal(nodePlatformPort.probe(thread), "ok");
    assert.deepEqual(await createProcessInspector().inspect(thread), { kind: "absent", why: "thread-id" });
  });

  it("computes the start of every process as the real ps does", async function () {
    if (!fs.existsSync("/bin/ps")) {
      console.log("skipped: there is no /bin/ps");
      this.skip();
    }
    const rows = spawnSync("/bin/ps", ["-e", "-o", "pid=", "-o", "lstart="], { env: { TZ: "UTC" }, encoding: "utf8" }).stdout.trim().split("\n");
    const observer = createProcessInspector();
    let compared = 0;
    await Promise.all(
      rows.map(async (row) => {
        const [, pid, text] = /^\s*(\d+) (.*)$/.exec(row) ?? [];
        const instant = await observer.startInstant(Number(pid));
        if (instant === null) return; // ended since, ps itself too
        assert.equal(instant.epochSeconds, readStartText(text ?? ""), row);
        compared++;
      }),
    );
    assert.ok(compared > 1, "nothing was compared");
  });

  it("says live of one live owner in four zones from observers in four zones", async function () {
    if (!fs.existsSync("/bin/ps")) {
      console.log("skipped: there is no /bin/ps");
      this.skip();
    }
    const zones = ["UTC", "Asia/Tokyo", "America/Los_Angeles", "Asia/Kolkata", "JST-9", ""];
    for (const ownerZone of zones) {
      const owner = start("/bin/sleep", ["60"], { TZ: ownerZone });
      const lock = lockOf(owner.pid, ps(owner.pid, ownerZone));
      for (const observerZone of zones) assert.equal(await verdictOf(lock, directory, observerZone), "live", `owner in ${ownerZone}, observer in ${observerZone}`);
    }
  });

  it("says unknown, not stale, when the owner changed its zone after it was started", async function () {
    if (!fs.existsSync("/bin/ps")) {
      console.log("skipped: there is no /bin/ps");
      this.skip();
    }
    const owner = start("/bin/sleep", ["60"], { TZ: "UTC" });
    assert.equal(await verdictOf(lockOf(owner.pid, ps(owner.pid, "Asia/Kolkata")), directory), "unknown start_differs_by_quarter_hours");
  });

  it("says stale of a pid that the kernel gave to another process", async function () {
    const lastPid = "/proc/sys/kernel/ns_last_pid";
    try {
      fs.writeFileSync(lastPid, fs.readFileSync(lastPid));
    } catch {
      console.log("skipped: the next pid cannot be chosen here (needs the right to write ns_last_pid)");
      this.skip();
    }
    const owner = start("/bin/sleep", ["60"]);
    const observer = createProcessInspector();
    const before = await observer.inspect(owner.pid);
    const started = await observer.startInstant(owner.pid);
    assert.ok(before.kind === "live" && started !== null);
    const lock = lockOf(owner.pid, ps(owner.pid, "UTC"));
    await end(owner);
    // Starts within two seconds of one another cannot be told apart by such a text.
    await until("a start that differs by more than two seconds", () => Date.now() / 1000 > started.epochSeconds + 4);
    const heir = await until("the pid to come back", () => {
      fs.writeFileSync(lastPid, String(owner.pid - 1));
      const child = start("/bin/sleep", ["60"]);
      if (child.pid === owner.pid) return child;
      child.kill("SIGKILL");
      return null;
    });
    assert.equal(heir.pid, owner.pid);
    observer.forget();
    const after = await observer.inspect(owner.pid);
    assert.equal(after.kind, "live");
    assert.notEqual(after.identity.processStartIdentity, before.identity.processStartIdentity);
    const provable = isProvable(await observer.environment(directory, owner.pid));
    assert.equal((await verdictOf(lock, directory)).split(" ")[0], provable ? "stale" : "unknown");
  });

  it("finds who has a file open, also after it was deleted, and nobody once that one ended", async () => {
    const file = path.join(directory, "held.lock");
    fs.writeFileSync(file, "");
    const { dev, ino } = fs.statSync(file, { bigint: true });
    const key = { device: String(dev), inode: String(ino) };
    const holder = start("/bin/sh", ["-c", 'exec 9<"$0"; echo open; exec sleep 60', file]);
    await firstLine(holder);
    const observer = createProcessInspector();
    assert.deepEqual(await observer.whoHasOpen(key), { kind: "open", pids: [holder.pid] });
    fs.linkSync(file, `${file}.kept`);
    fs.unlinkSync(file);
    observer.forget();
    assert.deepEqual(await observer.whoHasOpen(key), { kind: "open", pids: [holder.pid] });
    await end(holder);
    observer.forget();
    const evidence = await observer.whoHasOpen(key);
    if (evidence.kind === "unknown") console.log(`here nobody can be excluded: ${evidence.diagnostic}`);
    else assert.deepEqual(evidence, { kind: "not-open" });
  });

  it("takes EPERM for alive when it looks at root's process as nobody", function () {
    if (!isRoot) {
      console.log("skipped: only root can become nobody");
      this.skip();
    }
    const child = start("/bin/sleep", ["60"], { TZ: "Asia/Tokyo" });
    const file = path.join(directory, "roots.lock");
    fs.writeFileSync(file, "");
    const { dev, ino } = fs.statSync(file, { bigint: true });
    const answers = askFrom(["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--"], {
      pids: [child.pid],
      directories: [directory],
      file: { device: String(dev), inode: String(ino) },
    });
    if (answers === null) this.skip();
    const [inspection] = answers.inspections;
    assert.equal(inspection?.kind, "live");
    assert.equal(inspection.identity.executable, "/unknown");
    assert.equal(answers.starts[0]?.environmentReadable, false);
    assert.deepEqual(answers.open, { kind: "unknown", diagnostic: "fd_unreadable_of_other_users" });
  });

  it("says unknown where /proc is mounted so that it hides the processes of others", function () {
    if (!isRoot) {
      console.log("skipped: only root can mount");
      this.skip();
    }
    const child = start("/bin/sleep", ["60"]);
    const script = `mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid=${nobody} --regid=${nobody} --clear-groups -- "$@"`;
    const answers = askFrom(["unshare", "--mount", "sh", "-c", script, "sh"], { pids: [child.pid], directories: [directory] });
    if (answers === null) this.skip();
    assert.deepEqual(answers.inspections, [{ kind: "unknown", diagnostic: "stat_ENOENT" }]);
    assert.equal(answers.environments[0]?.pidNamespace, "unknown");
    assert.equal(answers.own.kind, "live");
  });

  it("knows that it is in a nested pid namespace, and which directories belong to it", function () {
    const answers = askFrom(["unshare", "--pid", "--fork", "--mount-proc"], { pids: [30_000], directories: ["/", "/proc"] });
    if (answers === null) this.skip();
    assert.deepEqual(answers.environments.map(({ pidNamespace, exclusiveToThisNamespace }) => [pidNamespace, exclusiveToThisNamespace]), [["nested", true], ["nested", false]]);
    assert.deepEqual(answers.inspections, [{ kind: "absent", why: "no-such-process" }]);
    assert.equal(answers.own.kind === "live" && answers.own.identity.pid, answers.ownPid);
  });

  it("does not take the numbers of an outer /proc for its own", function () {
    const answers = askFrom(["unshare", "--pid", "--fork"], { pids: [1], directories: ["/"] });
    if (answers === null) this.skip();
    assert.deepEqual(answers.inspections, [{ kind: "unknown", diagnostic: "proc_of_another_pid_namespace" }]);
    assert.equal(answers.environments[0]?.pidNamespace, "unknown");
  });

  it("finds an owner in a child pid namespace by the number that it has there", async function () {
    const holder = start("unshare", ["--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", "sleep 60 & echo $!; wait"]);
    const innermost = Number(await firstLine(holder));
    if (innermost === 0) {
      console.log("skipped: no pid namespace can be made here");
      this.skip();
    }
    const { pidNamespace, exclusiveToThisNamespace, nsPidMatch } = await createProcessInspector().environment(directory, innermost);
    assert.equal(nsPidMatch, pidNamespace === "initial" || exclusiveToThisNamespace);
    assert.equal((await verdictOf(lockOf(innermost, "Thu Jan  1 00:07:00 1970"), directory)).split(" ")[0], "unknown");
  });

  it("looks at 1,000 owners within 500 ms without starting a process", async () => {
    let commands = 0;
    const port = { ...nodePlatformPort, execute: (...args: Parameters<typeof nodePlatformPort.execute>) => (commands++, nodePlatformPort.execute(...args)) };
    const pids = Array.from({ length: 1000 }, (_, index) => (index % 3 === 0 ? process.pid - index : index % 3 === 1 ? process.pid : index));
    const times: number[] = [];
    for (let round = 0; round < 5 && !times.some((time) => time <= 500); round++) {
      const observer = createProcessInspector({ port });
      const begin = performance.now();
      await Promise.all(pids.map(async (pid) => [await observer.inspect(pid), await observer.startInstant(pid), await observer.environment(directory, pid)]));
      times.push(performance.now() - begin);
    }
    assert.equal(commands, 0);
    assert.ok(Math.min(...times) <= 500, `${times.map(Math.round).join(", ")} ms`);
  });
});
