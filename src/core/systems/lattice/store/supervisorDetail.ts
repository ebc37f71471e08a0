// Owns: who says to run a run: supervisor, controllers, their heartbeats, the write gate and leases.
// Leaves to others: what does not fit together (problems/), the verdict about an owner (judgeLifecycleLock.ts).
import { join } from "node:path";
import type { ClaimOwner } from "../../../claims/claim.js";
import type { Judgement } from "../../../claims/verdict.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import type { ProcessObserver } from "../../../process/processInspector.js";
import type { ControllerDescriptor, HeartbeatPolicy } from "../artifacts/supervisor.js";
import { textOrNull } from "../events/foldRunEvents.js";
import { judgeLifecycleLock } from "../judgeLifecycleLock.js";
import { gatherLifecycleLockFacts } from "../lifecycleLockFacts.js";
import type { LifecycleLock, ProcessStartIdentity } from "../lifecycleLockRecord.js";
import { entriesOf } from "./listDirectories.js";
import { hasStopped, isSocketPresent } from "./problems/supervisorProblems.js";
import { acceptedValue } from "./readDocument.js";
import type { ControllerDetail, GateDetail, HeartbeatDetail, HeartbeatState, LeaseDetail, SupervisorDetail } from "./runDetail.js";
import { sessionName } from "./runLayout.js";
import type { RunView } from "./runView.js";

/** Remembers when each heartbeat was first seen, by a clock that never goes back: a wall clock can be set, this one cannot. */
export class HeartbeatMemory {
  readonly #firstSeen = new Map<string, { readonly sequence: number; readonly at: number }>();

  /** Milliseconds since this very heartbeat was first seen; null on the first look. */
  seenFor(controller: string, sequence: number, monotonicNow: number): number | null {
    const known = this.#firstSeen.get(controller);
    if (known?.sequence === sequence) return monotonicNow - known.at;
    this.#firstSeen.set(controller, { sequence, at: monotonicNow });
    return null;
  }
}

export interface OwnerContext {
  /** Null: owners are not judged, only told. */
  readonly observer: ProcessObserver | null;
  readonly heartbeats: HeartbeatMemory;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicNow: number;
}

interface RecordedProcess {
  readonly pid: number;
  readonly process_start_identity: Omit<ProcessStartIdentity, "schema"> & { readonly schema: string };
}

function ownerOf({ pid, process_start_identity: identity }: RecordedProcess): ClaimOwner {
  return { pid, started: identity.started_identity, platform: identity.platform, hostname: null, bootIdentity: null, executable: null };
}

/** A descriptor names its process exactly as a lock does, so the same judgement applies, with the same weaknesses. */
async function judgeOwner(record: RecordedProcess, recordedAt: string, directory: string, observer: ProcessObserver | null): Promise<Judgement | null> {
  if (observer === null) return null;
  const lock: LifecycleLock = {
    schema: "lattice.runtime_lifecycle_lock.v1",
    owner_pid: record.pid,
    owner_process_start_identity: { ...record.process_start_identity, schema: "lattice.process_start_identity.v1" },
    session_nonce_digest: "",
    operation: "",
    request_id: "",
    acquired_at: recordedAt,
    lock_digest: "",
  };
  return judgeLifecycleLock(lock, await gatherLifecycleLockFacts(observer, lock, directory));
}

/** Null when there is no descriptor, or none that can be trusted. */
export async function supervisorDetail(view: RunView, context: OwnerContext): Promise<SupervisorDetail | null> {
  const { run } = view;
  const descriptor = acceptedValue(run.supervisor);
  if (descriptor === null) return null;
  return {
    owner: ownerOf(descriptor),
    judgement: await judgeOwner(descriptor, descriptor.activated_at, run.directory, context.observer),
    descriptorPath: run.supervisor.path,
    activatedAt: descriptor.activated_at,
    socketPath: join(run.directory, descriptor.socket_ref),
    isSocketPresent: isSocketPresent(view),
    isRestarted: run.activePointer.kind !== "missing",
    isSessionPresent: entriesOf(run.listings, "supervisor").some(({ name }) => name === sessionName),
    hasStopped: hasStopped(view),
  };
}

