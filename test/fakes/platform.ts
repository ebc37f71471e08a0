// Owns: a platform made of tables: files, links, lists, probes and commands that a test sets, with a count of every access.
// Leaves to others: a whole observer made of a table (processes.ts).
import type { CommandRequest, CommandResult, PlatformPort } from "../../src/core/process/platformPort.js";

/** A virtual entry, in the form of the vectors: text, link, list or an errno name. */
export type VirtualEntry = string | { readonly link: string } | { readonly list: readonly string[] } | { readonly error: string };

export function linkTo(target: string): { readonly link: string } {
  return { link: target };
}

export function errnoError(code: string, path = ""): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

export class FakePlatform implements PlatformPort {
  platform = "linux";
  ownPid = 999_999;
  execPath = "/usr/bin/node";
  hostname = "host-a";
  readonly variables = new Map<string, string>();
  readonly files = new Map<string, VirtualEntry>();
  /** Results of kill(pid, 0); others are `defaultProbe`. */
  readonly probes = new Map<number, string>();
  defaultProbe = "ESRCH";
  readonly fileKeys = new Map<string, { device: bigint; inode: bigint }>();
  readonly devices = new Map<string, bigint>();
  readonly filesystemTypes = new Map<string, number>();
  readonly realPaths = new Map<string, string>();
  /** Answers a command; the default machine has none. */
  command: (request: CommandRequest) => CommandResult = () => ({ kind: "failed", code: "ENOENT" });
  readonly commands: CommandRequest[] = [];
  /** Every access in order, e.g. `readText /proc/1/stat`. */
  readonly accesses: string[] = [];
  /** Runs before each access: throw to inject a fault, change the tables to play a race, move a clock. */
  beforeAccess: (access: string) => void = () => {};

  constructor() {
    this.files.set("/proc/self", linkTo(String(this.ownPid)));
    this.files.set("/proc/self/ns/pid", linkTo("pid:[4026531836]"));
    this.files.set("/etc/localtime", linkTo("/usr/share/zoneinfo/Etc/UTC"));
    this.files.set("/proc/stat", "cpu  1 2 3\nbtime 1700000000\nprocesses 5\n");
    this.files.set("/proc/1/status", "Name:\tinit\nTgid:\t1\nUid:\t0\t0\t0\t0\nNSpid:\t1\n");
    this.files.set("/proc", { list: ["1", "self", "stat"] });
    this.devices.set("/", 1n);
  }

  /** An ordinary running process of the current user. */
  addProcess(pid: number, facts: ProcessFacts = {}): this {
    const { ticks = "12345", state = "S", flags = 4_194_304, tgid = pid, nsPids = [pid], uid = 1000, environment = "HOME=/root\0", executable = "/usr/bin/node", tasks = [String(pid)] } = facts;
    this.probes.set(pid, "ok");
    this.files.set(`/proc/${pid}/stat`, statText(pid, { ticks, state, flags }));
    this.files.set(`/proc/${pid}/status`, `Name:\tx\nTgid:\t${tgid}\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\nNSpid:\t${nsPids.join("\t")}\n`);
    this.files.set(`/proc/${pid}/exe`, linkTo(executable));
    this.files.set(`/proc/${pid}/environ`, environment);
    this.files.set(`/proc/${pid}/task`, { list: tasks });
    const listed = this.files.get("/proc");
    if (typeof listed === "object" && "list" in listed) this.files.set("/proc", { list: [...listed.list, String(pid)] });
    return this;
  }

  /** The kernel no longer knows it. */
  removeProcess(pid: number): void {
    this.probes.set(pid, "ESRCH");
    for (const path of [...this.files.keys()]) if (path.startsWith(`/proc/${pid}/`)) this.files.delete(path);
  }

  variable(name: string): string | undefined {
    return this.variables.get(name);
  }

  probe(pid: number): string {
    this.#access("probe", String(pid));
    return this.probes.get(pid) ?? this.defaultProbe;
  }

  readText(path: string, maxBytes: number): string {
    const entry = this.#entry("readText", path);
    if (typeof entry !== "string") throw errnoError("EINVAL", path);
    if (entry.length > maxBytes) throw errnoError("EFBIG", path);
    return entry;
  }

  readLink(path: string): string {
    const entry = this.#entry("readLink", path);
    if (typeof entry === "string" || !("link" in entry)) throw errnoError("EINVAL", path);
    return entry.link;
  }

  list(path: string): readonly string[] {
    const entry = this.#entry("list", path);
    if (typeof entry === "string" || !("list" in entry)) throw errnoError("ENOTDIR", path);
    return entry.list;
  }

  fileKey(path: string): { device: bigint; inode: bigint } {
    this.#access("fileKey", path);
    return known(this.fileKeys, path);
  }

  deviceOf(path: string): Promise<bigint> {
    return this.#later("deviceOf", path, () => known(this.devices, path));
  }

  filesystemType(path: string): Promise<number> {
    return this.#later("filesystemType", path, () => known(this.filesystemTypes, path));
  }

  realPath(path: string): Promise<string> {
    return this.#later("realPath", path, () => this.realPaths.get(path) ?? path);
  }

  execute(request: CommandRequest): Promise<CommandResult> {
    this.commands.push(request);
    return this.#later("execute", request.file, () => this.command(request));
  }

  #access(kind: string, path: string): void {
    this.accesses.push(`${kind} ${path}`);
    this.beforeAccess(`${kind} ${path}`);
  }

  #entry(kind: string, path: string): Exclude<VirtualEntry, { readonly error: string }> {
    this.#access(kind, path);
    const entry = this.files.get(path);
    if (entry === undefined) throw errnoError("ENOENT", path);
    if (typeof entry === "object" && "error" in entry) throw errnoError(entry.error, path);
    return entry;
  }

  #later<Value>(kind: string, path: string, answer: () => Value): Promise<Value> {
    return new Promise((resolve) => {
      this.#access(kind, path);
      resolve(answer());
    });
  }
}

export interface ProcessFacts {
  readonly ticks?: string;
  readonly state?: string;
  readonly flags?: number;
  readonly tgid?: number;
  /** Outermost first. */
  readonly nsPids?: readonly number[];
  readonly uid?: number;
  readonly environment?: string;
  readonly executable?: string;
  readonly tasks?: readonly string[];
}

export function statText(pid: number, facts: { readonly ticks?: string; readonly state?: string; readonly flags?: number; readonly name?: string } = {}): string {
  const { ticks = "12345", state = "S", flags = 4_194_304, name = "node" } = facts;
  return `${pid} (${name}) ${state} 1 ${pid} ${pid} 0 -1 ${flags} 100 0 0 0 1 2 0 0 20 0 1 0 ${ticks} 1000000 200 0 0\n`;
}

function known<Value>(table: ReadonlyMap<string, Value>, path: string): Value {
  const value = table.get(path);
  if (value === undefined) throw errnoError("ENOENT", path);
  return value;
}
