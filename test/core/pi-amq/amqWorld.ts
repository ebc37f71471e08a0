// Owns: a namespace in a temporary directory, a process table and a clock that only the test moves; for the tests of pi-amq.
// Leaves to others: what is asserted.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Clock } from "../../../src/core/ports.js";
import type { ProcessIdentity } from "../../../src/core/process/processInspector.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import type { FilePort } from "../../../src/core/storage/filePort.js";
import { FormatMemory } from "../../../src/core/systems/pi-amq/formatMemory.js";
import { inspectNamespace } from "../../../src/core/systems/pi-amq/inspectNamespace.js";
import { encodeLifecycleGuard, encodeWorkflowLeaseOwner, type LifecycleGuard, type WorkflowLeaseOwner } from "../../../src/core/systems/pi-amq/leaseRecord.js";
import { NamespaceLayout, sessionHash, type LeaseResource } from "../../../src/core/systems/pi-amq/namespaceLayout.js";
import type { AmqNamespaceSnapshot } from "../../../src/core/systems/pi-amq/namespaceSnapshot.js";
import { WorkflowLeaseManager, type WorkflowLeaseManagerOptions } from "../../../src/core/systems/pi-amq/workflowLeaseManager.js";
import { FakeProcesses, identityOf } from "../../fakes/processes.js";

export const workspaceId = "ws-test";

/** Wall time follows the real one, because file times do; it and the deadlines move on only when the test or a wait says so. */
export class TestClock implements Clock {
  #ahead = 0;
  sleeps = 0;
  /** Runs at every wait: what happens meanwhile. */
  onSleep: () => Promise<void> | void = () => {};

  now(): number {
    return Date.now() + this.#ahead;
  }

  monotonic(): number {
    return this.#ahead;
  }

  advance(ms: number): void {
    this.#ahead += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.sleeps += 1;
    this.#ahead += ms;
    await this.onSleep();
  }
}

export class AmqWorld {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "amq-world-")));
  readonly namespace = path.join(this.root, "namespace");
  readonly layout = new NamespaceLayout(this.namespace);
  readonly processes = new FakeProcesses();
  readonly clock = new TestClock();
  readonly memory = new FormatMemory();
  readonly supervisor = this.layout.supervisor(workspaceId);

  worker(sessionPath = "/sessions/a.jsonl"): LeaseResource {
    return this.layout.worker(sessionHash(sessionPath));
  }

  owner(resource: LeaseResource, identity: ProcessIdentity, more: Partial<WorkflowLeaseOwner> = {}): WorkflowLeaseOwner {
    const isWorker = resource.kind === "worker-session";
    const text = (value: string): string | null => (isWorker ? value : null);
    return {
      schema: 1,
      kind: resource.kind,
      stage: "active",
      generation: `generation-${identity.pid}`,
      workspaceId,
      resourceId: resource.resourceId,
      runId: text("run"),
      workerId: text("worker"),
      attemptId: text("attempt"),
      workerAttemptGeneration: text("attempt-generation"),
      supervisorGeneration: text("supervisor-generation"),
      sessionPath: text("/sessions/a.jsonl"),
      ...identity,
      createdAt: "2026-01-02T03:04:05.000Z",
      ...more,
    };
  }

  writeOwner(resource: LeaseResource, owner: WorkflowLeaseOwner): void {
    fs.mkdirSync(resource.lockPath, { recursive: true });
    fs.writeFileSync(resource.ownerPath, encodeWorkflowLeaseOwner(owner));
  }

  /** A lease whose process the table knows as absent. */
  writeStaleLease(resource: LeaseResource, more: Partial<WorkflowLeaseOwner> = {}): WorkflowLeaseOwner {
    const owner = this.owner(resource, identityOf(4000), more);
    this.processes.setAbsent(owner.pid);
    this.writeOwner(resource, owner);
    return owner;
  }

  writeGuard(resource: LeaseResource, identity: ProcessIdentity, more: Partial<LifecycleGuard> = {}): LifecycleGuard {
    const guard: LifecycleGuard = { schema: 1, generation: `guard-${identity.pid}`, ...identity, createdAt: "2026-01-02T03:04:05.000Z", ...more };
    fs.mkdirSync(resource.parent, { recursive: true });
    fs.writeFileSync(resource.guardPath, encodeLifecycleGuard(guard));
    return guard;
  }

  /** Makes a file or directory as old as the test needs. */
  age(file: string, ms: number): void {
    const then = new Date(this.clock.now() - ms);
    fs.utimesSync(file, then, then);
  }

  manager(more: Partial<WorkflowLeaseManagerOptions> = {}): WorkflowLeaseManager {
    return new WorkflowLeaseManager({ namespaceDirectory: this.namespace, workspaceId, inspector: this.processes, clock: this.clock, ...more });
  }

  inspect(more: { port?: FilePort; workspaceId?: string; hostAliases?: readonly string[] } = {}): Promise<AmqNamespaceSnapshot> {
    return inspectNamespace(this.namespace, { port: nodeFilePort, observer: this.processes, clock: this.clock, memory: this.memory, timeZone: "UTC", ...more });
  }

  /** Everything below the namespace: path → text of a file, null of a directory, `-> target` of a link. */
  tree(): Readonly<Record<string, string | null>> {
    if (!fs.existsSync(this.namespace)) return {};
    const entries = fs.readdirSync(this.namespace, { recursive: true, encoding: "utf8" }).sort();
    return Object.fromEntries(
      entries.map((name) => {
        const file = path.join(this.namespace, name);
        const stat = fs.lstatSync(file);
        if (stat.isSymbolicLink()) return [name, `-> ${fs.readlinkSync(file)}`];
        return [name, stat.isFile() ? fs.readFileSync(file, "utf8") : null];
      }),
    );
  }

  /** The record with a generation is somewhere, in place or set aside. */
  holds(generation: string): boolean {
    return Object.values(this.tree()).some((text) => text?.includes(JSON.stringify(generation)) === true);
  }

  dispose(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

/** A world for each test of a suite, gone afterwards. */
export function eachWorld(): () => AmqWorld {
  let world: AmqWorld | null = null;
  beforeEach(() => {
    world = new AmqWorld();
  });
  afterEach(() => {
    world?.dispose();
    world = null;
  });
  return () => {
    if (world === null) throw new Error("There is a world only while a test runs.");
    return world;
  };
}
