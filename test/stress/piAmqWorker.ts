// Owns: one process of the stress: leases and releases as fast as it can, and writes down what it was told.
// Leaves to others: starting and killing it, and what its journal means (piAmqStress.test.ts).
import fs from "node:fs";
import path from "node:path";
import { executeQuarantine } from "../../src/core/quarantine/executeQuarantine.js";
import { listQuarantine } from "../../src/core/quarantine/listQuarantine.js";
import { planQuarantine } from "../../src/core/quarantine/planQuarantine.js";
import { restoreFromQuarantine } from "../../src/core/quarantine/restoreFromQuarantine.js";
import { settleFrozen } from "../../src/core/quarantine/settleFrozen.js";
import { createProcessInspector } from "../../src/core/process/createProcessInspector.js";
import { amqDriver } from "../../src/core/systems/pi-amq/amqDriver.js";
import { inspectNamespace } from "../../src/core/systems/pi-amq/inspectNamespace.js";
import { WorkflowLeaseFenceError } from "../../src/core/systems/pi-amq/leaseResults.js";
import { WorkflowLeaseManager } from "../../src/core/systems/pi-amq/workflowLeaseManager.js";
import { Refused, RuntimeModel } from "./piAmqRuntimeModel.js";

export interface WorkerTask {
  readonly role: "ours" | "model" | "person";
  readonly namespace: string;
  readonly workspaceId: string;
  /** Markers of the first overlap detector. */
  readonly markers: string;
  /** This process's own file; the second detector reads all of them. */
  readonly journal: string;
  readonly cycles: number;
  readonly sessions: readonly string[];
  readonly seed: number;
}

/** `at`: nanoseconds of the monotonic clock, which all processes of one boot share. */
export interface JournalLine {
  readonly at: string;
  readonly pid: number;
  readonly event: "acquired" | "releasing" | "overlap" | "displaced-other" | "lost" | "failed" | "quarantined" | "restored" | "gone";
  readonly resource: string;
  readonly generation: string;
  readonly detail: string;
}

interface Lease {
  readonly kind: string;
  readonly generation: string | null;
}

interface Leases {
  acquireSupervisor(): Promise<Lease>;
  releaseSupervisor(generation: string): Promise<Lease>;
  acquireWorker(supervisorGeneration: string, sessionPath: string): Promise<Lease>;
  releaseWorker(supervisorGeneration: string, sessionPath: string, generation: string): Promise<Lease>;
}

const task = JSON.parse(process.argv[2] ?? "{}") as WorkerTask;
const journal = fs.openSync(task.journal, "a");

function note(event: JournalLine["event"], resource: string, generation = "", detail = ""): void {
  const line: JournalLine = { at: process.hrtime.bigint().toString(), pid: process.pid, event, resource, generation, detail };
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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** First detector: whoever holds a resource has its marker; two living holders cannot both. */
function mark(resource: string): void {
  const file = path.join(task.markers, resource);
  try {
    fs.writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch {
    const holder = Number(fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "0");
    if (holder > 0 && holder !== process.pid && isAlive(holder)) note("overlap", resource, "", String(holder));
    fs.writeFileSync(file, String(process.pid));
  }
}

function unmark(resource: string): void {
  const file = path.join(task.markers, resource);
  if (fs.existsSync(file) && fs.readFileSync(file, "utf8") === String(process.pid)) fs.rmSync(file, { force: true });
}

function oursLeases(): Leases {
  const inspector = createProcessInspector();
  const manager = new WorkflowLeaseManager({ namespaceDirectory: task.namespace, workspaceId: task.workspaceId, inspector });
  const ids = { runId: "r", workerId: "w", attemptId: "a", workerAttemptGeneration: "g" };
  const leaseOf = (result: { kind: string; owner?: { generation: string } }): Lease => ({ kind: result.kind, generation: result.owner?.generation ?? null });
  return {
    acquireSupervisor: async () => leaseOf(await manager.acquireSupervisor()),
    releaseSupervisor: async (generation) => leaseOf(await manager.releaseSupervisor(generation)),
    acquireWorker: async (supervisorGeneration, sessionPath) =>
      leaseOf(await manager.acquireWorkerSession({ ...ids, sessionPath, supervisorGeneration, processIdentity: await inspector.current() })),
    releaseWorker: async (supervisorGeneration, sessionPath, generation) => leaseOf(await manager.releaseWorkerSession({ sessionPath, supervisorGeneration, generation })),
  };
}

function modelLeases(): Leases {
  const model = new RuntimeModel(task.namespace, task.workspaceId, ({ stem, judged, moved }) => {
    if (moved !== judged) note("displaced-other", stem, judged, moved ?? "");
  });
  const leaseOf = (result: { kind: string; owner?: Record<string, unknown> }): Lease => ({ kind: result.kind, generation: result.owner === undefined ? null : String(result.owner["generation"]) });
  return {
    acquireSupervisor: async () => leaseOf(await model.acquireSupervisor()),
    releaseSupervisor: async (generation) => leaseOf(await model.releaseSupervisor(generation)),
    acquireWorker: async (supervisorGeneration, sessionPath) => leaseOf(await model.acquireWorkerSession(supervisorGeneration, sessionPath)),
    releaseWorker: async (supervisorGeneration, sessionPath, generation) => leaseOf(await model.releaseWorkerSession(supervisorGeneration, sessionPath, generation)),
  };
}

async function quietly(resource: string, run: () => Promise<Lease>): Promise<Lease> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refused && error.reason === "lifecycle-busy") return { kind: "refused", generation: null };
    const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
    // Errors of the model are pi-amq's own (section 12, 1); ours must never give one.
    note(WorkflowLeaseFenceError.is(error) ? "lost" : "failed", resource, "", text);
    // Such a caller may own a lease that it was never told of, and would keep it as long as it lives.
    if (task.role === "model") end(4);
    return { kind: "thrown", generation: null };
  }
}

