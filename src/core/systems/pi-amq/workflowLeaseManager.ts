// Owns: pi-amq's lease operations with its names, results and bytes, without its defects (spec/pi-amq.md sections 7 to 9, 12).
// Leaves to others: guards and single leases (guardedLeases.ts), everything that people confirm (quarantine of leases).
import { join } from "node:path";
import { silentLogger, systemClock, systemRandom, type Clock, type Logger, type Random } from "../../ports.js";
import { createProcessInspector } from "../../process/createProcessInspector.js";
import type { ProcessIdentity, ProcessInspector } from "../../process/processInspector.js";
import { replaceDurable } from "../../storage/createSteps.js";
import { errnoOf, isMissing } from "../../storage/errno.js";
import type { FilePort } from "../../storage/filePort.js";
import { nodeFilePort } from "../../storage/nodeFilePort.js";
import { isCurrentProcess } from "./classifyOwner.js";
import { acquireLease, codesOf, refusedByGuard, releaseLease, runGuarded, type Guarded, type GuardedContext } from "./guardedLeases.js";
import { requireIdentity, requireSessionPath, requireText } from "./leaseIdentity.js";
import { encodeWorkflowLeaseOwner, type LeaseStage, type WorkflowLeaseOwner } from "./leaseRecord.js";
import {
  diagnosed,
  inspectionOf,
  WorkflowLeaseFenceError,
  withWarnings,
  type AcquireResult,
  type LeaseInspection,
  type ReleaseResult,
  type WorkerLeaseDiagnosis,
} from "./leaseResults.js";
import { ensureNamespaceDirectories } from "./leaseSession.js";
import { defaultGuardWaitMs, guardLost } from "./lifecycleGuard.js";
import { canonicalSessionPath, NamespaceLayout, recogniseEntry, sessionHash, type LeaseResource } from "./namespaceLayout.js";
import { projectLease } from "./readRecord.js";

export interface WorkflowLeaseManagerOptions {
  /** Absolute. */
  readonly namespaceDirectory: string;
  readonly workspaceId: string;
  readonly inspector?: ProcessInspector | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly port?: FilePort | undefined;
  readonly logger?: Logger | undefined;
  readonly platform?: NodeJS.Platform | undefined;
  /** Milliseconds; how long each guard is waited for. Default 1000. */
  readonly guardWaitMs?: number | undefined;
  /** `creates-directories`: also inspecting makes the three directories, as pi-amq does. Default `read-only`. */
  readonly inspection?: "read-only" | "creates-directories" | undefined;
  /** Honoured while waiting for a guard; what has begun under one completes. */
  readonly signal?: AbortSignal | undefined;
}

interface AttemptIds {
  readonly sessionPath: string;
  readonly runId: string;
  readonly workerId: string;
  readonly attemptId: string;
  readonly workerAttemptGeneration: string;
  readonly supervisorGeneration: string;
}

export type ReserveWorkerInput = AttemptIds;
export interface AcquireWorkerInput extends AttemptIds {
  readonly processIdentity: ProcessIdentity;
}
export interface ActivateWorkerInput {
  readonly sessionPath: string;
  readonly generation: string;
  readonly supervisorGeneration: string;
  readonly workerAttemptGeneration: string;
  readonly processIdentity: ProcessIdentity;
}
export interface ReleaseWorkerInput {
  readonly sessionPath: string;
  readonly generation: string;
  readonly supervisorGeneration: string;
}

/**
 * Leases of one namespace and workspace. All operations may be called at any time and from any number of processes, also beside
 * pi-amq itself; none is re-entrant. Every result stands: what goes wrong after it was reached is a warning beside it.
 */
export class WorkflowLeaseManager {
  readonly #context: GuardedContext;
  readonly #makesDirectories: boolean;

