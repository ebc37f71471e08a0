// Owns: one look at everything below some roots.
// Leaves to others: looking again without reading everything again (scanIndex.ts).
import { createScanIndex, type RefreshOptions, type ScanOptions } from "./scanIndex.js";
import type { RunStateSnapshot } from "./snapshot.js";

/**
 * Finds the lattice stores of `roots` (workspace folders, `.lattice` directories, their `runs`, or single runs) and judges every
 * lock in them. Never writes, follows no link below a store, reads with bounds, opens nothing but small regular files. Whatever
 * cannot be read is a problem row beside the rest; kernel answers are not thrown. The event loop is given back every few ms.
 * @throws the reason of `signal` when it is aborted.
 */
export function scanRunState(roots: readonly string[], options: ScanOptions & RefreshOptions = {}): Promise<RunStateSnapshot> {
  return createScanIndex(roots, options).refresh(undefined, options);
}
