// Each case is run in a run directory of a real store, so that what is recovered goes to quarantine and the run directory itself
// shows exactly what the runtime would have left, but for the weaknesses that ours avoids (spec/lattice.md 4.7).
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { acquireLifecycleLock, type AcquireOptions } from "../../src/core/systems/lattice/acquireLifecycleLock.js";
import { sealLifecycleLock, sealStartIdentity } from "../../src/core/systems/lattice/lifecycleLock.js";
import { LifecycleLockError } from "../../src/core/systems/lattice/lifecycleLockError.js";
import type { LifecycleLock } from "../../src/core/systems/lattice/lifecycleLockRecord.js";
import { releaseLifecycleLock } from "../../src/core/systems/lattice/releaseLifecycleLock.js";
import { consumeVectors, type VectorCase } from "./vectors.js";

interface LockCase extends VectorCase {
  readonly lock_bytes_base64?: string | null;
  readonly observer?: string;
  readonly pid_exists?: boolean | null;
  readonly timeout_ms?: number;
  readonly owner_digest?: string;
  readonly outcome: string;
  readonly files_after: Readonly<Record<string, string>> | readonly string[];
  readonly new_lock_mode?: string;
}

const nonce = "c".repeat(64);
const ownIdentity = sealStartIdentity({ platform: "linux", pid: process.pid, started_identity: "Tue Dec  1 02:00:00 2026" });

/** A clock whose waits pass at once. */
function hastyClock(): NonNullable<AcquireOptions["clock"]> {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + ahead,
    sleep: (ms) => {
      ahead += ms;
      return Promise.resolve();
    },
  };
}

let run = "";
let lock = "";

function otherLock(): Uint8Array {
  return sealLifecycleLock({
    owner_pid: 777,
    owner_process_start_identity: sealStartIdentity({ platform: "linux", pid: 777, started_identity: "another" }),
    session_nonce_digest: nonce,
    operation: "hold",
    request_id: "another",
    acquired_at: "2026-07-21T00:00:00.000Z",
  }).bytes;
}

function swap(how: string): void {
  switch (how) {
    case "removed":
      fs.unlinkSync(lock);
      return;
    case "swapped-for-another-valid-lock":
      fs.unlinkSync(lock);
      fs.writeFileSync(lock, otherLock());
      return;
    case "swapped-for-torn":
      fs.unlinkSync(lock);
      fs.writeFileSync(lock, otherLock().subarray(0, 40));
      return;
    case "swapped-for-empty":
      fs.unlinkSync(lock);
      fs.writeFileSync(lock, "");
      return;
    case "swapped-for-symlink":
      fs.unlinkSync(lock);
      fs.symlinkSync("real", lock);
      return;
    default:
      throw new Error(`A swap that no test knows: ${how}`);
  }
}

/** What the vector calls its observer, as a function. Unknown names fail: a new kind of case must not pass unseen. */
function observerOf(vector: LockCase): NonNullable<AcquireOptions["observer"]> {
  const name = vector.observer ?? "unused";
  const recorded = (): LifecycleLock["owner_process_start_identity"] => (JSON.parse(fs.readFileSync(lock, "utf8")) as LifecycleLock).owner_process_start_identity;
  let hasSwapped = false;
  return (pid) => {
    const race = /^stale verdict; then the file is (.+)$/.exec(name);
    if (race !== null) {
      // Only the first owner is judged stale; whoever came after it is alive.
      if (hasSwapped) return sealStartIdentity({ platform: "linux", pid, started_identity: "another" });
      hasSwapped = true;
      swap(race[1] ?? "");
      return null;
    }
    switch (name) {
      case "unused":
        throw new Error("The observer must not be asked.");
      case "same identity digest":
        return recorded();
      case "different start":
        return sealStartIdentity({ ...recorded(), started_identity: "another start" });
      case "different platform":
        return sealStartIdentity({ ...recorded(), platform: "plan9" });
      case "different start and platform":
        return sealStartIdentity({ ...recorded(), platform: "plan9", started_identity: "another start" });
      case "identity of another pid":
        return sealStartIdentity({ ...recorded(), pid: pid + 1 });
      case "identity with wrong self digest":
        return { ...recorded(), identity_digest: "0".repeat(64) };
      case "malformed identity":
        return { pid };
      case "null":
        return null;
      case "undefined":
        return undefined;
      case "throws":
        throw new Error("ps failed");
      default:
        throw new Error(`An observer that no test knows: ${name}`);
    }
  };
}

