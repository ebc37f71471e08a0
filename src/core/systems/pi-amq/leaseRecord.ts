// Owns: owner and guard records of pi-amq, checking them in the runtime's own order, writing them (spec/pi-amq.md sections 2, 3).
// Leaves to others: reading files (readRecord.ts), whose process it is (classifyOwner.ts, judgeLeaseOwner.ts).
import { isAbsolute, normalize } from "node:path";
import type { ProcessIdentity } from "../../process/processInspector.js";

export type LeaseKind = "supervisor" | "worker-session";
export type LeaseStage = "active" | "reserved";

/** `owner.json` of a lease: all 18 members, in the order in which they are written. */
export interface WorkflowLeaseOwner extends ProcessIdentity {
  readonly schema: 1;
  readonly kind: LeaseKind;
  readonly stage: LeaseStage;
  readonly generation: string;
  readonly workspaceId: string;
  readonly resourceId: string;
  readonly runId: string | null;
  readonly workerId: string | null;
  readonly attemptId: string | null;
  readonly workerAttemptGeneration: string | null;
  readonly supervisorGeneration: string | null;
  readonly sessionPath: string | null;
  readonly createdAt: string;
}

/** `….lifecycle.guard.json`: names no resource, so it cannot be checked against one. */
export interface LifecycleGuard extends ProcessIdentity {
  readonly schema: 1;
  readonly generation: string;
  readonly createdAt: string;
}

/**
 * A value that is no record. `errorClass` is stable: `not_object`, `unknown_field:<names>`, `schema_not_1`,
 * `field:<name>:<rule>`, `cross:<rule>`; only the first failure is reported.
 */
export class LeaseRecordError extends Error {
  override readonly name = "LeaseRecordError";
  constructor(
    readonly errorClass: string,
    message: string,
  ) {
    super(message);
  }

  /** The part before the first colon; enough to tell kinds of failure apart. */
  get code(): string {
    return this.errorClass.split(":", 1)[0] ?? this.errorClass;
  }

  static is(error: unknown, code?: string): error is LeaseRecordError {
    return error instanceof LeaseRecordError && (code === undefined || error.code === code);
  }
}

const identityKeys = ["pid", "processStartIdentity", "bootIdentity", "executable", "hostname", "createdAt"] as const;
const workerKeys = ["runId", "workerId", "attemptId", "workerAttemptGeneration", "supervisorGeneration", "sessionPath"] as const;
const ownerKeys = ["schema", "kind", "stage", "generation", "workspaceId", "resourceId", ...workerKeys, ...identityKeys] as const;
const guardKeys = ["schema", "generation", ...identityKeys] as const;

type Fields = Readonly<Record<string, unknown>>;

function fail(errorClass: string, message: string): never {
  throw new LeaseRecordError(errorClass, message);
}

function fieldsOf(value: unknown, keys: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail("not_object", "The record is not a JSON object.");
  const unknown = Object.keys(value).filter((key) => !keys.includes(key));
  if (unknown.length > 0) return fail(`unknown_field:${unknown.join(",")}`, `The record has unknown fields: ${unknown.map((key) => JSON.stringify(key)).join(", ")}.`);
  return value as Fields;
}

function finiteNumber(fields: Fields, key: string): number {
  const value = fields[key];
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return fail(`field:${key}:number`, `The field ${key} is not a number.`);
}

function text(fields: Fields, key: string): string {
  const value = fields[key];
  if (typeof value === "string" && value !== "") return value;
  return fail(`field:${key}:non_empty_string`, `The field ${key} is not a text, or it is empty.`);
}

function textOrNull(fields: Fields, key: string): string | null {
  const value = fields[key];
  if (value === null || (typeof value === "string" && value !== "")) return value;
  return fail(`field:${key}:null_or_non_empty_string`, `The field ${key} is neither null nor a text with content.`);
}

function oneOf<Choice extends string>(fields: Fields, key: string, choices: readonly Choice[]): Choice {
  const value = text(fields, key);
  const choice = choices.find((candidate) => candidate === value);
  return choice ?? fail(`field:${key}:enum`, `The field ${key} is none of ${choices.join(", ")}.`);
}

function absolutePath(key: string, value: string): string {
  return isAbsolute(value) ? normalize(value) : fail(`field:${key}:absolute_path`, `The field ${key} is not an absolute path.`);
}

