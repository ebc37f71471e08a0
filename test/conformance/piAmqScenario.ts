// Owns: playing one lease scenario of the vectors on a real temporary namespace: actors, process table, clock, file steps, and
// the normalised results and tree. Leaves to others: what is expected (piAmqLeaseScenarios.test.ts).
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Clock } from "../../src/core/ports.js";
import type { ProcessIdentity, ProcessInspection } from "../../src/core/process/processInspector.js";
import { LeaseRecordError } from "../../src/core/systems/pi-amq/leaseRecord.js";
import { LeaseArgumentError, WorkflowLeaseFenceError } from "../../src/core/systems/pi-amq/leaseResults.js";
import { WorkflowLeaseManager, type WorkflowLeaseManagerOptions } from "../../src/core/systems/pi-amq/workflowLeaseManager.js";
import type { VectorCase } from "./vectors.js";

export interface Step {
  readonly op: string;
  readonly as?: string;
  readonly save?: string;
  readonly guardWaitMs?: number;
  readonly workspaceId?: string;
  readonly generation?: string;
  readonly sessionPath?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly path?: string;
  readonly json?: unknown;
  readonly text?: string;
  readonly target?: string;
  readonly ms?: number;
  readonly actor?: string;
  readonly identity?: ProcessIdentity;
  readonly pid?: number;
  readonly inspection?: ProcessInspection;
  readonly steps?: readonly Step[];
  readonly inner?: readonly Step[];
  readonly returns?: unknown;
  readonly throws?: string;
}

export interface StepResult {
  readonly op: string;
  readonly as: string;
  readonly value?: unknown;
  readonly throws?: { readonly class: string; readonly reason?: string; readonly code?: string };
}

export interface ScenarioCase extends VectorCase {
  readonly workspaceId: string;
  readonly actors: Readonly<Record<string, ProcessIdentity>>;
  readonly processes: Readonly<Record<string, ProcessInspection>>;
  readonly steps: readonly Step[];
  readonly upstream_defect?: string;
  readonly product_expected?: string;
  readonly expected: { readonly results: readonly StepResult[]; readonly tree: readonly TreeEntry[] | null };
}

export interface TreeEntry {
  readonly path: string;
  readonly type: "dir" | "file" | "symlink";
  readonly json?: unknown;
  readonly text?: string;
  readonly target?: string;
}

const start = Date.parse("2026-01-02T03:04:05.000Z");

export class Scenario {
  readonly root = fs.mkdtempSync(path.join(os.tmpdir(), "amq-"));
  readonly namespace = path.join(this.root, "namespace");
  readonly #actors: Map<string, ProcessIdentity>;
  readonly #processes: Map<number, ProcessInspection>;
  readonly #hooks: { readonly actor: string; readonly pid: number; readonly steps: readonly Step[] }[] = [];
  readonly #saved = new Map<string, string>();
  readonly #results: StepResult[] = [];
  #wall = start;
  #monotonic = 0;

  constructor(
    private readonly vector: ScenarioCase,
    private readonly more: Partial<WorkflowLeaseManagerOptions> = {},
  ) {
    this.#actors = new Map(Object.entries(vector.actors));
    this.#processes = new Map(Object.entries(vector.processes).map(([pid, inspection]) => [Number(pid), inspection]));
  }

  async play(): Promise<readonly StepResult[]> {
    await this.#run(this.vector.steps);
    return this.#normalise(this.#results) as StepResult[];
  }

  /** Null when the namespace does not exist. */
  tree(): readonly TreeEntry[] | null {
    if (!fs.existsSync(this.namespace)) return null;
    const entries = fs.readdirSync(this.namespace, { recursive: true, encoding: "utf8" }).map((name) => this.#entry(name));
    return (this.#normalise(entries) as TreeEntry[]).sort(byPath);
  }

  dispose(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }

  #entry(name: string): TreeEntry {
    const full = path.join(this.namespace, name);
    const stat = fs.lstatSync(full);
    if (stat.isDirectory()) return { path: name, type: "dir" };
    if (stat.isSymbolicLink()) return { path: name, type: "symlink", target: fs.readlinkSync(full) };
    const text = fs.readFileSync(full, "utf8");
    try {
      return { path: name, type: "file", json: JSON.parse(text) as unknown };
    } catch {
      return { path: name, type: "file", text };
    }
  }

  /** Generations that were saved by name, other UUIDs, and absolute paths, as the vectors write them. */
  #normalise(value: unknown): unknown {
    let text = JSON.stringify(value);
    for (const [name, generation] of this.#saved) text = text.replaceAll(generation, `<${name}>`);
    text = text
      .replaceAll(`${this.namespace}/`, "")
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
      .replaceAll(/\.lease\.prepare-[A-Za-z0-9]{6}/g, ".lease.prepare-<tmp>");
    return JSON.parse(text);
  }

  async #run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#step(step);
  }

