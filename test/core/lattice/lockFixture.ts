// Owns: run directories and locks on the real disk for the tests of lattice locks.
// Leaves to others: what a test asserts.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { sealLifecycleLock, sealStartIdentity } from "../../../src/core/systems/lattice/lifecycleLock.js";
import type { LifecycleLock } from "../../../src/core/systems/lattice/lifecycleLockRecord.js";
import type { Clock } from "../../../src/core/ports.js";

/** What the fake process table says of the owner of `lockOf()`: its start text is that instant in UTC. */
export const ownerStartText = "Tue Dec  1 02:00:00 2026";
export const ownerStartSeconds = Date.UTC(2026, 11, 1, 2, 0, 0) / 1000;
export const ownerPid = 4242;

export interface LockOptions {
  readonly pid?: number;
  readonly started?: string;
  readonly platform?: string;
  readonly operation?: string;
  readonly requestId?: string;
}

export function lockOf(options: LockOptions = {}): { readonly lock: LifecycleLock; readonly bytes: Uint8Array } {
  const { pid = ownerPid, started = ownerStartText, platform = "linux", operation = "recompile", requestId = "request-a" } = options;
  return sealLifecycleLock({
    owner_pid: pid,
    owner_process_start_identity: sealStartIdentity({ platform, pid, started_identity: started }),
    session_nonce_digest: "a".repeat(64),
    operation,
    request_id: requestId,
    acquired_at: "2026-12-01T02:00:01.000Z",
  });
}

/** A workspace folder in a temporary directory. */
export class Workspace {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "run-state-")));
  readonly store = path.join(this.root, ".lattice");
  readonly runs = path.join(this.store, "runs");

  run(name: string): string {
    const directory = path.join(this.runs, name);
    fs.mkdirSync(directory, { recursive: true });
    return directory;
  }

  /** Writes a file of a run, 0600 as the runtime does, and makes it `ageMs` old. */
  write(name: string, file: string, content: Uint8Array | string, ageMs = 3_600_000): string {
    const target = path.join(this.run(name), file);
    fs.writeFileSync(target, content, { mode: 0o600 });
    const at = new Date(Date.now() - ageMs);
    fs.utimesSync(target, at, at);
    return target;
  }

  remove(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

/** A clock whose waiting takes no time: it moves itself forward. Its monotonic side moves by waiting only. */
export class JumpingClock implements Clock {
  #offset = 0;
  readonly slept: number[] = [];
  /** Runs during each sleep: what others do meanwhile. */
  duringSleep: (ms: number) => void | Promise<void> = () => {};

  now(): number {
    return Date.now() + this.#offset;
  }

  monotonic(): number {
    return this.#offset;
  }

  async sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.#offset += ms;
    await this.duringSleep(ms);
  }
}
