// Owns: reading an owner or guard file, and the projection of a lease (spec/pi-amq.md sections 2, 3, 4; ours: 15, 2).
// Leaves to others: liveness (classifyOwner.ts, judgeLeaseOwner.ts), listing (inspectNamespace.ts).
import type { Clock } from "../../ports.js";
import { isMissing } from "../../storage/errno.js";
import type { FileStat, ReadPort } from "../../storage/filePort.js";
import { readBounded } from "../../storage/readBounded.js";
import { LeaseRecordError, parseLifecycleGuard, parseWorkflowLeaseOwner, type LifecycleGuard, type WorkflowLeaseOwner } from "./leaseRecord.js";
import { sessionHash, type LeaseResource } from "./namespaceLayout.js";

/** No record comes near; a generation may be long, and is then only in the way. Bytes. */
export const recordMaxBytes = 65_536;
/** A writer may be in the middle: what looks torn is read once more after this many milliseconds. */
export const tornRetryMs = 20;

/** Why something is not as it should be: a stable code and a sentence. */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
}

export type RecordRead<Value> =
  | { readonly kind: "read"; readonly value: Value; readonly bytes: Uint8Array; readonly stat: FileStat }
  | { readonly kind: "missing" }
  /** `bytes`: null when they could not be read. `errno`: the kernel would not let it be read, so nothing is known about it. */
  | { readonly kind: "corrupt"; readonly diagnostic: Diagnostic; readonly bytes: Uint8Array | null; readonly stat: FileStat | null; readonly errno?: string };

export interface ReadContext {
  readonly port: ReadPort;
  readonly clock: Clock;
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function corrupt(code: string, message: string): Extract<RecordRead<never>, { kind: "corrupt" }> {
  return { kind: "corrupt", diagnostic: { code, message }, bytes: null, stat: null };
}

async function readOnce<Value>(port: ReadPort, path: string, prefix: "owner" | "guard", parse: (value: unknown) => Value): Promise<RecordRead<Value> & { readonly torn?: true }> {
  const read = await readBounded(port, path, { maxBytes: recordMaxBytes });
  switch (read.kind) {
    case "missing":
      return { kind: "missing" };
    case "not-regular":
      return corrupt(`${prefix}_json_invalid`, `The ${prefix} file is a ${read.type}, not a regular file.`);
    case "too-large":
      return corrupt(`${prefix}_json_invalid`, `The ${prefix} file has ${read.size} bytes, more than any record.`);
    case "unreadable":
      return { ...corrupt(`${prefix}_json_invalid`, `The ${prefix} file cannot be read (${read.code}).`), errno: read.code };
    case "changed-while-read":
      return { ...corrupt(`${prefix}_json_invalid`, `The ${prefix} file was written to while it was read.`), torn: true };
    case "read":
      break;
  }
  const { bytes, stat } = read;
  let value: unknown;
  try {
    value = JSON.parse(strictUtf8.decode(bytes));
  } catch {
    return { kind: "corrupt", diagnostic: { code: `${prefix}_json_invalid`, message: `The ${prefix} file is not JSON.` }, bytes, stat, torn: true };
  }
  try {
    return { kind: "read", value: parse(value), bytes, stat };
  } catch (error) {
    if (!LeaseRecordError.is(error)) throw error;
    return { kind: "corrupt", diagnostic: { code: error.errorClass, message: error.message }, bytes, stat };
  }
}

/** What looks like a writer in the middle is looked at once more. Never follows a symlink at the name itself. Never writes. */
async function readRecord<Value>({ port, clock }: ReadContext, path: string, prefix: "owner" | "guard", parse: (value: unknown) => Value): Promise<RecordRead<Value>> {
  const first = await readOnce(port, path, prefix, parse);
  if (first.torn !== true) return first;
  await clock.sleep(tornRetryMs);
  return await readOnce(port, path, prefix, parse);
}

export function readOwnerFile(context: ReadContext, path: string): Promise<RecordRead<WorkflowLeaseOwner>> {
  return readRecord(context, path, "owner", parseWorkflowLeaseOwner);
}

export function readGuardFile(context: ReadContext, path: string): Promise<RecordRead<LifecycleGuard>> {
  return readRecord(context, path, "guard", parseLifecycleGuard);
}

/** What lies at a lease, without any word about liveness. */
export type LeaseProjection =
  | { readonly kind: "empty" }
  | { readonly kind: "owned"; readonly owner: WorkflowLeaseOwner; readonly bytes: Uint8Array; readonly stat: FileStat }
  | { readonly kind: "corrupt"; readonly diagnostic: Diagnostic; readonly bytes: Uint8Array | null; readonly stat: FileStat | null };

/** Null when the record belongs where it was found. `workspaceId` null: not known, so not compared. */
export function findForeignRecord(owner: WorkflowLeaseOwner, resource: LeaseResource, workspaceId: string | null): Diagnostic | null {
  const isOfResource = owner.kind === resource.kind && owner.resourceId === resource.resourceId;
  if ((workspaceId !== null && owner.workspaceId !== workspaceId) || !isOfResource) {
    return { code: "resource_identity_mismatch", message: "The record is of another workspace or another resource than the one it was found at." };
  }
  // The recorded path was normalised by parsing, but a trailing slash stays and hashes differently, as for pi-amq.
  if (owner.kind === "worker-session" && owner.sessionPath !== null && hashOfRecorded(owner.sessionPath) !== resource.resourceId) {
    return { code: "session_hash_mismatch", message: "The recorded session path is not the one whose hash names the lease." };
  }
  return null;
}

function hashOfRecorded(sessionPath: string): string | null {
  // resolve() would remove the trailing slash that pi-amq keeps here.
  return sessionPath.length > 1 && /[/\\]$/.test(sessionPath) ? null : sessionHash(sessionPath);
}

/** Whether anything is at the lock path, looking through a symlink as pi-amq does. @throws errno errors other than "no such file". */
async function isAnythingAt(port: ReadPort, path: string): Promise<boolean> {
  try {
    await port.realpath(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** The projection of section 4. @throws errno errors of looking at the lock path itself. */
export async function projectLease(context: ReadContext, resource: LeaseResource, workspaceId: string | null): Promise<LeaseProjection> {
  let read = await readOwnerFile(context, resource.ownerPath);
  if (read.kind === "missing") {
    if (!(await isAnythingAt(context.port, resource.lockPath))) return { kind: "empty" };
    // The lease may have been installed between the two looks: it comes complete, so one more look settles it.
    read = await readOwnerFile(context, resource.ownerPath);
  }
  if (read.kind === "corrupt") return read;
  if (read.kind === "missing") return corrupt("owner_file_missing", "The lease has no owner file.");
  const foreign = findForeignRecord(read.value, resource, workspaceId);
  if (foreign !== null) return { kind: "corrupt", diagnostic: foreign, bytes: read.bytes, stat: read.stat };
  return { kind: "owned", owner: read.value, bytes: read.bytes, stat: read.stat };
}
