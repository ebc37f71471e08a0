// Owns: a process observer made of a table that a test sets; counts what it was asked, so that caching can be asserted.
// Leaves to others: the kernel (src/core/process/*).
import type {
  ObservationEnvironment,
  OpenFileEvidence,
  ProcessIdentity,
  ProcessInspection,
  ProcessObserver,
  StartInstant,
} from "../../src/core/process/processInspector.js";

export const localEnvironment: ObservationEnvironment = {
  localFilesystem: true,
  pidNamespace: "initial",
  exclusiveToThisNamespace: false,
  nsPidMatch: false,
};

/** A start instant of a process whose environment was read and named no zone, on a machine that runs in UTC. */
export function startAt(epochSeconds: number, more: Partial<StartInstant> = {}): StartInstant {
  return { epochSeconds, ownerTimeZone: null, environmentReadable: true, systemTimeZone: "Etc/UTC", ...more };
}

export function identityOf(pid: number, more: Partial<ProcessIdentity> = {}): ProcessIdentity {
  return {
    pid,
    processStartIdentity: `linux:starttime:${pid * 100}`,
    bootIdentity: "linux:boot_id:11111111-2222-4333-8444-555555555555",
    executable: "/usr/bin/node",
    hostname: "host-a",
    ...more,
  };
}

/** Every pid that is not in the table is absent; every file is not open; everything lies on a local disk of the initial namespace. */
export class FakeProcesses implements ProcessObserver {
  platform = "linux";
  /** What `current()` says. */
  self: ProcessIdentity = identityOf(1000);
  readonly inspections = new Map<number, ProcessInspection>();
  readonly starts = new Map<number, StartInstant>();
  /** Key `device:inode`. */
  readonly openFiles = new Map<string, OpenFileEvidence>();
  /** Per directory; others get `defaultEnvironment`. */
  readonly environments = new Map<string, ObservationEnvironment>();
  defaultEnvironment: ObservationEnvironment = localEnvironment;
  /** Every question in order, e.g. `inspect 4242`, `forget`. */
  readonly asked: string[] = [];
  /** Runs before each answer: throw to inject a fault, change the table to play a race. */
  beforeAnswer: (question: string) => void | Promise<void> = () => {};

  /** Puts a live process into the table. */
  setLive(pid: number, more: Partial<ProcessIdentity> = {}, start?: StartInstant): this {
    this.inspections.set(pid, { kind: "live", identity: identityOf(pid, more) });
    if (start !== undefined) this.starts.set(pid, start);
    return this;
  }

  setAbsent(pid: number, why: "no-such-process" | "zombie" | "thread-id" = "no-such-process"): this {
    this.inspections.set(pid, { kind: "absent", why });
    this.starts.delete(pid);
    return this;
  }

  setUnknown(pid: number, diagnostic = "stat_EACCES"): this {
    this.inspections.set(pid, { kind: "unknown", diagnostic });
    this.starts.delete(pid);
    return this;
  }

  async current(): Promise<ProcessIdentity> {
    await this.#ask("current");
    return this.self;
  }

  async inspect(pid: number): Promise<ProcessInspection> {
    await this.#ask(`inspect ${pid}`);
    if (pid === this.self.pid && !this.inspections.has(pid)) return { kind: "live", identity: this.self };
    return this.inspections.get(pid) ?? { kind: "absent", why: "no-such-process" };
  }

  async startInstant(pid: number): Promise<StartInstant | null> {
    await this.#ask(`startInstant ${pid}`);
    return this.starts.get(pid) ?? null;
  }

  async whoHasOpen(file: { readonly device: string; readonly inode: string }): Promise<OpenFileEvidence> {
    const key = `${file.device}:${file.inode}`;
    await this.#ask(`whoHasOpen ${key}`);
    return this.openFiles.get(key) ?? { kind: "not-open" };
  }

  async environment(directory: string, pid: number): Promise<ObservationEnvironment> {
    await this.#ask(`environment ${directory} ${pid}`);
    return this.environments.get(directory) ?? this.defaultEnvironment;
  }

  forget(): void {
    this.asked.push("forget");
  }

  async #ask(question: string): Promise<void> {
    this.asked.push(question);
    await this.beforeAnswer(question);
  }
}
