// Owns: the claim that a lifecycle lock makes, judged from one look at its place: verdict, checks and facts.
// Leaves to others: looking (lifecycleLockFile.ts), the verdict about the owner of a valid lock (judgeLifecycleLock.ts), wording (shared/explain.ts).
import { basename, dirname } from "node:path";
import type { ClaimKind, ClaimOwner, ClaimSnapshot, FileIdentity } from "../../claims/claim.js";
import type { Check, Judgement, Verdict } from "../../claims/verdict.js";
import type { Clock } from "../../ports.js";
import type { OpenFileEvidence, ProcessObserver } from "../../process/processInspector.js";
import { fileIdentityOf } from "../../storage/fileIdentity.js";
import type { FileStat } from "../../storage/filePort.js";
import { judgeLifecycleLock } from "./judgeLifecycleLock.js";
import { lifecycleLockMaxBytes, lockContentReasons, type LifecycleLockCheck } from "./lifecycleLock.js";
import { gatherLifecycleLockFacts } from "./lifecycleLockFacts.js";
import { contentOf, sha256Hex, statOfLook, type LockFile } from "./lifecycleLockFile.js";
import type { LifecycleLock } from "./lifecycleLockRecord.js";

/** Every `reason` and code that claims of this module carry beside those of judgeLifecycleLock.ts. */
export const lockFileReasons = {
  corrupt: [...lockContentReasons.torn, ...lockContentReasons.invalid, "symlink", "not_a_regular_file", "too_large", "hard_linked", "frozen"],
  unknown: ["being_written", "unreadable"],
  settles: ["wait_and_watch", "run_as_owner_or_root"],
  notes: ["lock_mode_not_private"],
  checks: ["lock-file", "link-count", "lock-content", "file-age", "file-mode", "open-files"],
  facts: ["operation", "request-id", "acquired-at", "modified-at", "open-in"],
} as const;

type CorruptReason = (typeof lockFileReasons.corrupt)[number];

/**
 * Milliseconds in which unusable content counts as "somebody is writing it". The runtime writes a lock in one call right after
 * creating it; two seconds are beyond any pause of that, and a file of a crash stays unusable for ever (pains.md 36, 37).
 */
export const beingWrittenGraceMs = 2_000;

/** What a claim is judged with. All of it may be shared by many claims of one moment. */
export interface ClaimContext {
  readonly observer: ProcessObserver;
  readonly clock: Pick<Clock, "now">;
  /** `ownTimeZone()`: finding it out costs more than everything else about a lock, so it is asked once for many. */
  readonly timeZone: string;
  /** Whether an interrupted repair of ours holds this file by a second link in the quarantine. */
  readonly isFrozen: (path: string, file: FileIdentity) => boolean | Promise<boolean>;
}

export type Fact = ClaimSnapshot["facts"][number];

type Frame = Omit<ClaimSnapshot, "owner" | "verdict" | "checks" | "facts">;

/** What depends on the look only is found out once, however often the claim is judged again. */
const frames = new WeakMap<LockFile, Frame>();

/** Everything of a claim that the look alone tells. */
export function claimFrame(kind: ClaimKind, path: string, look: LockFile, observedAt: number): Frame {
  const known = frames.get(look);
  if (known?.path === path) return { ...known, observedAt };
  const stat = statOfLook(look);
  const file = stat === null ? null : fileIdentityOf(stat);
  const sha256 = look.kind === "read" ? look.sha256 : null;
  const resource = basename(dirname(path));
  // Names this claim, not the place: another file or other bytes give another id. Typed by people, hence short and plain.
  const mark = sha256Hex(JSON.stringify([path, file?.device ?? null, file?.inode ?? null, sha256])).slice(0, 8);
  const frame: Frame = {
    id: `${plainName(resource)}/${plainName(basename(path))}@${mark}`,
    key: path,
    system: "lattice",
    kind,
    path,
    resource,
    file,
    sha256,
    linkCount: stat === null ? null : Number(stat.linkCount),
    observedAt,
  };
  frames.set(look, frame);
  return frame;
}

