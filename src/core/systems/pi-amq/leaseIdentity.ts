// Owns: checking what callers and inspectors give as identities and ids (spec/pi-amq.md sections 5, 9, 12).
// Leaves to others: observing processes (process/).
import { isAbsolute } from "node:path";
import type { ProcessIdentity } from "../../process/processInspector.js";
import { LeaseRecordError } from "./leaseRecord.js";
import { LeaseArgumentError } from "./leaseResults.js";

export function requireText(value: unknown, argument: string): string {
  if (typeof value !== "string" || value === "") throw new LeaseArgumentError("argument_required", argument);
  return value;
}

export function requireSessionPath(value: unknown): string {
  const path = requireText(value, "sessionPath");
  if (!isAbsolute(path)) throw new LeaseArgumentError("argument_not_absolute", "sessionPath");
  return path;
}

/**
 * The identity as it may be recorded. An empty or missing boot identity becomes null: written as it is, it could never be read
 * back, and guard and lease would be corrupt for ever (section 12, 4).
 * @throws LeaseArgumentError; LeaseRecordError for an executable that is not absolute (no TypeError, as with pi-amq)
 */
export function requireIdentity(identity: ProcessIdentity): ProcessIdentity {
  const { pid, executable } = identity;
  if (!Number.isSafeInteger(pid) || pid <= 0) throw new LeaseArgumentError("argument_required", "pid");
  requireText(executable, "executable");
  if (!isAbsolute(executable)) throw new LeaseRecordError("field:executable:absolute_path", "The executable is not an absolute path.");
  const bootIdentity: unknown = identity.bootIdentity;
  return {
    pid,
    processStartIdentity: requireText(identity.processStartIdentity, "processStartIdentity"),
    bootIdentity: typeof bootIdentity === "string" && bootIdentity !== "" ? bootIdentity : null,
    executable,
    hostname: requireText(identity.hostname, "hostname"),
  };
}
