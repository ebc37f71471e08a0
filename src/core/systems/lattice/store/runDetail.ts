// Owns: the shape of one immutable look into a run: what a tree, a status line and a support bundle draw from.
// Leaves to others: making it (inspectRun.ts), wording its codes (shared/explain.ts).
import type { Dialect } from "../../../artifact/canonical.js";
import type { ClaimOwner } from "../../../claims/claim.js";
import type { Judgement } from "../../../claims/verdict.js";
import type { DetectedDialect } from "../artifacts/detectDialect.js";
import type { ChainReport } from "../events/chain.js";
import type { Overlay, RunProjection, TreatmentAdvice } from "../events/projectRunState.js";
import type { ChainVerification } from "../events/verifyRunEventChain.js";
import type { ControlCondition } from "../events/verifyControlJournal.js";
import type { Finding } from "../finding.js";
import type { RunProblem } from "./problemCatalog.js";
import type { LeftoverKind } from "./runLayout.js";
import type { FrozenBy, RuntimeAnswer } from "./runtimeAnswer.js";

/** The words of spec/lattice.md section 3.6; `damaged` when the records cannot be trusted. */
export type RunStatusWord = "abandoned" | "closed" | "held" | "frozen" | "running" | "idle" | "fresh" | "damaged";

export interface RunStatus {
  readonly word: RunStatusWord;
  /** What the word would be if the records were trusted; null when they do not even say that. The same as `word` unless damaged. */
  readonly claimedWord: Exclude<RunStatusWord, "damaged"> | null;
  /** A successor epoch is staged and not committed. */
  readonly isStaged: boolean;
  readonly frozenSince: { readonly sequence: number; readonly recordedAt: string | null } | null;
  /** Why nothing may be dispatched in a managed run although events may say otherwise. */
  readonly frozenBy: FrozenBy | null;
}

export type TodoState = "accepted" | "running" | "ended" | "ready" | "waiting";

export interface TodoDetail {
  readonly todoId: string;
  readonly state: TodoState;
  readonly overlay: Overlay | null;
  /** False when only events of earlier epochs know it. */
  readonly isInPlan: boolean;
  /** Todos that must be accepted or end before this one may start. */
  readonly waitsFor: readonly string[];
  /** Of the last dispatch. */
  readonly executorHandle: string | null;
  readonly worktreeId: string | null;
  readonly dispatchedInEpoch: number | null;
  /** Sequence of the last event about it. */
  readonly lastSequence: number | null;
}

export type EpochState = "committed" | "superseded" | "staged" | "orphan" | "unreadable";

export interface EpochDetail {
  /** Null when neither the bundle nor the name of the directory tells. */
  readonly epoch: number | null;
  /** `00000002`, or the id of the staged transaction. */
  readonly name: string;
  readonly state: EpochState;
  readonly directory: string;
  readonly bundlePath: string;
  readonly bundleDigest: string | null;
  readonly planRef: string | null;
  readonly todoIds: readonly string[];
  readonly findings: readonly Finding[];
}

export interface EventSummary {
  /** Position in the file, from 0: `/<index>` is its pointer. */
  readonly index: number;
  readonly sequence: number | null;
  readonly kind: string;
  readonly todoId: string | null;
  readonly planEpoch: number | null;
  /** As recorded, raw text. */
  readonly recordedAt: string | null;
  /** Whether it has a defect of its own. */
  readonly isSound: boolean;
}

export interface JournalDetail<Report> {
  readonly path: string;
  /** Null when there is no such file or it is no list. */
  readonly report: Report | null;
  readonly entries: readonly EventSummary[];
}

export interface FindingDetail {
  readonly path: string;
  readonly digest: string;
  readonly kind: string | null;
  readonly planEpoch: number | null;
  readonly todoIds: readonly string[];
  readonly conflictPath: string | null;
  readonly resourceId: string | null;
  /** Whether the hold in force is about it. */
  readonly isHeldFor: boolean;
  readonly isSound: boolean;
}

/** What a claim of a process to run something looks like: for the caller's observer, or judged when one was given. */
export interface OwnerDetail {
  readonly owner: ClaimOwner;
  readonly judgement: Judgement | null;
}