/** A run may be called anything; what people type and copy is not. */
function plainName(name: string): string {
  return name.replaceAll(/[^0-9A-Za-z._-]/gu, "_").slice(0, 128);
}

export function ownerOf(lock: LifecycleLock): ClaimOwner {
  const { platform, started_identity } = lock.owner_process_start_identity;
  return { pid: lock.owner_pid, started: started_identity, platform, hostname: null, bootIdentity: null, executable: null };
}

export function noted(id: string, observed: string | null, recorded: string | null = null): Check {
  return { id, recorded, observed, outcome: observed === null ? "not-observed" : "noted", decides: false };
}

export function decided(id: string, recorded: string | null, observed: string | null, outcome: Check["outcome"] = "different"): Check {
  return { id, recorded, observed, outcome, decides: true };
}

export function modifiedAt(stat: FileStat): Fact {
  const at = new Date(Number(stat.mtimeNs / 1_000_000n));
  // A file may carry any time at all; what Date cannot hold is shown as the file has it.
  return { name: "modified-at", value: Number.isNaN(at.getTime()) ? `${stat.mtimeNs} ns` : at.toISOString() };
}

/** Milliseconds since the file was last written; negative when the file is from the future. */
export function ageOf(stat: FileStat, now: number): number {
  return now - Number(stat.mtimeNs / 1_000_000n);
}

export function openFilesText(evidence: OpenFileEvidence): string {
  switch (evidence.kind) {
    case "open":
      return evidence.pids.join(", ");
    case "not-open":
      return "none";
    case "unknown":
      return `not observed: ${evidence.diagnostic}`;
  }
}

export type Judged = Pick<ClaimSnapshot, "verdict" | "checks" | "facts">;

const beingWritten: Verdict = { kind: "unknown", reason: "being_written", settles: ["wait_and_watch"] };

/** What a place means that holds no regular file of readable size. */
export function judgePlace(look: Exclude<LockFile, { kind: "read" }>, maxBytes: number): Judged {
  switch (look.kind) {
    case "missing":
      return { verdict: { kind: "empty" }, checks: [decided("lock-file", "file", null, "not-observed")], facts: [] };
    case "unreadable":
      return {
        verdict: { kind: "unknown", reason: "unreadable", settles: ["run_as_owner_or_root"] },
        checks: [decided("lock-file", "file", look.code, "not-observed")],
        facts: [],
      };
    case "changing":
      return { verdict: beingWritten, checks: [decided("lock-file", "file", "changing", "not-observed")], facts: [] };
    case "not-regular":
      return corruptPlace(look.stat, look.type === "symlink" ? "symlink" : "not_a_regular_file", "file", look.type);
    case "too-large":
      return corruptPlace(look.stat, "too_large", `at most ${maxBytes} bytes`, `${look.size} bytes`);
  }
}

function corruptPlace(stat: FileStat | null, reason: CorruptReason, expected: string, observed: string): Judged {
  return {
    verdict: { kind: "corrupt", reason, diagnostic: observed },
    checks: [decided("lock-file", expected, observed)],
    facts: stat === null ? [] : [modifiedAt(stat)],
  };
}

/** A file with more than one name; null when it has one. The runtime refuses it, so nobody uses it as it is. */
export async function judgeLinks(path: string, stat: FileStat, isFrozen: ClaimContext["isFrozen"]): Promise<Pick<Judged, "verdict" | "checks"> | null> {
  if (stat.linkCount === 1n) return null;
  const links = stat.linkCount.toString();
  const reason: CorruptReason = (await isFrozen(path, fileIdentityOf(stat))) ? "frozen" : "hard_linked";
  return { verdict: { kind: "corrupt", reason, diagnostic: links }, checks: [decided("link-count", "1", links)] };
}

export function openFilesCheck(open: OpenFileEvidence): Check {
  const observed = open.kind === "unknown" ? open.diagnostic : openFilesText(open);
  return { id: "open-files", recorded: null, observed, outcome: open.kind === "unknown" ? "not-observed" : "noted", decides: false };
}

