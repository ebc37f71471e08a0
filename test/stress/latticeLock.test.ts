import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { scanRunState } from "../../src/core/scan/scanRunState.js";
import type { LockLine, LockTask } from "./latticeLockWorker.js";

/** `npm run stress` sets it; everywhere else the same is played in its short form. */
const isLong = process.env["RUN_STATE_STRESS"] === "long";
const wanted = isLong ? { acquisitions: 5_000, kills: 500 } : { acquisitions: 25, kills: 5 };
/** Guards against a standstill; not a claim about speed. */
const deadlineMs = isLong ? 3_000_000 : 90_000;
const killEveryMs = isLong ? 150 : 400;

/** A sitter is never killed and holds the lock longer than any repair takes: whoever displaces the living is caught at it. */
type Player = LockTask["role"] | "sitter";

interface Mix {
  readonly name: string;
  readonly players: readonly Player[];
  /** Milliseconds at most between two attempts of a runtime. A busy one recovers what is stale before anybody of ours can. */
  readonly modelPauseMs: number;
  /** With two runtimes or more their own recovery takes live locks away (spec/lattice.md W5, W6): what happens soon after is theirs. */
  readonly excusesRuntime: boolean;
}

const mixes: readonly Mix[] = [
  { name: "three of ours and one runtime, killed at random, while a person quarantines and restores", players: ["ours", "ours", "model", "person", "sitter"], modelPauseMs: 1_500, excusesRuntime: false },
  { name: "two of ours and four runtimes, killed at random, while a person quarantines and restores", players: ["ours", "model", "model", "model", "model", "person", "sitter"], modelPauseMs: 5, excusesRuntime: true },
];

class Stress {
  readonly root = fs.mkdtempSync(path.join(os.tmpdir(), "lattice-stress-"));
  readonly workspace = path.join(this.root, "workspace");
  readonly run = path.join(this.workspace, ".lattice", "runs", "run-1");
  readonly lockPath = path.join(this.run, ".lifecycle.lock");
  readonly #journals = path.join(this.root, "journals");
  readonly #script = path.join(this.root, "worker.mjs");
  readonly #killedAt = new Map<number, bigint>();
  readonly #running = new Map<ChildProcess, Player>();
  #started = 0;
  #isOver = false;

  constructor(private readonly mix: Mix) {}

