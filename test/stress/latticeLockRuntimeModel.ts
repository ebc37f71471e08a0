// Owns: a second implementation of the lifecycle lock, written from spec/lattice.md section 4 with nothing of the product in it,
// weaknesses included: the opponent in the stress test.
// Leaves to others: the product's own (src/core/systems/lattice).
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import path from "node:path";

type Json = Record<string, unknown>;

export class ModelError extends Error {
  constructor(readonly code: "RUN_BUSY" | "RUN_LOCK_INVALID" | "RUN_LOCK_OWNER_MISMATCH") {
    super(code);
  }
}

export interface ModelEvents {
  /** Its recovery renamed a lock away that it had not judged (W6). */
  displacedOther(judged: string, moved: string): void;
  /** Its recovery is about to delete what it took away: a lock that it had judged, or one that it could not read (W4, W7). */
  deleting(digest: string): void;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value as Json).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}

function sealed(body: Json, field: string): Json {
  return { ...body, [field]: createHash("sha256").update(canonical(body)).digest("hex") };
}

const bootSeconds = Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]);

/** What `ps -o lstart=` prints; throws when there is no such process, as the runtime's observer does. A zombie still has one (W10). */
function startText(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  const [weekday = "", month = "", day = "", year = "", time = ""] = new Date((bootSeconds + Math.floor(ticks / 100)) * 1_000).toString().split(" ");
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}

function identityOf(pid: number): Json {
  return sealed({ schema: "lattice.process_start_identity.v1", platform: process.platform, pid, started_identity: startText(pid) }, "identity_digest");
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

export class LockModel {
  readonly #directory: string;

  constructor(
    private readonly lockPath: string,
    /** How long its `ps` takes, in ms: the window of its races. */
    private readonly observationMs: number,
    private readonly events: ModelEvents,
  ) {
    this.#directory = path.dirname(lockPath);
  }

  /** The digest of the lock that it took. */
  async acquire(requestId: string, timeoutMs: number): Promise<string> {
    const lock = sealed(
      {
        schema: "lattice.runtime_lifecycle_lock.v1",
        owner_pid: process.pid,
        owner_process_start_identity: identityOf(process.pid),
        session_nonce_digest: "b".repeat(64),
        operation: "recompile",
        request_id: requestId,
        acquired_at: new Date().toISOString(),
      },
      "lock_digest",
    );
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      if (await this.#create(`${canonical(lock)}\n`)) return String(lock["lock_digest"]);
      try {
        const existing = await this.#read(this.lockPath);
        if (existing !== null && (await this.#isStale(existing))) {
          await this.#recover(existing);
          continue;
        }
        if (existing === null) continue;
      } catch (error) {
        if (!(error instanceof ModelError) || error.code !== "RUN_BUSY") throw error;
      }
      if (Date.now() >= deadline) throw new ModelError("RUN_BUSY");
      await pause(10);
    }
  }

  async release(digest: string): Promise<void> {
    const lock = await this.#read(this.lockPath);
    if (lock?.["lock_digest"] !== digest) throw new ModelError("RUN_LOCK_OWNER_MISMATCH");
    await fs.unlink(this.lockPath);
    await this.#syncDirectory();
  }

  async #create(text: string): Promise<boolean> {
    let handle: fs.FileHandle;
    try {
      handle = await fs.open(this.lockPath, "wx", 0o600);
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    }
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await this.#syncDirectory();
    return true;
  }

  async #read(file: string): Promise<Json | null> {
    let text: string;
    try {
      const stat = await fs.lstat(file);
      if (!stat.isFile() || stat.nlink !== 1) throw new ModelError("RUN_LOCK_INVALID");
      text = await fs.readFile(file, "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    }
    let lock: Json;
    try {
      lock = JSON.parse(text) as Json;
    } catch {
      throw new ModelError("RUN_BUSY");
    }
    if (`${canonical(lock)}\n` !== text) throw new ModelError("RUN_LOCK_INVALID");
    return lock;
  }

  async #isStale(lock: Json): Promise<boolean> {
    const pid = Number(lock["owner_pid"]);
    await pause(this.observationMs);
    try {
      return identityOf(pid)["identity_digest"] !== (lock["owner_process_start_identity"] as Json)["identity_digest"];
    } catch {
      return !exists(pid);
    }
  }

  async #recover(judged: Json): Promise<void> {
    const aside = path.join(this.#directory, `.${path.basename(this.lockPath)}.${process.pid}.${randomUUID()}.stale`);
    try {
      await fs.rename(this.lockPath, aside);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return;
      throw error;
    }
    const digest = String(judged["lock_digest"]);
    let moved: Json | null = null;
    try {
      moved = await this.#read(aside);
    } catch (error) {
      this.events.displacedOther(digest, "unreadable");
      this.events.deleting("unreadable");
      await fs.unlink(aside);
      throw error;
    }
    const other = String(moved?.["lock_digest"]);
    if (other !== digest) {
      this.events.displacedOther(digest, other);
      await fs.rename(aside, this.lockPath);
      throw new ModelError("RUN_BUSY");
    }
    this.events.deleting(digest);
    await fs.unlink(aside);
    await this.#syncDirectory();
  }

  async #syncDirectory(): Promise<void> {
    const handle = await fs.open(this.#directory, "r");
    await handle.sync();
    await handle.close();
  }
}
