// Owns: whether any process on Linux has a very file open (device and inode), from /proc/*/fd (spec/lattice.md W8, W12).
// Leaves to others: what follows from it. Not seen: mappings whose descriptor was closed, and files of threads that share none.
import type { Pace } from "../scan/pace.js";
import type { LinuxNamespaces } from "./linuxNamespaces.js";
import { keyOf, type FileKey } from "./platformObserver.js";
import { errnoOf, orNull, type PlatformPort } from "./platformPort.js";
import type { OpenFileEvidence } from "./processInspector.js";
import { isEndedState, parseDescriptorInfo, parseOverlayMounts, parseProcStat, parseUsers, processesOf } from "./procText.js";
import { readOrNull } from "./unixFiles.js";

const largestTextBytes = 65_536;

/** What one pass looks for, and what it found so far. */
interface Pass {
  readonly inodes: ReadonlySet<string>;
  readonly holders: ReadonlyMap<string, Set<number>>;
  /** Mounts on which the kernel's inode and that of stat(2) may differ. */
  readonly overlays: ReadonlySet<string>;
  readonly pace: Pace;
}

export class LinuxOpenFiles {
  readonly #port: PlatformPort;
  readonly #namespaces: LinuxNamespaces;
  readonly #newPace: () => Pace;

  constructor(port: PlatformPort, namespaces: LinuxNamespaces, newPace: () => Pace) {
    this.#port = port;
    this.#namespaces = namespaces;
    this.#newPace = newPace;
  }

  /** One pass for all files. A process that starts during the pass may be missed: whoever acts looks again. */
  async find(files: readonly FileKey[]): Promise<ReadonlyMap<string, OpenFileEvidence>> {
    const pass: Pass = {
      inodes: new Set(files.map(({ inode }) => inode)),
      holders: new Map(files.map((file) => [keyOf(file), new Set<number>()])),
      overlays: parseOverlayMounts(readOrNull(this.#port, "/proc/self/mountinfo", 4_194_304) ?? ""),
      pace: this.#newPace(),
    };
    const ownUser = this.#userOf("self");
    const processes = this.#processes();
    let refused: "nobody" | "others" | "own" = "nobody";
    for (const pid of processes ?? []) {
      if (!(await this.#lookInto(pid, pass)) || refused === "own") continue;
      refused = ownUser === null || this.#userOf(pid) === ownUser ? "own" : "others";
    }
    const doubt = this.#doubtOf(processes, refused);
    const answers = new Map<string, OpenFileEvidence>();
    for (const file of files) answers.set(keyOf(file), await this.#answer(file, pass, doubt));
    return answers;
  }

  async #answer(file: FileKey, pass: Pass, doubt: string | null): Promise<OpenFileEvidence> {
    const pids = [...(pass.holders.get(keyOf(file)) ?? [])];
    if (pids.length > 0) return { kind: "open", pids };
    if (doubt !== null) return { kind: "unknown", diagnostic: doubt };
    const namespace = this.#namespaces.pidNamespace();
    // In a container, processes outside may have the file open unless it lies on the container's own disk.
    if (namespace === "initial" || (namespace === "nested" && (await this.#namespaces.isOfThisNamespace(BigInt(file.device))))) return { kind: "not-open" };
    return { kind: "unknown", diagnostic: `pid_namespace_${namespace}` };
  }

  #doubtOf(processes: readonly number[] | null, refused: "nobody" | "others" | "own"): string | null {
    if (processes === null || !this.#namespaces.isProcOurs()) return "proc_unreadable";
    if (!processes.includes(1)) return "proc_hides_processes";
    if (refused === "nobody") return null;
    return refused === "own" ? "fd_unreadable" : "fd_unreadable_of_other_users";
  }

  #processes(): readonly number[] | null {
    const names = orNull(() => this.#port.list("/proc"));
    return names === null ? null : processesOf(names);
  }

  /** True when the kernel refused to show some file of the process. */
  async #lookInto(pid: number, pass: Pass): Promise<boolean> {
    if (pass.pace.isDue()) await pass.pace.rest();
    const text = readOrNull(this.#port, `/proc/${pid}/stat`, largestTextBytes);
    const stat = text === null ? null : parseProcStat(text, pid);
    // Kernel threads and the dead have no files, but their lists are refused all the same.
    if (stat?.isKernelThread === true || (stat !== null && isEndedState(stat.state) && this.#isAlone(pid))) return false;
    let descriptors: readonly string[];
    try {
      descriptors = this.#port.list(`/proc/${pid}/fd`);
    } catch (error) {
      return this.#isRefusal(pid, errnoOf(error));
    }
    let refused = false;
    for (const descriptor of descriptors) {
      if (pass.pace.isDue()) await pass.pace.rest();
      if (this.#look(pid, descriptor, pass)) refused = true;
    }
    return refused;
  }

  #isAlone(pid: number): boolean {
    return orNull(() => this.#port.list(`/proc/${pid}/task`))?.length === 1;
  }

  /** True when the kernel refused to show the file behind a descriptor. */
  #look(pid: number, descriptor: string, pass: Pass): boolean {
    const path = `/proc/${pid}/fd/${descriptor}`;
    try {
      // Sockets, pipes and the like are not paths.
      if (!this.#port.readLink(path).startsWith("/")) return false;
      // The kernel tells mount and inode from memory, whereas stat asks the file system, which may be a server that is gone.
      const info = readOrNull(this.#port, `/proc/${pid}/fdinfo/${descriptor}`, largestTextBytes);
      const { mount, inode } = parseDescriptorInfo(info ?? "");
      if (inode !== null && !pass.inodes.has(inode) && (mount === null || !pass.overlays.has(mount))) return false;
      const found = this.#port.fileKey(path);
      pass.holders.get(keyOf({ device: String(found.device), inode: String(found.inode) }))?.add(pid);
      return false;
    } catch (error) {
      return this.#isRefusal(pid, errnoOf(error));
    }
  }

  #isRefusal(pid: number, code: string): boolean {
    // Closed or ended meanwhile.
    if (code === "ENOENT" || code === "ESRCH") return false;
    // Nobody may look into the init process of a machine, and it never is a runtime.
    return pid !== 1 || this.#namespaces.pidNamespace() !== "initial";
  }

  #userOf(pid: number | "self"): number | null {
    const status = readOrNull(this.#port, `/proc/${pid}/status`, largestTextBytes);
    return status === null ? null : (parseUsers(status)?.[0] ?? null);
  }
}
