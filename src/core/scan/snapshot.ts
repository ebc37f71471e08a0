// Owns: the shape of one immutable look at the disk. Views draw it and never read the disk themselves.
// Leaves to others: making one (scanRunState.ts), wording it (shared/explain.ts).
import type { ClaimSnapshot, SystemId } from "../claims/claim.js";
import type { QuarantineEntry } from "../quarantine/quarantineEntry.js";

/** Something that could not be read or is not as it should be: a row with its reason, never an exception. */
export interface ScanProblem {
  /** Stable kebab-case code, e.g. "symlink", "not-a-directory", "permission-denied", "not-a-run". */
  readonly code: string;
  /** Absolute path of the entry concerned. */
  readonly path: string;
  /** Further raw text (an errno, a type); never a sentence. */
  readonly detail: string | null;
}

/** One directory below `.lattice/runs`. */
export interface RunSnapshot {
  /** Stable, unique over all roots. */
  readonly key: string;
  readonly system: SystemId;
  /** Entry name; raw text. */
  readonly name: string;
  readonly path: string;
  /** Locks of this run, worst first. */
  readonly claims: readonly ClaimSnapshot[];
  readonly problems: readonly ScanProblem[];
}

/** One `.lattice` directory. */
export interface LatticeStoreSnapshot {
  readonly key: string;
  /** Absolute path of the `.lattice` directory. */
  readonly path: string;
  readonly runs: readonly RunSnapshot[];
  /** Claims that belong to no run (adapter registry lock). */
  readonly claims: readonly ClaimSnapshot[];
  readonly quarantine: readonly QuarantineEntry[];
  readonly problems: readonly ScanProblem[];
}

/** One workspace folder or configured extra root. */
export interface RootSnapshot {
  readonly key: string;
  readonly path: string;
  readonly stores: readonly LatticeStoreSnapshot[];
  readonly problems: readonly ScanProblem[];
}

export interface RunStateSnapshot {
  readonly schema: "run-state.snapshot.v1";
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  readonly roots: readonly RootSnapshot[];
}
