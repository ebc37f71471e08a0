// Owns: the observer that the rest of the core talks to: picks the platform's, joins questions, remembers answers for a moment.
// Leaves to others: observing (linuxObserver.ts, darwinObserver.ts, win32Observer.ts), judging (systems/*).
import { systemClock, type Clock } from "../ports.js";
import { DarwinObserver } from "./darwinObserver.js";
import { LinuxObserver } from "./linuxObserver.js";
import { nodePlatformPort } from "./nodePlatformPort.js";
import { ObservationCache, ObservedValue } from "./observationCache.js";
import { OtherObserver } from "./otherObserver.js";
import { keyOf, type FileKey, type PlatformObserver } from "./platformObserver.js";
import { orNullLater, type PlatformPort } from "./platformPort.js";
import type { ObservationEnvironment, OpenFileEvidence, ProcessIdentity, ProcessInspection, ProcessObserver, StartInstant } from "./processInspector.js";
import { Win32Observer } from "./win32Observer.js";

export interface ProcessInspectorOptions {
  readonly port?: PlatformPort;
  readonly clock?: Pick<Clock, "monotonic">;
}

/** `current_not_observable`: this process cannot see itself (no /proc, ps failed, unsupported platform). */
export type ProcessInspectorErrorCode = "current_not_observable";

export class ProcessInspectorError extends Error {
  override readonly name = "ProcessInspectorError";
  readonly code: ProcessInspectorErrorCode;

  constructor(code: ProcessInspectorErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  static is(error: unknown): error is ProcessInspectorError {
    return error instanceof ProcessInspectorError;
  }
}

/**
 * The real observer of this platform (spec/pi-amq.md section 13). Promises: `absent` only when the kernel says so; whatever
 * cannot be observed is an `unknown` with a diagnostic, never an exception; nothing is written, no process is signalled; on
 * Linux no other process is started and the event loop is given back every few ms. Questions asked in one turn of the event loop
 * are answered by one observation; an answer is reused for at most 1 s and never across `forget()`.
 */
export function createProcessInspector(options: ProcessInspectorOptions = {}): ProcessObserver {
  const { port = nodePlatformPort, clock = systemClock } = options;
  return new JoiningObserver(observerOf(port, clock), port, clock);
}

function observerOf(port: PlatformPort, clock: Pick<Clock, "monotonic">): PlatformObserver {
  switch (port.platform) {
    case "linux":
      return new LinuxObserver(port, clock);
    case "darwin":
      return new DarwinObserver(port, clock);
    case "win32":
      return new Win32Observer(port);
    default:
      return new OtherObserver(port);
  }
}

class JoiningObserver implements ProcessObserver {
  readonly platform: string;
  readonly #port: PlatformPort;
  readonly #observer: PlatformObserver;
  readonly #inspections: ObservationCache<number, ProcessInspection>;
  readonly #starts: ObservationCache<number, StartInstant | null>;
  readonly #openFiles: ObservationCache<string, OpenFileEvidence>;
  readonly #ownExecutable: ObservedValue<string | null>;

  constructor(observer: PlatformObserver, port: PlatformPort, clock: Pick<Clock, "monotonic">) {
    this.platform = port.platform;
    this.#port = port;
    this.#observer = observer;
    this.#inspections = new ObservationCache((pids) => this.#inspectMany(pids), clock);
    this.#starts = new ObservationCache((pids) => this.#startMany(pids), clock);
    this.#openFiles = new ObservationCache((keys) => observer.whoHasOpen(keys.map(fileOf)), clock);
    this.#ownExecutable = new ObservedValue(() => orNullLater(() => port.realPath(port.execPath)), clock);
  }

  /** @throws ProcessInspectorError: without knowing oneself nothing can be claimed. */
  async current(): Promise<ProcessIdentity> {
    const inspection = await this.inspect(this.#port.ownPid);
    if (inspection.kind === "live") return inspection.identity;
    const why = inspection.kind === "unknown" ? inspection.diagnostic : "the system denies its existence";
    throw new ProcessInspectorError("current_not_observable", `This process cannot observe itself: ${why}.`);
  }

  inspect(pid: number): Promise<ProcessInspection> {
    return this.#inspections.get(pid);
  }

  startInstant(pid: number): Promise<StartInstant | null> {
    return this.#starts.get(pid);
  }

  whoHasOpen(file: FileKey): Promise<OpenFileEvidence> {
    return this.#openFiles.get(keyOf(file));
  }

  environment(directory: string, pid: number): Promise<ObservationEnvironment> {
    return this.#observer.environment(directory, pid);
  }

  forget(): void {
    this.#inspections.forget();
    this.#starts.forget();
    this.#openFiles.forget();
    this.#ownExecutable.forget();
    this.#observer.forget();
  }

  async #inspectMany(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessInspection>> {
    const answers = await this.#observer.inspectMany(pids);
    const own = answers.get(this.#port.ownPid);
    if (own?.kind !== "live") return answers;
    // Of ourselves we know the executable even when its file was replaced, as an update of the editor does.
    const executable = (await this.#ownExecutable.get()) ?? own.identity.executable;
    return new Map([...answers, [this.#port.ownPid, { kind: "live", identity: { ...own.identity, executable } }]]);
  }

  async #startMany(pids: readonly number[]): Promise<ReadonlyMap<number, StartInstant | null>> {
    const inspections = await Promise.all(pids.map((pid) => this.inspect(pid)));
    const identities = inspections.flatMap((inspection) => (inspection.kind === "live" ? [inspection.identity] : []));
    const starts = await this.#observer.startInstants(identities);
    return new Map(pids.map((pid) => [pid, starts.get(pid) ?? null]));
  }
}

function fileOf(key: string): FileKey {
  const [device = "", inode = ""] = key.split(":");
  return { device, inode };
}