  async #step(step: Step): Promise<void> {
    const file = path.join(this.namespace, step.path ?? "");
    switch (step.op) {
      case "write":
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, step.text ?? JSON.stringify(step.json));
        return;
      case "mkdir":
        fs.mkdirSync(file, { recursive: true });
        return;
      case "symlink":
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.symlinkSync(step.target ?? "", file);
        return;
      case "rm":
        fs.rmSync(file, { recursive: true, force: true });
        return;
      case "advance":
        this.#wall += step.ms ?? 0;
        this.#monotonic += step.ms ?? 0;
        return;
      case "setActor":
        if (step.identity !== undefined) this.#actors.set(step.actor ?? "", step.identity);
        return;
      case "setProcess":
        if (step.inspection !== undefined) this.#processes.set(step.pid ?? 0, step.inspection);
        return;
      case "onInspect":
        this.#hooks.push({ actor: step.actor ?? "", pid: step.pid ?? 0, steps: step.steps ?? [] });
        return;
      default:
        await this.#operate(step);
    }
  }

  async #operate(step: Step): Promise<void> {
    const { op, as = "" } = step;
    // An operation that runs others inside is listed before them.
    const slot = this.#results.push({ op, as }) - 1;
    try {
      const value = await this.#call(step, this.#manager(step));
      const generation = (value as { owner?: { generation?: string } } | null)?.owner?.generation;
      if (step.save !== undefined && generation !== undefined) this.#saved.set(step.save, generation);
      this.#results[slot] = { op, as, value: classify(value) };
    } catch (error) {
      this.#results[slot] = { op, as, throws: describeError(error) };
    }
  }

  #fill(text: string | undefined): string {
    return (text ?? "").replace(/^\$\{(\w+)\}$/, (_whole, name: string) => this.#saved.get(name) ?? "");
  }

  async #call(step: Step, manager: WorkflowLeaseManager): Promise<unknown> {
    const input = Object.fromEntries(
      Object.entries(step.input ?? {}).map(([key, member]) => [key, typeof member === "string" ? this.#fill(member) : member]),
    ) as never;
    switch (step.op) {
      case "acquireSupervisor":
        return await manager.acquireSupervisor();
      case "releaseSupervisor":
        return await manager.releaseSupervisor(this.#fill(step.generation));
      case "inspectSupervisor":
        return await manager.inspectSupervisor();
      case "withCurrentSupervisor":
        return await manager.withCurrentSupervisor(this.#fill(step.generation), async () => {
          await this.#run(step.inner ?? []);
          if (step.throws !== undefined) throw new Error(step.throws);
          return step.returns;
        });
      case "acquireWorkerSession":
        return await manager.acquireWorkerSession(input);
      case "reserveWorkerSession":
        return await manager.reserveWorkerSession(input);
      case "activateWorkerSession":
        return await manager.activateWorkerSession(input);
      case "releaseWorkerSession":
        return await manager.releaseWorkerSession(input);
      case "inspectWorkerSession":
        return await manager.inspectWorkerSession(step.sessionPath ?? "");
      case "diagnoseWorkerSessionLeases":
        return await manager.diagnoseWorkerSessionLeases();
      default:
        throw new Error(`The scenario has an operation that this test does not know: ${step.op}`);
    }
  }

  #manager(step: Step): WorkflowLeaseManager {
    const actor = step.as ?? "";
    const clock: Clock = {
      now: () => this.#wall,
      monotonic: () => this.#monotonic,
      sleep: (ms) => {
        this.#monotonic += ms;
        return Promise.resolve();
      },
    };
    return new WorkflowLeaseManager({
      namespaceDirectory: this.namespace,
      workspaceId: step.workspaceId ?? this.vector.workspaceId,
      clock,
      inspector: { current: () => Promise.resolve(this.#identityOf(actor)), inspect: (pid) => this.#inspect(actor, pid) },
      inspection: "creates-directories",
      ...(step.guardWaitMs === undefined ? {} : { guardWaitMs: step.guardWaitMs }),
      ...this.more,
    });
  }

  #identityOf(actor: string): ProcessIdentity {
    const identity = this.#actors.get(actor);
    if (identity === undefined) throw new Error(`The scenario has no actor ${actor}`);
    return identity;
  }

  async #inspect(actor: string, pid: number): Promise<ProcessInspection> {
    const hook = this.#hooks.findIndex((candidate) => candidate.actor === actor && candidate.pid === pid);
    const [found] = hook < 0 ? [] : this.#hooks.splice(hook, 1);
    if (found !== undefined) await this.#run(found.steps);
    return this.#processes.get(pid) ?? { kind: "absent" };
  }
}

/** Code-unit order, as the generator sorts. */
function byPath(a: TreeEntry, b: TreeEntry): number {
  const [x, y] = [`${a.path}\n${JSON.stringify(a)}`, `${b.path}\n${JSON.stringify(b)}`];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The generator replaces pi-amq's sentences by classes; ours carry codes. */
function diagnosticClass(code: string, text: string): string {
  if (code === "owner_unknown" || code === "guard_unknown") return `text:${text}`;
  if (code.startsWith("unknown_field:")) return "unknown_field";
  if (/^(?:cross|field:\w+:enum)/.test(code)) return "record_invalid:cross_or_enum";
  return code;
}

function classify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(classify);
  if (typeof value !== "object" || value === null) return value;
  const { diagnostic, diagnosticCode, ...rest } = value as Record<string, unknown>;
  const members = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, key === "owner" ? member : classify(member)]));
  if (typeof diagnostic !== "string" || typeof diagnosticCode !== "string") return members;
  return { ...members, diagnostic_class: diagnosticClass(diagnosticCode, diagnostic) };
}

function describeError(error: unknown): NonNullable<StepResult["throws"]> {
  if (WorkflowLeaseFenceError.is(error)) return { class: "WorkflowLeaseFenceError", reason: diagnosticClass(error.code, error.message) };
  if (LeaseArgumentError.is(error)) return { class: "TypeError", reason: error.code };
  if (LeaseRecordError.is(error)) return { class: "Error", reason: error.errorClass.endsWith(":absolute_path") ? "argument_not_absolute" : error.errorClass };
  if (error instanceof AggregateError) return { class: "AggregateError" };
  if (!(error instanceof Error)) return { class: typeof error };
  const code = (error as NodeJS.ErrnoException).code;
  return { class: "Error", ...(code === undefined ? { reason: `text:${error.message}` } : { code }) };
}
