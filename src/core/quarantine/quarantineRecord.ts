// Owns: the record beside a displaced item: making, sealing, checking one.
// Leaves to others: reading and writing its file (recordFile.ts), what a record and its item mean together (classifyItem.ts).
import { ArtifactError, canonicalizeArtifact, selfDigest } from "../artifact/canonical.js";
import { hasExactKeys, isDigest, isPlainObject, isTimestamp } from "../artifact/syntax.js";
import type { ClaimKind, SystemId } from "../claims/claim.js";
import type { Check } from "../claims/verdict.js";
import type { QuarantinePlan, QuarantineRecord } from "./quarantineEntry.js";

export const recordSchema = "run-state.quarantine_record.v1";
export const recordSuffix = ".record.json";

export interface RecordAuthor {
  readonly user: string;
  readonly hostname: string;
  readonly toolVersion: string;
}

type Unsealed = Omit<QuarantineRecord, "record_digest">;

function seal(record: Unsealed): QuarantineRecord {
  return { ...record, record_digest: selfDigest(record, "record_digest") };
}

// Evidence is raw text from files and may be of any length; a record must stay inside the limits of its canonical form.
const textMost = 1_000;
const checksMost = 32;

function clip(text: string): string {
  return text.length <= textMost ? text : `${text.slice(0, textMost)}…`;
}

function clipCheck(check: Check): Check {
  const { id, recorded, observed, outcome, decides } = check;
  return { id, recorded: recorded === null ? null : clip(recorded), observed: observed === null ? null : clip(observed), outcome, decides };
}

/** A plain copy in which every text has a bounded length. Verdicts are flat apart from lists of codes. */
function clipFlat<T extends object>(value: T): T {
  const entries = Object.entries(value).map(([key, member]: [string, unknown]): [string, unknown] => {
    if (typeof member === "string") return [key, clip(member)];
    if (Array.isArray(member)) return [key, member.slice(0, checksMost).map((item: unknown) => (typeof item === "string" ? clip(item) : item))];
    return [key, member];
  });
  return Object.fromEntries(entries) as T;
}

/** The record that is written before anything moves. */
export function intendedRecord(plan: QuarantinePlan, itemName: string, forced: boolean, author: RecordAuthor): QuarantineRecord {
  const { claim, file } = plan;
  if (file === null) throw new TypeError("A plan without a file displaces nothing and has no record.");
  const { device, inode, size, mtimeNs } = file;
  return seal({
    schema: recordSchema,
    state: "intended",
    outcome: null,
    system: claim.system,
    claim_kind: claim.kind,
    claim_id: clip(claim.id),
    resource: clip(claim.resource),
    original_path: claim.path,
    item_name: itemName,
    item_type: plan.itemType,
    file: { device, inode, size, mtimeNs },
    sha256: plan.sha256,
    owner: claim.owner === null ? null : clipFlat({ ...claim.owner }),
    verdict: clipFlat({ ...claim.verdict }),
    proof: plan.proof,
    checks: claim.checks.slice(0, checksMost).map(clipCheck),
    forced,
    user: clip(author.user),
    hostname: clip(author.hostname),
    planned_at: new Date(plan.plannedAt).toISOString(),
    completed_at: null,
    restored_at: null,
    tool_version: author.toolVersion,
  });
}

type Change = Partial<Pick<QuarantineRecord, "state" | "outcome" | "completed_at" | "restored_at" | "file" | "sha256" | "item_type" | "item_name">>;

/** The same record with some members changed, sealed anew. */
export function amendRecord(record: QuarantineRecord, change: Change): QuarantineRecord {
  return seal({ ...record, ...change });
}

/** Canonical JSON plus LF. */
export function recordBytes(record: QuarantineRecord): Uint8Array {
  return new TextEncoder().encode(`${canonicalizeArtifact(record)}\n`);
}

export type ParsedRecord =
  | { readonly kind: "record"; readonly record: QuarantineRecord }
  /** `torn`: no JSON, as after a crash of a foreign writer. `invalid`: JSON, but no record of ours. `digest`: ours, then edited. */
  | { readonly kind: "torn" | "invalid" | "digest"; readonly diagnostic: string };

