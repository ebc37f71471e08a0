// Owns: verdicts for all locks of a scan at once, asking the observer about many owners together.
// Leaves to others: one lock (systems/lattice), putting the claims into the snapshot (buildSnapshot.ts).
import type { ClaimSnapshot } from "../claims/claim.js";
import type { VerdictWord } from "../claims/verdict.js";
import type { WeakLockContext } from "../systems/lattice/weakLocks.js";
import { judgeLock } from "./lockKinds.js";
import type { Pace } from "./pace.js";
import type { DirectoryReading } from "./readDirectory.js";
import { withSharedEnvironments } from "./sharedEnvironments.js";

/** Directories whose locks are judged together: the observer answers them with one observation, and they take a slice at most. */
const batchSize = 64;

/** Claims of each reading that has locks, worst first. Verdicts are always of now, also for files that did not change. */
export async function judgeReadings(
  readings: readonly DirectoryReading[],
  context: WeakLockContext,
  pace: Pace,
): Promise<ReadonlyMap<DirectoryReading, readonly ClaimSnapshot[]>> {
  const claims = new Map<DirectoryReading, readonly ClaimSnapshot[]>();
  const withLocks = readings.filter(({ locks }) => locks.length > 0);
  const shared = { ...context, observer: withSharedEnvironments(context.observer, withLocks) };
  for (let start = 0; start < withLocks.length; start += batchSize) {
    await Promise.all(
      withLocks.slice(start, start + batchSize).map(async (reading) => {
        if (pace.isDue()) await pace.rest();
        const judged = await Promise.all(reading.locks.map(({ kind, path, look }) => judgeLock(kind, path, look, shared)));
        claims.set(reading, judged.sort(worstFirst));
      }),
    );
  }
  return claims;
}

/** What needs a person comes first. */
const rank: Readonly<Record<VerdictWord, number>> = { stale: 0, corrupt: 1, unknown: 2, remote: 3, live: 4, empty: 5 };

export function worstFirst(a: ClaimSnapshot, b: ClaimSnapshot): number {
  const byVerdict = rank[a.verdict.kind] - rank[b.verdict.kind];
  if (byVerdict !== 0) return byVerdict;
  return a.path < b.path ? -1 : 1;
}
