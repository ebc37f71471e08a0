// Owns: the shape of one immutable look at a pi-amq namespace.
// Leaves to others: making one (inspectNamespace.ts), wording it (shared/explain.ts).
import type { ClaimSnapshot } from "../../claims/claim.js";
import type { ScanProblem } from "../../scan/snapshot.js";
import type { UpstreamView } from "./leaseFacts.js";
import type { LifecycleGuard, WorkflowLeaseOwner } from "./leaseRecord.js";
import type { QuarantineName } from "./namespaceLayout.js";

/** What every row has. */
interface Row {
  /** Absolute path; stable while things come, change and go. */
  readonly key: string;
  /** Something about it changed between the first and the last look of this refresh. */
  readonly changing: boolean;
}

export interface GuardRow extends Row {
  readonly claim: ClaimSnapshot;
  /** Null when it is not valid. */
  readonly record: LifecycleGuard | null;
  readonly upstream: UpstreamView | null;
}

export interface LeaseRow extends Row {
  /** Workspace id, or the hash (whatever text precedes `.lock`). */
  readonly resourceId: string;
  /** `empty` when only a guard is there. */
  readonly claim: ClaimSnapshot;
  /** Null when it cannot be parsed; a parsed record of another resource is shown, and its claim is corrupt. */
  readonly record: WorkflowLeaseOwner | null;
  readonly upstream: UpstreamView | null;
  readonly guard: GuardRow | null;
}

export type LeftoverKind = "prepare" | "released" | "temporary_file" | "sweep_marker";

export interface LeftoverRow extends Row {
  readonly kind: LeftoverKind;
  readonly claim: ClaimSnapshot;
  readonly record: WorkflowLeaseOwner | null;
}

export interface QuarantineRow extends Row {
  readonly name: string;
  readonly path: string;
  readonly parsed: QuarantineName;
  readonly type: string;
  /** The owner or guard that lies there; null when it cannot be parsed. */
  readonly record: WorkflowLeaseOwner | LifecycleGuard | null;
  /** Milliseconds since the epoch: from the name, or else of the file. */
  readonly at: number | null;
  /** Whether a record of ours lies beside it; others were displaced by pi-amq itself. */
  readonly hasRecord: boolean;
}

export interface ForeignRow extends Row {
  readonly path: string;
  readonly type: string;
}

export interface AmqNamespaceSnapshot {
  readonly key: string;
  /** Absolute, as given: not resolved through links. */
  readonly path: string;
  /** From the caller, or as the leases agree; null when nothing says. */
  readonly workspaceId: string | null;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** Entries came or went while looking: the next refresh will show more. */
  readonly changing: boolean;
  /** Null when there is neither lease nor guard. */
  readonly supervisor: LeaseRow | null;
  readonly workers: readonly LeaseRow[];
  /** Guards of worker sessions without a lease. */
  readonly orphanGuards: readonly GuardRow[];
  readonly leftovers: readonly LeftoverRow[];
  readonly quarantine: readonly QuarantineRow[];
  readonly foreign: readonly ForeignRow[];
  readonly problems: readonly ScanProblem[];
}