export interface SupervisorDetail extends OwnerDetail {
  readonly descriptorPath: string;
  readonly activatedAt: string;
  readonly socketPath: string;
  readonly isSocketPresent: boolean;
  /** A restart put another descriptor and control journal in force. */
  readonly isRestarted: boolean;
  /** Only that the secret is there; it is never opened. */
  readonly isSessionPresent: boolean;
  /** supervisor_stopped is the last word of the control journal about it. */
  readonly hasStopped: boolean;
}

export type HeartbeatState =
  /** Within the interval and the time to live. */
  | "fresh"
  /** Later than the interval, not beyond the time to live. */
  | "late"
  | "expired"
  /** Recorded later than now: no proof of anything. */
  | "future"
  | "none";

export interface HeartbeatDetail {
  readonly state: HeartbeatState;
  readonly sequence: number | null;
  readonly recordedAt: string | null;
  /** Milliseconds by the wall clock; negative for a record of the future. */
  readonly ageMs: number | null;
  /** Milliseconds by a clock that never goes back since this very heartbeat was first seen; null on the first look. */
  readonly seenForMs: number | null;
  readonly intervalMs: number;
  readonly ttlMs: number;
}

export interface ControllerDetail extends OwnerDetail {
  readonly controllerId: string;
  readonly adapterKind: string;
  readonly descriptorPath: string;
  readonly socketPath: string;
  readonly isSocketPresent: boolean;
  readonly registrationDigest: string | null;
  readonly heartbeat: HeartbeatDetail;
}

export interface LeaseDetail {
  readonly leaseId: string | null;
  readonly leaseDigest: string;
  readonly todoId: string | null;
  /** `armed`: the write gate names it. `staged`: only the release barrier does, and no gate was made from it yet. */
  readonly state: "staged" | "armed";
}

export interface GateDetail {
  readonly path: string;
  readonly generation: number;
  readonly planEpoch: number;
  readonly committedAt: string;
  readonly isInForce: boolean;
}

export interface Leftover {
  readonly kind: LeftoverKind;
  readonly path: string;
  readonly name: string;
  readonly type: "file" | "directory" | "symlink" | "fifo" | "socket" | "device" | "other";
  /** Stable code of how it came to be. */
  readonly cause: string;
  /** Bytes; null for what is no file. */
  readonly size: number | null;
  /** Milliseconds since the epoch; null when it could not be looked at. */
  readonly modifiedAt: number | null;
  /** Milliseconds; null when unknown or in the future. */
  readonly ageMs: number | null;
  /** Of the process that left it, when the name tells. */
  readonly pid: number | null;
}

export interface RunDetail {
  readonly schema: "run-state.lattice_run.v1";
  /** Milliseconds since the epoch of the look. */
  readonly takenAt: number;
  readonly directory: string;
  readonly name: string;
  /** Null when the request does not tell. */
  readonly runId: string | null;
  readonly dialect: Dialect;
  readonly detected: DetectedDialect;
  readonly isManaged: boolean;
  readonly status: RunStatus;
  /** The epoch in force; null when none can be told. */
  readonly epoch: number | null;
  readonly planRef: string | null;
  readonly executors: number | null;
  readonly held: readonly string[];
  readonly carriedOver: readonly string[];
  readonly redispatched: readonly string[];
  readonly treatmentAdvice: TreatmentAdvice | null;
  readonly projection: RunProjection | null;
  readonly todos: readonly TodoDetail[];
  readonly epochs: readonly EpochDetail[];
  readonly events: JournalDetail<ChainVerification>;
  readonly controlEvents: JournalDetail<ChainReport<ControlCondition>>;
  readonly findings: readonly FindingDetail[];
  readonly supervisor: SupervisorDetail | null;
  readonly controllers: readonly ControllerDetail[];
  readonly gate: GateDetail | null;
  readonly leases: readonly LeaseDetail[];
  /** Worst first. */
  readonly problems: readonly RunProblem[];
  readonly leftovers: readonly Leftover[];
  /** What the runtime itself would say, word for word. */
  readonly runtimeAnswer: RuntimeAnswer;
}
