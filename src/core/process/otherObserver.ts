// Owns: what can be said about processes on a platform without an observer of its own: only that the kernel denies one.
// Leaves to others: the platforms that have one.
import { isRepresentablePid } from "./pid.js";
import { absent, nobodyTells, unknown, type FileKey, type PlatformObserver } from "./platformObserver.js";
import type { PlatformPort } from "./platformPort.js";
import type { ObservationEnvironment, OpenFileEvidence, ProcessIdentity, ProcessInspection, StartInstant } from "./processInspector.js";

export class OtherObserver implements PlatformObserver {
  readonly #port: PlatformPort;

  constructor(port: PlatformPort) {
    this.#port = port;
  }

  inspectMany(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessInspection>> {
    return Promise.resolve(new Map(pids.map((pid) => [pid, this.#inspect(pid)])));
  }

  startInstants(identities: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, StartInstant | null>> {
    return Promise.resolve(new Map(identities.map(({ pid }) => [pid, null])));
  }

  whoHasOpen(files: readonly FileKey[]): Promise<ReadonlyMap<string, OpenFileEvidence>> {
    return Promise.resolve(nobodyTells(files));
  }

  environment(): Promise<ObservationEnvironment> {
    return Promise.resolve({ localFilesystem: false, pidNamespace: "unknown", exclusiveToThisNamespace: false, nsPidMatch: false });
  }

  forget(): void {
    // Nothing is remembered.
  }

  #inspect(pid: number): ProcessInspection {
    if (!isRepresentablePid(pid)) return unknown("pid_out_of_range");
    return this.#port.probe(pid) === "ESRCH" ? absent : unknown("platform_not_supported");
  }
}
