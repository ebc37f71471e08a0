// Owns: a namespace on the disk in memory, so that thousands of runs with a fault at every step take seconds.
// Leaves to others: the namespace on a real disk (amqWorld.ts).
import { basename, dirname, join } from "node:path";
import type { Clock, Random } from "../../../src/core/ports.js";
import type { FilePort } from "../../../src/core/storage/filePort.js";
import { createExclusiveDurable } from "../../../src/core/storage/createSteps.js";
import { FormatMemory } from "../../../src/core/systems/pi-amq/formatMemory.js";
import { inspectNamespace } from "../../../src/core/systems/pi-amq/inspectNamespace.js";
import { encodeLifecycleGuard, encodeWorkflowLeaseOwner, type LifecycleGuard, type WorkflowLeaseOwner } from "../../../src/core/systems/pi-amq/leaseRecord.js";
import { NamespaceLayout, sessionHash, type LeaseResource } from "../../../src/core/systems/pi-amq/namespaceLayout.js";
import type { AmqNamespaceSnapshot } from "../../../src/core/systems/pi-amq/namespaceSnapshot.js";
import { WorkflowLeaseManager, type WorkflowLeaseManagerOptions } from "../../../src/core/systems/pi-amq/workflowLeaseManager.js";
import { FakeProcesses, identityOf } from "../../fakes/processes.js";
import { memoryDisk, type MemoryDisk } from "../quarantine/memoryDisk.js";

export const workspaceId = "ws-test";
export const namespace = "/w/namespace";
export const sessionPath = "/sessions/a.jsonl";
export const layout = new NamespaceLayout(namespace);
export const supervisor = layout.supervisor(workspaceId);
export const worker = layout.worker(sessionHash(sessionPath));

const start = Date.UTC(2026, 0, 2);
let instances = 0;

/** Ids that no other world of this process gets: guards that could not be given back are remembered for the life of the process. */
function countingRandom(): Random {
  instances += 1;
  const instance = String(instances).padStart(8, "0");
  let count = 0;
  return {
    uuid: () => {
      count += 1;
      // The first characters differ too: names of prepared leases are made of them.
      return `${String(count % 100).padStart(2, "0")}${instance.slice(2)}-0000-4000-8000-${String(count).padStart(12, "0")}`;
    },
  };
}

export class MemoryClock implements Clock {
  constructor(
    private readonly disk: MemoryDisk,
    public time = start,
  ) {}
  now(): number {
    return this.time;
  }
  monotonic(): number {
    return this.time;
  }
  sleep(ms: number): Promise<void> {
    this.advance(ms);
    return Promise.resolve();
  }
  advance(ms: number): void {
    this.time += ms;
    this.disk.now = this.time;
  }
}

export class MemoryWorld {
  readonly clock: MemoryClock;
  readonly processes = new FakeProcesses();
  readonly memory = new FormatMemory();

  constructor(
    readonly disk: MemoryDisk = memoryDisk(start),
    time?: number,
  ) {
    this.clock = new MemoryClock(disk, time ?? start);
  }

  /** The same disk, time and processes a second time. */
  copy(): MemoryWorld {
    const copy = new MemoryWorld(this.disk.copy(), this.clock.time);
    copy.processes.self = this.processes.self;
    for (const [pid, inspection] of this.processes.inspections) copy.processes.inspections.set(pid, inspection);
    return copy;
  }

  /** What process `pid` sees: its own identity, the common table. */
  seenBy(pid: number): FakeProcesses {
    const seen = new FakeProcesses();
    seen.self = identityOf(pid);
    this.processes.setLive(pid);
    for (const [known, inspection] of this.processes.inspections) seen.inspections.set(known, inspection);
    return seen;
  }

  manager(pid: number, port: FilePort = this.disk.port, more: Partial<WorkflowLeaseManagerOptions> = {}): WorkflowLeaseManager {
    return new WorkflowLeaseManager({ namespaceDirectory: namespace, workspaceId, inspector: this.seenBy(pid), clock: this.clock, random: countingRandom(), port, ...more });
  }

  options(pid: number, port: FilePort = this.disk.port): { port: FilePort; clock: Clock; random: Random; observer: FakeProcesses; user: string; hostname: string } {
    return { port, clock: this.clock, random: countingRandom(), observer: this.seenBy(pid), user: "tester", hostname: "host-a" };
  }

  async makeDirectory(path: string): Promise<void> {
    if (path === "/") return;
    await this.makeDirectory(dirname(path));
    await this.disk.port.mkdir(path, 0o700).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    });
  }

  async writeOwner(resource: LeaseResource, owner: WorkflowLeaseOwner): Promise<void> {
    await this.makeDirectory(resource.lockPath);
    await createExclusiveDurable(this.disk.port, resource.ownerPath, encodeWorkflowLeaseOwner(owner), { mode: 0o600 });
  }

  async writeGuard(resource: LeaseResource, pid: number): Promise<LifecycleGuard> {
    const guard: LifecycleGuard = { schema: 1, generation: `guard-${pid}`, ...identityOf(pid), createdAt: "2026-01-02T03:04:05.000Z" };
    await this.makeDirectory(resource.parent);
    await createExclusiveDurable(this.disk.port, resource.guardPath, encodeLifecycleGuard(guard), { mode: 0o600 });
    return guard;
  }

  owner(resource: LeaseResource, pid: number, more: Partial<WorkflowLeaseOwner> = {}): WorkflowLeaseOwner {
    const isWorker = resource.kind === "worker-session";
    const text = (value: string): string | null => (isWorker ? value : null);
    return {
      schema: 1,
      kind: resource.kind,
      stage: "active",
      generation: `lease-${pid}`,
      workspaceId,
      resourceId: resource.resourceId,
      runId: text("run"),
      workerId: text("worker"),
      attemptId: text("attempt"),
      workerAttemptGeneration: text("attempt-generation"),
      supervisorGeneration: text("supervisor-generation"),
      sessionPath: isWorker ? sessionPath : null,
      ...identityOf(pid),
      createdAt: "2026-01-02T03:04:05.000Z",
      ...more,
    };
  }

  inspect(pid = 9000): Promise<AmqNamespaceSnapshot> {
    return inspectNamespace(namespace, { port: this.disk.port, observer: this.seenBy(pid), clock: this.clock, memory: this.memory, timeZone: "UTC" });
  }

  /** Paths of the files that hold the record with this generation, as `directory/name`. */
  where(generation: string): readonly string[] {
    const hold = JSON.stringify(generation);
    return this.disk
      .snapshot()
      .filter(([path, text]) => text !== null && text.includes(`"generation": ${hold}`) && !path.endsWith(".record.json"))
      .map(([path]) => `${basename(dirname(path))}/${basename(path)}`);
  }

  has(path: string): boolean {
    return this.disk.snapshot().some(([known]) => known === path);
  }
}

export const ownerFile = (directory: string): string => join(directory, "owner.json");
