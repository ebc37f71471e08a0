// Owns: every path and name inside a pi-amq namespace, making and parsing them (spec/pi-amq.md section 1).
// Leaves to others: what lies there (inspectNamespace.ts), steps on it.
import { createHash } from "node:crypto";
import { isAbsolute, join, resolve } from "node:path";

export const workersDirectoryName = "worker-session-leases";
export const quarantineDirectoryName = "quarantine";
export const ownerFileName = "owner.json";
const lockSuffix = ".lock";
const guardSuffix = ".lifecycle.guard.json";

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** The text that is hashed: resolved and normalised without looking at the disk; case and Unicode form are kept. */
export function canonicalSessionPath(sessionPath: string): string {
  return resolve(sessionPath);
}

/** Resource id of a worker session. */
export function sessionHash(sessionPath: string): string {
  return sha256(canonicalSessionPath(sessionPath));
}

/** What a name may hold of a text: pi-amq replaces each other code unit by `_`. */
function safe(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/g, "_");
}

const longestGeneration = 80;

/**
 * A generation as part of a file name. Over-long ones are cut and told apart by a hash: with them pi-amq makes names that no
 * file system takes, so that its own recovery fails for ever (section 12, 5).
 */
export function generationInName(generation: string): string {
  const name = safe(generation);
  return name.length <= longestGeneration ? name : `${name.slice(0, longestGeneration)}-${sha256(generation).slice(0, 8)}`;
}

/** One lease and its guard: the supervisor's, or one worker session's. */
export interface LeaseResource {
  readonly kind: "supervisor" | "worker-session";
  readonly resourceId: string;
  /** `supervisor` or `worker-session.<hash>`. */
  readonly stem: string;
  /** Directory in which lock and guard lie. */
  readonly parent: string;
  readonly lockPath: string;
  readonly ownerPath: string;
  readonly guardPath: string;
}

export class NamespaceLayout {
  readonly root: string;
  readonly workersDirectory: string;
  readonly quarantineDirectory: string;

  /** @throws TypeError when the path is not absolute. */
  constructor(namespaceDirectory: string) {
    if (!isAbsolute(namespaceDirectory)) throw new TypeError("The namespace directory must be an absolute path.");
    this.root = resolve(namespaceDirectory);
    this.workersDirectory = join(this.root, workersDirectoryName);
    this.quarantineDirectory = join(this.root, quarantineDirectoryName);
  }

  supervisor(workspaceId: string): LeaseResource {
    return this.#resource("supervisor", workspaceId, "supervisor", this.root, "supervisor");
  }

  /** `hash` is the resource id; for names found on disk it may be any text. */
  worker(hash: string): LeaseResource {
    return this.#resource("worker-session", hash, `worker-session.${hash}`, this.workersDirectory, hash);
  }

  #resource(kind: LeaseResource["kind"], resourceId: string, stem: string, parent: string, name: string): LeaseResource {
    const lockPath = join(parent, `${name}${lockSuffix}`);
    return { kind, resourceId, stem, parent, lockPath, ownerPath: join(lockPath, ownerFileName), guardPath: join(parent, `${name}${guardSuffix}`) };
  }

  /** Where a displaced lease goes; `now` in milliseconds since the epoch. */
  displacedLease(stem: string, generation: string, now: number, uuid: string): string {
    return join(this.quarantineDirectory, `${stem}.${generationInName(generation)}.${now}.${safe(uuid)}`);
  }

  displacedGuard(stem: string, generation: string, uuid: string): string {
    return join(this.quarantineDirectory, `guard.${stem}.${generationInName(generation)}.${safe(uuid)}.json`);
  }

  released(stem: string, generation: string, uuid: string): string {
    return join(this.root, `.${stem}.released-${generationInName(generation)}-${safe(uuid)}`);
  }

  /** A lease being prepared; `six` are six random characters. */
  prepared(resource: LeaseResource, six: string): string {
    return join(resource.parent, `.lease.prepare-${six}`);
  }

  /** Only between instances of this product: who displaces the guard of that resource right now. pi-amq ignores it. */
  sweepMarker(stem: string): string {
    return join(this.root, `.sweep.${stem}.json`);
  }
}

const uuidPattern = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const stemPattern = "supervisor|worker-session\\.[0-9a-f]{64}";

/** What a name in the namespace root or in the workers directory is. */
export type EntryKind =
  | { readonly kind: "lock"; readonly name: string }
  | { readonly kind: "guard"; readonly name: string }
  | { readonly kind: "prepare" }
  | { readonly kind: "released"; readonly stem: string }
  | { readonly kind: "temporary_file" }
  | { readonly kind: "sweep_marker" }
  | { readonly kind: "other" };

const releasedPattern = new RegExp(`^\\.(${stemPattern})\\.released-.+$`, "s");
const temporaryPattern = new RegExp(`^\\..+\\.${uuidPattern}\\.tmp$`, "s");
const sweepPattern = new RegExp(`^\\.sweep\\.(?:${stemPattern})\\.json$`);

export function recogniseEntry(name: string): EntryKind {
  // The order matters: pi-amq's own listing skips names that start with a dot before it looks at the suffix.
  if (/^\.lease\.prepare-[A-Za-z0-9]{6}$/.test(name)) return { kind: "prepare" };
  const released = releasedPattern.exec(name);
  if (released?.[1] !== undefined) return { kind: "released", stem: released[1] };
  if (temporaryPattern.test(name)) return { kind: "temporary_file" };
  if (sweepPattern.test(name)) return { kind: "sweep_marker" };
  if (name.startsWith(".")) return { kind: "other" };
  if (name.endsWith(guardSuffix)) return { kind: "guard", name: name.slice(0, -guardSuffix.length) };
  if (name.endsWith(lockSuffix)) return { kind: "lock", name: name.slice(0, -lockSuffix.length) };
  return { kind: "other" };
}

/** What the name of a quarantined item says about it. Generations may hold dots: the fixed parts are taken from both ends. */
export type QuarantineName =
  | { readonly kind: "lease"; readonly stem: string; readonly generation: string; readonly movedAtMs: number }
  | { readonly kind: "guard"; readonly stem: string; readonly generation: string }
  | { readonly kind: "unrecognised" };

const leaseName = new RegExp(`^(${stemPattern})\\.(.+)\\.(\\d{1,15})\\.([A-Za-z0-9_-]+)$`, "s");
const guardName = new RegExp(`^guard\\.(${stemPattern})\\.(.+)\\.([A-Za-z0-9_-]+)\\.json$`, "s");

export function parseQuarantineName(name: string): QuarantineName {
  const guard = guardName.exec(name);
  if (guard?.[1] !== undefined && guard[2] !== undefined) return { kind: "guard", stem: guard[1], generation: guard[2] };
  const lease = leaseName.exec(name);
  if (lease?.[1] !== undefined && lease[2] !== undefined) {
    return { kind: "lease", stem: lease[1], generation: lease[2], movedAtMs: Number(lease[3]) };
  }
  return { kind: "unrecognised" };
}
