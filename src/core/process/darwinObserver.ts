// Owns: what processes on macOS are: kill(2) and one ps for all of them (spec/pi-amq.md section 13). Written from documentation.
// Leaves to others: the rows of ps (psTable.ts), its limits (processTable.ts).
import type { Clock } from "../ports.js";
import { isLocalDarwinPath } from "./filesystemTypes.js";
import { ObservedValue } from "./observationCache.js";
import { isRepresentablePid } from "./pid.js";
import { absent, nobodyTells, unknown, zombie, type FileKey, type PlatformObserver } from "./platformObserver.js";
import { orNullLater, type PlatformPort } from "./platformPort.js";
import type { ObservationEnvironment, OpenFileEvidence, ProcessIdentity, ProcessInspection, StartInstant } from "./processInspector.js";
import { askTable, runCommand } from "./processTable.js";
import { psArguments, readPs, type PsAnswer } from "./psTable.js";
import { unixSystemTimeZone } from "./unixFiles.js";

const startPrefix = "darwin:lstart:";

export class DarwinObserver implements PlatformObserver {
  readonly #port: PlatformPort;
  readonly #mounts: ObservedValue<string | null>;
  /** The session cannot change while this process lives, so a read one is kept. */
  #bootIdentity: string | null = null;

  constructor(port: PlatformPort, clock: Pick<Clock, "monotonic">) {
    this.#port = port;
    this.#mounts = new ObservedValue(() => this.#readMounts(), clock);
  }

  async inspectMany(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessInspection>> {
    const answers = new Map<number, ProcessInspection>();
    for (const pid of pids) {
      const answer = this.#probe(pid);
      if (answer !== null) answers.set(pid, answer);
    }
    const running = pids.filter((pid) => !answers.has(pid));
    const [table, bootIdentity] = await Promise.all([
      askTable(running, (some) => runCommand(this.#port, "/bin/ps", psArguments(some)), readPs),
      running.length === 0 ? null : this.#boot(),
    ]);
    for (const [pid, row] of table) answers.set(pid, this.#decide(pid, row, bootIdentity));
    return answers;
  }

  startInstants(identities: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, StartInstant | null>> {
    // The environment of another process is not shown to us, so its TZ is unknown; the start itself is exact.
    const more = { ownerTimeZone: null, environmentReadable: false, systemTimeZone: unixSystemTimeZone(this.#port) };
    return Promise.resolve(
      new Map(identities.map(({ pid, processStartIdentity }) => [pid, { epochSeconds: Number(processStartIdentity.slice(startPrefix.length)), ...more }])),
    );
  }

  whoHasOpen(files: readonly FileKey[]): Promise<ReadonlyMap<string, OpenFileEvidence>> {
    return Promise.resolve(nobodyTells(files));
  }

  async environment(directory: string): Promise<ObservationEnvironment> {
    const [path, mounts] = await Promise.all([orNullLater(() => this.#port.realPath(directory)), this.#mounts.get()]);
    const localFilesystem = path !== null && mounts !== null && isLocalDarwinPath(mounts, path);
    return { localFilesystem, pidNamespace: "not_applicable", exclusiveToThisNamespace: false, nsPidMatch: false };
  }

  forget(): void {
    this.#mounts.forget();
  }

  /** Null when the process exists and ps has to say more. */
  #probe(pid: number): ProcessInspection | null {
    if (!isRepresentablePid(pid)) return unknown("pid_out_of_range");
    const probed = this.#port.probe(pid);
    if (probed === "ESRCH") return absent;
    return probed === "ok" || probed === "EPERM" ? null : unknown(`kill_${probed}`);
  }

  #decide(pid: number, row: PsAnswer, bootIdentity: string | null): ProcessInspection {
    if (row.kind !== "row") {
      // It may have ended between probe and ps: only the kernel may say so.
      return this.#port.probe(pid) === "ESRCH" ? absent : unknown(row.kind === "gone" ? "ps_no_row" : row.diagnostic);
    }
    if (row.isZombie) return zombie;
    const { startSeconds, executable } = row;
    const { hostname } = this.#port;
    return { kind: "live", identity: { pid, processStartIdentity: `${startPrefix}${startSeconds}`, bootIdentity, executable: executable ?? "/unknown", hostname } };
  }

  async #boot(): Promise<string | null> {
    if (this.#bootIdentity !== null) return this.#bootIdentity;
    const result = await runCommand(this.#port, "/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"]);
    const text = result.kind === "exited" && result.status === 0 ? result.stdout.trim() : "";
    if (/^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/.test(text)) this.#bootIdentity = `darwin:bootsession:${text}`;
    return this.#bootIdentity;
  }

  async #readMounts(): Promise<string | null> {
    const result = await runCommand(this.#port, "/sbin/mount", []);
    return result.kind === "exited" && result.status === 0 ? result.stdout : null;
  }
}
