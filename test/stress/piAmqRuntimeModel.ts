// Owns: a second implementation of pi-amq's lease protocol, written from spec/pi-amq.md sections 1 to 9 with nothing of the product
// in it, defects included: the opponent in the stress tests. Leaves to others: the product's own (src/core/systems/pi-amq).
import { createHash, randomUUID } from "node:crypto";
import { constants, readFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";

type Json = Record<string, unknown>;

interface Identity {
  readonly pid: number;
  readonly processStartIdentity: string;
  readonly bootIdentity: string | null;
  readonly executable: string;
  readonly hostname: string;
}

/** `moved` that differs from `judged`: pi-amq's known race (section 12, 1) took something away that nobody had judged. */
export interface Displacement {
  readonly stem: string;
  readonly judged: string;
  readonly moved: string | null;
}

type Result = { readonly kind: string; readonly owner?: Json; readonly reason?: string };

const safe = (text: string): string => text.replace(/[^A-Za-z0-9._-]/g, "_");
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

const bootIdentity = `linux:boot_id:${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`;

/** Null: absent. */
function observe(pid: number): Omit<Identity, "executable"> | null {
  const ticks = exists(pid) ? startTicks(pid) : null;
  return ticks === null ? null : { pid, processStartIdentity: `linux:starttime:${ticks}`, bootIdentity, hostname: os.hostname() };
}

/** What the runtime refuses; a fence error where nothing else is said. */
export class Refused extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

interface Resource {
  readonly stem: string;
  readonly resourceId: string;
  readonly kind: string;
  readonly parent: string;
  readonly lock: string;
  readonly guard: string;
}

/** Every operation of the runtime that the stress needs. Executables are the same for all workers and not compared. */
export class RuntimeModel {
  readonly #identity: Identity;

  constructor(
    private readonly namespace: string,
    private readonly workspaceId: string,
    private readonly onDisplaced: (displacement: Displacement) => void,
  ) {
    const own = observe(process.pid);
    if (own === null) throw new Error("The model cannot see its own process.");
    this.#identity = { ...own, executable: process.execPath };
  }

  #supervisor(): Resource {
    const at = (name: string): string => path.join(this.namespace, name);
    return { stem: "supervisor", resourceId: this.workspaceId, kind: "supervisor", parent: this.namespace, lock: at("supervisor.lock"), guard: at("supervisor.lifecycle.guard.json") };
  }

  #worker(sessionPath: string): Resource {
    const hash = createHash("sha256").update(path.resolve(sessionPath)).digest("hex");
    const parent = path.join(this.namespace, "worker-session-leases");
    return { stem: `worker-session.${hash}`, resourceId: hash, kind: "worker-session", parent, lock: path.join(parent, `${hash}.lock`), guard: path.join(parent, `${hash}.lifecycle.guard.json`) };
  }

  async #syncDirectory(directory: string): Promise<void> {
    const handle = await fs.open(directory, constants.O_RDONLY);
    await handle.sync();
    await handle.close();
  }

  /** Temporary file and hard link, so that the record appears complete. */
  async #createOnly(file: string, record: Json): Promise<void> {
    const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
    await fs.writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`, { flag: "wx", flush: true });
    try {
      await fs.link(temporary, file);
    } finally {
      await fs.unlink(temporary);
    }
  }

  async #readJson(file: string): Promise<Json | null> {
    try {
      return JSON.parse(await fs.readFile(file, "utf8")) as Json;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      throw new Refused("corrupt");
    }
  }

  #classify(record: Json): "live" | "stale" | "remote" {
    if (record["hostname"] !== this.#identity.hostname) return "remote";
    const observed = observe(Number(record["pid"]));
    return observed !== null && observed.processStartIdentity === record["processStartIdentity"] ? "live" : "stale";
  }

  async #underGuard<Value>(resource: Resource, operation: () => Promise<Value>): Promise<Value> {
    for (const directory of [this.namespace, path.join(this.namespace, "worker-session-leases"), path.join(this.namespace, "quarantine")]) {
      await fs.mkdir(directory, { recursive: true, mode: 0o700 });
    }
    const generation = randomUUID();
    await this.#takeGuard(resource, generation);
    const outcome = await operation().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const guard = await this.#readJson(resource.guard).catch(() => null);
    // As in pi-amq, a lost guard hides whatever the operation had given.
    if (guard?.["generation"] !== generation) throw new Refused("guard changed before release");
    await fs.unlink(resource.guard);
    await this.#syncDirectory(resource.parent);
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  async #takeGuard(resource: Resource, generation: string): Promise<void> {
    const deadline = Date.now() + 1000;
    for (;;) {
      try {
        await this.#createOnly(resource.guard, { schema: 1, generation, ...this.#identity, createdAt: new Date().toISOString() });
        return;
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
      }
      const guard = await this.#readJson(resource.guard);
      if (guard === null) continue;
      const verdict = this.#classify(guard);
      if (verdict === "remote") throw new Refused("lifecycle-unverifiable");
      if (verdict === "stale") {
        await this.#displaceGuard(resource, String(guard["generation"]));
        continue;
      }
      if (Date.now() >= deadline) throw new Refused("lifecycle-busy");
      await sleep(5);
    }
  }

  /** By name, not by generation: whatever guard is there by now is moved. */
  async #displaceGuard(resource: Resource, judged: string): Promise<void> {
    const target = path.join(this.namespace, "quarantine", `guard.${resource.stem}.${safe(judged)}.${randomUUID()}.json`);
    try {
      await fs.rename(resource.guard, target);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return;
      throw error;
    }
    const moved = await this.#readJson(target).catch(() => null);
    this.onDisplaced({ stem: resource.stem, judged, moved: moved === null ? null : String(moved["generation"]) });
    await this.#syncDirectory(resource.parent);
    await this.#syncDirectory(this.namespace);
  }

  async #project(resource: Resource): Promise<Json | null> {
    const owner = await this.#readJson(path.join(resource.lock, "owner.json"));
    if (owner !== null) return owner;
    const isThere = await fs.stat(resource.lock).then(
      () => true,
      () => false,
    );
    if (isThere) throw new Refused("corrupt-owner");
    return null;
  }

  async #acquire(resource: Resource, owner: Json): Promise<Result> {
    const existing = await this.#project(resource);
    if (existing !== null) {
      const verdict = this.#classify(existing);
      if (verdict === "live") return { kind: "held", owner: existing };
      if (verdict === "remote") return { kind: "refused", reason: "remote-owner" };
      const judged = String(existing["generation"]);
      const target = path.join(this.namespace, "quarantine", `${resource.stem}.${safe(judged)}.${Date.now()}.${randomUUID()}`);
      await fs.rename(resource.lock, target);
      const moved = await this.#readJson(path.join(target, "owner.json")).catch(() => null);
      this.onDisplaced({ stem: resource.stem, judged, moved: moved === null ? null : String(moved["generation"]) });
      await this.#syncDirectory(resource.parent);
      await this.#syncDirectory(this.namespace);
    }
    const prepared = await fs.mkdtemp(path.join(resource.parent, ".lease.prepare-"));
    try {
      await fs.writeFile(path.join(prepared, "owner.json"), `${JSON.stringify(owner, null, 2)}\n`, { flag: "wx", flush: true });
      await this.#syncDirectory(prepared);
      await fs.rename(prepared, resource.lock);
    } catch (error) {
      await fs.rm(prepared, { recursive: true, force: true });
      throw error;
    }
    await this.#syncDirectory(resource.parent);
    return { kind: "acquired", owner };
  }

  async #release(resource: Resource, generation: string): Promise<Result> {
    const owner = await this.#project(resource);
    if (owner === null || owner["generation"] !== generation) return { kind: "not-owner" };
    const released = path.join(this.namespace, `.${resource.stem}.released-${safe(generation)}-${randomUUID()}`);
    await fs.rename(resource.lock, released);
    await this.#syncDirectory(resource.parent);
    await fs.rm(released, { recursive: true });
    await this.#syncDirectory(this.namespace);
    return { kind: "released" };
  }

  #owner(resource: Resource, worker: Json): Json {
    const none = { runId: null, workerId: null, attemptId: null, workerAttemptGeneration: null, supervisorGeneration: null, sessionPath: null };
    return {
      schema: 1,
      kind: resource.kind,
      stage: "active",
      generation: randomUUID(),
      workspaceId: this.workspaceId,
      resourceId: resource.resourceId,
      ...none,
      ...worker,
      ...this.#identity,
      createdAt: new Date().toISOString(),
    };
  }

  async #asSupervisor<Value>(generation: string, operation: () => Promise<Value>): Promise<Value> {
    const resource = this.#supervisor();
    return await this.#underGuard(resource, async () => {
      const owner = await this.#project(resource);
      if (owner?.["generation"] !== generation || owner["pid"] !== process.pid) throw new Refused("supervisor_not_current");
      return await operation();
    });
  }

  acquireSupervisor(): Promise<Result> {
    const resource = this.#supervisor();
    return this.#underGuard(resource, () => this.#acquire(resource, this.#owner(resource, {})));
  }

  releaseSupervisor(generation: string): Promise<Result> {
    const resource = this.#supervisor();
    return this.#underGuard(resource, () => this.#release(resource, generation));
  }

  acquireWorkerSession(supervisorGeneration: string, sessionPath: string): Promise<Result> {
    const resource = this.#worker(sessionPath);
    const worker = { runId: "r", workerId: "w", attemptId: "a", workerAttemptGeneration: "g", supervisorGeneration, sessionPath };
    return this.#asSupervisor(supervisorGeneration, () => this.#underGuard(resource, () => this.#acquire(resource, this.#owner(resource, worker))));
  }

  releaseWorkerSession(supervisorGeneration: string, sessionPath: string, generation: string): Promise<Result> {
    const resource = this.#worker(sessionPath);
    return this.#asSupervisor(supervisorGeneration, () => this.#underGuard(resource, () => this.#release(resource, generation)));
  }
}
