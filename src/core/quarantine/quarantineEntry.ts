// Owns: shapes of plan, record, entry and results of quarantine (design/quarantine.md).
// Leaves to others: the steps (executeQuarantine.ts, restore.ts, purge.ts).
import type { Check, Proof, Verdict } from "../claims/verdict.js";
import type { ClaimKind, ClaimSnapshot, FileIdentity, SystemId } from "../claims/claim.js";

/** What would happen, bound to the very file and bytes that were judged. Nothing was changed to make it. */
export interface QuarantinePlan {
  readonly claim: ClaimSnapshot;
  readonly file: FileIdentity;
  readonly sha256: string;
  /** Whether the normal command may do it, only force, or nothing. */
  readonly permission: "normal" | "force-only" | "never";
  /** Stable codes of why not `normal`, or of what a person must know (weak proof …). */
  readonly cautions: readonly string[];
  readonly proof: Proof | null;
  /** Absolute directory that will hold the item. */
  readonly quarantineDirectory: string;
  /** Absolute path that the item would get. */
  readonly destination: string;
  /** Milliseconds since the epoch. */
  readonly plannedAt: number;
}

/** `<name>.record.json` beside each displaced item: canonical JSON plus LF, self digest `record_digest`. */
export interface QuarantineRecord {
  readonly schema: "run-state.quarantine_record.v1";
  readonly state: "intended" | "done" | "restored";
  readonly system: SystemId;
  readonly claim_kind: ClaimKind;
  readonly claim_id: string;
  readonly resource: string;
  readonly original_path: string;
  readonly item_name: string;
  readonly file: FileIdentity;
  readonly sha256: string;
  readonly verdict: Verdict;
  readonly proof: Proof | null;
  readonly checks: readonly Check[];
  readonly forced: boolean;
  readonly user: string;
  readonly hostname: string;
  /** ISO 8601 UTC, milliseconds. */
  readonly planned_at: string;
  readonly completed_at: string | null;
  readonly restored_at: string | null;
  readonly tool_version: string;
  readonly record_digest: string;
}

/** One item of a quarantine directory, readable or not. */
export type QuarantineEntry = {
  /** Absolute path of the item (which may be missing) */
  readonly path: string;
  readonly recordPath: string;
  readonly name: string;
  /** Bytes of the item; null when it is not there. */
  readonly size: number | null;
  /** Milliseconds since the epoch of the displacement, from the record or else the file. */
  readonly at: number | null;
} & (
  | { readonly kind: "quarantined"; readonly record: QuarantineRecord }
  /** A crash between record and move: nothing was displaced. */
  | { readonly kind: "intended"; readonly record: QuarantineRecord }
  /** A crash while frozen: the claim has two links; finish or undo. */
  | { readonly kind: "frozen"; readonly record: QuarantineRecord }
  | { readonly kind: "restored"; readonly record: QuarantineRecord }
  /** Record missing or not ours, or item missing: shown, never touched by a normal command. */
  | { readonly kind: "unreadable"; readonly reason: string }
);

export type QuarantineResult =
  | { readonly kind: "quarantined"; readonly entry: QuarantineEntry; readonly warnings: readonly string[] }
  /** Something differs from the plan; nothing was touched. */
  | { readonly kind: "changed"; readonly reason: string }
  /** Another owner's claim came into our hands and its place was taken again: both are kept. */
  | { readonly kind: "conflict"; readonly reason: string; readonly paths: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string };

export type RestoreResult =
  | { readonly kind: "restored"; readonly path: string; readonly warnings: readonly string[] }
  | { readonly kind: "occupied"; readonly path: string }
  | { readonly kind: "changed"; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string };