const recordKeys: readonly (keyof QuarantineRecord)[] = [
  "schema", "state", "outcome", "system", "claim_kind", "claim_id", "resource", "original_path", "item_name", "item_type", "file", "sha256",
  "owner", "verdict", "proof", "checks", "forced", "user", "hostname", "planned_at", "completed_at", "restored_at", "tool_version", "record_digest",
];

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isOneOf = (...allowed: readonly unknown[]) => (value: unknown): boolean => allowed.includes(value);
const isDecimal = (value: unknown): boolean => isText(value) && /^-?\d{1,40}$/.test(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

function isFile(value: unknown): boolean {
  return hasExactKeys(value, ["device", "inode", "size", "mtimeNs"]) && Object.values(value).every(isDecimal);
}

function isOwner(value: unknown): boolean {
  if (value === null) return true;
  const texts = ["started", "platform", "hostname", "bootIdentity", "executable"];
  return hasExactKeys(value, ["pid", ...texts]) && typeof value["pid"] === "number" && texts.every((key) => isTextOrNull(value[key]));
}

function isCheck(value: unknown): boolean {
  return (
    hasExactKeys(value, ["id", "recorded", "observed", "outcome", "decides"]) &&
    isText(value["id"]) && isTextOrNull(value["recorded"]) && isTextOrNull(value["observed"]) &&
    isOneOf("same", "different", "not-observed", "noted")(value["outcome"]) && typeof value["decides"] === "boolean"
  );
}

const isProof = isOneOf("strong", "weak");

function isVerdict(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  switch (value["kind"]) {
    case "live":
      return hasExactKeys(value, ["kind", "notes"]) && isTexts(value["notes"]);
    case "stale":
      return hasExactKeys(value, ["kind", "reason", "proof", "assumptions"]) && isText(value["reason"]) && isProof(value["proof"]) && isTexts(value["assumptions"]);
    case "remote":
      return hasExactKeys(value, ["kind", "reason"]) && isText(value["reason"]);
    case "unknown":
      return (
        hasExactKeys(value, Object.hasOwn(value, "diagnostic") ? ["kind", "reason", "settles", "diagnostic"] : ["kind", "reason", "settles"]) &&
        isText(value["reason"]) && isTexts(value["settles"]) && (value["diagnostic"] === undefined || isText(value["diagnostic"]))
      );
    case "corrupt":
      return hasExactKeys(value, ["kind", "reason", "diagnostic"]) && isText(value["reason"]) && isText(value["diagnostic"]);
    case "empty":
      return hasExactKeys(value, ["kind"]);
    default:
      return false;
  }
}

// Written as objects so that a new system or kind does not compile before records accept it.
const systems: Readonly<Record<SystemId, true>> = { lattice: true, "pi-amq": true, "pi-actors": true };
const claimKinds: Readonly<Record<ClaimKind, true>> = {
  "lifecycle-lock": true,
  "cli-lock": true,
  "registry-lock": true,
  "supervisor-lease": true,
  "worker-session-lease": true,
  "lifecycle-guard": true,
  leftover: true,
};

const memberRules: Readonly<Record<keyof QuarantineRecord, (value: unknown) => boolean>> = {
  schema: isOneOf(recordSchema),
  state: isOneOf("intended", "done", "restored", "purging"),
  outcome: isOneOf(null, "displaced", "vanished", "conflict"),
  system: isOneOf(...Object.keys(systems)),
  claim_kind: isOneOf(...Object.keys(claimKinds)),
  claim_id: isText,
  resource: isText,
  original_path: isText,
  item_name: isText,
  item_type: isOneOf("file", "directory", "symlink", "fifo", "socket", "device", "other"),
  file: isFile,
  sha256: (value) => value === null || isDigest(value),
  owner: isOwner,
  verdict: isVerdict,
  proof: (value) => value === null || isProof(value),
  checks: (value) => Array.isArray(value) && value.every(isCheck),
  forced: (value) => typeof value === "boolean",
  user: isText,
  hostname: isText,
  planned_at: isTimestamp,
  completed_at: (value) => value === null || isTimestamp(value),
  restored_at: (value) => value === null || isTimestamp(value),
  tool_version: isText,
  record_digest: isDigest,
};

function isRecordShape(value: unknown): value is QuarantineRecord {
  return hasExactKeys(value, recordKeys) && recordKeys.every((key) => memberRules[key](value[key]));
}

function firstBadMember(value: unknown): string {
  if (!isPlainObject(value)) return "not an object";
  return recordKeys.find((key) => !Object.hasOwn(value, key) || !memberRules[key](value[key])) ?? "a member that is not of this schema";
}

/** Checks bytes against all that `recordBytes` promises. Never throws for any bytes. */
export function parseRecord(bytes: Uint8Array): ParsedRecord {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    return { kind: "torn", diagnostic: `${String(bytes.byteLength)} bytes that are no JSON` };
  }
  if (!isRecordShape(value)) return { kind: "invalid", diagnostic: firstBadMember(value) };
  try {
    if (selfDigest(value, "record_digest") !== value.record_digest) return { kind: "digest", diagnostic: "record_digest" };
    // Equal bytes also exclude duplicate keys, which parsing hides.
    if (`${canonicalizeArtifact(value)}\n` !== text) return { kind: "invalid", diagnostic: "not in canonical form" };
  } catch (error) {
    if (!ArtifactError.is(error)) throw error;
    return { kind: "invalid", diagnostic: `${error.code} at ${error.pointer}` };
  }
  return { kind: "record", record: value };
}
