// Owns: what the bytes of a lifecycle lock must be (spec/lattice.md sections 2.8 and 4), checking them and making them.
// Leaves to others: the types (lifecycleLockRecord.ts), reading the file (inspectLifecycleLock.ts), judging the owner (judgeLifecycleLock.ts).
import { canonicalizeArtifact, defaultDialect, pointerTo, selfDigest } from "../../artifact/canonical.js";
import { hasExactKeys, isDigest, isIdentifier, isPlainObject, isPositiveInteger, isTimestamp } from "../../artifact/syntax.js";
import { FindingCollector, requireSelfDigest, type Finding } from "./finding.js";
import type { LifecycleLock, ProcessStartIdentity } from "./lifecycleLockRecord.js";

/** Name of the lock in its run directory. */
export const lifecycleLockName = ".lifecycle.lock";
/** No lock of the runtime comes near: identifiers have 128 characters, the start text is one line of `ps`. */
export const lifecycleLockMaxBytes = 65_536;

const lockSchema = "lattice.runtime_lifecycle_lock.v1";
const identitySchema = "lattice.process_start_identity.v1";
const lockKeys = ["schema", "owner_pid", "owner_process_start_identity", "session_nonce_digest", "operation", "request_id", "acquired_at", "lock_digest"];
const identityKeys = ["schema", "platform", "pid", "started_identity", "identity_digest"];

/** Every reason for which bytes are no lock; wording in shared/explain.ts. */
export const lockContentReasons = {
  torn: ["empty_file", "zero_filled", "byte_order_mark", "utf_16", "not_json", "cut_json"],
  invalid: ["not_utf_8", "invalid_record", "not_canonical"],
} as const;

type TornReason = (typeof lockContentReasons.torn)[number];
type InvalidReason = (typeof lockContentReasons.invalid)[number];
export type LockContentReason = TornReason | InvalidReason;

/**
 * `torn`: the bytes are not JSON, as while somebody is writing or after a crash. `invalid`: JSON, but no lock.
 * `diagnostic` is one sentence that never quotes a value; `pointer` (RFC 6901) leads to the member that is wrong.
 */
export type LifecycleLockCheck =
  | { readonly kind: "valid"; readonly lock: LifecycleLock }
  | { readonly kind: "torn"; readonly reason: TornReason; readonly diagnostic: string }
  /** `lock`: what was recorded all the same, when only the encoding is not what the runtime requires. */
  | { readonly kind: "invalid"; readonly reason: InvalidReason; readonly diagnostic: string; readonly pointer: string; readonly lock: LifecycleLock | null };

function isNonEmptyString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Points at each key that is missing or too many: a lock is short, and "which key" is all one needs to know. */
function requireKeys(value: unknown, keys: readonly string[], at: FindingCollector): value is Record<string, unknown> {
  if (!isPlainObject(value)) {
    at.error("exact-keys", "", "Must be an object.");
    return false;
  }
  if (hasExactKeys(value, keys)) return true;
  for (const key of keys) if (!Object.hasOwn(value, key)) at.error("exact-keys", pointerTo("", key), "Is missing.");
  for (const key of Object.keys(value)) if (!keys.includes(key)) at.error("exact-keys", pointerTo("", key), "Is not a member of this schema.");
  return false;
}

function collectIdentity(value: unknown, at: FindingCollector): value is ProcessStartIdentity {
  if (!requireKeys(value, identityKeys, at)) return false;
  const before = at.findings.length;
  at.require(value["schema"] === identitySchema, "schema-id", "/schema", `Must be "${identitySchema}".`);
  at.require(isNonEmptyString(value["platform"]), "platform", "/platform", "Must be a text that is not empty.");
  at.require(isPositiveInteger(value["pid"]), "pid", "/pid", "Must be a positive integer.");
  at.require(isNonEmptyString(value["started_identity"]), "started-identity", "/started_identity", "Must be a text that is not empty.");
  if (at.findings.length === before) requireSelfDigest(value, "identity_digest", at, defaultDialect);
  return at.findings.length === before;
}

/** What is wrong with a process start identity; empty when nothing is. */
export function findStartIdentityProblems(value: unknown): readonly Finding[] {
  const at = new FindingCollector("process-start-identity");
  collectIdentity(value, at);
  return at.findings;
}

export function isStartIdentity(value: unknown): value is ProcessStartIdentity {
  return findStartIdentityProblems(value).length === 0;
}

