// Owns: names in a run directory (spec/lattice.md section 3.1): what is known, what a crash leaves behind, what is a secret.
// Leaves to others: reading them (loadRun.ts), listing leftovers (leftovers.ts).

/** Files at the top of a run directory. */
export const runFiles = {
  request: "request.json",
  compileResult: "plan-compile-result.json",
  events: "events.json",
  meta: "run-meta.json",
  controlEvents: "control-events.json",
  ledger: "control-request-ledger.json",
  pointer: "committed-epoch.json",
  release: "release-epoch.json",
  holdResult: "hold-result.json",
  holdReceipt: "hold-operation-receipt.json",
  pendingRecompile: "pending-recompile.json",
  transaction: "epoch-activation-transaction.json",
  queue: "queued-events.json",
} as const;

export const runDirectories = ["epochs", "staging", "findings", "leases", "controllers", "supervisor", "worktrees"] as const;

const lockNames: ReadonlySet<string> = new Set([".lifecycle.lock", ".cli-lifecycle.lock"]);
const topFiles: ReadonlySet<string> = new Set(Object.values(runFiles));
const topDirectories: ReadonlySet<string> = new Set(runDirectories);

export const batchPattern = /^run-event-batch-([0-9a-f]{64})\.json$/;
export const findingPattern = /^([0-9a-f]{64})\.json$/;
export const epochPattern = /^([0-9]{8})$/;
export const gateBundlePattern = /^([0-9]{8})\.bundle\.json$/;
export const gateReceiptPattern = /^([0-9]{8})\.receipt\.json$/;

export const epochDirectoryName = (epoch: number): string => String(epoch).padStart(8, "0");

/** The live nonce of a supervisor: never opened, hashed, shown or copied. */
export const sessionName = "session";

const supervisorNames: ReadonlySet<string> = new Set(["descriptor.json", "write-gate.json", "control.sock", sessionName, "active-runtime.json", "gate-commits", "gate-receipts", "controllers", "restart-candidates"]);
const controllerNames: ReadonlySet<string> = new Set(["descriptor.json", "registration.json", "jobs", "receipts"]);
const epochNames: ReadonlySet<string> = new Set(["epoch-bundle.json", "prepare.json"]);

/** Which names belong into a directory of a run, by its path relative to the run. Null: any name does. */
export function isKnownName(directory: string, name: string): boolean | null {
  switch (directory) {
    case "":
      return topFiles.has(name) || topDirectories.has(name) || lockNames.has(name) || batchPattern.test(name);
    case "epochs":
      return epochPattern.test(name);
    case "findings":
      return findingPattern.test(name);
    case "supervisor":
      return supervisorNames.has(name);
    case "supervisor/gate-commits":
      return gateBundlePattern.test(name);
    case "supervisor/gate-receipts":
      return gateReceiptPattern.test(name);
  }
  if (directory.startsWith("epochs/") || directory.startsWith("staging/")) return epochNames.has(name);
  if (/^controllers\/[^/]+$/.test(directory)) return controllerNames.has(name);
  return null;
}

export type LeftoverKind = "stale-lock" | "temporary-file" | "temporary-epoch" | "stray-entry";

export interface LeftoverName {
  readonly kind: Exclude<LeftoverKind, "stray-entry">;
  /** Of the process that left it, when the name tells. */
  readonly pid: number | null;
  /** Milliseconds since the epoch, when the name tells. */
  readonly writtenAt: number | null;
  /** The file that was to be written or the lock that was recovered. */
  readonly target: string;
}

const uuid = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const leftoverPatterns: readonly (readonly [kind: LeftoverName["kind"], pattern: RegExp])[] = [
  ["stale-lock", new RegExp(`^\\.(?<target>\\.lifecycle\\.lock)\\.(?<pid>\\d+)\\.${uuid}\\.stale$`)],
  ["temporary-epoch", /^\.(?<target>epoch-\d+)-(?<pid>\d+)-(?<time>\d+)\.tmp$/],
  ["temporary-file", new RegExp(`^\\.(?<target>\\..+)\\.${uuid}\\.tmp$`)],
  ["temporary-file", new RegExp(`^\\.(?<target>.+)-(?<pid>\\d+)-${uuid}\\.tmp$`)],
  ["temporary-file", /^\.(?<target>.+)-(?<pid>\d+)-(?<time>\d+)\.tmp$/],
  ["temporary-file", /^\.(?<target>.+)\.tmp$/],
];

/** What a crashed step of the runtime leaves behind, by its name; null for every other name. */
export function leftoverOf(name: string): LeftoverName | null {
  for (const [kind, pattern] of leftoverPatterns) {
    const groups = pattern.exec(name)?.groups;
    if (groups === undefined) continue;
    const number = (text: string | undefined): number | null => (text === undefined || !Number.isSafeInteger(Number(text)) ? null : Number(text));
    return { kind, pid: number(groups["pid"]), writtenAt: number(groups["time"]), target: groups["target"] ?? "" };
  }
  return null;
}
