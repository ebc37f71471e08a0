// Owns: the two lattice locks that name no owner, or only a pid: `.cli-lifecycle.lock` and the adapter registry's `.registry.lock`
// (spec/lattice.md 3.1, 4.7 W12).
// Leaves to others: the lifecycle lock (inspectLifecycleLock.ts), looking (lifecycleLockFile.ts), wording (shared/explain.ts).
import { basename, dirname, resolve } from "node:path";
import type { ClaimOwner, ClaimSnapshot } from "../../claims/claim.js";
import type { Check, Verdict } from "../../claims/verdict.js";
import { systemClock } from "../../ports.js";
import { createProcessInspector } from "../../process/createProcessInspector.js";
import { isRepresentablePid } from "../../process/pid.js";
import type { ObservationEnvironment, OpenFileEvidence, ProcessInspection } from "../../process/processInspector.js";
import { ownTimeZone } from "../../process/timeZone.js";
import type { FileStat } from "../../storage/filePort.js";
import { nodeFilePort } from "../../storage/nodeFilePort.js";
import { lookTwice, type InspectOptions } from "./inspectLifecycleLock.js";
import { ageOf, claimFrame, judgeLinks, judgePlace, modifiedAt, noted, openFilesCheck, type ClaimContext } from "./lifecycleLockClaim.js";
import { lookAtLock, type LockFile } from "./lifecycleLockFile.js";
import { isFrozenByQuarantine } from "./lifecycleLockFrozen.js";

export const cliLockName = ".cli-lifecycle.lock";
export const registryLockName = ".registry.lock";

export type WeakLockKind = "cli-lock" | "registry-lock";

/** Which weak lock a file name means; null when none. */
export function weakLockKindOf(name: string): WeakLockKind | null {
  if (name === cliLockName) return "cli-lock";
  return name === registryLockName ? "registry-lock" : null;
}

/** A weak lock holds nothing or a pid; more than this is not one. */
export const weakLockMaxBytes = 4_096;

/**
 * Milliseconds that a weak lock must be old before "no process has it open" says anything. The commands that take one do their
 * work within seconds but need not keep the file open meanwhile: a minute is beyond every wait that they have (15 s).
 */
export const weakLockGraceMs = 60_000;

/** Every code that claims of this module carry. */
export const weakLockReasons = {
  stale: ["no_process_has_file_open"],
  unknown: ["being_written", "unreadable", "weak_lock_is_young", "open_files_not_observable", "open_by_a_process", "recorded_pid_in_use", "process_not_observable", "filesystem_not_local", "pid_namespace_nested", "pid_namespace_unknown"],
  corrupt: ["symlink", "not_a_regular_file", "too_large", "hard_linked", "frozen"],
  settles: ["wait_and_watch", "run_as_owner_or_root", "run_on_owning_host", "run_in_owning_namespace"],
  assumptions: ["no_owner_recorded", "owner_keeps_file_open", "processes_of_other_users_not_observed"],
  notes: ["open_by_a_process"],
  checks: ["lock-file", "link-count", "file-age", "open-files", "pid-exists", "filesystem", "pid-namespace"],
} as const;

type UnknownReason = (typeof weakLockReasons.unknown)[number];
type Settles = (typeof weakLockReasons.settles)[number];
type Assumption = (typeof weakLockReasons.assumptions)[number];

/** What the verdict about a weak lock depends on besides the file. */
export interface WeakLockFacts {
  readonly open: OpenFileEvidence;
  /** Null when the file records no pid. */
  readonly inspection: ProcessInspection | null;
  readonly environment: ObservationEnvironment;
  /** Milliseconds since the last write. */
  readonly ageMs: number;
  /** Whether the file belongs to the user who observes. */
  readonly isOwnFile: boolean;
}

interface Judged {
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
}

/** The pid that a weak lock records; null when it is empty or holds anything else. */
export function recordedPid(bytes: Uint8Array): number | null {
  const text = Buffer.from(bytes).toString("latin1").trim();
  const pid = /^[0-9]{1,10}$/.test(text) ? Number(text) : 0;
  return isRepresentablePid(pid) ? pid : null;
}

/**
 * Judges a weak lock. `live` only when a process has the very file open; `stale`, always with weak proof, when none has, its
 * recorded pid (if any) is gone, and it is older than a minute; everything else is `unknown`. Pure.
 */