const validOptions = (): AcquireOptions => ({ lockPath: lock, sessionNonceDigest: nonce, operation: "recompile", requestId: "request-b", timeoutMs: 0, ownIdentity, clock: hastyClock() });

function optionsOf(vector: LockCase): AcquireOptions {
  const base = validOptions();
  switch (vector.name) {
    case "option/relative-lock-path":
      return { ...base, lockPath: ".lifecycle.lock" };
    case "option/bad-nonce":
      return { ...base, sessionNonceDigest: "zz" };
    case "option/bad-operation":
      return { ...base, operation: "two words" };
    case "option/bad-request-id":
      return { ...base, requestId: "" };
    case "option/negative-timeout":
      return { ...base, timeoutMs: -1 };
    case "option/fractional-timeout":
      return { ...base, timeoutMs: 1.5 };
    case "option/zero-retry":
    case "option/zero-interval":
    case "option/zero-retry-interval":
      return { ...base, retryIntervalMs: 0 };
    case "option/bad-identity":
      return { ...base, ownIdentity: { ...ownIdentity, identity_digest: "0".repeat(64) } };
    case "option/identity-of-other-pid":
      return { ...base, ownIdentity: sealStartIdentity({ ...ownIdentity, pid: process.pid + 1 }) };
    case "option/now-not-function":
      return { ...base, now: 5 as unknown as () => Date };
    case "option/now-invalid-date":
      return { ...base, now: () => new Date(Number.NaN) };
    default:
      if (vector.category === "option") throw new Error(`An option that no test knows: ${vector.name}`);
      return { ...base, timeoutMs: vector.timeout_ms ?? 0, observer: observerOf(vector), pidExists: () => vector.pid_exists === true };
  }
}

/** What lies there before, for the cases that are not just bytes. */
function layOut(vector: LockCase): void {
  const bytes = vector.lock_bytes_base64;
  switch (vector.name) {
    case "symlink-to-valid":
      fs.writeFileSync(path.join(run, "real"), otherLock());
      fs.symlinkSync("real", lock);
      return;
    case "symlink-dangling":
    case "dangling-symlink":
      fs.symlinkSync("nowhere", lock);
      return;
    case "hard-linked":
      fs.writeFileSync(lock, otherLock());
      fs.linkSync(lock, path.join(run, "other"));
      return;
    case "directory":
      fs.mkdirSync(lock);
      return;
    case "old-quarantine-file-present":
      fs.writeFileSync(path.join(run, "..lifecycle.lock.4242.11111111-2222-4333-8444-555555555555.stale"), otherLock());
      return;
    default:
      // An empty text is an empty file, null is none.
      if (typeof bytes === "string") fs.writeFileSync(lock, Buffer.from(bytes, "base64"));
      else if (vector.outcome === "RELEASED") fs.writeFileSync(lock, ownedLock(vector.owner_digest));
  }
}

/** The vectors name the lock that is released by its digest only; it is one of lock-artifacts.json. */
function ownedLock(digest: string | undefined): Uint8Array {
  const artifacts = consumeVectors<VectorCase & { readonly bytes_base64: string }>("lattice/lock-artifacts.json").cases;
  const bytes = artifacts.map(({ bytes_base64: text }) => Buffer.from(text, "base64")).find((candidate) => candidate.includes(`"lock_digest":"${digest ?? ""}"`));
  assert.ok(bytes !== undefined, "no artifact has the digest of the owner");
  return bytes;
}

