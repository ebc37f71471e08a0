// Owns: claims made of what lies in a namespace: lease, guard, leftover, each with verdict, checks and facts.
// Leaves to others: looking (inspectNamespace.ts), the verdict about an owner (leaseFacts.ts), wording (shared/explain.ts).
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { ClaimKind, ClaimOwner, ClaimSnapshot } from "../../claims/claim.js";
import type { Check, Judgement, Verdict } from "../../claims/verdict.js";
import type { ProcessIdentity } from "../../process/processInspector.js";
import { fileIdentityOf } from "../../storage/fileIdentity.js";
import type { FileStat } from "../../storage/filePort.js";
import type { LifecycleGuard, WorkflowLeaseOwner } from "./leaseRecord.js";
import { ownerFileName } from "./namespaceLayout.js";
import type { Diagnostic } from "./readRecord.js";

/** Every `reason` and code that claims of this module carry beside those of judgeLeaseOwner.ts. */
export const amqClaimReasons = {
  corrupt: [
    "symlink",
    "not_a_directory",
    "owner_file_missing",
    "owner_json_invalid",
    "guard_json_invalid",
    "resource_identity_mismatch",
    "session_hash_mismatch",
    "not_object",
    "unknown_field",
    "schema_not_1",
    "field",
    "cross",
  ],
  unknown: ["unreadable", "leftover_is_young", "leftover_owner_live", "leftover_in_the_future"],
  stale: ["no_process_has_file_open"],
  settles: ["wait_and_watch", "run_as_owner_or_root"],
  assumptions: ["left_behind", "owner_unknown", "owner_remote", "owner_corrupt"],
  checks: ["lease-file", "guard-file", "record", "leftover-age", "leftover-owner"],
  facts: ["stage", "generation", "workspace", "run", "worker", "attempt", "attempt-generation", "supervisor-generation", "session-path", "created-at", "modified-at"],
} as const;

/** Milliseconds: a lease being prepared or deleted is there for a few steps; what is older was left by a crash (section 15, 9). */
export const leftoverRestMs = 600_000;

export type Fact = ClaimSnapshot["facts"][number];

export interface Place {
  readonly kind: ClaimKind;
  readonly path: string;
  readonly resource: string;
  /** lstat of the path itself; null when nothing is there or it could not be looked at. */
  readonly stat: FileStat | null;
  /** Of the owner or guard file; null when it was not read. */
  readonly bytes: Uint8Array | null;
  readonly observedAt: number;
}

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** A session may be called anything; what people type and copy is short and plain. */
function plainName(name: string): string {
  return name.replace(/^([0-9a-f]{12})[0-9a-f]{52}/, "$1").replaceAll(/[^0-9A-Za-z._-]/gu, "_").slice(0, 128);
}

/** Everything of a claim that the look alone tells. */
function frameOf({ kind, path, resource, stat, bytes, observedAt }: Place): Omit<ClaimSnapshot, "owner" | "verdict" | "checks" | "facts"> {
  const file = stat === null ? null : fileIdentityOf(stat);
  const content = stat?.type === "directory" ? { contentPath: join(path, ownerFileName) } : {};
  const digest = bytes === null ? null : sha256(bytes);
  // Another file or other bytes give another id.
  const mark = sha256(JSON.stringify([path, file?.device ?? null, file?.inode ?? null, digest])).slice(0, 8);
  return {
    id: `${plainName(basename(path))}@${mark}`,
    key: path,
    system: "pi-amq",
    kind,
    path,
    resource,
    file,
    sha256: digest,
    ...content,
    linkCount: stat === null || stat.type === "directory" ? null : Number(stat.linkCount),
    observedAt,
  };
}

export function ownerOf(record: ProcessIdentity): ClaimOwner {
  const { pid, processStartIdentity, bootIdentity, executable, hostname } = record;
  return { pid, started: processStartIdentity, platform: null, hostname, bootIdentity, executable };
}

function modifiedAt(stat: FileStat | null): readonly Fact[] {
  if (stat === null) return [];
  const at = new Date(Number(stat.mtimeNs / 1_000_000n));
  return [{ name: "modified-at", value: Number.isNaN(at.getTime()) ? `${stat.mtimeNs} ns` : at.toISOString() }];
}

