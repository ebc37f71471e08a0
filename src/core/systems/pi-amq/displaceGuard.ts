// Owns: moving a stale guard into quarantine without ever taking another one away (spec/pi-amq.md sections 12, 1 and 15, 7).
// Leaves to others: judging it (the caller), the plan that a person confirms (quarantine of leases).
import type { ProcessIdentity } from "../../process/processInspector.js";
import type { Verdict } from "../../claims/verdict.js";
import { fileIdentityOf, isSameFile } from "../../storage/fileIdentity.js";
import { moveToFreshName } from "../../storage/moveSteps.js";
import { putBackNoClobber } from "../../storage/putBack.js";
import type { LifecycleGuard } from "./leaseRecord.js";
import { syncDirectories, type LeaseSession } from "./leaseSession.js";
import type { LeaseResource, NamespaceLayout } from "./namespaceLayout.js";
import { readGuardFile, type RecordRead } from "./readRecord.js";
import { takeSweepMarker } from "./sweepMarker.js";

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

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

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
  const marker = await takeSweepMarker(session, { ...request, stem: request.resource.stem });
  if (marker === null) return { kind: "changed" };
  try {
    return await moveVerified(session, request);
  } finally {
    await marker.giveBack();
  }
}