async function outcomeOf(run_: () => Promise<void>): Promise<string> {
  try {
    await run_();
    return "";
  } catch (error) {
    if (LifecycleLockError.is(error)) return error.code;
    const code = (error as NodeJS.ErrnoException).code;
    return `THROWS:${code ?? String(error)}`;
  }
}

const shape = (name: string): string => name.replace(/\.\d+\.[0-9a-f-]{36}\.stale$/, ".<pid>.<uuid>.stale");

/** Cases in which the runtime destroys or overwrites somebody's claim: what ours leaves instead, and the weakness avoided. */
function saferFiles(vector: LockCase): { readonly weakness: string; readonly names: readonly string[] } | null {
  if (/recovery-race\/swapped-for-(torn|empty|symlink)/.test(vector.name)) return { weakness: "W4: what a new owner is writing is deleted", names: [".lifecycle.lock"] };
  return null;
}

describe("vectors lattice/lock-protocol.json", () => {
  let directory = "";

  beforeEach(() => {
    directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "run-state-lock-")));
    run = path.join(directory, ".lattice/runs/run-a");
    lock = path.join(run, ".lifecycle.lock");
    fs.mkdirSync(run, { recursive: true });
  });

  afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

  const quarantined = (): readonly string[] => {
    const group = path.join(directory, ".lattice/quarantine/run-a");
    return fs.existsSync(group) ? fs.readdirSync(group).filter((name) => !name.endsWith(".record.json")) : [];
  };

  for (const vector of consumeVectors<LockCase>("lattice/lock-protocol.json").cases) {
    const safer = saferFiles(vector);
    it(`${vector.category}: ${vector.name}${safer === null ? "" : ` (avoids ${safer.weakness})`}`, async () => {
      layOut(vector);
      const before = fs.existsSync(lock) && fs.lstatSync(lock).isFile() ? fs.readFileSync(lock) : null;
      if (vector.category === "release") {
        const thrown = await outcomeOf(() => releaseLifecycleLock({ lockPath: lock, ownerDigest: vector.owner_digest ?? "" }));
        assert.equal(thrown === "" ? "RELEASED" : thrown, vector.outcome);
        assert.deepEqual(fs.readdirSync(run), vector.files_after);
        return;
      }
      let handle: Awaited<ReturnType<typeof acquireLifecycleLock>> | undefined;
      const thrown = await outcomeOf(async () => {
        handle = await acquireLifecycleLock(optionsOf(vector));
      });
      assert.equal(thrown === "" ? "ACQUIRED" : thrown, vector.outcome);
      const names = fs.readdirSync(run).map(shape).sort();
      if (Array.isArray(vector.files_after)) {
        // These lists were made after a release by whoever had acquired.
        await handle?.release();
        assert.deepEqual(fs.readdirSync(run).map(shape).sort(), safer?.names ?? vector.files_after);
        return;
      }
      const expected = vector.files_after as Readonly<Record<string, string>>;
      assert.deepEqual(names, Object.keys(expected).sort());
      if (expected[".lifecycle.lock"] === "unchanged") assert.deepEqual(fs.readFileSync(lock), before);
      if (handle === undefined) return;
      assert.deepEqual(fs.readFileSync(lock), Buffer.from(sealLifecycleLock(handle.lock).bytes));
      assert.equal((fs.statSync(lock).mode & 0o777).toString(8), vector.new_lock_mode);
      // W7: the runtime deletes what it recovered; ours keeps it.
      if (before !== null) assert.deepEqual(quarantined().map((name) => fs.readFileSync(path.join(directory, ".lattice/quarantine/run-a", name))), [before]);
      await handle.release();
      await handle.release();
      assert.ok(!fs.existsSync(lock));
    });
  }
});