function ownerFacts(record: WorkflowLeaseOwner): readonly Fact[] {
  const members: readonly (readonly [(typeof amqClaimReasons.facts)[number], string | null])[] = [
    ["stage", record.stage],
    ["generation", record.generation],
    ["workspace", record.workspaceId],
    ["run", record.runId],
    ["worker", record.workerId],
    ["attempt", record.attemptId],
    ["attempt-generation", record.workerAttemptGeneration],
    ["supervisor-generation", record.supervisorGeneration],
    ["session-path", record.sessionPath],
    ["created-at", record.createdAt],
  ];
  return members.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

export interface ClaimSources {
  readonly owner: WorkflowLeaseOwner | null;
  readonly guard: LifecycleGuard | null;
}

/** A claim whose record was judged, or whose content decides before anybody's process does. */
export function claimOf(place: Place, judgement: Judgement, sources: ClaimSources, contentStat: FileStat | null): ClaimSnapshot {
  const record = sources.owner ?? sources.guard;
  const facts: readonly Fact[] =
    sources.owner !== null
      ? ownerFacts(sources.owner)
      : sources.guard === null
        ? []
        : [{ name: "generation", value: sources.guard.generation }, { name: "created-at", value: sources.guard.createdAt }];
  return {
    ...frameOf(place),
    owner: record === null ? null : ownerOf(record),
    ...judgement,
    facts: [...facts, ...modifiedAt(contentStat ?? place.stat)],
  };
}

function decided(id: (typeof amqClaimReasons.checks)[number], recorded: string | null, observed: string | null, outcome: Check["outcome"] = "different"): Check {
  return { id, recorded, observed, outcome, decides: true };
}

/** What cannot be trusted: the code up to its first colon is the reason, all of it the diagnostic. */
export function corruptJudgement({ code, message }: Diagnostic): Judgement {
  const reason = code.split(":", 1)[0] ?? code;
  return { verdict: { kind: "corrupt", reason, diagnostic: code === reason ? message : `${code}: ${message}` }, checks: [decided("record", null, message)] };
}

/** A lock that is reached through a link, or is no directory: pi-amq may follow it, we never change anything through it. */
export function wrongTypeJudgement(type: FileStat["type"], expected: "directory" | "file"): Judgement {
  const reason = type === "symlink" ? "symlink" : "not_a_directory";
  const id = expected === "directory" ? "lease-file" : "guard-file";
  return { verdict: { kind: "corrupt", reason, diagnostic: type }, checks: [decided(id, expected, type)] };
}

export function unreadableJudgement(code: string): Judgement {
  return { verdict: { kind: "unknown", reason: "unreadable", settles: ["run_as_owner_or_root"], diagnostic: code }, checks: [decided("lease-file", null, code, "not-observed")] };
}

export const emptyJudgement: Judgement = { verdict: { kind: "empty" }, checks: [decided("lease-file", null, null, "not-observed")] };

/**
 * A leftover may be set aside when it has rested long enough and its owner, if it names one, is not live. Nobody looks it up by
 * name, so nobody can miss it.
 */
export function judgeLeftover(stat: FileStat, owner: Verdict | null, now: number): Judgement {
  const age = now - Number(stat.mtimeNs / 1_000_000n);
  const ageCheck = (decides: boolean): Check => ({ id: "leftover-age", recorded: `${leftoverRestMs} ms`, observed: `${age} ms`, outcome: age >= leftoverRestMs ? "noted" : "different", decides });
  const unknown = (reason: (typeof amqClaimReasons.unknown)[number]): Verdict => ({ kind: "unknown", reason, settles: ["wait_and_watch"] });
  if (owner?.kind === "live") {
    return { verdict: unknown("leftover_owner_live"), checks: [ageCheck(false), { id: "leftover-owner", recorded: null, observed: "live", outcome: "different", decides: true }] };
  }
  if (age < leftoverRestMs) return { verdict: unknown(age < 0 ? "leftover_in_the_future" : "leftover_is_young"), checks: [ageCheck(true)] };
  const doubts = owner === null || owner.kind === "stale" || owner.kind === "empty" ? [] : [`owner_${owner.kind}`];
  return {
    verdict: { kind: "stale", reason: "no_process_has_file_open", proof: "weak", assumptions: ["left_behind", ...doubts] },
    checks: [ageCheck(true), { id: "leftover-owner", recorded: null, observed: owner?.kind ?? "none", outcome: "noted", decides: false }],
  };
}
