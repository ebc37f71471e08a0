// Owns: the record of who holds the guard of ours, and the pure judgement whether that one is gone.
// Leaves to others: the files and their steps (instanceGuard.ts), observing processes (process/).
import { ArtifactError, canonicalizeArtifact, selfDigest } from "../artifact/canonical.js";
import { hasExactKeys, isDigest, isPositiveInteger, isTimestamp } from "../artifact/syntax.js";
import type { ObservationEnvironment, ProcessIdentity, ProcessInspection } from "../process/processInspector.js";

const guardSchema = "run-state.quarantine_guard.v1";

export interface GuardOwner {
  readonly schema: typeof guardSchema;
  readonly token: string;
  readonly pid: number;
  readonly process_start_identity: string;
  readonly boot_identity: string | null;
  readonly hostname: string;
  /** What is guarded: the claim's path inside its store. */
  readonly resource: string;
  /** For people; no judgement depends on it. */
  readonly acquired_at: string;
  readonly owner_digest: string;
}

export function guardOwnerOf(identity: ProcessIdentity, token: string, resource: string, at: number): GuardOwner {
  const owner = {
    schema: guardSchema,
    token,
    pid: identity.pid,
    process_start_identity: identity.processStartIdentity,
    boot_identity: identity.bootIdentity,
    hostname: identity.hostname,
    resource,
    acquired_at: new Date(at).toISOString(),
  } as const;
  return { ...owner, owner_digest: selfDigest(owner, "owner_digest") };
}

export function guardOwnerBytes(owner: GuardOwner): Uint8Array {
  return new TextEncoder().encode(`${canonicalizeArtifact(owner)}\n`);
}

const ownerKeys = ["schema", "token", "pid", "process_start_identity", "boot_identity", "hostname", "resource", "acquired_at", "owner_digest"];

/** Null for anything that is no guard record of ours. Never throws for any bytes. */
export function parseGuardOwner(bytes: Uint8Array): GuardOwner | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isGuardOwner(value) && selfDigest(value, "owner_digest") === value.owner_digest ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || ArtifactError.is(error)) return null;
    throw error;
  }
}

function isGuardOwner(value: unknown): value is GuardOwner {
  return (
    hasExactKeys(value, ownerKeys) &&
    value["schema"] === guardSchema &&
    ["token", "process_start_identity", "hostname", "resource"].every((key) => typeof value[key] === "string" && value[key] !== "") &&
    (value["boot_identity"] === null || typeof value["boot_identity"] === "string") &&
    isPositiveInteger(value["pid"]) && isTimestamp(value["acquired_at"]) && isDigest(value["owner_digest"])
  );
}

export type GuardVerdict = "live" | "gone" | "remote" | "unknown";

/** What the kernel and the place say about the holder. */
export interface GuardFacts {
  readonly current: ProcessIdentity;
  readonly inspection: ProcessInspection;
  readonly environment: ObservationEnvironment;
}

/** The order of checks is that of spec/pi-amq.md section 14; both sides of every comparison were written by this product. */
export function judgeGuardOwner(owner: GuardOwner, { current, inspection, environment }: GuardFacts): GuardVerdict {
  if (owner.hostname !== current.hostname) return "remote";
  const hasBoots = owner.boot_identity !== null && current.bootIdentity !== null;
  const isSameBoot = hasBoots && owner.boot_identity === current.bootIdentity;
  // On a shared mount another machine may have our name.
  if (hasBoots && !isSameBoot) return environment.localFilesystem ? "gone" : "unknown";
  if (inspection.kind === "unknown") return "unknown";
  if (inspection.kind === "live" && inspection.identity.processStartIdentity === owner.process_start_identity) return "live";
  if (environment.nsPidMatch || environment.pidNamespace === "unknown") return "unknown";
  if (environment.pidNamespace === "nested" && !environment.exclusiveToThisNamespace) return "unknown";
  if (!environment.localFilesystem && !isSameBoot) return "unknown";
  if (inspection.kind === "absent") return "gone";
  return isSameFormat(inspection.identity.processStartIdentity, owner.process_start_identity) ? "gone" : "unknown";
}

/** Tokens are `platform:kind:value`; two kinds cannot be compared. */
function isSameFormat(a: string, b: string): boolean {
  const formatOf = (token: string): string => token.slice(0, token.lastIndexOf(":") + 1);
  return formatOf(a) !== "" && formatOf(a) === formatOf(b);
}