export function judgeWeakLock(pid: number | null, facts: WeakLockFacts): Judged {
  const { open, inspection, environment, ageMs } = facts;
  const checks: Check[] = [];
  const conclude = (check: Check, verdict: Verdict): Judged => ({ verdict, checks: [...checks, { ...check, decides: true }] });
  const unknown = (check: Check, reason: UnknownReason, ...settles: readonly Settles[]): Judged => conclude(check, { kind: "unknown", reason, settles });

  const openCheck = openFilesCheck(open);
  if (open.kind === "open") return conclude({ ...openCheck, outcome: "same" }, { kind: "live", notes: ["open_by_a_process"] });

  if (pid !== null && inspection !== null) {
    const observed = inspection.kind === "absent" ? (inspection.why ?? "no-such-process") : inspection.kind === "live" ? "live" : inspection.diagnostic;
    const pidCheck: Check = { id: "pid-exists", recorded: String(pid), observed, outcome: { live: "same", absent: "different", unknown: "not-observed" }[inspection.kind] as Check["outcome"], decides: false };
    // A bare number may be the owner's or that of a process that got it later: nothing tells them apart.
    if (inspection.kind === "live") return unknown(pidCheck, "recorded_pid_in_use", "wait_and_watch");
    if (inspection.kind === "unknown") return unknown(pidCheck, "process_not_observable", "run_as_owner_or_root", "wait_and_watch");
    checks.push(pidCheck);
  }

  const place = environment.localFilesystem ? "local" : "shared or not recognised";
  const placeCheck: Check = { ...noted("filesystem", place), outcome: environment.localFilesystem ? "noted" : "not-observed" };
  if (!environment.localFilesystem) return unknown(placeCheck, "filesystem_not_local", "run_on_owning_host", "wait_and_watch");
  checks.push(placeCheck);

  const { pidNamespace } = environment;
  const namespaceCheck = noted("pid-namespace", pidNamespace);
  if (pidNamespace === "nested" && !environment.exclusiveToThisNamespace) return unknown(namespaceCheck, "pid_namespace_nested", "run_in_owning_namespace", "wait_and_watch");
  if (pidNamespace === "unknown") return unknown({ ...namespaceCheck, outcome: "not-observed" }, "pid_namespace_unknown", "run_as_owner_or_root", "wait_and_watch");
  checks.push(namespaceCheck);

  // A file from the future has no age that one could trust.
  const ageCheck: Check = { id: "file-age", recorded: `${weakLockGraceMs} ms`, observed: `${ageMs} ms`, outcome: "noted", decides: false };
  if (ageMs < weakLockGraceMs) return unknown(ageCheck, "weak_lock_is_young", "wait_and_watch");
  checks.push(ageCheck);

  const assumptions: Assumption[] = ["no_owner_recorded", "owner_keeps_file_open"];
  if (open.kind === "unknown") {
    // Whoever made the file has the file's user: that processes of others stay hidden is the rule, and no reason to give up.
    if (open.diagnostic !== "fd_unreadable_of_other_users" || !facts.isOwnFile) return unknown(openCheck, "open_files_not_observable", "run_as_owner_or_root", "wait_and_watch");
    assumptions.push("processes_of_other_users_not_observed");
  }
  return conclude(openCheck, { kind: "stale", reason: "no_process_has_file_open", proof: "weak", assumptions });
}

export interface WeakLockContext extends ClaimContext {
  /** Numeric user id of the observer; null where there is none. */
  readonly uid: number | null;
}

export function ownUid(): number | null {
  return process.getuid?.() ?? null;
}

/** The claim at `path` as the look shows it. Asks the observer, never the disk. */
export async function judgeWeakLockFile(kind: WeakLockKind, path: string, look: LockFile, context: WeakLockContext): Promise<ClaimSnapshot> {
  const now = context.clock.now();
  const frame = claimFrame(kind, path, look, now);
  if (look.kind !== "read") return { ...frame, owner: null, ...judgePlace(look, weakLockMaxBytes) };
  const { stat } = look;
  const links = await judgeLinks(path, stat, context.isFrozen);
  if (links !== null) return { ...frame, owner: null, ...links, facts: [modifiedAt(stat)] };
  const pid = recordedPid(look.bytes);
  const { verdict, checks } = judgeWeakLock(pid, await gatherFacts(path, pid, stat, context, now));
  return { ...frame, owner: pid === null ? null : ownerOfPid(pid), verdict, checks, facts: [modifiedAt(stat)] };
}

async function gatherFacts(path: string, pid: number | null, stat: FileStat, { observer, uid }: WeakLockContext, now: number): Promise<WeakLockFacts> {
  const [open, inspection, environment] = await Promise.all([
    observer.whoHasOpen({ device: stat.device.toString(), inode: stat.inode.toString() }),
    pid === null ? null : observer.inspect(pid),
    // Without a pid of its own a lock is as visible as any process: our own stands for it.
    observer.environment(dirname(path), pid ?? process.pid),
  ]);
  return { open, inspection, environment, ageMs: ageOf(stat, now), isOwnFile: uid !== null && stat.uid === uid };
}

function ownerOfPid(pid: number): ClaimOwner {
  return { pid, started: null, platform: null, hostname: null, bootIdentity: null, executable: null };
}

export interface InspectWeakLockOptions extends InspectOptions {
  /** Numeric user id of the observer. Default: that of this process. */
  readonly uid?: number | null;
}

/**
 * The claim at the place of a weak lock, with verdict and evidence. Never writes, never follows a link. A missing file is `empty`.
 * @throws TypeError when the file name is that of no weak lock.
 */
export async function inspectWeakLock(lockPath: string, options: InspectWeakLockOptions = {}): Promise<ClaimSnapshot> {
  const { port = nodeFilePort, clock = systemClock, observer = createProcessInspector(), uid = ownUid() } = options;
  const path = resolve(lockPath);
  const kind = weakLockKindOf(basename(path));
  if (kind === null) throw new TypeError(`Not the name of a weak lock: ${basename(path)}`);
  const look = await lookTwice(() => lookAtLock(port, path, weakLockMaxBytes), isDoubtfulWeakLook, clock);
  return await judgeWeakLockFile(kind, path, look, { observer, clock, timeZone: ownTimeZone(), uid, isFrozen: options.isFrozen ?? ((at, file) => isFrozenByQuarantine(port, at, file)) });
}

export function isDoubtfulWeakLook(look: LockFile): boolean {
  return look.kind === "changing" || look.kind === "unreadable";
}
