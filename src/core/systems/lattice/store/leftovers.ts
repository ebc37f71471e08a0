// Owns: what crashed steps of the runtime left in a run directory or beside it, with age and cause.
// Leaves to others: setting it aside (quarantine/), locks (lifecycleLock.ts).
import { join } from "node:path";
import { errnoOf, isMissing, retryTransient } from "../../../storage/errno.js";
import type { DirectoryEntry, ReadPort } from "../../../storage/filePort.js";
import { listDirectory, type RunListings } from "./listDirectories.js";
import type { Leftover } from "./runDetail.js";
import { isKnownName, leftoverOf } from "./runLayout.js";

const causes = {
  /** A recovery moved a lock aside and crashed before it deleted it. */
  "stale-lock": "lock-recovery-crashed",
  /** A file was being written and never renamed into place. */
  "temporary-file": "write-crashed",
  /** The first epoch was being prepared. */
  "temporary-epoch": "activation-crashed",
  "stray-entry": "not-of-the-runtime",
} as const;

/** Left-overs in a run directory and in the directories of it that are the runtime's. Looks at each once; follows no link. */
export async function listRunLeftovers(port: ReadPort, runDirectory: string, listings: RunListings, now: number): Promise<Leftover[]> {
  const leftovers: Leftover[] = [];
  for (const [directory, listing] of listings) {
    if (listing.kind !== "listed") continue;
    for (const entry of listing.entries) {
      const name = leftoverOf(entry.name);
      if (name === null && isKnownName(directory, entry.name) !== false) continue;
      const kind = name?.kind ?? "stray-entry";
      leftovers.push(await looked(port, join(runDirectory, directory, entry.name), entry, { kind, cause: causes[kind], pid: name?.pid ?? null, writtenAt: name?.writtenAt ?? null }, now));
    }
  }
  return leftovers;
}

/** What `mkdtemp` makes of `.<run-id>.tmp-`: left by a `run start` that crashed. */
const runStartPattern = /^\..+\.tmp-[0-9A-Za-z]{6}$/;

/**
 * Entries of `.lattice/runs` that are no runs: each makes the runtime's own listing fail (spec/lattice.md section 7, U6).
 * Directories whose name could be a run's are left out.
 */
export async function listStoreLeftovers(port: ReadPort, runsDirectory: string, now: number): Promise<Leftover[]> {
  const listing = await listDirectory(port, runsDirectory);
  if (listing.kind !== "listed") return [];
  const leftovers: Leftover[] = [];
  for (const entry of listing.entries) {
    const isRunStart = entry.type === "directory" && runStartPattern.test(entry.name);
    if (entry.type === "directory" && !isRunStart) continue;
    const kind = isRunStart ? "temporary-file" : "stray-entry";
    leftovers.push(await looked(port, join(runsDirectory, entry.name), entry, { kind, cause: isRunStart ? "run-start-crashed" : causes[kind], pid: null, writtenAt: null }, now));
  }
  return leftovers;
}

interface Told {
  readonly kind: Leftover["kind"];
  readonly cause: string;
  readonly pid: number | null;
  readonly writtenAt: number | null;
}

async function looked(port: ReadPort, path: string, { name, type }: DirectoryEntry, told: Told, now: number): Promise<Leftover> {
  const { kind, cause, pid } = told;
  const base = { kind, path, name, cause, pid };
  const age = (at: number | null): number | null => (at === null || at > now ? null : now - at);
  try {
    const stat = await retryTransient(() => port.lstat(path));
    const modifiedAt = Number(stat.mtimeNs / 1_000_000n);
    return { ...base, type: stat.type, size: stat.type === "file" ? Number(stat.size) : null, modifiedAt, ageMs: age(modifiedAt) };
  } catch (error) {
    if (!isMissing(error) && errnoOf(error) === null) throw error;
    // Gone or not to be looked at: the name may still tell when it was written.
    return { ...base, type, size: null, modifiedAt: told.writtenAt, ageMs: age(told.writtenAt) };
  }
}
