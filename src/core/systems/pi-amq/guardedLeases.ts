// Owns: running an operation under a guard, and the two operations on one lease: acquire and release (spec/pi-amq.md sections 6 to 8).
// Leaves to others: the guard itself (lifecycleGuard.ts), who may ask for what (workflowLeaseManager.ts).
import type { Logger } from "../../ports.js";
import type { ProcessIdentity, ProcessInspector } from "../../process/processInspector.js";
import { classifyOwnerAfresh } from "./classifyOwner.js";
import type { WorkflowLeaseOwner } from "./leaseRecord.js";
import { diagnosed, WorkflowLeaseFenceError, withWarnings, type AcquireResult, type RefusalReason, type ReleaseResult } from "./leaseResults.js";
import { ensureNamespaceDirectories, type LeaseSession } from "./leaseSession.js";
import { installLease, moveLease, removeReleased, type MovedLease } from "./leaseSteps.js";
import { acquireGuard, type GuardRefusal, type HeldGuard } from "./lifecycleGuard.js";
import type { LeaseResource, NamespaceLayout } from "./namespaceLayout.js";
import { projectLease, type Diagnostic, type LeaseProjection } from "./readRecord.js";

export interface GuardedContext extends LeaseSession {
  readonly layout: NamespaceLayout;
  readonly workspaceId: string;
  readonly inspector: ProcessInspector;
  readonly logger: Logger;
  readonly guardWaitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** `warnings`: what went wrong with the guard after the operation had given its value. */
export type Guarded<Value> = { readonly kind: "done"; readonly value: Value; readonly warnings: readonly Diagnostic[] } | GuardRefusal;

type Outcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown };

async function settle<Value>(operation: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await operation() };
  } catch (error) {
    return { ok: false, error };
  }
}

async function releaseGuard(context: GuardedContext, guard: HeldGuard): Promise<readonly Diagnostic[]> {
  const release = await guard.release();
  if (release.kind === "released") return [];
  context.logger.warn(release.diagnostic.message);
  return [release.diagnostic];
}

/**
 * Runs `operation` under the guard of the resource and gives the guard back whatever happens.
 * @throws what the operation throws; when the guard was lost as well, an AggregateError of both, in this order
 */
export async function runGuarded<Value>(
  context: GuardedContext,
  resource: LeaseResource,
  identity: ProcessIdentity,
  operation: () => Promise<Value>,
): Promise<Guarded<Value>> {
  await ensureNamespaceDirectories(context, context.layout);
  const acquired = await acquireGuard(context, {
    layout: context.layout,
    resource,
    identity,
    waitMs: context.guardWaitMs,
    judge: (guard) => classifyOwnerAfresh(guard, identity, context.inspector),
    signal: context.signal,
  });
  if (acquired.kind === "refused") return acquired;
  const outcome = await settle(operation);
  const warnings = await releaseGuard(context, acquired.guard);
  if (outcome.ok) return { kind: "done", value: outcome.value, warnings };
  const [lost] = warnings;
  if (lost === undefined) throw outcome.error;
  throw new AggregateError([outcome.error, new WorkflowLeaseFenceError(lost.code, lost.message)], "The operation failed, and its lifecycle guard was lost.");
}

export function codesOf(warnings: readonly Diagnostic[]): readonly string[] {
  return warnings.map(({ code }) => code);
}

function refused(reason: RefusalReason, diagnostic: Diagnostic): Extract<AcquireResult, { kind: "refused" }> {
  return { kind: "refused", reason, ...diagnosed(diagnostic) };
}

const lockNotDirectory: Diagnostic = { code: "lock_not_a_directory", message: "The lease is reached through a link: moving the link would not move the lease." };
const leaseChanged: Diagnostic = { code: "lease_changed", message: "The lease changed under its guard: somebody else was inside at the same moment." };

