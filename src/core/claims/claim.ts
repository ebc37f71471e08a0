// Owns: a claim ("I own this", on disk), its owner, the identity of its file.
// Leaves to others: reading one (systems/*), judging one (systems/*/judge*.ts), displacing one (quarantine/).
import type { Check, Verdict } from "./verdict.js";

export type SystemId = "lattice" | "pi-amq" | "pi-actors";

/** What kind of claim. The three lattice kinds: only `lifecycle-lock` names an owner in full. */
export type ClaimKind =
  | "lifecycle-lock"
  | "cli-lock"
  | "registry-lock"
  | "supervisor-lease"
  | "worker-session-lease"
  | "lifecycle-guard"
  | "leftover";

/**
 * Which file it is, not only what it is called. Two observations speak of one file exactly when all members are equal.
 * Decimal texts, because inode and nanoseconds exceed what a number holds.
 */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
  /** Bytes. */
  readonly size: string;
  /** Modification time, nanoseconds since the epoch. */
  readonly mtimeNs: string;
}

/** The process that a claim names, as recorded: nothing here was verified. */
export interface ClaimOwner {
  readonly pid: number;
  /** Recorded start text or token, in whatever format the runtime writes. */
  readonly started: string | null;
  readonly platform: string | null;
  readonly hostname: string | null;
  readonly bootIdentity: string | null;
  readonly executable: string | null;
}

/**
 * One claim at one moment: immutable, complete for a view, a plan and a record.
 */
export interface ClaimSnapshot {
  /** Names this very claim (path, file and bytes); changes when the claim does. People type it to force a displacement. */
  readonly id: string;
  /** Names the place: stable while a claim comes, changes and goes. */
  readonly key: string;
  readonly system: SystemId;
  readonly kind: ClaimKind;
  /** Absolute path of the file or directory that is the claim. */
  readonly path: string;
  /** Run id, session or other resource that is claimed; raw text. */
  readonly resource: string;
  readonly owner: ClaimOwner | null;
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  /** Null when nothing is there, or when it could not be looked at. */
  readonly file: FileIdentity | null;
  /** Lower-case hex SHA-256 of the bytes; null when they were not read. */
  readonly sha256: string | null;
  /** Where `path` is a directory: absolute path of the file in it whose bytes are the claim's. Absent where `path` is that file. */
  readonly contentPath?: string;
  /** Hard links to the file; 2 while an interrupted repair holds it frozen. */
  readonly linkCount: number | null;
  /** Further recorded facts for people, in order (operation, request id, acquired at …); raw texts. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** Milliseconds since the epoch when this was observed. */
  readonly observedAt: number;
}