  async play(): Promise<readonly LockLine[]> {
    fs.mkdirSync(this.run, { recursive: true });
    fs.mkdirSync(this.#journals);
    // Bundled once: a process that is killed after a moment must not spend that moment on compiling.
    await build({
      entryPoints: [fileURLToPath(new URL("latticeLockWorker.ts", import.meta.url))],
      outfile: this.#script,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      mainFields: ["module", "main"],
      logLevel: "silent",
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    const workers = this.mix.players.map((player) => this.#keepRunning(player));
    await this.#killUntilEnough();
    this.#isOver = true;
    // Whoever was just killed cannot hear it, and need not.
    for (const child of this.#running.keys()) child.send("stop", () => undefined);
    await Promise.all(workers);
    return this.#lines();
  }

  async #keepRunning(player: Player): Promise<void> {
    while (!this.#isOver) {
      const seed = 7_919 * (this.#started += 1);
      const role = player === "sitter" ? "ours" : player;
      const pauseMs = player === "sitter" ? 2_000 : player === "model" ? this.mix.modelPauseMs : 5;
      const task: LockTask = { role, holdMs: player === "sitter" ? 3_000 : 15, pauseMs, root: this.workspace, lockPath: this.lockPath, marker: path.join(this.root, "marker"), journal: path.join(this.#journals, `${role}-${this.#started}.jsonl`), seed };
      const child = fork(this.#script, [JSON.stringify(task)], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
      this.#running.set(child, player);
      const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
      this.#running.delete(child);
      assert.ok(code === 0 || (child.pid !== undefined && this.#killedAt.has(child.pid)), `a ${player} ended with ${code ?? "a signal"} although nobody killed it`);
    }
  }

  /** Now and then whoever has the lock, else anybody: also in the middle of a recovery, a repair, a write. */
  async #killUntilEnough(): Promise<void> {
    const end = performance.now() + deadlineMs;
    for (let count = 0; !this.#isEnough() && performance.now() < end; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, killEveryMs));
      const holder = count % 4 === 0 ? this.#holder() : null;
      const victims = [...this.#running].flatMap(([child, player]) => (player !== "sitter" && (holder === null || child.pid === holder) ? [child] : []));
      const victim = victims[(count * 31) % Math.max(1, victims.length)];
      if (victim?.pid === undefined) continue;
      // Before the signal: from then on the process may be gone, and its lock anybody's.
      this.#killedAt.set(victim.pid, process.hrtime.bigint());
      victim.kill("SIGKILL");
    }
  }

  #isEnough(): boolean {
    const acquired = this.#lines().filter(({ event }) => event === "acquired");
    const roles = new Set(acquired.map(({ role }) => role));
    return acquired.length >= wanted.acquisitions && this.#killedAt.size >= wanted.kills && roles.size === 2 && (this.mix.excusesRuntime || this.#items().length > 0);
  }

  /** What our repairs have set aside. */
  #items(): readonly string[] {
    const quarantine = path.join(this.workspace, ".lattice", "quarantine", "run-1");
    return fs.existsSync(quarantine) ? fs.readdirSync(quarantine).filter((name) => name.endsWith(".record.json")) : [];
  }

  #holder(): number | null {
    try {
      return (JSON.parse(fs.readFileSync(this.lockPath, "utf8")) as { owner_pid: number }).owner_pid;
    } catch {
      return null;
    }
  }

  #lines(): readonly LockLine[] {
    const lines = fs.readdirSync(this.#journals).flatMap((name) =>
      fs
        .readFileSync(path.join(this.#journals, name), "utf8")
        .split("\n")
        // A killed process may leave half a line.
        .flatMap((line) => (line.endsWith("}") ? [JSON.parse(line) as LockLine] : [])),
    );
    return lines.sort((a, b) => (BigInt(a.at) < BigInt(b.at) ? -1 : 1));
  }

  /** Second detector: intervals of holding, from the journals alone. */
  overlaps(lines: readonly LockLine[]): readonly bigint[] {
    const found: bigint[] = [];
    let holders: { readonly pid: number; readonly until: bigint | null }[] = [];
    for (const { event, pid, at } of lines) {
      const now = BigInt(at);
      holders = holders.filter(({ until }) => until === null || until > now);
      if (event === "acquired") {
        if (holders.some((holder) => holder.pid !== pid)) found.push(now);
        holders.push({ pid, until: this.#killedAt.get(pid) ?? null });
      }
      if (event === "releasing") holders = holders.filter((holder) => holder.pid !== pid);
    }
    return found;
  }

  /** All bytes of the store, wherever they lie. */
  everything(): string {
    const store = path.join(this.workspace, ".lattice");
    const files = fs.readdirSync(store, { recursive: true, encoding: "utf8" }).map((name) => path.join(store, name));
    return files.filter((file) => fs.lstatSync(file).isFile()).map((file) => fs.readFileSync(file, "utf8")).join("\n");
  }

  dispose(): void {
    this.#isOver = true;
    for (const child of this.#running.keys()) child.kill("SIGKILL");
    fs.rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

const excuseNs = 5_000_000_000n;

describe(`lattice lifecycle lock under stress (${isLong ? "long" : "short"} form)`, function () {
  this.timeout(deadlineMs + 60_000);

  for (const mix of mixes) {
    it(`no two owners because of us, nothing lost, nothing hidden: ${mix.name}`, async function () {
      if (process.platform !== "linux") this.skip();
      const stress = new Stress(mix);
      try {
        const lines = await stress.play();
        const isExcused = (at: bigint): boolean =>
          mix.excusesRuntime && lines.some((line) => line.event === "displaced-other" && BigInt(line.at) <= at + excuseNs && BigInt(line.at) >= at - excuseNs);

        const byMarker = lines.filter(({ event }) => event === "overlap").map(({ at }) => BigInt(at));
        assert.deepEqual([...byMarker, ...stress.overlaps(lines)].filter((at) => !isExcused(at)), []);

        // Whoever was told that he has the lock finds it there when he gives it back.
        assert.deepEqual(lines.filter(({ event, at }) => event === "failed" && !isExcused(BigInt(at))), []);

        const acquired = lines.filter(({ event }) => event === "acquired");
        const accounted = new Set(lines.filter(({ event }) => event === "releasing" || event === "deleting").map(({ digest }) => digest));
        const bytes = stress.everything();
        for (const { digest, role, at } of acquired) assert.ok(accounted.has(digest) || bytes.includes(digest) || isExcused(BigInt(at)), `the lock ${digest} of ${role} is nowhere`);

        assert.ok(acquired.length >= wanted.acquisitions, `${acquired.length} acquisitions`);
        for (const role of ["ours", "model"] as const) assert.ok(acquired.some((line) => line.role === role), `${role} never had the lock`);

        // What the killed have left is all shown, and a person can settle it.
        const store = (await scanRunState([stress.workspace])).roots[0]?.stores[0];
        const [run] = store?.runs ?? [];
        assert.ok(store !== undefined && run !== undefined);
        const strange = store.quarantine.filter((entry) => entry.kind === "unreadable" && entry.reason !== "temporary-file");
        assert.deepEqual(strange, []);
        if (!mix.excusesRuntime) assert.ok(store.quarantine.length > 0, "there was something to repair");
        const known = new Set([...run.claims, ...run.problems].map((row) => path.basename(row.path)));
        assert.deepEqual(fs.readdirSync(stress.run).filter((name) => !known.has(name)), []);
      } finally {
        stress.dispose();
      }
    });
  }
});