function refuseMove(moved: Exclude<MovedLease, { kind: "moved" }>): Extract<AcquireResult, { kind: "refused" }> {
  switch (moved.kind) {
    case "not-a-directory":
      return refused("corrupt-owner", lockNotDirectory);
    case "changed":
      return refused("lifecycle-busy", leaseChanged);
    case "conflict":
      return refused("lifecycle-unverifiable", {
        code: "displaced_other_owner",
        message: `Another owner's lease was in the way and its place was taken meanwhile; it is kept at ${moved.path}.`,
      });
  }
}

type Reclaim = { readonly owner: WorkflowLeaseOwner; readonly quarantinePath: string };

/** What the present lease means for a newcomer: an answer, or room (with the stale owner that had to make it). */
async function makeRoom(context: GuardedContext, resource: LeaseResource, current: ProcessIdentity, projection: LeaseProjection): Promise<AcquireResult | { readonly kind: "room"; readonly reclaimed: Reclaim | null }> {
  if (projection.kind === "empty") return { kind: "room", reclaimed: null };
  if (projection.kind === "corrupt") return refused("corrupt-owner", projection.diagnostic);
  const { owner } = projection;
  const verdict = await classifyOwnerAfresh(owner, current, context.inspector);
  switch (verdict.kind) {
    case "remote":
      return refused("remote-owner", { code: `owner_remote:${owner.hostname}`, message: `The lease belongs to host ${owner.hostname}.` });
    case "unknown":
      return refused("unverifiable-owner", { code: "owner_unknown", message: verdict.diagnostic ?? verdict.reason });
    case "stale":
      break;
    default:
      return { kind: "held", owner };
  }
  const destination = context.layout.displacedLease(resource.stem, owner.generation, context.clock.now(), context.random.uuid());
  const moved = await moveLease(context, context.layout, resource, projection.bytes, destination);
  return moved.kind === "moved" ? { kind: "room", reclaimed: { owner, quarantinePath: moved.path } } : refuseMove(moved);
}

/** Acquires under the guard, which the caller holds. `owner` is made only when there is room. @throws errno errors */
export async function acquireLease(
  context: GuardedContext,
  resource: LeaseResource,
  current: ProcessIdentity,
  owner: WorkflowLeaseOwner,
): Promise<AcquireResult> {
  const room = await makeRoom(context, resource, current, await projectLease(context, resource, context.workspaceId));
  if (room.kind !== "room") return room;
  const installed = await installLease(context, context.layout, resource, owner);
  if (installed.kind === "occupied") return refused("lifecycle-busy", leaseChanged);
  const acquired: AcquireResult = { kind: "acquired", owner, ...(room.reclaimed === null ? {} : { reclaimed: room.reclaimed }) };
  return withWarnings(acquired, installed.warnings);
}

/** Releases under the guard, which the caller holds. @throws errno errors */
export async function releaseLease(
  context: GuardedContext,
  resource: LeaseResource,
  generation: string,
  hasAuthority: (owner: WorkflowLeaseOwner) => boolean,
): Promise<ReleaseResult> {
  const projection = await projectLease(context, resource, context.workspaceId);
  if (projection.kind === "empty") return { kind: "not-owner" };
  if (projection.kind === "corrupt") return { kind: "refused", ...diagnosed(projection.diagnostic) };
  const { owner, bytes } = projection;
  if (owner.generation !== generation || !hasAuthority(owner)) return { kind: "not-owner", owner };
  const moved = await moveLease(context, context.layout, resource, bytes, context.layout.released(resource.stem, generation, context.random.uuid()));
  if (moved.kind !== "moved") {
    const { diagnostic, diagnosticCode } = refuseMove(moved);
    return { kind: "refused", diagnostic, diagnosticCode };
  }
  return withWarnings<ReleaseResult>({ kind: "released" }, await removeReleased(context, context.layout, moved.path));
}

/** A refused guard as the result of acquiring. */
export function refusedByGuard({ reason, diagnostic }: GuardRefusal): Extract<AcquireResult, { kind: "refused" }> {
  return refused(reason, diagnostic);
}