function schemaOne(fields: Fields): 1 {
  return finiteNumber(fields, "schema") === 1 ? 1 : fail("schema_not_1", "The record is of another schema version than 1.");
}

function identityOf(fields: Fields): ProcessIdentity & { readonly createdAt: string } {
  const pid = finiteNumber(fields, "pid");
  if (!Number.isSafeInteger(pid) || pid <= 0) fail("field:pid:positive_integer", "The field pid is not a positive integer.");
  const processStartIdentity = text(fields, "processStartIdentity");
  const bootIdentity = textOrNull(fields, "bootIdentity");
  const executable = absolutePath("executable", text(fields, "executable"));
  const hostname = text(fields, "hostname");
  const createdAt = text(fields, "createdAt");
  // The runtime takes whatever the JavaScript date parser takes, and never compares it with a clock.
  if (Number.isNaN(Date.parse(createdAt))) fail("field:createdAt:timestamp", "The field createdAt is not a time.");
  return { pid, processStartIdentity, bootIdentity, executable, hostname, createdAt };
}

/**
 * A parsed `owner.json`, with its paths normalised textually as the runtime does.
 * Says nothing about the resource it is found at, nor about liveness. @throws LeaseRecordError
 */
export function parseWorkflowLeaseOwner(value: unknown): WorkflowLeaseOwner {
  const fields = fieldsOf(value, ownerKeys);
  const schema = schemaOne(fields);
  const kind = oneOf<LeaseKind>(fields, "kind", ["supervisor", "worker-session"]);
  const stage = oneOf<LeaseStage>(fields, "stage", ["active", "reserved"]);
  const generation = text(fields, "generation");
  const workspaceId = text(fields, "workspaceId");
  const resourceId = text(fields, "resourceId");
  const runId = textOrNull(fields, "runId");
  const workerId = textOrNull(fields, "workerId");
  const attemptId = textOrNull(fields, "attemptId");
  const workerAttemptGeneration = textOrNull(fields, "workerAttemptGeneration");
  const supervisorGeneration = textOrNull(fields, "supervisorGeneration");
  const recordedPath = textOrNull(fields, "sessionPath");
  const sessionPath = recordedPath === null ? null : absolutePath("sessionPath", recordedPath);
  const identity = identityOf(fields);
  const workerValues = [runId, workerId, attemptId, workerAttemptGeneration, supervisorGeneration, sessionPath];
  if (kind === "supervisor") {
    if (workerValues.some((member) => member !== null)) fail("cross:supervisor_with_worker_fields", "A supervisor lease names a worker.");
    if (stage !== "active") fail("cross:supervisor_not_active", "A supervisor lease is always active.");
  } else if (workerValues.includes(null)) {
    fail("cross:worker_missing_fields", "A worker lease does not say whose it is.");
  }
  return {
    schema,
    kind,
    stage,
    generation,
    workspaceId,
    resourceId,
    runId,
    workerId,
    attemptId,
    workerAttemptGeneration,
    supervisorGeneration,
    sessionPath,
    ...identity,
  };
}

/** A parsed lifecycle guard. Says nothing about liveness. @throws LeaseRecordError */
export function parseLifecycleGuard(value: unknown): LifecycleGuard {
  const fields = fieldsOf(value, guardKeys);
  const schema = schemaOne(fields);
  const generation = text(fields, "generation");
  return { schema, generation, ...identityOf(fields) };
}

/** Exactly the members of the record, in the runtime's order, as the runtime writes them. */
function encode(record: Fields, keys: readonly string[]): Uint8Array {
  const ordered = Object.fromEntries(keys.map((key) => [key, record[key]]));
  return new TextEncoder().encode(`${JSON.stringify(ordered, null, 2)}\n`);
}

/** Bytes of an `owner.json` that every reader accepts: a record that could not be read back is never written. @throws LeaseRecordError */
export function encodeWorkflowLeaseOwner(owner: WorkflowLeaseOwner): Uint8Array {
  parseWorkflowLeaseOwner(JSON.parse(JSON.stringify(owner)));
  return encode(owner as unknown as Fields, ownerKeys);
}

/** Bytes of a guard that every reader accepts. @throws LeaseRecordError */
export function encodeLifecycleGuard(guard: LifecycleGuard): Uint8Array {
  parseLifecycleGuard(JSON.parse(JSON.stringify(guard)));
  return encode(guard as unknown as Fields, guardKeys);
}
