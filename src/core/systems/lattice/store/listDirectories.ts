// Owns: the entries of a run directory and of the directories in it that belong to the runtime, bounded, without following links.
// Leaves to others: what the entries are (runLayout.ts), reading files (readDocument.ts).
import { join, posix } from "node:path";
import { errnoOf, isMissing, retryTransient } from "../../../storage/errno.js";
import type { DirectoryEntry, FileStat, ReadPort } from "../../../storage/filePort.js";

export type Listing =
  | { readonly kind: "listed"; readonly entries: readonly DirectoryEntry[]; /** Whether entries beyond the limit were left out. */ readonly isCut: boolean }
  | { readonly kind: "missing" }
  | { readonly kind: "not-directory"; readonly type: FileStat["type"] }
  | { readonly kind: "unreadable"; readonly code: string };

/** More than any run has; what is beyond is said, not looked at. */
export const entriesMaximum = 10_000;

/** Sorted by code units. Kernel answers are results. */
export async function listDirectory(port: ReadPort, path: string): Promise<Listing> {
  try {
    const { type } = await retryTransient(() => port.lstat(path));
    if (type !== "directory") return { kind: "not-directory", type };
    const entries = [...(await retryTransient(() => port.readdir(path)))].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return { kind: "listed", entries: entries.slice(0, entriesMaximum), isCut: entries.length > entriesMaximum };
  } catch (error) {
    if (isMissing(error)) return { kind: "missing" };
    const code = errnoOf(error);
    if (code === null) throw error;
    return { kind: "unreadable", code };
  }
}

/** Directories of a run by their path relative to it, with `/`; the run itself is "". */
export type RunListings = ReadonlyMap<string, Listing>;

export function entriesOf(listings: RunListings, directory: string): readonly DirectoryEntry[] {
  const listing = listings.get(directory);
  return listing?.kind === "listed" ? listing.entries : [];
}

const fixed = ["epochs", "staging", "findings", "leases", "controllers", "supervisor", "supervisor/gate-commits", "supervisor/gate-receipts", "supervisor/controllers", "supervisor/restart-candidates"] as const;
/** Directories whose own directories are the runtime's too. Worktrees and job files of adapters are not. */
const parents = ["epochs", "staging", "controllers", "supervisor/restart-candidates"] as const;

export async function listRunDirectories(port: ReadPort, runDirectory: string): Promise<RunListings> {
  const listings = new Map<string, Listing>();
  const list = async (directory: string): Promise<void> => {
    // What is below something that is no real directory is not looked at: the way may lead out of the store.
    const above = directory.includes("/") ? listings.get(posix.dirname(directory)) : listings.get("");
    const isReachable = directory === "" || above?.kind === "listed";
    listings.set(directory, isReachable ? await listDirectory(port, join(runDirectory, directory)) : { kind: "missing" });
  };
  await list("");
  for (const directory of fixed) await list(directory);
  for (const parent of parents) {
    for (const { name, type } of entriesOf(listings, parent)) if (type === "directory") await list(`${parent}/${name}`);
  }
  return listings;
}
