// Owns: what a list of changed paths (from a watcher) means for one store: which parts must be looked at again.
// Leaves to others: watching, looking.
import { sep } from "node:path";

/** What of a store may have changed. The listing of runs and the runtime's own area are always looked at: they cost next to nothing. */
export interface Dirty {
  readonly all: boolean;
  readonly runs: ReadonlySet<string>;
  readonly quarantine: boolean;
}

export const allDirty: Dirty = { all: true, runs: new Set(), quarantine: true };

/**
 * @param stores names of the same store: as given, and with links resolved, because watchers report either.
 * @param changed absolute paths.
 */
export function dirtyPartsOf(stores: readonly string[], changed: readonly string[]): Dirty {
  const runs = new Set<string>();
  let quarantine = false;
  for (const path of changed) {
    for (const store of stores) {
      // Something above the store: a folder was moved or replaced.
      if (path === store || store.startsWith(withSeparator(path))) return allDirty;
      if (!path.startsWith(withSeparator(store))) continue;
      const [area, name] = path.slice(store.length + 1).split(sep);
      if (area === "runs" && name !== undefined && name !== "") runs.add(name);
      if (area === "quarantine") quarantine = true;
    }
  }
  return { all: false, runs, quarantine };
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}
