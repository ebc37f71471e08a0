import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { inspectNamespace } from "../../src/core/systems/pi-amq/inspectNamespace.js";
import type { JournalLine, WorkerTask } from "./piAmqWorker.js";

/** `npm run stress` sets it; everywhere else the same is played in its short form. */
const isLong = process.env["RUN_STATE_STRESS"] === "long";
const cycles = isLong ? 2_000 : 8;
const deadlineMs = isLong ? 3_500_000 : 200_000;
/** In memory where there is such a place: many more interleavings in the same time, and no test here is about power cuts. */
const scratch = fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir();
const sessions = Array.from({ length: 16 }, (_, index) => `/sessions/s${index}`);

interface Mix {
  readonly name: string;
  readonly roles: readonly WorkerTask["role"][];
  /** SIGKILLs in all; each killed process is started again. */
  readonly kills: number;
}

const eight = <Role>(role: Role): Role[] => Array.from({ length: 8 }, () => role);
const mixes: readonly Mix[] = [
  { name: "eight of ours, killed at random, while a person quarantines and restores", roles: [...eight("ours" as const), "person"], kills: isLong ? 400 : 6 },
  { name: "four of ours and four of the runtime, nobody killed", roles: ["ours", "ours", "ours", "ours", "model", "model", "model", "model", "person"], kills: 0 },
  { name: "four of ours and four of the runtime, killed at random, while a person quarantines and restores", roles: ["ours", "ours", "ours", "ours", "model", "model", "model", "model", "person"], kills: isLong ? 400 : 6 },
];

class Stress {
  readonly root = fs.mkdtempSync(path.join(scratch, "amq-stress-"));
  readonly namespace = path.join(this.root, "namespace");
  readonly #markers = path.join(this.root, "markers");
  readonly #journals = path.join(this.root, "journals");
  readonly #script = path.join(this.root, "worker.mjs");
  readonly #killedAt = new Map<number, bigint>();
  readonly #running = new Set<ChildProcess>();
  #started = 0;
  #isOver = false;