/** What is wrong with a parsed lock, whatever its bytes were; empty when nothing is. */
export function findLifecycleLockProblems(value: unknown): readonly Finding[] {
  const at = new FindingCollector("lifecycle-lock");
  if (!requireKeys(value, lockKeys, at)) return at.findings;
  const identity = value["owner_process_start_identity"];
  at.require(value["schema"] === lockSchema, "schema-id", "/schema", `Must be "${lockSchema}".`);
  const hasPid = at.require(isPositiveInteger(value["owner_pid"]), "owner-pid", "/owner_pid", "Must be a positive integer.");
  if (collectIdentity(identity, at.nested("/owner_process_start_identity")) && hasPid) {
    at.require(identity.pid === value["owner_pid"], "owner-pid", "/owner_pid", "Differs from the pid of the process start identity.");
  }
  at.require(isDigest(value["session_nonce_digest"]), "session-nonce", "/session_nonce_digest", "Must be 64 lower-case hexadecimal digits.");
  at.require(isIdentifier(value["operation"]), "operation", "/operation", "Must be an identifier.");
  at.require(isIdentifier(value["request_id"]), "request-id", "/request_id", "Must be an identifier.");
  at.require(isTimestamp(value["acquired_at"]), "acquired-at", "/acquired_at", "Must be a UTC time with milliseconds.");
  if (at.findings.length === 0) requireSelfDigest(value, "lock_digest", at, defaultDialect);
  return at.findings;
}

const strictText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientText = new TextDecoder("utf-8", { ignoreBOM: true });

/** Null when the bytes are not UTF-8: two different files must never decode to one text. */
function decode(bytes: Uint8Array): string | null {
  try {
    return strictText.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

/** Says what kind of not-JSON it is: each has another cause. Never quotes the bytes. */
function describeTorn(bytes: Uint8Array): { readonly kind: "torn"; readonly reason: TornReason; readonly diagnostic: string } {
  const torn = (reason: TornReason, diagnostic: string): ReturnType<typeof describeTorn> => ({ kind: "torn", reason, diagnostic });
  if (bytes.byteLength === 0) return torn("empty_file", "The file is empty.");
  if (bytes.every((byte) => byte === 0)) return torn("zero_filled", `The file holds ${bytes.byteLength} zero bytes, as after a power cut.`);
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return torn("byte_order_mark", "The file begins with a byte order mark, which the runtime does not read.");
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return torn("utf_16", "The file is UTF-16, which the runtime does not read.");
  if (first !== 0x7b) return torn("not_json", `The file is not JSON: ${bytes.byteLength} bytes that do not begin with "{".`);
  return torn("cut_json", `The file is not complete JSON: it ends or breaks off after ${bytes.byteLength} bytes.`);
}

/**
 * Whether these bytes are a lifecycle lock as the runtime reads it: the exact schema, right digests, canonical JSON plus LF.
 * Says nothing about the file they came from, nor about the owner. Both dialects of lattice agree. Never throws.
 */
export function checkLifecycleLock(bytes: Uint8Array): LifecycleLockCheck {
  const text = decode(bytes);
  const parsed = parse(text ?? lenientText.decode(bytes));
  if (parsed === null) return describeTorn(bytes);
  const invalid = { kind: "invalid", pointer: "", lock: null } as const;
  if (text === null) return { ...invalid, reason: "not_utf_8", diagnostic: "The file is not UTF-8." };
  const [problem] = findLifecycleLockProblems(parsed.value);
  if (problem !== undefined) {
    const { pointer, message } = problem;
    return { ...invalid, reason: "invalid_record", pointer, diagnostic: pointer === "" ? message : `${pointer}: ${message}` };
  }
  const lock = parsed.value as LifecycleLock;
  if (text === `${canonicalizeArtifact(lock)}\n`) return { kind: "valid", lock };
  // Also reached by duplicate keys, of which parsing keeps only the last.
  return { ...invalid, lock, reason: "not_canonical", diagnostic: "A complete lock, but not in the canonical bytes that the runtime requires (edited or re-formatted)." };
}

/** @throws ArtifactError when the text is too long to be recorded. */
export function sealStartIdentity(identity: Pick<ProcessStartIdentity, "platform" | "pid" | "started_identity">): ProcessStartIdentity {
  const body = { schema: identitySchema, platform: identity.platform, pid: identity.pid, started_identity: identity.started_identity } as const;
  return { ...body, identity_digest: selfDigest(body, "identity_digest") };
}

/**
 * A complete lock with its digest, and the bytes of its file. Read back through `checkLifecycleLock` before it is given out:
 * a record that we could not read ourselves must never reach a disk.
 * @throws TypeError when a member is not what section 2.8 asks for.
 */
export function sealLifecycleLock(body: Omit<LifecycleLock, "schema" | "lock_digest">): { readonly lock: LifecycleLock; readonly bytes: Uint8Array } {
  const unsealed = { schema: lockSchema, ...body } as const;
  const lock: LifecycleLock = { ...unsealed, lock_digest: selfDigest(unsealed, "lock_digest") };
  const bytes = new TextEncoder().encode(`${canonicalizeArtifact(lock)}\n`);
  const check = checkLifecycleLock(bytes);
  if (check.kind !== "valid") throw new TypeError(`Not a lifecycle lock: ${check.diagnostic}`);
  return { lock: check.lock, bytes };
}

