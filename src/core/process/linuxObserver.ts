// Owns: what one process on Linux is, read from /proc without starting any other process (spec/pi-amq.md section 13).
// Leaves to others: namespaces and disks (linuxNamespaces.ts), open files (linuxOpenFiles.ts), parsing (procText.ts).
import { createPace, type Pace } from "../scan/pace.js";
import type { Clock } from "../ports.js";
import { LinuxNamespaces } from "./linuxNamespaces.js";
import { LinuxOpenFiles } from "./linuxOpenFiles.js";
import { ObservedValue } from "./observationCache.js";
import { isRepresentablePid } from "./pid.js";
import { absent, unknown, zombie, type FileKey, type PlatformObserver } from "./platformObserver.js";
import { errnoOf, orNull, type PlatformPort } from "./platformPort.js";
import type { ObservationEnvironment, OpenFileEvidence, ProcessIdentity, ProcessInspection, StartInstant } from "./processInspector.js";
import { isEndedState, parseBootId, parseBootTime, parseExecutable, parseProcStat, parseThreadGroup, parseVariable, type ProcStat } from "./procText.js";
import { readOrNull, unixSystemTimeZone } from "./unixFiles.js";

/** Largest text of one file of /proc that is read. An environment may be larger: it then counts as not readable. */
const largestTextBytes = 262_144;
/** Share of the event loop that one observation takes at a time; a scan has slices of its own beside it. */
const sliceMs = 2;
/** Unit of start times in /proc: fixed at 100 a second by the kernel's interface (USER_HZ), whatever its own tick is. */
const ticksPerSecond = 100;
/** A pid may pass on to another process between two reads. Twice in a row is the limit of what chance does. */
const attempts = 3;
const startPrefix = "linux:starttime:";

/** Facts of this boot, read once for many processes. */
interface BootFacts {
  readonly bootIdentity: string | null;
  /** False when /proc shows another pid namespace than the one that kill(2) works in: its numbers are then not ours. */
  readonly procIsOurs: boolean;
}

type Sighting = { readonly kind: "stat"; readonly stat: ProcStat } | { readonly kind: "answer"; readonly answer: ProcessInspection };

export class LinuxObserver implements PlatformObserver {
  readonly #port: PlatformPort;
  readonly #namespaces: LinuxNamespaces;
  readonly #openFiles: LinuxOpenFiles;
  readonly #bootTime: ObservedValue<number | null>;
  readonly #systemTimeZone: ObservedValue<string | null>;
  readonly #clock: Pick<Clock, "monotonic">;

  constructor(port: PlatformPort, clock: Pick<Clock, "monotonic">) {
    this.#port = port;
    this.#clock = clock;
    this.#namespaces = new LinuxNamespaces(port, clock, () => this.#pace());
    this.#openFiles = new LinuxOpenFiles(port, this.#namespaces, () => this.#pace());
    this.#bootTime = new ObservedValue(() => Promise.resolve(this.#readBootTime()), clock);
    this.#systemTimeZone = new ObservedValue(() => Promise.resolve(unixSystemTimeZone(port)), clock);
  }

