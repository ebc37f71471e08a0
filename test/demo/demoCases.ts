// Owns: which cases the demo holds, and what each row must say. Plain data: host tests bundle it.
// Leaves to others: making them (makeDemo.ts).

/** What the row of a case must say; `healthy` runs have no claim. */
export const demoCases = {
  stale: "stale",
  live: "live",
  liveOtherZone: "live",
  reusedPid: "stale",
  zombie: "stale",
  remote: "remote",
  empty: "corrupt",
  torn: "corrupt",
  pretty: "corrupt",
  cliLeftover: "stale",
  cliHeld: "live",
} as const;

export type DemoCase = keyof typeof demoCases;

export interface DemoClaim {
  /** Absolute paths. */
  readonly project: string;
  readonly run: string;
  readonly lock: string;
  /** Recorded pid; null where the file names nobody. */
  readonly pid: number | null;
}