export async function controllerDetails(view: RunView, context: OwnerContext): Promise<ControllerDetail[]> {
  const { run } = view;
  const sockets = new Set(entriesOf(run.listings, "supervisor/controllers").flatMap(({ name, type }) => (type === "socket" ? [name] : [])));
  const details: ControllerDetail[] = [];
  for (const { descriptor, registration } of run.controllers) {
    const described = acceptedValue(descriptor);
    if (described === null) continue;
    const registered = acceptedValue(registration);
    details.push({
      owner: ownerOf(described),
      judgement: await judgeOwner(described, registered?.registered_at ?? "", run.directory, context.observer),
      controllerId: described.controller_id,
      adapterKind: described.adapter_kind,
      descriptorPath: descriptor.path,
      socketPath: join(run.directory, described.socket_ref),
      isSocketPresent: sockets.has(`${described.controller_id}.sock`),
      registrationDigest: registered?.registration_digest ?? null,
      heartbeat: heartbeatOf(view, described, context),
    });
  }
  return details;
}

function heartbeatOf({ run, controlEvents }: RunView, { controller_id: controllerId, heartbeat: policy }: ControllerDescriptor, context: OwnerContext): HeartbeatDetail {
  const last = controlEvents.findLast((event) => isPlainObject(event) && event["kind"] === "controller_heartbeat" && isPlainObject(event["payload"]) && event["payload"]["controller_id"] === controllerId);
  const payload = isPlainObject(last) && isPlainObject(last["payload"]) ? last["payload"] : {};
  const { sequence } = payload;
  const recordedAt = isPlainObject(last) ? textOrNull(last["recorded_at"]) : null;
  const at = recordedAt === null ? Number.NaN : Date.parse(recordedAt);
  const ageMs = Number.isNaN(at) ? null : context.now - at;
  const number = typeof sequence === "number" ? sequence : null;
  const seenForMs = number === null ? null : context.heartbeats.seenFor(`${run.directory} ${controllerId}`, number, context.monotonicNow);
  return { state: judgeHeartbeat(ageMs, seenForMs, policy), sequence: number, recordedAt, ageMs, seenForMs, intervalMs: policy.interval_ms, ttlMs: policy.ttl_ms };
}

/**
 * The worse of two clocks counts: the wall clock may have been set back since the record, the other one cannot. A record of the
 * future proves nothing, whatever its distance.
 */
export function judgeHeartbeat(ageMs: number | null, seenForMs: number | null, policy: Pick<HeartbeatPolicy, "interval_ms" | "ttl_ms">): HeartbeatState {
  if (ageMs === null) return "none";
  if (ageMs < 0) return "future";
  const age = Math.max(ageMs, seenForMs ?? 0);
  if (age > policy.ttl_ms) return "expired";
  return age > policy.interval_ms ? "late" : "fresh";
}

/** Null when there is no gate that can be trusted. */
export function gateDetail({ run, store, frozenBy }: RunView): GateDetail | null {
  const gate = acceptedValue(run.gate);
  if (gate === null) return null;
  const isInForce = store?.isManaged === true && gate.plan_epoch === store.epoch && frozenBy !== "gate-invalid" && frozenBy !== "gate-of-another-epoch";
  return { path: run.gate.path, generation: gate.gate_generation, planEpoch: gate.plan_epoch, committedAt: gate.committed_at, isInForce };
}

/** Leases are nowhere on disk as documents: gate and barrier name their digests, dispatches what they are for. */
export function leaseDetails({ run, fold }: RunView): LeaseDetail[] {
  const gate = acceptedValue(run.gate);
  const release = acceptedValue(run.release);
  const dispatches = fold?.events.filter(({ kind }) => kind === "executor_dispatched") ?? [];
  const lease = (digest: string, state: LeaseDetail["state"]): LeaseDetail => {
    const dispatch = dispatches.findLast(({ payload }) => payload["write_lease_digest"] === digest);
    return { leaseDigest: digest, state, leaseId: textOrNull(dispatch?.payload["write_lease_id"]), todoId: dispatch?.todoId ?? null };
  };
  const isReleased = gate !== null && release !== null && gate.release_barrier_digest === release.release_digest;
  return [
    ...(gate?.armed_lease_digests ?? []).map((digest) => lease(digest, "armed")),
    ...(isReleased ? [] : (release?.staged_lease_digests ?? []).map((digest) => lease(digest, "staged"))),
  ];
}