  /** @throws TypeError for a relative namespace or an empty workspace id; RangeError for a wait that is no time */
  constructor(options: WorkflowLeaseManagerOptions) {
    const guardWaitMs = options.guardWaitMs ?? defaultGuardWaitMs;
    if (!Number.isFinite(guardWaitMs) || guardWaitMs < 0) throw new RangeError("guardWaitMs must be a finite time.");
    this.#context = {
      layout: new NamespaceLayout(options.namespaceDirectory),
      workspaceId: requireText(options.workspaceId, "workspaceId"),
      inspector: options.inspector ?? createProcessInspector(),
      clock: options.clock ?? systemClock,
      random: options.random ?? systemRandom,
      port: options.port ?? nodeFilePort,
      logger: options.logger ?? silentLogger,
      platform: options.platform ?? process.platform,
      guardWaitMs,
      signal: options.signal,
    };
    this.#makesDirectories = options.inspection === "creates-directories";
  }

  /** Takes the one supervisor lease for the process that runs this code. Not idempotent: an own lease is `held`. */
  async acquireSupervisor(): Promise<AcquireResult> {
    const current = await this.#current();
    const resource = this.#supervisor();
    const owner = this.#owner(resource, "active", current, null);
    return this.#acquired(await runGuarded(this.#context, resource, current, () => acquireLease(this.#context, resource, current, owner)));
  }

  async releaseSupervisor(generation: string): Promise<ReleaseResult> {
    requireText(generation, "generation");
    const current = await this.#current();
    const resource = this.#supervisor();
    const isOwn = (owner: WorkflowLeaseOwner): boolean => isCurrentProcess(owner, current);
    return this.#released(await runGuarded(this.#context, resource, current, () => releaseLease(this.#context, resource, generation, isOwn)));
  }

  /**
   * Runs `operation` while this process is the supervisor of that generation, holding the supervisor's guard all the time.
   * @throws WorkflowLeaseFenceError when it is not, when the guard is refused, and when the guard was lost meanwhile (then with
   *   `completed`); whatever the operation throws
   */
  async withCurrentSupervisor<Value>(generation: string, operation: () => Value | Promise<Value>): Promise<Value> {
    const { value, lost } = await this.#underSupervisor(generation, async () => await operation());
    // A guard that could not be given back was ours all the time; only one that was not makes the operation doubtful.
    if (!lost.includes(guardLost)) return value;
    throw new WorkflowLeaseFenceError(guardLost.code, guardLost.message, { value });
  }

  async inspectSupervisor(): Promise<LeaseInspection> {
    return await this.#inspect(this.#supervisor());
  }

  /** Leases a session to the given process, which may be on another host or gone: that is accepted, as by pi-amq. */
  async acquireWorkerSession(input: AcquireWorkerInput): Promise<AcquireResult> {
    requireSessionPath(input.sessionPath);
    const identity = requireIdentity(input.processIdentity);
    return await this.#acquireWorker(input, "active", identity);
  }

  /** Like acquire, but for the supervisor itself until `activateWorkerSession`. Lives as long as the supervisor's process. */
  async reserveWorkerSession(input: ReserveWorkerInput): Promise<AcquireResult> {
    requireSessionPath(input.sessionPath);
    return await this.#acquireWorker(input, "reserved", null);
  }

  /** Turns a reservation into the lease of a process. @throws WorkflowLeaseFenceError when it is not the current reservation */
  async activateWorkerSession(input: ActivateWorkerInput): Promise<WorkflowLeaseOwner> {
    const resource = this.#worker(requireSessionPath(input.sessionPath));
    const identity = requireIdentity(input.processIdentity);
    requireText(input.generation, "generation");
    const { value, lost } = await this.#underSupervisor(input.supervisorGeneration, async (current) => {
      const guarded = await runGuarded(this.#context, resource, current, () => this.#activate(resource, input, identity));
      if (guarded.kind === "refused") throw new WorkflowLeaseFenceError(guarded.diagnostic.code, guarded.diagnostic.message);
      return guarded;
    });
    for (const { code } of [...lost, ...value.warnings]) this.#context.logger.warn(`Activated beside a lost guard: ${code}`);
    return value.value;
  }

  async releaseWorkerSession(input: ReleaseWorkerInput): Promise<ReleaseResult> {
    const resource = this.#worker(requireSessionPath(input.sessionPath));
    requireText(input.generation, "generation");
    const isOfSupervisor = (owner: WorkflowLeaseOwner): boolean =>
      owner.sessionPath !== null && sessionHash(owner.sessionPath) === resource.resourceId && owner.supervisorGeneration === input.supervisorGeneration;
    const { value, lost } = await this.#underSupervisor(input.supervisorGeneration, (current) =>
      runGuarded(this.#context, resource, current, () => releaseLease(this.#context, resource, input.generation, isOfSupervisor)),
    );
    return withWarnings(this.#released(value), codesOf(lost));
  }

  async inspectWorkerSession(sessionPath: string): Promise<LeaseInspection> {
    return await this.#inspect(this.#worker(requireSessionPath(sessionPath)));
  }

  /** Every worker lease by name, without a word about liveness. Never makes a directory. @throws errno errors of listing */
  async diagnoseWorkerSessionLeases(): Promise<readonly WorkerLeaseDiagnosis[]> {
    const { layout, port } = this.#context;
    let names: readonly string[];
    try {
      names = (await port.readdir(layout.workersDirectory)).map(({ name }) => name);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
    const diagnoses: WorkerLeaseDiagnosis[] = [];
    for (const name of [...names].sort()) {
      const entry = recogniseEntry(name);
      if (entry.kind !== "lock") continue;
      const resource = layout.worker(entry.name);
      diagnoses.push({ resourceId: entry.name, path: resource.lockPath, projection: await this.#look(resource) });
    }
    return diagnoses;
  }

  #supervisor(): LeaseResource {
    return this.#context.layout.supervisor(this.#context.workspaceId);
  }

  #worker(sessionPath: string): LeaseResource {
    return this.#context.layout.worker(sessionHash(sessionPath));
  }

  async #current(): Promise<ProcessIdentity> {
    return requireIdentity(await this.#context.inspector.current());
  }

  #owner(resource: LeaseResource, stage: LeaseStage, identity: ProcessIdentity, attempt: AttemptIds | null): WorkflowLeaseOwner {
    return {
      schema: 1,
      kind: resource.kind,
      stage,
      generation: this.#context.random.uuid(),
      workspaceId: this.#context.workspaceId,
      resourceId: resource.resourceId,
      runId: attempt?.runId ?? null,
      workerId: attempt?.workerId ?? null,
      attemptId: attempt?.attemptId ?? null,
      workerAttemptGeneration: attempt?.workerAttemptGeneration ?? null,
      supervisorGeneration: attempt?.supervisorGeneration ?? null,
      sessionPath: attempt === null ? null : canonicalSessionPath(attempt.sessionPath),
      ...identity,
      createdAt: new Date(this.#context.clock.now()).toISOString(),
    };
  }

  async #underSupervisor<Value>(generation: string, operation: (current: ProcessIdentity) => Promise<Value>): Promise<{ value: Value; lost: Extract<Guarded<Value>, { kind: "done" }>["warnings"] }> {
    requireText(generation, "supervisorGeneration");
    const current = await this.#current();
    const resource = this.#supervisor();
    const guarded = await runGuarded(this.#context, resource, current, async () => {
      const projection = await projectLease(this.#context, resource, this.#context.workspaceId);
      const isCurrent = projection.kind === "owned" && projection.owner.generation === generation && isCurrentProcess(projection.owner, current);
      if (!isCurrent) throw new WorkflowLeaseFenceError("supervisor_not_current", "This process is not the current supervisor of the namespace.");
      return await operation(current);
    });
    if (guarded.kind === "refused") throw new WorkflowLeaseFenceError(guarded.diagnostic.code, guarded.diagnostic.message);
    return { value: guarded.value, lost: guarded.warnings };
  }

  async #acquireWorker(attempt: AttemptIds, stage: LeaseStage, identity: ProcessIdentity | null): Promise<AcquireResult> {
    for (const key of ["runId", "workerId", "attemptId", "workerAttemptGeneration"] as const) requireText(attempt[key], key);
    const resource = this.#worker(attempt.sessionPath);
    const { value, lost } = await this.#underSupervisor(attempt.supervisorGeneration, (current) => {
      const owner = this.#owner(resource, stage, identity ?? current, attempt);
      return runGuarded(this.#context, resource, current, () => acquireLease(this.#context, resource, current, owner));
    });
    return withWarnings(this.#acquired(value), codesOf(lost));
  }

  async #activate(resource: LeaseResource, input: ActivateWorkerInput, identity: ProcessIdentity): Promise<WorkflowLeaseOwner> {
    const notCurrent = new WorkflowLeaseFenceError("reservation_not_current", "The reservation is not the current one.");
    const projection = await projectLease(this.#context, resource, this.#context.workspaceId);
    const isCurrent =
      projection.kind === "owned" &&
      projection.owner.stage === "reserved" &&
      projection.owner.generation === input.generation &&
      projection.owner.supervisorGeneration === input.supervisorGeneration &&
      projection.owner.workerAttemptGeneration === input.workerAttemptGeneration;
    if (!isCurrent) throw notCurrent;
    const owner: WorkflowLeaseOwner = { ...projection.owner, ...identity, stage: "active" };
    const { port, random, platform, clock } = this.#context;
    const replaced = await replaceDurable(port, resource.ownerPath, encodeWorkflowLeaseOwner(owner), {
      mode: 0o600,
      platform,
      clock,
      temporary: join(resource.lockPath, `.owner.json.${random.uuid()}.tmp`),
    });
    if (replaced.kind === "not-regular") throw notCurrent;
    return owner;
  }

  async #inspect(resource: LeaseResource): Promise<LeaseInspection> {
    if (this.#makesDirectories) await ensureNamespaceDirectories(this.#context, this.#context.layout);
    return inspectionOf(await projectLease(this.#context, resource, this.#context.workspaceId));
  }

  /** One entry that cannot be looked at says so and hides no other. */
  async #look(resource: LeaseResource): Promise<LeaseInspection> {
    try {
      return inspectionOf(await projectLease(this.#context, resource, this.#context.workspaceId));
    } catch (error) {
      const code = errnoOf(error);
      if (code === null) throw error;
      return { kind: "corrupt", ...diagnosed({ code: `lock_unreadable:${code}`, message: `The lease cannot be looked at (${code}).` }) };
    }
  }

  #acquired(guarded: Guarded<AcquireResult>): AcquireResult {
    return guarded.kind === "refused" ? refusedByGuard(guarded) : withWarnings(guarded.value, codesOf(guarded.warnings));
  }

  #released(guarded: Guarded<ReleaseResult>): ReleaseResult {
    if (guarded.kind === "refused") return { kind: "refused", ...diagnosed(guarded.diagnostic) };
    return withWarnings(guarded.value, codesOf(guarded.warnings));
  }
}
