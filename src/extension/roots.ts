// Owns: which directories are looked at: local workspace folders and the setting `runState.roots`, without doubles.
// Leaves to others: looking (state/), watching (watch/).
import { homedir } from "node:os";
import { isAbsolute, join, normalize, relative, sep } from "node:path";

export interface Root {
  readonly path: string;
  /** Whether VS Code watches it for its workspace already. */
  readonly isInWorkspace: boolean;
}

export interface RootChoice {
  readonly roots: readonly Root[];
  /** Entries of the setting that name no absolute directory. */
  readonly rejected: readonly string[];
}

/**
 * A relative entry would depend on which folder is first, so it is rejected. A root below another one is kept: its store is
 * its own. Order: as in the workspace, then as in the setting.
 */
export function chooseRoots(folders: readonly string[], extra: readonly string[], home = homedir()): RootChoice {
  const roots = new Map<string, Root>();
  for (const folder of folders) roots.set(trimmed(folder), { path: trimmed(folder), isInWorkspace: true });
  const rejected: string[] = [];
  for (const entry of extra) {
    const path = entry === "~" ? home : entry.startsWith("~/") ? join(home, entry.slice(2)) : entry;
    if (!isAbsolute(path)) {
      rejected.push(entry);
      continue;
    }
    const root = trimmed(path);
    if (!roots.has(root)) roots.set(root, { path: root, isInWorkspace: folders.some((folder) => isInside(root, trimmed(folder))) });
  }
  return { roots: [...roots.values()], rejected };
}

/** Whether `path` is `directory` or lies below it. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function trimmed(path: string): string {
  const normal = normalize(path);
  return normal.length > 1 && normal.endsWith(sep) ? normal.slice(0, -1) : normal;
}
