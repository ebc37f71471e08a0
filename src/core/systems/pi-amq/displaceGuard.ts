// Owns: moving a stale guard into quarantine without ever taking another one away (spec/pi-amq.md sections 12, 1 and 15, 7).
// Leaves to others: judging it (the caller), the plan that a person confirms (quarantine of leases).
import type { ProcessIdentity } from "../../process/processInspector.js";
import type { Verdict } from "../../claims/verdict.js";
import { createExclusiveDurable } from "../../storage/createSteps.js";
import { errnoOf } from "../../storage/errno.js";
import { fileIdentityOf, isSameFile } from "../../storage/fileIdentity.js";
import { lookAt, moveToFreshName, putBackNoClobber, unlinkIfSame } from "../../storage/moveSteps.js";
import { encodeLifecycleGuard, type LifecycleGuard } from "./leaseRecord.js";
import { syncDirectories, type LeaseSession } from "./leaseSession.js";
import type { LeaseResource, NamespaceLayout } from "./namespaceLayout.js";
import { readGuardFile, type RecordRead } from "./readRecord.js";

export interface DisplaceGuardRequest {
  readonly layout: NamespaceLayout;
  readonly resource: LeaseResource;
  readonly identity: ProcessIdentity;
  /** The guard as it was read and judged. */
  readonly judged: Extract<RecordRead<LifecycleGuard>, { kind: "read" }>;
  /** Used for the marker of another instance of ours, should one be in the way. */
  readonly judge: (guard: LifecycleGuard) => Promise<Verdict>;
  /** Where it goes; default: a fresh name in pi-amq's own pattern. */
  readonly destination?: string;
}

export type DisplacedGuard =
  | { readonly kind: "displaced"; readonly path: string }
  /** Another guard is there by now, or another instance of ours is at it: nothing was displaced for good. */
  | { readonly kind: "changed" }
  /** Another one's guard came into our hands and its place was taken again: it is kept at `path`. */
  | { readonly kind: "conflict"; readonly path: string };

/** A marker is held for a few file steps: one this old (milliseconds) was left by a crash. */
const markerStaleMs = 10_000;

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** @returns a function that gives the marker back, or null when another instance of ours has it. */
async function takeMarker(session: LeaseSession, request: DisplaceGuardRequest): Promise<(() => Promise<void>) | null> {
  const path = request.layout.sweepMarker(request.resource.stem);
  const { pid, processStartIdentity, bootIdentity, executable, hostname } = request.identity;
  const generation = session.random.uuid();
  const createdAt = new Date(session.clock.now()).toISOString();
  const bytes = encodeLifecycleGuard({ schema: 1, generation, pid, processStartIdentity, bootIdentity, executable, hostname, createdAt });
  const created = await createExclusiveDurable(session.port, path, bytes, { mode: 0o600, platform: session.platform });
  if (created.kind === "created") {
    return async () => {
      try {
        await unlinkIfSame(session.port, path, created.identity);
        await syncDirectories(session, request.layout.root);
      } catch (error) {
        // What was displaced is what matters; a marker that stays is listed as a leftover and cleared once its owner is gone.
        if (errnoOf(error) === null) throw error;
      }
    };
  }
  await clearAbandonedMarker(session, path, request.judge);
  return null;
}

/** Ours alone use it and its loss is none: every displacement verifies what it moved anyway. */
async function clearAbandonedMarker(session: LeaseSession, path: string, judge: DisplaceGuardRequest["judge"]): Promise<void> {
  const stat = await lookAt(session.port, path);
  if (stat?.type !== "file" || session.clock.now() - Number(stat.mtimeNs / 1_000_000n) < markerStaleMs) return;
  const read = await readGuardFile(session, path);
  const isAbandoned = read.kind === "corrupt" || (read.kind === "read" && (await judge(read.value)).kind === "stale");
  if (isAbandoned) await unlinkIfSame(session.port, path, fileIdentityOf(stat));
}

async function isStillJudged(session: LeaseSession, request: DisplaceGuardRequest, path: string): Promise<boolean> {
  const now = await readGuardFile(session, path);
  const { judged } = request;
  return now.kind === "read" && isSameFile(fileIdentityOf(now.stat), fileIdentityOf(judged.stat)) && sameBytes(now.bytes, judged.bytes);
}

async function moveVerified(session: LeaseSession, request: DisplaceGuardRequest): Promise<DisplacedGuard> {
  const { layout, resource, judged } = request;
  if (!(await isStillJudged(session, request, resource.guardPath))) return { kind: "changed" };
  const path = request.destination ?? layout.displacedGuard(resource.stem, judged.value.generation, session.random.uuid());
  const moved = await moveToFreshName(session.port, resource.guardPath, path, session);
  if (moved.kind !== "moved") return { kind: "changed" };
  if (await isStillJudged(session, request, path)) {
    await syncDirectories(session, layout.quarantineDirectory, resource.parent, layout.root);
    return { kind: "displaced", path };
  }
  // In the microseconds since the last look somebody displaced the stale guard and took the place: that one goes back.
  const back = await putBackNoClobber(session.port, path, resource.guardPath, session);
  return back.kind === "occupied" ? { kind: "conflict", path } : { kind: "changed" };
}

/** Displaces exactly the guard that was judged. @throws errno errors */
export async function displaceGuard(session: LeaseSession, request: DisplaceGuardRequest): Promise<DisplacedGuard> {
  const giveBack = await takeMarker(session, request);
  if (giveBack === null) return { kind: "changed" };
  try {
    return await moveVerified(session, request);
  } finally {
    await giveBack();
  }
}
