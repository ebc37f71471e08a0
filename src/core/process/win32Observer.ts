// Owns: what processes on Windows are: one CIM query for all of them, agreed with the kernel's probe (spec/pi-amq.md section 13).
// Written from documentation. Leaves to others: query and answer (cimTable.ts), limits (processTable.ts).
import { cimArguments, readBootId, readCim, type CimAnswer } from "./cimTable.js";
import { isLocalWindowsPath } from "./filesystemTypes.js";
import { isRepresentablePid } from "./pid.js";
import { absent, nobodyTells, unknown, type FileKey, type PlatformObserver } from "./platformObserver.js";
import { orNullLater, type CommandResult, type PlatformPort } from "./platformPort.js";
import type { ObservationEnvironment, OpenFileEvidence, ProcessIdentity, ProcessInspection, StartInstant } from "./processInspector.js";
import { askTable, runCommand } from "./processTable.js";

const startPrefix = "win32:created:";
const bootKey = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters";
/** FILETIME counts 100 ns from 1601. */
const fileTimePerSecond = 10_000_000n;
const secondsFrom1601To1970 = 11_644_473_600n;

/**
 * What PowerShell needs of our environment to start. Not PSModulePath: a module of the user's could stand in for the system's.
 */
const passedOn = ["SystemDrive", "windir", "TEMP", "TMP"];

export class Win32Observer implements PlatformObserver {
  readonly #port: PlatformPort;
  readonly #systemRoot: string;
  /** The counter cannot change while this process lives, so a read one is kept. */
  #bootIdentity: string | null = null;

  constructor(port: PlatformPort) {
    this.#port = port;
    const systemRoot = port.variable("SystemRoot") ?? "";
    this.#systemRoot = /^[A-Za-z]:\\/.test(systemRoot) ? systemRoot : "C:\\Windows";
  }

  async inspectMany(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessInspection>> {
    const answers = new Map<number, ProcessInspection>();
    for (const pid of pids) if (!isRepresentablePid(pid)) answers.set(pid, unknown("pid_out_of_range"));
    const asked = pids.filter((pid) => !answers.has(pid));
    const [table, bootIdentity] = await Promise.all([
      askTable(asked, (some) => this.#powerShell(cimArguments(some)), readCim),
      asked.length === 0 ? null : this.#boot(),
    ]);
    for (const [pid, row] of table) answers.set(pid, this.#decide(pid, row, bootIdentity));
    return answers;
  }

  startInstants(identities: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, StartInstant | null>> {
    const more = { ownerTimeZone: null, environmentReadable: false, systemTimeZone: null };
    return Promise.resolve(
      new Map(
        identities.map(({ pid, processStartIdentity }) => {
          const seconds = BigInt(processStartIdentity.slice(startPrefix.length)) / fileTimePerSecond - secondsFrom1601To1970;
          return [pid, { epochSeconds: Number(seconds), ...more }];
        }),
      ),
    );
  }

  whoHasOpen(files: readonly FileKey[]): Promise<ReadonlyMap<string, OpenFileEvidence>> {
    return Promise.resolve(nobodyTells(files));
  }

  async environment(directory: string): Promise<ObservationEnvironment> {
    const path = await orNullLater(() => this.#port.realPath(directory));
    return { localFilesystem: path !== null && isLocalWindowsPath(path), pidNamespace: "not_applicable", exclusiveToThisNamespace: false, nsPidMatch: false };
  }

  forget(): void {
    // Nothing is remembered but the boot.
  }

  /** Absent needs both witnesses: CIM hides processes, and the probe is Node's, not the kernel's own answer. */
  #decide(pid: number, row: CimAnswer, bootIdentity: string | null): ProcessInspection {
    const probed = this.#port.probe(pid);
    if (probed !== "ok" && probed !== "EPERM" && probed !== "ESRCH") return unknown(`kill_${probed}`);
    if (row.kind === "failed") return unknown(row.diagnostic);
    if ((row.kind === "gone") !== (probed === "ESRCH")) return unknown("cim_and_kill_disagree");
    if (row.kind === "gone") return absent;
    const { hostname } = this.#port;
    return {
      kind: "live",
      identity: { pid, processStartIdentity: startPrefix + row.created, bootIdentity, executable: row.executable ?? "C:\\unknown", hostname },
    };
  }

  #powerShell(args: readonly string[]): Promise<CommandResult> {
    return this.#run("System32\\WindowsPowerShell\\v1.0\\powershell.exe", args);
  }

  #run(program: string, args: readonly string[]): Promise<CommandResult> {
    const given = passedOn.flatMap((name) => {
      const value = this.#port.variable(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return runCommand(this.#port, `${this.#systemRoot}\\${program}`, args, { ...Object.fromEntries(given), SystemRoot: this.#systemRoot });
  }

  async #boot(): Promise<string | null> {
    if (this.#bootIdentity !== null) return this.#bootIdentity;
    const result = await this.#run("System32\\reg.exe", ["query", bootKey, "/v", "BootId"]);
    const id = readBootId(result);
    if (id !== null) this.#bootIdentity = `win32:bootid:${id}`;
    return this.#bootIdentity;
  }
}
