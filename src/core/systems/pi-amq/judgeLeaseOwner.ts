// Owns: our verdict about the owner of a lease or guard, as a pure function of record and facts (spec/pi-amq.md section 14).
// Leaves to others: gathering the facts (leaseFacts.ts), pi-amq's own view (classifyOwner.ts), wording (shared/explain.ts).
import { normalize } from "node:path";
import { Evidence } from "../../claims/evidence.js";
import type { Judgement, StaleReason } from "../../claims/verdict.js";
import { isRepresentablePid } from "../../process/pid.js";
import type { ObservationEnvironment, ProcessIdentity, ProcessInspection } from "../../process/processInspector.js";
import { areComparableStarts, compareBoots, type BootComparison } from "./startFormat.js";

/** What a learned rendering makes of the process that has the recorded pid now. */
export interface LearnedStart {
  /** The observed start in the rendering that the namespace uses. */
  readonly text: string;
  /** Live records that the rendering reproduced exactly. */
  readonly confirmations: number;
}

/** All that the verdict depends on besides the record. No clock: time is no proof. */
export interface LeaseOwnerFacts {
  readonly current: ProcessIdentity;
  readonly inspection: ProcessInspection;
  readonly environment: ObservationEnvironment;
  /** Other names of this very host, as a person declared them. */
  readonly hostAliases?: readonly string[];
  /** Null when nothing was learned, or the process is not live. */
  readonly learnedStart?: LearnedStart | null;
}