/** The claim at `path` as the look shows it. Asks the observer, never the disk. */
export async function judgeLifecycleLockFile(path: string, look: LockFile, context: ClaimContext): Promise<ClaimSnapshot> {
  const now = context.clock.now();
  const frame = claimFrame("lifecycle-lock", path, look, now);
  if (look.kind !== "read") return { ...frame, owner: null, ...judgePlace(look, lifecycleLockMaxBytes) };
  return { ...frame, ...(await judgeRead(path, look, context, now)) };
}

type ReadLook = Extract<LockFile, { kind: "read" }>;

interface Recorded {
  readonly lock: LifecycleLock | null;
  readonly owner: ClaimOwner | null;
  readonly facts: readonly Fact[];
}

const records = new WeakMap<ReadLook, Recorded>();

function recordedIn(look: ReadLook): Recorded {
  const known = records.get(look);
  if (known !== undefined) return known;
  const content = contentOf(look);
  const lock = content.kind === "torn" ? null : content.lock;
  const modified = modifiedAt(look.stat);
  const recorded = lock === null ? { lock, owner: null, facts: [modified] } : { lock, owner: ownerOf(lock), facts: [...factsOf(lock), modified] };
  records.set(look, recorded);
  return recorded;
}

async function judgeRead(path: string, look: ReadLook, context: ClaimContext, now: number): Promise<Judged & Pick<ClaimSnapshot, "owner">> {
  const { stat } = look;
  const { observer } = context;
  const content = contentOf(look);
  const { lock, owner, facts } = recordedIn(look);
  const judgement = lock === null ? null : judgeLifecycleLock(lock, await gatherLifecycleLockFacts(observer, lock, dirname(path), context.timeZone));
  const mode = modeCheck(stat, observer.platform);
  const links = await judgeLinks(path, stat, context.isFrozen);

  if (links === null && content.kind === "valid" && judgement !== null) {
    const digest: Check = { ...noted("lock-content", content.lock.lock_digest, content.lock.lock_digest), outcome: "same" };
    return { owner, facts, checks: [digest, ...judgement.checks, ...mode], verdict: mode.length === 0 ? judgement.verdict : withNote(judgement.verdict, "lock_mode_not_private") };
  }
  const unusable = links ?? judgeContent(stat, content, now);
  const open = await observer.whoHasOpen({ device: stat.device.toString(), inode: stat.inode.toString() });
  return {
    owner,
    verdict: unusable.verdict,
    // What is known about the owner is shown, but the runtime itself would not read this lock: the owner decides nothing.
    checks: [...unusable.checks, openFilesCheck(open), ...withoutDecision(judgement), ...mode],
    facts: [...facts, { name: "open-in", value: openFilesText(open) }],
  };
}

function judgeContent(stat: FileStat, content: LifecycleLockCheck, now: number): Pick<Judged, "verdict" | "checks"> {
  if (content.kind === "valid") throw new TypeError("A valid lock with one link is judged by its owner.");
  const { reason, diagnostic } = content;
  const check: Check = { id: "lock-content", recorded: null, observed: diagnostic, outcome: "different", decides: false };
  const age = ageOf(stat, now);
  if (Math.abs(age) < beingWrittenGraceMs) return { verdict: beingWritten, checks: [check, decided("file-age", `${beingWrittenGraceMs} ms`, `${age} ms`)] };
  return { verdict: { kind: "corrupt", reason, diagnostic }, checks: [{ ...check, decides: true }] };
}

function factsOf(lock: LifecycleLock): readonly Fact[] {
  return [
    { name: "operation", value: lock.operation },
    { name: "request-id", value: lock.request_id },
    { name: "acquired-at", value: lock.acquired_at },
  ];
}

/** The runtime creates locks 0600 and never checks it (W13). Windows has no such bits. */
function modeCheck(stat: FileStat, platform: string): readonly Check[] {
  if (platform === "win32" || stat.mode === 0o600) return [];
  return [noted("file-mode", stat.mode.toString(8), "600")];
}

function withNote(verdict: Verdict, note: string): Verdict {
  return verdict.kind === "live" ? { ...verdict, notes: [...verdict.notes, note] } : verdict;
}

function withoutDecision(judgement: Judgement | null): readonly Check[] {
  return judgement === null ? [] : judgement.checks.map((check) => ({ ...check, decides: false }));
}
