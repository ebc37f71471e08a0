// Owns: where things of a lattice store lie: from a claim to its place in `.lattice/quarantine/` and back, and fresh item names.
// Leaves to others: making the directories (openQuarantine.ts), the guard's files (instanceGuard.ts).
import { createHash } from "node:crypto";
import { basename, dirname, join, sep } from "node:path";
import { isIdentifier } from "../artifact/syntax.js";

export const storeName = ".lattice";
export const quarantineName = "quarantine";
/** Names no run can have (an identifier starts with a letter or digit). */
export const runtimeGroup = ".runtime";
export const runsGroup = ".runs";
export const guardsName = ".guards";

/** One claim's places. All paths are absolute when the claim's is. */
export interface ClaimPlace {
  /** The `.lattice` directory. */
  readonly store: string;
  /** Path inside the store, with `/`: the same for every process that sees the store, wherever it is mounted. */
  readonly relative: string;
  /** The claim itself. */
  readonly place: string;
  /** `.lattice/quarantine`. */
  readonly root: string;
  /** Directory in `root` that takes what belongs to this run. */
  readonly directory: string;
}

const separators = sep === "\\" ? /[\\/]/ : /\//;

/**
 * The places of the claim at `path`, or null when it lies in no lattice store. The innermost store counts: a run can hold
 * worktrees which hold stores of their own.
 */
export function placeOfClaim(path: string): ClaimPlace | null {
  const segments = path.split(separators);
  if (segments.some((segment) => segment === "." || segment === "..")) return null;
  for (let at = segments.length - 3; at >= 0; at -= 1) {
    const [name, area, ...rest] = segments.slice(at);
    if (name !== storeName || (area !== "runs" && area !== "runtime") || rest.some((segment) => segment === "")) continue;
    return placeInStore(segments.slice(0, at + 1).join(sep), [area, ...rest]);
  }
  return null;
}

function placeInStore(store: string, inside: readonly string[]): ClaimPlace {
  const root = join(store, quarantineName);
  return { store, relative: inside.join("/"), place: join(store, ...inside), root, directory: join(root, groupOf(inside)) };
}

/**
 * The run to which a path inside the store belongs. What lies beside the runs, in an entry that is no run by its name, or in the
 * runtime's own area, has a group of its own.
 */
function groupOf([area, run, ...rest]: readonly string[]): string {
  if (area !== "runs" || run === undefined) return runtimeGroup;
  return rest.length === 0 || !isIdentifier(run) ? runsGroup : run;
}

/**
 * The place to which an item of the quarantine directory `directory` goes back, judged from the path in its record. The store is
 * the one that holds the quarantine, not the one that the record names: a record from elsewhere (a copied checkout, a hostile
 * repository) must never make us write outside of the store it lies in. Null when the record belongs to another directory.
 */
export function placeOfRecord(originalPath: string, directory: string): ClaimPlace | null {
  const recorded = placeOfClaim(originalPath);
  const store = storeOfDirectory(directory);
  if (recorded === null || store === null) return null;
  const here = placeInStore(store, recorded.relative.split("/"));
  return here.directory === directory ? here : null;
}

/** The store above a directory of the quarantine; null for any other directory. */
export function storeOfDirectory(directory: string): string | null {
  const root = dirname(directory);
  const store = dirname(root);
  return basename(root) === quarantineName && basename(store) === storeName ? store : null;
}

/** `.lattice/quarantine` for a workspace folder, a `.lattice` directory, or the quarantine itself. */
export function quarantineRootOf(root: string): string {
  if (basename(root) === storeName) return join(root, quarantineName);
  if (basename(root) === quarantineName && basename(dirname(root)) === storeName) return root;
  return join(root, storeName, quarantineName);
}

/** Directories from the store down to the claim's parent: each must be real, or a write would end up elsewhere. */
export function directoriesAbove(place: ClaimPlace): readonly string[] {
  const inside = place.relative.split("/").slice(0, -1);
  return [place.store, ...inside.map((_, index) => join(place.store, ...inside.slice(0, index + 1)))];
}

/** Directory of the guard files for one place. */
export function guardDirectory(place: ClaimPlace): string {
  return join(place.root, guardsName, createHash("sha256").update(place.relative, "utf8").digest("hex").slice(0, 32));
}

const stemMost = 80;

/** A name that nothing else has: readable stem, UTC time, random id. ASCII only, without a leading dot, far below 255 bytes. */
export function freshItemName(path: string, at: number, uuid: string): string {
  const stem = basename(path).replaceAll(/[^0-9A-Za-z._-]/g, "_").replace(/^\.+/, "").slice(0, stemMost);
  const time = new Date(at).toISOString().replaceAll(/[-:]/g, "");
  return `${stem === "" ? "item" : stem}.${time}.${uuid}`;
}

/** The extra link that freezes a claim. */
export const frozenSuffix = ".frozen";
export const temporaryPattern = /^[0-9A-Za-z._-]+\.[0-9a-f-]{36}\.tmp$/;

export function temporaryName(path: string, uuid: string): string {
  return `${path}.${uuid}.tmp`;
}
