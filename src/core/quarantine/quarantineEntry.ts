// Owns: shapes of plan, record, entry and results of quarantine (design/quarantine.md).
// Leaves to others: the steps (executeQuarantine.ts, settleFrozen.ts, restoreFromQuarantine.ts, purgeQuarantine.ts).
import type { ClaimKind, ClaimOwner, ClaimSnapshot, FileIdentity, SystemId } from "../claims/claim.js";
import type { Check, Proof, Verdict } from "../claims/verdict.js";
import type { FileStat } from "../storage/filePort.js";

export type ItemType = FileStat["type"];

/** What would happen, bound to the very file and bytes that were judged. Nothing was changed to make it. */
export interface QuarantinePlan {
  readonly claim: ClaimSnapshot;
  /** Null only when nothing can be displaced (`permission` is then `never`). */
  readonly file: FileIdentity | null;
  readonly itemType: ItemType;
  /** Null when the item has no bytes of its own (a directory, a symlink). */
  readonly sha256: string | null;
  /** Whether the normal command may do it, only force, or nothing. */
  readonly permission: "normal" | "force-only" | "never";
  /** Stable codes of why not `normal`, or of what a person must know (`weak-proof`, then each assumption …). */
  readonly cautions: readonly string[];
  readonly proof: Proof | null;
  /** Absolute directory that will hold the item. */
  readonly quarantineDirectory: string;
  /** Absolute path that the item would get. */
  readonly destination: string;
  /** Milliseconds since the epoch. */
  readonly plannedAt: number;
}

/**
 * How an item came to lie in quarantine.
 * `displaced`: by us, as planned. `vanished`: the runtime or the owner took the claim away while we held a second link; its bytes
 * were kept. `conflict`: another owner's claim came into our hands and its place was taken before it could go back.
 */
export type QuarantineOutcome = "displaced" | "vanished" | "conflict";

/** `<name>.record.json` beside each displaced item: canonical JSON plus LF, self digest `record_digest`. */
export interface QuarantineRecord {
  readonly schema: "run-state.quarantine_record.v1";
  readonly state: "intended" | "done" | "restored" | "purging";
  /** Null until it is known. */
  readonly outcome: QuarantineOutcome | null;
  readonly system: SystemId;
  readonly claim_kind: ClaimKind;
  readonly claim_id: string;
  readonly resource: string;
  readonly original_path: string;
  readonly item_name: string;
  readonly item_type: ItemType;
  readonly file: FileIdentity;
  readonly sha256: string | null;
  readonly owner: ClaimOwner | null;
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

/**
 * What settling an interrupted repair would do. `forget`: drop a record of which nothing came. `undo`: take the second link away,
 * the claim stays. `finish`: complete a displacement that had happened. `keep`: the claim is gone from its place, keep its last
 * bytes as an item. `put-back`: what was moved is not what was judged. `finish-restore`: it is back already, complete the record.
 * `finish-purge`: a confirmed deletion had begun.
 */
export type SettleAction = "forget" | "undo" | "finish" | "keep" | "put-back" | "finish-restore" | "finish-purge";

/** One item of a quarantine directory, readable or not. */
export type QuarantineEntry = {
  /** Absolute path of the item (which may be missing). */
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
  | { readonly kind: "intended"; readonly record: QuarantineRecord; readonly settle: SettleAction }
  /** A crash on the way: the claim has a second link, or has moved without its record completed; settleFrozen finishes or undoes it. */
  | { readonly kind: "frozen"; readonly record: QuarantineRecord; readonly settle: SettleAction }
  | { readonly kind: "restored"; readonly record: QuarantineRecord }
  /** Record missing or not ours, or item missing: shown, never touched by a normal command. */
  | {
      readonly kind: "unreadable";
      readonly reason: UnreadableReason;
      /** Raw text (an errno, a path, a type); never a sentence. */
      readonly detail: string | null;
      /** With `item-missing`. */
      readonly record?: QuarantineRecord;
    }
);

export type UnreadableReason =
  | "unreadable-directory"
  | "unreadable-record"
  | "unreadable-item"
  | "record-not-regular"
  | "record-too-large"
  | "record-torn"
  | "record-invalid"
  | "record-digest"
  | "record-of-another-item"
  | "record-of-another-place"
  | "item-missing"
  | "no-record"
  | "temporary-file"
  | "not-a-directory"
  | "foreign-entry";

export type ChangedReason =
  | "missing"
  | "file-replaced"
  | "content-changed"
  | "type-changed"
  | "link-count-changed"
  | "verdict-changed"
  | "proof-weaker"
  /** The claim left its place while we held it frozen; `entry` holds its bytes. */
  | "recovered-by-runtime"
  | "item-missing"
  | "record-changed";

export type RefusedReason =
  /** `detail`: the verdict or the caution that forbids it. */
  | "never-allowed"
  | "force-needed"
  | "typed-id-differs"
  /** Another instance of ours works on this claim; `guard` names it. */
  | "busy"
  | "cancelled"
  /** A directory on the way is a symlink or no directory; `detail`: its path. */
  | "unsafe-directory"
  /** The quarantine lies on another file system than the claim. */
  | "other-file-system"
  /** A file step failed; `detail`: the errno. */
  | "io-error"
  | "not-supported"
  | "already-restored"
  | "not-restorable"
  /** The directory into which it would go back is gone. */
  | "place-missing"
  | "nothing-to-settle";

/** Another instance of ours that holds the guard of a claim. */
export interface GuardHolder {
  /** What a person types to override it (`breakGuard`), which works for every verdict but `live`. */
  readonly token: string;
  readonly verdict: "live" | "remote" | "unknown" | "unreadable";
  /** Null when its record cannot be read. */
  readonly pid: number | null;
  readonly hostname: string | null;
  /** ISO 8601 UTC. */
  readonly acquiredAt: string | null;
}

export interface Refusal {
  readonly kind: "refused";
  readonly reason: RefusedReason;
  /** With `busy`. */
  readonly guard: GuardHolder | null;
  /** Raw text (an errno, a path, a process); never a sentence. */
  readonly detail: string | null;
  /** What a failure on the way has left behind; each is settled by settleFrozen. */
  readonly warnings: readonly string[];
}

export interface Changed {
  readonly kind: "changed";
  readonly reason: ChangedReason;
  readonly detail: string | null;
  /** With `recovered-by-runtime`: where the bytes were kept. */
  readonly entry: QuarantineEntry | null;
  readonly warnings: readonly string[];
}

/** Another owner's claim came into our hands and its place was taken again: both are kept. */
export interface Conflict {
  readonly kind: "conflict";
  readonly reason: "place-taken";
  /** First what is in our hands, then what is in its place. */
  readonly paths: readonly string[];
  readonly entry: QuarantineEntry | null;
  readonly warnings: readonly string[];
}

export type QuarantineResult =
  | { readonly kind: "quarantined"; readonly entry: QuarantineEntry; readonly warnings: readonly string[] }
  /** Something differs from the plan; the claim, if still there, was left in place. */
  | Changed
  | Conflict
  | Refusal;

export type RestoreResult =
  | { readonly kind: "restored"; readonly path: string; readonly warnings: readonly string[] }
  /** Somebody has claimed the place; nothing was changed. */
  | { readonly kind: "occupied"; readonly path: string; readonly warnings: readonly string[] }
  | Changed
  | Refusal;

export type SettleResult =
  /** `entry`: what the quarantine shows for it now; null when nothing is left to show. */
  | { readonly kind: "settled"; readonly action: SettleAction; readonly entry: QuarantineEntry | null; readonly warnings: readonly string[] }
  | Conflict
  | Refusal;
