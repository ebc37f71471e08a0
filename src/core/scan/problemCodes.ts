// Owns: every code that a ScanProblem can carry.
// Leaves to others: wording (shared/explain.ts).

export const problemCodes = [
  /** A given root that is not there. */
  "missing",
  "not-a-directory",
  /** `detail`: the errno. */
  "unreadable",
  /** Links are never followed below a store; `detail`: where it points. */
  "symlink",
  /** The store is shown under another root already; `detail`: that root. */
  "already-listed",
  /** In `runs/`, no directory: makes the runtime's own listing fail. `detail`: the type. */
  "stray-entry",
  /** In `runs/`: what a `run start` that crashed has left behind. */
  "crash-leftover",
  /** A directory whose name the runtime would never give a run. */
  "not-a-run-id",
  /** Another entry differs only in Unicode composition. */
  "composition-twin",
  /** The name is no UTF-8, so that the entry cannot be reached by it. */
  "name-not-utf8",
  /** A lock that a recovery of the runtime has moved aside, and left when it crashed; `detail`: the pid of that runtime. */
  "recovery-leftover",
  /** Two looks disagreed: what is shown is the last good state. */
  "unsettled",
] as const;

export type ProblemCode = (typeof problemCodes)[number];