/** Every `reason` that the verdicts of this module carry, by kind: whoever words them can check that none is missing. */
export const leaseOwnerReasons = {
  remote: ["hostname_differs", "hostname_case_only", "hostname_domain_only"],
  unknown: [
    "pid_not_representable",
    "boot_differs_on_shared_filesystem",
    "inspection_unknown",
    "nested_pid_namespace",
    "pid_namespace_unknown",
    "pid_lives_in_child_namespace",
    "absent_on_shared_filesystem_without_boot_proof",
    "start_differs_on_shared_filesystem_without_boot_proof",
    "start_identity_format_not_recognised",
  ],
  stale: ["pid_absent", "zombie", "thread_id", "start_identity_changed", "boot_identity_changed"],
  settles: ["run_on_owning_host", "run_in_owning_namespace", "run_as_owner_or_root", "compare_by_hand", "wait_and_watch"],
  assumptions: ["boot_not_comparable", "host_alias", "learned_format"],
  notes: ["executable_differs", "host_alias", "learned_format"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type UnknownReason = (typeof leaseOwnerReasons.unknown)[number];
type Settles = (typeof leaseOwnerReasons.settles)[number];
type Assumption = (typeof leaseOwnerReasons.assumptions)[number];

/** A difference under a learned rendering counts only after this many live records confirmed the rendering. */
export const confirmationsForStale = 2;

const absentReasons: Readonly<Record<"no-such-process" | "zombie" | "thread-id", StaleReason>> = {
  "no-such-process": "pid_absent",
  zombie: "zombie",
  "thread-id": "thread_id",
};

function remoteReason(recorded: string, current: string): (typeof leaseOwnerReasons.remote)[number] {
  if (recorded.toLowerCase() === current.toLowerCase()) return "hostname_case_only";
  const firstLabel = (name: string): string => name.toLowerCase().split(".", 1)[0] ?? "";
  return firstLabel(recorded) !== "" && firstLabel(recorded) === firstLabel(current) ? "hostname_domain_only" : "hostname_differs";
}

class LeaseJudgement {
  readonly evidence = new Evidence();
  readonly #record: ProcessIdentity;
  readonly #facts: LeaseOwnerFacts;
  readonly #boots: BootComparison;
  #isAlias = false;

  constructor(record: ProcessIdentity, facts: LeaseOwnerFacts) {
    this.#record = record;
    this.#facts = facts;
    this.#boots = compareBoots(record.bootIdentity, facts.current.bootIdentity);
  }

  unknown(id: string, reason: UnknownReason, ...settles: readonly Settles[]): Judgement {
    const { inspection } = this.#facts;
    const diagnostic = reason === "inspection_unknown" && inspection.kind === "unknown" ? { diagnostic: inspection.diagnostic } : {};
    return this.evidence.conclude(id, { kind: "unknown", reason, settles, ...diagnostic });
  }

  /** A compared boot makes the proof strong, unless a person's word about the host or a learned text is part of it. */
  stale(id: string, reason: StaleReason, ...more: readonly Assumption[]): Judgement {
    const assumptions: Assumption[] = [...(this.#boots === "not-comparable" ? (["boot_not_comparable"] as const) : []), ...more];
    if (this.#isAlias && this.#boots !== "equal") assumptions.push("host_alias");
    return this.evidence.conclude(id, { kind: "stale", reason, proof: assumptions.length === 0 ? "strong" : "weak", assumptions });
  }

  live(id: string, executable: string, ...notes: readonly (typeof leaseOwnerReasons.notes)[number][]): Judgement {
    const isSame = normalize(this.#record.executable) === normalize(executable);
    this.evidence.add("executable", this.#record.executable, executable, isSame ? "same" : "noted");
    return this.evidence.conclude(id, {
      kind: "live",
      notes: [...notes, ...(isSame ? [] : ["executable_differs"]), ...(this.#isAlias ? ["host_alias"] : [])],
    });
  }

  judge(): Judgement {
    return this.#judgeHost() ?? this.#judgePid() ?? this.#judgeBoot() ?? this.#judgeProcess();
  }

  #judgeHost(): Judgement | null {
    const recorded = this.#record.hostname;
    const { current, hostAliases = [] } = this.#facts;
    if (recorded === current.hostname) {
      this.evidence.add("hostname", recorded, current.hostname, "same");
      return null;
    }
    this.#isAlias = hostAliases.includes(recorded);
    this.evidence.add("hostname", recorded, current.hostname, this.#isAlias ? "noted" : "different");
    return this.#isAlias ? null : this.evidence.conclude("hostname", { kind: "remote", reason: remoteReason(recorded, current.hostname) });
  }

  #judgePid(): Judgement | null {
    if (isRepresentablePid(this.#record.pid)) return null;
    this.evidence.add("pid-exists", String(this.#record.pid), null, "not-observed");
    return this.unknown("pid-exists", "pid_not_representable", "run_on_owning_host", "wait_and_watch");
  }

  #judgeBoot(): Judgement | null {
    const outcomes = { equal: "same", different: "different", "not-comparable": "not-observed" } as const;
    this.evidence.add("boot", this.#record.bootIdentity, this.#facts.current.bootIdentity, outcomes[this.#boots]);
    if (this.#boots !== "different") return null;
    if (this.#facts.environment.localFilesystem) return this.stale("boot", "boot_identity_changed");
    this.evidence.add("filesystem", null, "shared or not recognised", "not-observed");
    return this.unknown("filesystem", "boot_differs_on_shared_filesystem", "run_on_owning_host");
  }

  #judgeProcess(): Judgement {
    const { inspection } = this.#facts;
    const pid = String(this.#record.pid);
    if (inspection.kind === "unknown") {
      this.evidence.add("pid-exists", pid, inspection.diagnostic, "not-observed");
      return this.unknown("pid-exists", "inspection_unknown", "run_as_owner_or_root", "wait_and_watch");
    }
    if (inspection.kind === "absent") {
      const why = inspection.why ?? "no-such-process";
      this.evidence.add("pid-exists", pid, why, "different");
      return this.#doubt("absent_on_shared_filesystem_without_boot_proof") ?? this.stale("pid-exists", absentReasons[why]);
    }
    this.evidence.add("pid-exists", pid, "live", "same");
    return this.#judgeStart(inspection.identity);
  }

  #judgeStart(observed: ProcessIdentity): Judgement {
    const recorded = this.#record.processStartIdentity;
    const { learnedStart = null } = this.#facts;
    if (recorded === observed.processStartIdentity) {
      this.evidence.add("start", recorded, observed.processStartIdentity, "same");
      return this.live("start", observed.executable);
    }
    if (areComparableStarts(recorded, observed.processStartIdentity)) {
      this.evidence.add("start", recorded, observed.processStartIdentity, "different");
      return this.#doubt("start_differs_on_shared_filesystem_without_boot_proof") ?? this.stale("start", "start_identity_changed");
    }
    this.evidence.add("start", recorded, observed.processStartIdentity, "not-observed");
    if (learnedStart === null) return this.unknown("start", "start_identity_format_not_recognised", "compare_by_hand", "wait_and_watch");
    const isSame = recorded === learnedStart.text;
    this.evidence.add("learned-start", recorded, learnedStart.text, isSame ? "same" : "different");
    if (isSame) return this.live("learned-start", observed.executable, "learned_format");
    // A wrong guess at the format must cost a question, never an owner.
    if (learnedStart.confirmations < confirmationsForStale) {
      return this.unknown("learned-start", "start_identity_format_not_recognised", "compare_by_hand", "wait_and_watch");
    }
    return (
      this.#doubt("start_differs_on_shared_filesystem_without_boot_proof") ?? this.stale("learned-start", "start_identity_changed", "learned_format")
    );
  }

  /** What keeps "not here" or "another one here" from meaning "gone" (rule 5); null when nothing does. */
  #doubt(sharedReason: UnknownReason): Judgement | null {
    const { pidNamespace, exclusiveToThisNamespace, nsPidMatch, localFilesystem } = this.#facts.environment;
    const isNested = pidNamespace === "nested" && !exclusiveToThisNamespace;
    const observed = pidNamespace === "nested" && exclusiveToThisNamespace ? "nested, directory belongs to it" : pidNamespace;
    this.evidence.add("pid-namespace", null, observed, isNested || pidNamespace === "unknown" ? "not-observed" : "noted");
    if (isNested) return this.unknown("pid-namespace", "nested_pid_namespace", "run_in_owning_namespace", "wait_and_watch");
    if (pidNamespace === "unknown") return this.unknown("pid-namespace", "pid_namespace_unknown", "run_as_owner_or_root", "wait_and_watch");
    if (nsPidMatch) {
      this.evidence.add("child-namespace", null, "a process of a child namespace has this pid there", "different");
      return this.unknown("child-namespace", "pid_lives_in_child_namespace", "run_in_owning_namespace", "wait_and_watch");
    }
    if (localFilesystem || this.#boots === "equal") return null;
    this.evidence.add("filesystem", null, "shared or not recognised", "not-observed");
    return this.unknown("filesystem", sharedReason, "run_on_owning_host", "wait_and_watch");
  }
}

/**
 * Judges the process that a lease or guard names. Promises: `stale` only on another boot, an absent pid or another start in a
 * comparable format, and only where neither namespaces nor shared disks may explain it; an executable that differs is a note,
 * because a process may exec. Exactly one check decides.
 */
export function judgeLeaseOwner(record: ProcessIdentity, facts: LeaseOwnerFacts): Judgement {
  return new LeaseJudgement(record, facts).judge();
}
