// Owns: finding pi-amq namespaces below a folder, recognised by what is in them and not by a name only (issue "pi-amq: leases and guards").
// Leaves to others: looking into one (inspectNamespace.ts), when and where to search (scan/).
import { join } from "node:path";
import type { ScanProblem } from "../../scan/snapshot.js";
import { errnoOf, isMissing } from "../../storage/errno.js";
import type { DirectoryEntry, ReadPort } from "../../storage/filePort.js";
import { nodeFilePort } from "../../storage/nodeFilePort.js";
import { systemClock, type Clock } from "../../ports.js";
import { NamespaceLayout, ownerFileName, parseQuarantineName, quarantineDirectoryName, recogniseEntry, workersDirectoryName } from "./namespaceLayout.js";
import { readGuardFile, readOwnerFile, type ReadContext } from "./readRecord.js";

export interface DiscoverOptions {
  readonly port?: ReadPort | undefined;
  readonly clock?: Clock | undefined;
  /** Directories below a root that are still looked into. Default 6. */
  readonly maxDepth?: number | undefined;
  /** Directories looked into in all. Default 20,000. */
  readonly maxDirectories?: number | undefined;
  /** Names that are never entered. */
  readonly skip?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DiscoveredNamespaces {
  /** Absolute paths, ascending. */
  readonly namespaces: readonly string[];
  /** Symlinked look-alikes, directories that could not be read, and `search-limit` when not all was searched. */
  readonly problems: readonly ScanProblem[];
}

const defaultSkip = ["node_modules", ".git", ".hg", ".svn"];
/** Leases looked at before a directory full of foreign ones is given up. */
const mostProbes = 64;

const lockName = "supervisor.lock";
const guardName = "supervisor.lifecycle.guard.json";

async function readNames(port: ReadPort, path: string): Promise<readonly DirectoryEntry[]> {
  try {
    return await port.readdir(path);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return [];
  }
}

async function hasOwner(context: ReadContext, lockPath: string): Promise<boolean> {
  return (await readOwnerFile(context, join(lockPath, ownerFileName))).kind === "read";
}

async function anyOf<Item>(items: readonly Item[], test: (item: Item) => Promise<boolean>): Promise<boolean> {
  for (const item of items.slice(0, mostProbes)) if (await test(item)) return true;
  return false;
}

async function hasWorkerRecord(context: ReadContext, layout: NamespaceLayout): Promise<boolean> {
  return await anyOf(await readNames(context.port, layout.workersDirectory), async ({ name }) => {
    const entry = recogniseEntry(name);
    if (entry.kind === "lock") return await hasOwner(context, layout.worker(entry.name).lockPath);
    return entry.kind === "guard" && (await readGuardFile(context, layout.worker(entry.name).guardPath)).kind === "read";
  });
}

async function hasQuarantinedRecord(context: ReadContext, layout: NamespaceLayout): Promise<boolean> {
  return await anyOf(await readNames(context.port, layout.quarantineDirectory), async ({ name }) => {
    const { kind } = parseQuarantineName(name);
    const path = join(layout.quarantineDirectory, name);
    return kind === "lease" ? await hasOwner(context, path) : kind === "guard" && (await readGuardFile(context, path)).kind === "read";
  });
}

/**
 * Whether a directory is a namespace: it holds a lease, a guard or a displaced one that parses, or the two directories that
 * pi-amq makes together. A damaged lease alone does not make one: another tool may use the name `supervisor.lock`.
 */
export async function isNamespace(context: ReadContext, directory: string, entries: readonly DirectoryEntry[]): Promise<boolean> {
  const layout = new NamespaceLayout(directory);
  const isDirectory = (name: string): boolean => entries.some((entry) => entry.name === name && entry.type === "directory");
  const isFile = (name: string): boolean => entries.some((entry) => entry.name === name && entry.type === "file");
  if (isDirectory(workersDirectoryName) && isDirectory(quarantineDirectoryName)) return true;
  const supervisor = layout.supervisor("");
  if (isDirectory(lockName) && (await hasOwner(context, supervisor.lockPath))) return true;
  if (isFile(guardName) && (await readGuardFile(context, supervisor.guardPath)).kind === "read") return true;
  if (isDirectory(workersDirectoryName) && (await hasWorkerRecord(context, layout))) return true;
  return isDirectory(quarantineDirectoryName) && (await hasQuarantinedRecord(context, layout));
}

const telling = [lockName, guardName, workersDirectoryName, quarantineDirectoryName];

/** Breadth first, so that what lies near is found before a limit is reached. Never writes, follows no link. */
export async function discoverNamespaces(roots: readonly string[], options: DiscoverOptions = {}): Promise<DiscoveredNamespaces> {
  const context: ReadContext = { port: options.port ?? nodeFilePort, clock: options.clock ?? systemClock };
  const { maxDepth = 6, maxDirectories = 20_000, skip = defaultSkip } = options;
  const namespaces = new Set<string>();
  const problems: ScanProblem[] = [];
  const seen = new Set(roots);
  let level = [...seen];
  let looked = 0;
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const directory of level) {
      options.signal?.throwIfAborted();
      if (looked === maxDirectories) {
        problems.push({ code: "search-limit", path: directory, detail: String(maxDirectories) });
        return { namespaces: [...namespaces].sort(), problems };
      }
      looked += 1;
      const listed = await listDirectory(context.port, directory);
      if (listed.problem !== null) problems.push(listed.problem);
      const { entries } = listed;
      if (entries.some(({ name }) => telling.includes(name))) {
        problems.push(...symlinkedParts(directory, entries));
        if (await isNamespace(context, directory, entries)) {
          namespaces.add(directory);
          continue;
        }
      }
      for (const { name, type } of entries) if (type === "directory" && !skip.includes(name)) next.push(join(directory, name));
    }
    level = next.filter((path) => !seen.has(path));
    for (const path of level) seen.add(path);
  }
  return { namespaces: [...namespaces].sort(), problems };
}

async function listDirectory(port: ReadPort, path: string): Promise<{ readonly entries: readonly DirectoryEntry[]; readonly problem: ScanProblem | null }> {
  try {
    const { type } = await port.lstat(path);
    if (type !== "directory") return { entries: [], problem: { code: type === "symlink" ? "symlink" : "not-a-directory", path, detail: type } };
    return { entries: await port.readdir(path), problem: null };
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    return { entries: [], problem: isMissing(error) ? null : { code: "unreadable", path, detail: code } };
  }
}

/** A part that is a link leads elsewhere: said, never followed. */
function symlinkedParts(directory: string, entries: readonly DirectoryEntry[]): readonly ScanProblem[] {
  return entries.flatMap(({ name, type }) =>
    type === "symlink" && name !== quarantineDirectoryName && telling.includes(name) ? [{ code: "symlink", path: join(directory, name), detail: type }] : [],
  );
}
