// Owns: where a process id and a directory belong on Linux: pid namespaces and kinds of file systems (spec/pi-amq.md 13 and 14).
// Leaves to others: what follows from it (systems/*/judge*.ts).
import type { Clock } from "../ports.js";
import type { Pace } from "../scan/pace.js";
import { isLocalLinuxType } from "./filesystemTypes.js";
import { ObservationCache, ObservedValue } from "./observationCache.js";
import { errnoOf, orNull, orNullLater, type PlatformPort } from "./platformPort.js";
import type { ObservationEnvironment } from "./processInspector.js";
import { parseInnermostPid, parsePidNamespace, processesOf } from "./procText.js";

const largestStatusBytes = 65_536;

/** Pids that processes of child namespaces have there. */
interface ChildNamespaces {
  readonly innermostPids: ReadonlySet<number>;
  /** False when some process could not be looked at (hidepid): then a pid that is not in the set proves nothing. */
  readonly isComplete: boolean;
}

export class LinuxNamespaces {
  readonly #port: PlatformPort;
  readonly #newPace: () => Pace;
  /** Where this process itself is; one reading for all questions of a moment. */
  readonly #place: ObservedValue<{ readonly namespace: "initial" | "nested" | "unknown"; readonly procIsOurs: boolean }>;
  readonly #children: ObservedValue<ChildNamespaces>;
  readonly #devices: ObservationCache<string, bigint | null>;
  /** By device, since all directories of one file system have one answer; null when the kernel did not tell. */
  readonly #isLocal: ObservationCache<bigint, boolean | null>;
  /** A directory of each device, to ask about; may be gone by then. */
  readonly #sample = new Map<bigint, string>();

  constructor(port: PlatformPort, clock: Pick<Clock, "monotonic">, newPace: () => Pace) {
    this.#port = port;
    this.#newPace = newPace;
    this.#place = new ObservedValue(() => Promise.resolve({ namespace: this.pidNamespace(), procIsOurs: this.isProcOurs() }), clock);
    this.#children = new ObservedValue(() => this.#scanChildren(), clock);
    this.#devices = new ObservationCache((paths) => each(paths, (path) => orNullLater(() => port.deviceOf(path))), clock);
    this.#isLocal = new ObservationCache((devices) => each(devices, (device) => this.#isLocalDirectory(this.#sample.get(device))), clock);
  }

  /** Never rejects for what the kernel refuses to tell: that is `false`, or `unknown`. */
  async environment(directory: string, pid: number): Promise<ObservationEnvironment> {
    const { namespace, procIsOurs } = await this.#place.get();
    const device = await this.#devices.get(directory);
    const localFilesystem = device !== null && (await this.#local(device, directory));
    const exclusiveToThisNamespace = namespace === "nested" && device !== null && (await this.isOfThisNamespace(device));
    // Elsewhere nothing follows from a pid anyhow, and the scan looks at every process of the machine.
    const needsScan = namespace === "initial" || exclusiveToThisNamespace;
    const children = needsScan ? await this.#children.get() : null;
    const pidNamespace = children?.isComplete === false || !procIsOurs ? "unknown" : namespace;
    return { localFilesystem, pidNamespace, exclusiveToThisNamespace, nsPidMatch: children?.innermostPids.has(pid) ?? false };
  }

  pidNamespace(): "initial" | "nested" | "unknown" {
    return parsePidNamespace(orNull(() => this.#port.readLink("/proc/self/ns/pid")) ?? "");
  }

  /** Whether /proc numbers processes as kill(2) does here; false after `unshare --pid` without a mount of /proc. */
  isProcOurs(): boolean {
    return orNull(() => this.#port.readLink("/proc/self")) === String(this.#port.ownPid);
  }

  /** Whether a device is that of our own root, which other containers do not share. */
  async isOfThisNamespace(device: bigint): Promise<boolean> {
    return device === (await this.#devices.get("/"));
  }

  forget(): void {
    this.#place.forget();
    this.#children.forget();
    this.#devices.forget();
    this.#isLocal.forget();
  }

  async #local(device: bigint, directory: string): Promise<boolean> {
    this.#sample.set(device, directory);
    return (await this.#isLocal.get(device)) ?? (await this.#isLocalDirectory(directory)) ?? false;
  }

  async #isLocalDirectory(directory: string | undefined): Promise<boolean | null> {
    if (directory === undefined) return null;
    const type = await orNullLater(() => this.#port.filesystemType(directory));
    return type === null ? null : isLocalLinuxType(type);
  }

  async #scanChildren(): Promise<ChildNamespaces> {
    const pace = this.#newPace();
    const innermostPids = new Set<number>();
    // Pid 1 exists in every namespace. When it cannot be seen, others are hidden too.
    let isComplete = false;
    let wasRefused = false;
    for (const pid of processesOf(orNull(() => this.#port.list("/proc")) ?? [])) {
      if (pace.isDue()) await pace.rest();
      try {
        const innermost = parseInnermostPid(this.#port.readText(`/proc/${pid}/status`, largestStatusBytes));
        if (innermost !== null) innermostPids.add(innermost);
        if (pid === 1) isComplete = true;
      } catch (error) {
        const code = errnoOf(error);
        if (code !== "ENOENT" && code !== "ESRCH") wasRefused = true;
      }
    }
    return { innermostPids, isComplete: isComplete && !wasRefused };
  }
}

async function each<Key, Value>(keys: readonly Key[], answer: (key: Key) => Promise<Value>): Promise<ReadonlyMap<Key, Value>> {
  return new Map(await Promise.all(keys.map(async (key) => [key, await answer(key)] as const)));
}