  async inspectMany(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessInspection>> {
    const boot = this.#readBootFacts();
    return this.#each(pids, (pid) => [pid, this.#inspect(pid, boot)]);
  }

  async startInstants(identities: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, StartInstant | null>> {
    const [bootTime, systemTimeZone] = await Promise.all([this.#bootTime.get(), this.#systemTimeZone.get()]);
    return this.#each(identities, (identity) => [identity.pid, bootTime === null ? null : this.#startInstant(identity, bootTime, systemTimeZone)]);
  }

  whoHasOpen(files: readonly FileKey[]): Promise<ReadonlyMap<string, OpenFileEvidence>> {
    return this.#openFiles.find(files);
  }

  environment(directory: string, pid: number): Promise<ObservationEnvironment> {
    return this.#namespaces.environment(directory, pid);
  }

  forget(): void {
    this.#bootTime.forget();
    this.#systemTimeZone.forget();
    this.#namespaces.forget();
  }

  #pace(): Pace {
    return createPace({ sliceMs, monotonic: () => this.#clock.monotonic() });
  }

  async #each<Item, Value>(items: readonly Item[], answer: (item: Item) => readonly [number, Value]): Promise<ReadonlyMap<number, Value>> {
    const pace = this.#pace();
    const answers = new Map<number, Value>();
    for (const item of items) {
      if (pace.isDue()) await pace.rest();
      const [pid, value] = answer(item);
      answers.set(pid, value);
    }
    return answers;
  }

  #inspect(pid: number, boot: BootFacts): ProcessInspection {
    if (!isRepresentablePid(pid)) return unknown("pid_out_of_range");
    for (let attempt = 0; attempt < attempts; attempt++) {
      const probed = this.#port.probe(pid);
      if (probed === "ESRCH") return absent;
      if (probed !== "ok" && probed !== "EPERM") return unknown(`kill_${probed}`);
      if (!boot.procIsOurs) return unknown("proc_of_another_pid_namespace");
      const answer = this.#look(pid, boot.bootIdentity);
      if (answer !== null) return answer;
    }
    return unknown("changed_while_observed");
  }

  /** Null when the pid passed on to another process, or the process ended, while it was looked at. */
  #look(pid: number, bootIdentity: string | null): ProcessInspection | null {
    const first = this.#sight(pid);
    if (first.kind === "answer") return first.answer;
    const status = readOrNull(this.#port, `/proc/${pid}/status`, largestTextBytes);
    const group = status === null ? null : parseThreadGroup(status);
    if (group !== null && group !== pid) return { kind: "absent", why: "thread-id" };
    if (isEndedState(first.stat.state)) return this.#ended(pid);
    const executable = parseExecutable(orNull(() => this.#port.readLink(`/proc/${pid}/exe`)) ?? "") ?? "/unknown";
    // Everything above is about one process only if the pid belonged to it all the while.
    const last = this.#sight(pid);
    if (last.kind === "answer") return last.answer;
    if (last.stat.startTicks !== first.stat.startTicks || isEndedState(last.stat.state)) return null;
    const processStartIdentity = startPrefix + first.stat.startTicks;
    return { kind: "live", identity: { pid, processStartIdentity, bootIdentity, executable, hostname: this.#port.hostname } };
  }

  #sight(pid: number): Sighting {
    let text: string;
    try {
      text = this.#port.readText(`/proc/${pid}/stat`, largestTextBytes);
    } catch (error) {
      return { kind: "answer", answer: this.#unlessGone(pid, `stat_${errnoOf(error)}`) };
    }
    const stat = parseProcStat(text, pid);
    return stat === null ? { kind: "answer", answer: this.#unlessGone(pid, "stat_unparsable") } : { kind: "stat", stat };
  }

  /** An unreadable file proves nothing (hidepid), but the process may have ended between probe and read: the kernel knows. */
  #unlessGone(pid: number, diagnostic: string): ProcessInspection {
    return this.#port.probe(pid) === "ESRCH" ? absent : unknown(diagnostic);
  }

  /** A leader that exited while other threads run is a process that still works. */
  #ended(pid: number): ProcessInspection {
    if (orNull(() => this.#port.list(`/proc/${pid}/task`))?.length === 1) return zombie;
    return this.#unlessGone(pid, "leader_exited_threads_remain");
  }

  /** As procps-ng computes `lstart`: boot time in whole seconds plus ticks, cut to whole seconds. */
  #startInstant(identity: ProcessIdentity, bootTime: number, systemTimeZone: string | null): StartInstant | null {
    const { pid, processStartIdentity } = identity;
    const epochSeconds = bootTime + Math.floor(Number(processStartIdentity.slice(startPrefix.length)) / ticksPerSecond);
    const environment = readOrNull(this.#port, `/proc/${pid}/environ`, largestTextBytes);
    // Read last: the environment is the owner's only if the pid still is.
    const sighting = this.#sight(pid);
    if (sighting.kind !== "stat" || startPrefix + sighting.stat.startTicks !== processStartIdentity) return null;
    const ownerTimeZone = environment === null ? null : parseVariable(environment, "TZ");
    return { epochSeconds, ownerTimeZone, environmentReadable: environment !== null, systemTimeZone };
  }

  #readBootTime(): number | null {
    const text = readOrNull(this.#port, "/proc/stat", 4_194_304);
    return text === null ? null : parseBootTime(text);
  }

  #readBootFacts(): BootFacts {
    const bootId = readOrNull(this.#port, "/proc/sys/kernel/random/boot_id", largestTextBytes);
    const parsed = bootId === null ? null : parseBootId(bootId);
    return { bootIdentity: parsed === null ? null : `linux:boot_id:${parsed}`, procIsOurs: this.#namespaces.isProcOurs() };
  }
}
