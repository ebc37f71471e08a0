// Owns: what every operation on a pi-amq namespace needs from outside, and the directories it needs inside.
// Leaves to others: the operations (workflowLeaseManager.ts, lifecycleGuard.ts, quarantine of leases).
import { dirname } from "node:path";
import type { Clock, Random } from "../../ports.js";
import { syncDirectory } from "../../storage/directorySteps.js";
import { hasErrno, isMissing } from "../../storage/errno.js";
import type { FilePort, FileStat } from "../../storage/filePort.js";
import type { NamespaceLayout } from "./namespaceLayout.js";

export interface LeaseSession {
  readonly port: FilePort;
  readonly clock: Clock;
  readonly random: Random;
  readonly platform: NodeJS.Platform;
}

/** The namespace, or a directory in it, is not what writing into it would be safe for. Nothing was written there. */
export class LeaseNamespaceError extends Error {
  override readonly name = "LeaseNamespaceError";
  constructor(
    /** `EEXIST`: something that is no directory has the name, as pi-amq reports it. `symlink`: it leads elsewhere. */
    readonly code: "EEXIST" | "symlink",
    readonly path: string,
    readonly found: FileStat["type"],
  ) {
    super(`${code}: a ${found} is where a directory must be, '${path}'`);
  }

  static is(error: unknown, code?: LeaseNamespaceError["code"]): error is LeaseNamespaceError {
    return error instanceof LeaseNamespaceError && (code === undefined || error.code === code);
  }
}

const directoryMode = 0o700;

async function makeWithParents(session: LeaseSession, path: string): Promise<void> {
  try {
    await session.port.mkdir(path, directoryMode);
  } catch (error) {
    if (hasErrno(error, "EEXIST")) return;
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeWithParents(session, dirname(path));
    await makeWithParents(session, path);
    return;
  }
  await syncDirectory(session.port, dirname(path), session);
}

async function ensureRealDirectory(session: LeaseSession, path: string): Promise<void> {
  await makeWithParents(session, path);
  const { type } = await session.port.lstat(path);
  if (type === "directory") return;
  throw new LeaseNamespaceError(type === "symlink" ? "symlink" : "EEXIST", path, type);
}

/**
 * Makes namespace, leases and quarantine directory where missing, in pi-amq's order. A symlink in place of one is refused:
 * writing through it would write somewhere else. @throws LeaseNamespaceError, errno errors
 */
export async function ensureNamespaceDirectories(session: LeaseSession, layout: NamespaceLayout): Promise<void> {
  for (const path of [layout.root, layout.workersDirectory, layout.quarantineDirectory]) await ensureRealDirectory(session, path);
}

/** Makes the entries of each directory durable, each once. */
export async function syncDirectories(session: LeaseSession, ...paths: readonly string[]): Promise<void> {
  for (const path of new Set(paths)) await syncDirectory(session.port, path, session);
}