  constructor(private readonly mix: Mix) {
    for (const directory of [this.#markers, this.#journals]) fs.mkdirSync(directory);
  }

  async run(): Promise<readonly JournalLine[]> {
    // Bundled once: a process that is killed after a moment must not spend that moment on compiling.
    await build({ entryPoints: [path.join(import.meta.dirname, "piAmqWorker.ts")], outfile: this.#script, bundle: true, platform: "node", format: "esm", target: "node20", mainFields: ["module", "main"], logLevel: "silent", banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" } });
    const deadline = setTimeout(() => this.#endAll(), deadlineMs);
    const workers = this.mix.roles.filter((role) => role !== "person").map((role) => this.#keepRunning(role, cycles));
    const person = this.mix.roles.includes("person") ? this.#start("person", 0) : null;
    const killer = this.#killSome();
    await Promise.all(workers);
    await killer;
    person?.send("stop");
    if (person !== null) await exitOf(person);
    clearTimeout(deadline);
    assert.ok(!this.#isOver, "the workers did not come to an end");
    return this.lines();
  }

  #start(role: WorkerTask["role"], count: number): ChildProcess {
    const seed = 7_919 * (this.#started += 1);
    const task: WorkerTask = { role, namespace: this.namespace, workspaceId: "ws-stress", markers: this.#markers, journal: path.join(this.#journals, `${role}-${this.#started}.jsonl`), cycles: count, sessions, seed };
    const child = fork(this.#script, [JSON.stringify(task)], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    this.#running.add(child);
    child.once("exit", () => this.#running.delete(child));
    return child;
  }

  /** Starts a worker again until one came to its end by itself. */
  async #keepRunning(role: WorkerTask["role"], count: number): Promise<void> {
    for (;;) {
      const child = this.#start(role, count);
      const code = await exitOf(child);
      if (code === 0 || this.#isOver) return;
      // A model that was given an error ends itself, as its user would.
      const isExpected = (child.pid !== undefined && this.#killedAt.has(child.pid)) || (role === "model" && code === 4);
      assert.ok(isExpected, `a worker ended with ${code ?? "a signal"} although nobody killed it`);
    }
  }

  /** Kills those who hold a session, where possible: a stale worker lease stays until somebody wants that very session. */
  async #killSome(): Promise<void> {
    for (let left = this.mix.kills; left > 0; left -= 1) {
      await pause(isLong ? 100 : 200);
      let victim = this.#victim(/^s\d/);
      for (let tries = 0; victim === null && tries < 200 && this.#running.size > 1 && !this.#isOver; tries += 1) {
        await pause(2);
        victim = this.#victim(tries < 100 ? /^s\d/ : /./);
      }
      if (victim?.pid === undefined) continue;
      // Before the signal: from then on the process may be gone, and its leases anybody's.
      this.#killedAt.set(victim.pid, process.hrtime.bigint());
      victim.kill("SIGKILL");
    }
  }

  #victim(marker: RegExp): ChildProcess | null {
    const pids = fs.readdirSync(this.#markers).filter((name) => marker.test(name)).map((name) => this.#holder(name));
    return [...this.#running].find(({ pid }) => pid !== undefined && pids.includes(pid) && !this.#killedAt.has(pid)) ?? null;
  }

  #holder(marker: string): number {
    try {
      return Number(fs.readFileSync(path.join(this.#markers, marker), "utf8"));
    } catch {
      // Given back between the listing and now.
      return 0;
    }
  }

  lines(): readonly JournalLine[] {
    const lines = fs.readdirSync(this.#journals).flatMap((name) =>
      fs
        .readFileSync(path.join(this.#journals, name), "utf8")
        .split("\n")
        // A killed process may leave half a line.
        .flatMap((line) => (line.endsWith("}") ? [JSON.parse(line) as JournalLine] : [])),
    );
    return lines.sort((a, b) => (BigInt(a.at) < BigInt(b.at) ? -1 : 1));
  }

  /** First detector, as the workers wrote it down. A holder that has ended answers signal 0 until it is collected: that is nobody. */
  markerOverlaps(lines: readonly JournalLine[]): readonly { resource: string; at: bigint }[] {
    const ended = new Map([...lines.flatMap(({ event, pid, at }) => (event === "gone" ? [[pid, BigInt(at)] as const] : [])), ...this.#killedAt]);
    return lines
      .filter(({ event }) => event === "overlap")
      .map(({ resource, at, detail }) => ({ resource, at: BigInt(at), holder: Number(detail) }))
      .filter(({ at, holder }) => (ended.get(holder) ?? at + 1n) > at)
      .map(({ resource, at }) => ({ resource, at }));
  }

  /** Second detector: intervals of holding, from the journals alone. */
  overlaps(lines: readonly JournalLine[]): readonly { resource: string; at: bigint }[] {
    const found: { resource: string; at: bigint }[] = [];
    const holders = new Map<string, { pid: number; until: bigint | null }[]>();
    for (const { event, resource, pid, at } of lines) {
      const now = BigInt(at);
      const known = (holders.get(resource) ?? []).filter((holder) => holder.until === null || holder.until > now);
      if (event === "gone") for (const [name, all] of holders) holders.set(name, all.filter((holder) => holder.pid !== pid));
      if (event === "acquired") {
        if (known.some((holder) => holder.pid !== pid)) found.push({ resource, at: now });
        known.push({ pid, until: this.#killedAt.get(pid) ?? null });
      }
      holders.set(resource, event === "releasing" ? known.filter((holder) => holder.pid !== pid) : known);
    }
    return found;
  }

  #endAll(): void {
    this.#isOver = true;
    for (const child of this.#running) child.kill("SIGKILL");
  }

  dispose(): void {
    this.#endAll();
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function exitOf(child: ChildProcess): Promise<number | null> {
  return child.exitCode !== null || child.signalCode !== null ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once("exit", resolve));
}

/** pi-amq's known race takes a guard or lease away that nobody had judged; an overlap soon after it is its own. */
const excuseNs = 10_000_000_000n;
const isExcused = (at: bigint, lines: readonly JournalLine[]): boolean =>
  lines.some((line) => line.event === "displaced-other" && BigInt(line.at) <= at + excuseNs && BigInt(line.at) >= at - excuseNs);

/** Everything that lies in the namespace, as the tree shows it. */
async function shown(namespace: string): Promise<ReadonlySet<string>> {
  const snapshot = await inspectNamespace(namespace);
  assert.deepEqual(snapshot.problems, []);
  const leases = [...(snapshot.supervisor === null ? [] : [snapshot.supervisor]), ...snapshot.workers];
  return new Set([
    ...leases.flatMap(({ claim, guard }) => [claim.path, ...(guard === null ? [] : [guard.claim.path])]),
    ...snapshot.orphanGuards.map(({ claim }) => claim.path),
    ...snapshot.leftovers.map(({ claim }) => claim.path),
    ...snapshot.quarantine.flatMap(({ path: item, hasRecord }) => [item, ...(hasRecord ? [`${item}.record.json`] : [])]),
    ...snapshot.foreign.map(({ path: item }) => item),
  ]);
}

function everything(namespace: string): readonly string[] {
  const inside = ["", "worker-session-leases", "quarantine"].flatMap((directory) => fs.readdirSync(path.join(namespace, directory)).map((name) => path.join(namespace, directory, name)));
  return inside.filter((file) => !["worker-session-leases", "quarantine"].includes(path.relative(namespace, file)));
}

function textOf(namespace: string): string {
  return fs
    .readdirSync(namespace, { recursive: true, encoding: "utf8" })
    .filter((name) => fs.statSync(path.join(namespace, name)).isFile())
    .map((name) => fs.readFileSync(path.join(namespace, name), "utf8"))
    .join("\n");
}

describe(`pi-amq leases under stress (${isLong ? "long" : "short"} form)`, function () {
  this.timeout(isLong ? 3_600_000 : 240_000);
  for (const mix of mixes) {
    it(`no two owners because of us, nothing lost, nothing hidden: ${mix.name}`, async () => {
      const stress = new Stress(mix);
      try {
        const lines = await stress.run();
        const byMarker = stress.markerOverlaps(lines);
        const unexcused = [...byMarker, ...stress.overlaps(lines)].filter(({ at }) => !isExcused(at, lines));
        assert.deepEqual(unexcused, []);

        // Whoever was told that he has a lease finds it there when he gives it back.
        const trouble = lines.filter(({ event, at }) => (event === "lost" || event === "failed") && !isExcused(BigInt(at), lines));
        assert.deepEqual(trouble, []);

        const acquired = lines.filter(({ event }) => event === "acquired");
        const releasing = new Set(lines.filter(({ event }) => event === "releasing").map(({ generation }) => generation));
        assert.ok(acquired.length >= cycles * 8);
        const text = textOf(stress.namespace);
        for (const { generation, resource } of acquired) assert.ok(releasing.has(generation) || text.includes(generation), `${resource} ${generation} is nowhere`);

        const visible = await shown(stress.namespace);
        assert.deepEqual(everything(stress.namespace).filter((file) => !visible.has(file)), []);
        if (mix.kills > 0) assert.ok(lines.some(({ event }) => event === "quarantined"), "the person had something to do");
      } finally {
        stress.dispose();
      }
    });
  }
});
