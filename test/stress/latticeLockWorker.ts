// Owns: one process of the stress: takes and gives back the lock as fast as it can (or repairs as a person does), and writes down
// what it was told.
// Leaves to others: starting and killing it, and what its journal means (latticeLock.test.ts).
import fs from "node:fs";
import path from "node:path";
import { createProcessInspector } from "../../src/core/process/createProcessInspector.js";
import { executeQuarantine } from "../../src/core/quarantine/executeQuarantine.js";
import { planQuarantine } from "../../src/core/quarantine/planQuarantine.js";
import { restoreFromQuarantine } from "../../src/core/quarantine/restoreFromQuarantine.js";
import { settleFrozen } from "../../src/core/quarantine/settleFrozen.js";
import { createScanIndex } from "../../src/core/scan/scanIndex.js";
import type { LatticeStoreSnapshot } from "../../src/core/scan/snapshot.js";
import { systemClock } from "../../src/core/ports.js";
import { acquireLifecycleLock } from "../../src/core/systems/lattice/acquireLifecycleLock.js";
import { LifecycleLockError } from "../../src/core/systems/lattice/lifecycleLockError.js";
import { LockModel, ModelError } from "./latticeLockRuntimeModel.js";

export interface LockTask {
  readonly role: "ours" | "model" | "person";
  /** Workspace folder whose only run holds the lock. */
  readonly root: string;
  readonly lockPath: string;
  /** Marker of the first overlap detector. */
  readonly marker: string;
  /** This process's own file; the second detector reads all of them. */
  readonly journal: string;
  readonly seed: number;
  /** Milliseconds at most between two attempts. */
  readonly pauseMs: number;
  /** Milliseconds at most of holding the lock. */
  readonly holdMs: number;
}

/** `at`: nanoseconds of the monotonic clock, which all processes of one boot share. */
export interface LockLine {
  readonly at: string;
  readonly pid: number;
  readonly role: LockTask["role"];
  readonly event: "acquired" | "releasing" | "released" | "overlap" | "displaced-other" | "deleting" | "failed" | "quarantined" | "restored";
  readonly digest: string;
  readonly detail: string;
}

const task = JSON.parse(process.argv[2] ?? "{}") as LockTask;
const journal = fs.openSync(task.journal, "a");
const stop = new AbortController();

function note(event: LockLine["event"], digest = "", detail = ""): void {
  const line: LockLine = { at: process.hrtime.bigint().toString(), pid: process.pid, role: task.role, event, digest, detail };
  fs.writeSync(journal, `${JSON.stringify(line)}\n`);
}

/** xorshift: the same seed gives the same choices. */
let state = task.seed | 1;
function random(below: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}

const pause = (ms: number): Promise<void> => systemClock.sleep(ms, stop.signal);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** First detector: whoever holds the lock has the marker; two living holders cannot both. */
function mark(): void {
  try {
    fs.writeFileSync(task.marker, String(process.pid), { flag: "wx" });
  } catch {
    const holder = Number(fs.existsSync(task.marker) ? fs.readFileSync(task.marker, "utf8") : "0");
    if (holder > 0 && holder !== process.pid && isAlive(holder)) note("overlap", "", String(holder));
    fs.writeFileSync(task.marker, String(process.pid));
  }
}

function unmark(): void {
  if (fs.existsSync(task.marker) && fs.readFileSync(task.marker, "utf8") === String(process.pid)) fs.rmSync(task.marker, { force: true });
}

interface Held {
  readonly digest: string;
  release(): Promise<void>;
}

type Take = (requestId: string) => Promise<Held>;

function takeOurs(): Take {
  const processObserver = createProcessInspector();
  return async (requestId) => {
    const handle = await acquireLifecycleLock({ lockPath: task.lockPath, sessionNonceDigest: "a".repeat(64), operation: "recompile", requestId, timeoutMs: 200, processObserver });
    return { digest: handle.lock.lock_digest, release: () => handle.release() };
  };
}

function takeModel(): Take {
  const model = new LockModel(task.lockPath, 10, {
    displacedOther: (judged, moved) => note("displaced-other", judged, moved),
    deleting: (digest) => note("deleting", digest),
  });
  return async (requestId) => {
    const digest = await model.acquire(requestId, 200);
    return { digest, release: () => model.release(digest) };
  };
}

/** Not an error: somebody else has it, or it is being repaired. */
function isRefusal(error: unknown): boolean {
  return LifecycleLockError.is(error) || error instanceof ModelError;
}

async function cycle(take: Take, count: number): Promise<void> {
  let held: Held;
  try {
    held = await take(`${task.role}-${process.pid}-${count}`);
  } catch (error) {
    if (!isRefusal(error)) note("failed", "", `acquire: ${String(error)}`);
    await pause(1 + random(task.pauseMs));
    return;
  }
  note("acquired", held.digest);
  mark();
  await pause(task.holdMs / 2 + random(task.holdMs / 2));
  unmark();
  note("releasing", held.digest);
  try {
    await held.release();
    note("released", held.digest);
  } catch (error) {
    note("failed", held.digest, `release: ${String(error)}`);
  }
  await pause(random(task.pauseMs));
}

/** Milliseconds after which a torn file is nobody's any more: writers here take microseconds. A person waits a minute. */
const tornRestMs = 3_000;

/** Somebody at the tree: sets aside what is stale (or torn for long), settles what was interrupted, now and then puts something back. */
async function personRound(look: () => Promise<LatticeStoreSnapshot | undefined>): Promise<void> {
  const store = await look();
  if (store === undefined) return;
  const observer = createProcessInspector();
  for (const claim of store.runs.flatMap(({ claims }) => claims)) {
    const { verdict } = claim;
    const isTorn = verdict.kind === "corrupt" && verdict.reason !== "frozen" && Date.now() - Number(BigInt(claim.file?.mtimeNs ?? "0") / 1_000_000n) > tornRestMs;
    if (verdict.kind !== "stale" && !isTorn) continue;
    const options = isTorn ? { observer, force: { typedId: claim.id }, clock: { ...systemClock, now: () => Date.now() + 60_000 } } : { observer };
    const result = await executeQuarantine(await planQuarantine(claim, options), options);
    if (result.kind === "quarantined") note("quarantined", "", path.basename(result.entry.path));
  }
  for (const entry of store.quarantine) {
    if (entry.kind === "frozen" || entry.kind === "intended") await settleFrozen(entry, { observer });
    if (entry.kind !== "quarantined" || random(4) !== 0) continue;
    if ((await restoreFromQuarantine(entry, { observer })).kind === "restored") note("restored", "", entry.name);
  }
}

async function main(): Promise<void> {
  // Nobody is left alone: without its parent a worker has no purpose.
  process.on("disconnect", () => process.exit(3));
  process.on("message", () => stop.abort());
  if (task.role === "person") {
    const index = createScanIndex([task.root]);
    while (!stop.signal.aborted) {
      await personRound(async () => (await index.refresh()).roots[0]?.stores[0]);
      await pause(20);
    }
  } else {
    const take = task.role === "ours" ? takeOurs() : takeModel();
    for (let count = 0; !stop.signal.aborted; count += 1) await cycle(take, count);
  }
  process.exit(0);
}

await main();
