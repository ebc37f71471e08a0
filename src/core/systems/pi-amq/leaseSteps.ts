// Owns: installing, displacing and removing a lease directory, each verified and durable (spec/pi-amq.md sections 7, 8, 10; ours: 15).
// Leaves to others: whether it may be done (workflowLeaseManager.ts, quarantine of leases); the guard must be held.
import { join } from "node:path";
import { createExclusiveDurable } from "../../storage/createSteps.js";
import { errnoOf, hasErrno } from "../../storage/errno.js";
import { fileIdentityOf, isSameInode } from "../../storage/fileIdentity.js";
import type { FilePort, FileStat } from "../../storage/filePort.js";
import { lookAt, moveToFreshName, renameWithRetry } from "../../storage/moveSteps.js";
import { putBackNoClobber } from "../../storage/putBack.js";
import { readBounded } from "../../storage/readBounded.js";
import { removeTree } from "../../storage/removeTree.js";
import { encodeWorkflowLeaseOwner, type WorkflowLeaseOwner } from "./leaseRecord.js";
import { syncDirectories, type LeaseSession } from "./leaseSession.js";
import { ownerFileName, type LeaseResource, type NamespaceLayout } from "./namespaceLayout.js";
import { recordMaxBytes } from "./readRecord.js";

const preparedAttempts = 16;

async function makePrepared(session: LeaseSession, layout: NamespaceLayout, resource: LeaseResource): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const path = layout.prepared(resource, session.random.uuid().replaceAll("-", "").slice(0, 6));
    try {
      await session.port.mkdir(path, 0o700);
      return path;
    } catch (error) {
      // Six characters are few, and leftovers stay for ever.
      if (!hasErrno(error, "EEXIST") || attempt === preparedAttempts) throw error;
    }
  }
}

/** Whether the step was done, or why it was not; cleaning up never hides the failure that made it necessary. */
async function succeeds(step: () => Promise<void>): Promise<string | null> {
  try {
    await step();
    return null;
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    return code;
  }
}

async function isAt(port: FilePort, path: string, stat: FileStat): Promise<boolean> {
  const now = await lookAt(port, path);
  return now !== null && isSameInode(fileIdentityOf(now), fileIdentityOf(stat));
}

export type InstalledLease =
  /** `warnings`: `directory_sync_failed:<errno>` when the lease is in place but might not survive a power cut. */
  | { readonly kind: "installed"; readonly warnings: readonly string[] }
  /** Something took the place since it was seen empty. */
  | { readonly kind: "occupied" };

/**
 * Puts a complete lease directory in place in one step. Whatever fails before that step leaves nothing behind.
 * @throws LeaseRecordError for a record that could not be read back; errno errors
 */
export async function installLease(session: LeaseSession, layout: NamespaceLayout, resource: LeaseResource, owner: WorkflowLeaseOwner): Promise<InstalledLease> {
  const bytes = encodeWorkflowLeaseOwner(owner);
  const prepared = await makePrepared(session, layout, resource);
  try {
    await createExclusiveDurable(session.port, join(prepared, ownerFileName), bytes, { mode: 0o600, platform: session.platform });
    const stat = await session.port.lstat(prepared);
    try {
      await renameWithRetry(session.port, prepared, resource.lockPath, session);
    } catch (error) {
      // A file server may answer with an error after it had done the step.
      if (errnoOf(error) === null || !(await isAt(session.port, resource.lockPath, stat))) throw error;
    }
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    await succeeds(() => removeTree(session.port, prepared));
    if (hasErrno(error, "EEXIST", "ENOTEMPTY")) return { kind: "occupied" };
    throw error;
  }
  const failure = await succeeds(() => syncDirectories(session, resource.parent));
  return { kind: "installed", warnings: failure === null ? [] : [`directory_sync_failed:${failure}`] };
}

export type MovedLease =
  | { readonly kind: "moved"; readonly path: string }
  /** What lies there by now is not what was judged; it is where it was. */
  | { readonly kind: "changed" }
  /** The lock path is a symlink or a file: moving it would not move the lease. */
  | { readonly kind: "not-a-directory" }
  /** Another one's lease came into our hands and its place was taken: it is kept at `path`. */
  | { readonly kind: "conflict"; readonly path: string };

async function holdsBytes(session: LeaseSession, directory: string, expected: Uint8Array): Promise<boolean> {
  const read = await readBounded(session.port, join(directory, ownerFileName), { maxBytes: recordMaxBytes });
  return read.kind === "read" && Buffer.compare(read.bytes, expected) === 0;
}

/**
 * Moves the lease directory whose owner file has exactly `expected` bytes to `destination`, a fresh name on the same file
 * system, with all that is in it. Looks again right before and right after: another lease goes back where it was.
 * @throws errno errors
 */
export async function moveLease(
  session: LeaseSession,
  layout: NamespaceLayout,
  resource: LeaseResource,
  expected: Uint8Array,
  destination: string,
): Promise<MovedLease> {
  const before = await lookAt(session.port, resource.lockPath);
  if (before === null) return { kind: "changed" };
  if (before.type !== "directory") return { kind: "not-a-directory" };
  if (!(await holdsBytes(session, resource.lockPath, expected))) return { kind: "changed" };
  const moved = await moveToFreshName(session.port, resource.lockPath, destination, session);
  if (moved.kind !== "moved") return { kind: "changed" };
  const isExpected = isSameInode(fileIdentityOf(moved.stat), fileIdentityOf(before)) && (await holdsBytes(session, destination, expected));
  if (!isExpected) {
    const back = await putBackNoClobber(session.port, destination, resource.lockPath, session);
    return back.kind === "occupied" ? { kind: "conflict", path: destination } : { kind: "changed" };
  }
  await syncDirectories(session, layout.quarantineDirectory, resource.parent, layout.root);
  return { kind: "moved", path: destination };
}

/** Deletes a lease that was moved out of the way by its own owner. Nothing that fails here undoes the release. */
export async function removeReleased(session: LeaseSession, layout: NamespaceLayout, path: string): Promise<readonly string[]> {
  const failure = await succeeds(async () => {
    await removeTree(session.port, path);
    await syncDirectories(session, layout.root);
  });
  return failure === null ? [] : [`released_leftover:${failure}`];
}
