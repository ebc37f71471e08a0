// Owns: the verdict about the owner of a lattice lifecycle lock, as a pure function of record and facts
// (design/quarantine.md "Who may be displaced", spec/lattice.md 4.7 W1-W3, W9-W11).
// Leaves to others: gathering the facts (lifecycleLockFacts.ts), comparing start texts (startText.ts), wording (shared/explain.ts).
import type { Check, Judgement, StaleReason, Verdict } from "../../claims/verdict.js";
import { isRepresentablePid } from "../../process/pid.js";
import type { ObservationEnvironment, ProcessInspection, StartInstant } from "../../process/processInspector.js";
import type { LifecycleLock } from "./lifecycleLockRecord.js";
import { compareStart, type Rendering, type StartComparison } from "./startText.js";

/** All that the verdict depends on besides the record. No clock: time is no proof. */
export interface LifecycleLockFacts {
  /** `process.platform` of the observer. */
  readonly platform: string;
  readonly inspection: ProcessInspection;
  /** Null when the process is not live or its start could not be observed. */
  readonly start: StartInstant | null;
  /** TZ value or zone name of the observer (`ownTimeZone()`). */
  readonly observerTimeZone: string;
  readonly environment: ObservationEnvironment;
}

/** Every `reason` that the verdicts of this module carry, by kind: whoever words them can check that none is missing. */
export const lifecycleLockReasons = {
  remote: ["platform_differs"],
  unknown: [
    "pid_not_representable",
    "process_not_observable",
    "pid_namespace_nested",
    "pid_namespace_unknown",
    "pid_in_child_namespace",
    "filesystem_not_local",
    "start_not_observable",
    "start_text_unreadable",
    "start_differs_by_quarter_hours",
    "start_zone_not_computable",
    "clock_may_have_been_set",
  ],
  stale: ["pid_absent", "zombie", "thread_id", "start_identity_changed"],
  /** `settles` of unknown verdicts. */
  settles: ["run_on_owning_host", "run_in_owning_namespace", "run_as_owner_or_root", "compare_by_hand", "wait_and_watch"],
  /** `assumptions` of stale verdicts: a lattice lock names no host and no boot, so its proof is always weak. */
  assumptions: ["host_not_recorded", "boot_not_recorded", "start_text_has_whole_seconds", "clock_not_set_since_start"],
  /** `notes` of live verdicts. */
  notes: ["start_matches_in_owner_zone", "start_matches_in_system_zone"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type UnknownReason = (typeof lifecycleLockReasons.unknown)[number];
type Settles = (typeof lifecycleLockReasons.settles)[number];
type Assumption = (typeof lifecycleLockReasons.assumptions)[number];

/** A correction of the clock (RTC kept in local time, NTP after a resume) stays below a day; more is no correction. */
const largestClockCorrectionSeconds = 86_400;
/** Starts are known to a second or two only (W3): less is no contradiction. */
const startUncertaintySeconds = 2;

const absentReasons: Readonly<Record<"no-such-process" | "zombie" | "thread-id", StaleReason>> = {
  "no-such-process": "pid_absent",
  zombie: "zombie",
  "thread-id": "thread_id",
};

/** Checks in the order in which they were made. The last step of a judgement names the one that decided. */
class Evidence {
  readonly #checks: Check[] = [];

  add(id: string, recorded: string | null, observed: string | null, outcome: Check["outcome"]): void {
    this.#checks.push({ id, recorded, observed, outcome, decides: false });
  }

  /** @param id the check that decided; its last occurrence counts. */
  conclude(id: string, verdict: Verdict): Judgement {
    const index = this.#checks.findLastIndex((check) => check.id === id);
    return { verdict, checks: this.#checks.map((check, at) => (at === index ? { ...check, decides: true } : check)) };
  }

  unknown(id: string, reason: UnknownReason, ...settles: readonly Settles[]): Judgement {
    return this.conclude(id, { kind: "unknown", reason, settles });
  }

  stale(id: string, reason: StaleReason, ...more: readonly Assumption[]): Judgement {
    const assumptions: readonly Assumption[] = ["host_not_recorded", "boot_not_recorded", ...more];
    return this.conclude(id, { kind: "stale", reason, proof: "weak", assumptions });
  }
}

/**
 * Judges the owner that a valid lock names. Promises: `stale` only when the process that wrote the lock cannot be running as far
 * as the facts tell, and always with weak proof; whatever cannot be observed or may be explained by zones, namespaces, shared
 * disks or a clock that was set is `unknown`. Exactly one check decides. Does not promise to tell two processes with the same
 * pid that started in the same second apart: the record cannot (W3); they are `live`.
 */
export function judgeLifecycleLock(lock: LifecycleLock, facts: LifecycleLockFacts): Judgement {
  const evidence = new Evidence();
  const recordedPlatform = lock.owner_process_start_identity.platform;
  const samePlatform = recordedPlatform === facts.platform;
  evidence.add("platform", recordedPlatform, facts.platform, samePlatform ? "same" : "different");
  if (!samePlatform) return evidence.conclude("platform", { kind: "remote", reason: "platform_differs" });

  const pid = String(lock.owner_pid);
  if (!isRepresentablePid(lock.owner_pid)) {
    evidence.add("pid-exists", pid, null, "not-observed");
    return evidence.unknown("pid-exists", "pid_not_representable", "run_on_owning_host", "wait_and_watch");
  }
  const { inspection } = facts;
  if (inspection.kind === "unknown" || (inspection.kind === "live" && inspection.identity.pid !== lock.owner_pid)) {
    evidence.add("pid-exists", pid, inspection.kind === "unknown" ? inspection.diagnostic : "another pid", "not-observed");
    return evidence.unknown("pid-exists", "process_not_observable", "run_as_owner_or_root", "wait_and_watch");
  }
  if (inspection.kind === "absent") {
    const why = inspection.why ?? "no-such-process";
    evidence.add("pid-exists", pid, why, "different");
    return doubtOf(evidence, facts.environment) ?? evidence.stale("pid-exists", absentReasons[why]);
  }
  evidence.add("pid-exists", pid, "live", "same");
  return judgeStart(lock, facts, evidence);
}

/** The pid is in use: by the owner, or by a process that got its number later? */
function judgeStart(lock: LifecycleLock, facts: LifecycleLockFacts, evidence: Evidence): Judgement {
  const recorded = lock.owner_process_start_identity.started_identity;
  const { start } = facts;
  if (start === null) {
    evidence.add("start-instant", recorded, null, "not-observed");
    return evidence.unknown("start-instant", "start_not_observable", "run_as_owner_or_root", "wait_and_watch");
  }
  const comparison = compareStart(recorded, start, facts.observerTimeZone);
  if (comparison.kind === "unreadable") {
    evidence.add("start-instant", recorded, new Date(start.epochSeconds * 1000).toISOString(), "not-observed");
    return evidence.unknown("start-instant", "start_text_unreadable", "compare_by_hand", "wait_and_watch");
  }
  for (const rendering of comparison.renderings) addRendering(evidence, recorded, rendering);
  const equal = comparison.renderings.find((rendering) => rendering.equal);
  if (equal !== undefined) return evidence.conclude(idOf(equal), { kind: "live", notes: notesOf(equal) });

  const explained = comparison.kind === "quarter-hours";
  evidence.add("start-quarter-hours", recorded, differenceText(comparison, start), explained ? "same" : "different");
  if (explained) return evidence.unknown("start-quarter-hours", "start_differs_by_quarter_hours", "compare_by_hand", "wait_and_watch");
  if (comparison.kind === "odd-zone") {
    evidence.add("owner-zone", null, start.ownerTimeZone ?? start.systemTimeZone, "not-observed");
    return evidence.unknown("owner-zone", "start_zone_not_computable", "compare_by_hand", "wait_and_watch");
  }
  return (
    clockDoubtOf(evidence, lock, start, comparison) ??
    doubtOf(evidence, facts.environment) ??
    evidence.stale("start-quarter-hours", "start_identity_changed", "start_text_has_whole_seconds", "clock_not_set_since_start")
  );
}

/**
 * A process that was already running when the lock was made has had the pid at that moment, so it is the owner: if its start
 * text differs all the same, the clock was set in between (the kernel computes starts from the clock of now).
 */
function clockDoubtOf(evidence: Evidence, lock: LifecycleLock, start: StartInstant, comparison: StartComparison): Judgement | null {
  const acquired = Date.parse(lock.acquired_at) / 1000;
  const contradicts = start.epochSeconds + startUncertaintySeconds <= acquired;
  const shift = Math.abs((comparison.recordedWallSeconds ?? Number.POSITIVE_INFINITY) - start.epochSeconds);
  evidence.add("started-after-acquired", lock.acquired_at, new Date(start.epochSeconds * 1000).toISOString(), contradicts ? "different" : "same");
  if (!contradicts || shift > largestClockCorrectionSeconds) return null;
  return evidence.unknown("started-after-acquired", "clock_may_have_been_set", "compare_by_hand", "wait_and_watch");
}

/** What keeps "not here" or "another one here" from meaning "gone" (spec/pi-amq.md section 14, rule 5); null when nothing does. */
function doubtOf(evidence: Evidence, environment: ObservationEnvironment): Judgement | null {
  const { pidNamespace, exclusiveToThisNamespace, nsPidMatch, localFilesystem } = environment;
  const nested = pidNamespace === "nested" && !exclusiveToThisNamespace;
  const observedNamespace = pidNamespace === "nested" && exclusiveToThisNamespace ? "nested, directory belongs to it" : pidNamespace;
  evidence.add("pid-namespace", null, observedNamespace, nested || pidNamespace === "unknown" ? "not-observed" : "noted");
  if (nested) return evidence.unknown("pid-namespace", "pid_namespace_nested", "run_in_owning_namespace", "wait_and_watch");
  if (pidNamespace === "unknown") return evidence.unknown("pid-namespace", "pid_namespace_unknown", "run_as_owner_or_root", "wait_and_watch");
  evidence.add("child-namespace", null, nsPidMatch ? "a process of a child namespace has this pid there" : "none has this pid", nsPidMatch ? "different" : "noted");
  if (nsPidMatch) return evidence.unknown("child-namespace", "pid_in_child_namespace", "run_in_owning_namespace", "wait_and_watch");
  evidence.add("filesystem", null, localFilesystem ? "local" : "shared or not recognised", localFilesystem ? "noted" : "not-observed");
  if (!localFilesystem) return evidence.unknown("filesystem", "filesystem_not_local", "run_on_owning_host", "wait_and_watch");
  return null;
}

function idOf(rendering: Rendering): string {
  return { ours: "start-instant", owner: "start-in-owner-zone", system: "start-in-system-zone" }[rendering.whose];
}

function notesOf(rendering: Rendering): readonly (typeof lifecycleLockReasons.notes)[number][] {
  if (rendering.whose === "ours") return [];
  return [rendering.whose === "owner" ? "start_matches_in_owner_zone" : "start_matches_in_system_zone"];
}

function addRendering(evidence: Evidence, recorded: string, rendering: Rendering): void {
  const observed = rendering.text === null ? `not computable (TZ ${rendering.zone})` : `${rendering.text} (TZ ${rendering.zone})`;
  evidence.add(idOf(rendering), recorded, observed, rendering.text === null ? "not-observed" : rendering.equal ? "same" : "different");
}

/** Recorded wall clock minus the observed instant read as UTC: what a zone would have to explain. */
function differenceText(comparison: StartComparison, start: StartInstant): string {
  const seconds = (comparison.recordedWallSeconds ?? start.epochSeconds) - start.epochSeconds;
  return `recorded differs by ${seconds} s from the observed start in UTC`;
}