async function cycle(leases: Leases): Promise<boolean> {
  const taken = await quietly("supervisor", () => leases.acquireSupervisor());
  if (taken.kind !== "acquired" || taken.generation === null) {
    await pause(1 + random(4));
    return false;
  }
  const supervisor = taken.generation;
  note("acquired", "supervisor", supervisor);
  mark("supervisor");
  const sessionPath = task.sessions[random(task.sessions.length)] ?? "/sessions/none";
  const session = path.basename(sessionPath);
  const leased = await quietly(session, () => leases.acquireWorker(supervisor, sessionPath));
  if (leased.kind === "acquired" && leased.generation !== null) {
    const generation = leased.generation;
    note("acquired", session, generation);
    mark(session);
    if (random(2) === 0) await pause(1 + random(4));
    unmark(session);
    note("releasing", session, generation);
    await quietly(session, () => leases.releaseWorker(supervisor, sessionPath, generation));
  }
  unmark("supervisor");
  note("releasing", "supervisor", supervisor);
  await quietly("supervisor", () => leases.releaseSupervisor(supervisor));
  return true;
}

/** Somebody at the tree: sets aside what is stale, and now and then puts something back. */
async function personRound(): Promise<void> {
  const observer = createProcessInspector();
  const snapshot = await inspectNamespace(task.namespace, { observer });
  const rows = [...(snapshot.supervisor === null ? [] : [snapshot.supervisor]), ...snapshot.workers];
  for (const { claim } of rows) {
    if (claim.verdict.kind !== "stale") continue;
    const plan = await planQuarantine(claim, { observer });
    const result = await executeQuarantine(plan, { observer });
    if (result.kind === "quarantined") note("quarantined", claim.resource, claim.facts.find(({ name }) => name === "generation")?.value ?? "");
  }
  for (const entry of await listQuarantine(task.namespace, { observer }, amqDriver)) {
    if (entry.kind === "frozen" || entry.kind === "intended") await settleFrozen(entry, { observer });
    if (entry.kind !== "quarantined" || random(3) !== 0) continue;
    const restored = await restoreFromQuarantine(entry, { observer });
    if (restored.kind === "restored") note("restored", entry.name);
  }
}

async function main(): Promise<void> {
  // Nobody is left alone: without its parent a worker has no purpose.
  process.on("disconnect", () => process.exit(3));
  if (task.role === "person") {
    const stop = new AbortController();
    process.on("message", () => stop.abort());
    while (!stop.signal.aborted) {
      await personRound();
      await pause(20);
    }
  } else {
    const leases = task.role === "ours" ? oursLeases() : modelLeases();
    for (let done = 0; done < task.cycles; ) if (await cycle(leases)) done += 1;
  }
  end(0);
}

/** From here on nothing is held any more: the leases on the disk are of a process that is gone. */
function end(code: number): never {
  note("gone", "");
  process.exit(code);
}

await main();
