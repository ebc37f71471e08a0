// Owns: which `.lattice` store a given root means, and which of its runs.
// Leaves to others: reading the store (readStore.ts).
import { basename, dirname, join } from "node:path";
import { isMissing } from "../storage/errno.js";
import type { ReadPort } from "../storage/filePort.js";
import { storeName } from "../quarantine/latticeLayout.js";
import { errnoOrThrow } from "./readDirectory.js";
import type { ScanProblem } from "./snapshot.js";

export interface RootTarget {
  /** Absolute path of the `.lattice` directory, which need not exist. */
  readonly store: string;
  /** The one run that the root names; null: the whole store. */
  readonly run: string | null;
}

export interface ResolvedRoot {
  readonly root: string;
  /** Null: nothing to read here, `problems` say why. */
  readonly target: RootTarget | null;
  /** The store under the name it is read by and with links above it resolved: watchers report either. */
  readonly storeNames: readonly string[];
  readonly problems: readonly ScanProblem[];
}

/** What a path means by its names alone: a `.lattice`, its `runs`, one run, or (null) a folder that may hold a `.lattice`. */
function structureOf(path: string): RootTarget | null {
  if (basename(path) === storeName) return { store: path, run: null };
  const parent = dirname(path);
  if (basename(path) === "runs" && basename(parent) === storeName) return { store: parent, run: null };
  const store = dirname(parent);
  return basename(parent) === "runs" && basename(store) === storeName ? { store, run: basename(path) } : null;
}

/**
 * The stores of all roots, each once: what another root shows already is a problem row, or one lock would count twice. A root that
 * names a single run gives way to one that has the whole store. Never throws for a kernel answer.
 * @param roots absolute and normalised.
 */
export async function resolveRoots(port: ReadPort, roots: readonly string[]): Promise<readonly ResolvedRoot[]> {
  const resolved: ResolvedRoot[] = [];
  for (const root of roots) resolved.push(await resolveRoot(port, root));
  const whole = new Map<string, string>();
  for (const { root, target, storeNames } of resolved) {
    const real = storeNames.at(-1);
    if (real !== undefined && target?.run === null && !whole.has(real)) whole.set(real, root);
  }
  const runs = new Map<string, string>();
  return resolved.map((entry) => {
    const { root, target, storeNames } = entry;
    const real = storeNames.at(-1);
    if (target === null || real === undefined) return entry;
    const runKey = join(real, "runs", target.run ?? "");
    const shownBy = whole.get(real) ?? runs.get(runKey);
    if (target.run !== null && shownBy === undefined) runs.set(runKey, root);
    if (shownBy === undefined || shownBy === root) return entry;
    return { ...entry, target: null, problems: [{ code: "already-listed", path: root, detail: shownBy }] };
  });
}

/** A workspace folder (also one reached through a link), a `.lattice` directory, its `runs`, or one run. */
async function resolveRoot(port: ReadPort, root: string): Promise<ResolvedRoot> {
  const problem = (code: string, detail: string | null): ResolvedRoot => ({ root, target: null, storeNames: [], problems: [{ code, path: root, detail }] });
  try {
    const stat = await port.lstat(root);
    const named = structureOf(root);
    if (named !== null) return await targetOfStore(port, root, named);
    if (stat.type === "directory") return await targetOfStore(port, root, { store: join(root, storeName), run: null });
    if (stat.type !== "symlink") return problem("not-a-directory", stat.type);
    const real = await port.realpath(root);
    const { type } = await port.lstat(real);
    if (type !== "directory") return problem("not-a-directory", type);
    // A link to a run or a store means that very place; a link to a folder keeps the name under which people know it.
    return await targetOfStore(port, root, structureOf(real) ?? { store: join(root, storeName), run: null });
  } catch (error) {
    return isMissing(error) ? problem("missing", null) : problem("unreadable", errnoOrThrow(error));
  }
}

/** Links above the store are resolved, the store itself is not: a `.lattice` that is a link is reported as one. */
async function targetOfStore(port: ReadPort, root: string, target: RootTarget): Promise<ResolvedRoot> {
  const real = join(await port.realpath(dirname(target.store)), basename(target.store));
  return { root, target, storeNames: real === target.store ? [target.store] : [target.store, real], problems: [] };
}
