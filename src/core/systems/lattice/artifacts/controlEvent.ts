// Owns: schemas of control events and the payload of each kind (spec/lattice.md section 2.9; D16).
// Leaves to others: the chain they form (events/verifyControlJournal.ts).
import { ArtifactError, digestArtifact, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import type { FindingCollector } from "../finding.js";
import { artifact, checkBy, type ArtifactDefinition, type ArtifactOf } from "./artifactDefinition.js";
import { requireEqual } from "./bindings.js";
import { executorQuiescenceAck } from "./processIdentity.js";
import { ascendingDigests, dg, exact, id, is, leaf, list, nnint, nonEmpty, nullable, oneOf, part, plain, posint, present, schemaId, selfDigestField, ts, type Shape } from "./shapes.js";

const ascendingIds = list(id, { order: "ascending" });
const pids = list(posint, { order: "ascending" });
const bounded = (maximum: number): Shape<string> =>
  leaf<string>((value) => typeof value === "string" && value !== "" && value.length <= maximum, "text", `Must be a string of 1 to ${maximum} characters.`);

const gateMembers = { gate_digest: dg };
const epochGate = exact({ plan_epoch: posint, ...gateMembers });
const routed = exact({ controller_id: id, request_digest: dg, response_digest: dg });
const revoked = { controller_id: id, reason: nonEmpty };
const registered = { controller_id: id, registration_digest: dg };

/** The digests of what was observed, and the acknowledgement that names them. */
const directObservation = exact({
  checkpoint: exact({ checkpoint_digest: dg, diff: plain }),
  final_checkpoint_digest: dg,
  observation: plain,
  process_observation_digest: dg,
  quiesced: is(true),
  worktree_fingerprint: plain,
  worktree_fingerprint_digest: dg,
  write_enabled: is(false),
});

/** The payload of one kind. */
function payload<T>(shape: Shape<T>, relations?: ArtifactDefinition<T>["relations"]): ArtifactDefinition<T> {
  return artifact({ prefix: "control-payload", digestField: null, shape: () => shape, ...(relations === undefined ? {} : { relations }) });
}

/** Rule `<rule>`: a digest of other members of the same payload. */
function requireDigestOf(body: unknown, recorded: string, at: FindingCollector, rule: string, pointer: string, dialect: Dialect): void {
  try {
    const actual = digestArtifact(body, { dialect });
    at.require(recorded === actual, rule, pointer, `Does not match the content, whose digest is ${actual}.`);
  } catch (error) {
    // No canonical form: the digest of the whole event says so.
    if (!ArtifactError.is(error)) throw error;
  }
}

const payloads = {
  supervisor_activated: payload(exact({ supervisor_descriptor_digest: dg, controller_descriptor_digest: dg, registration_digest: dg })),
  supervisor_stopped: payload(exact({ shutdown_result_digest: dg })),
  supervisor_recovery_barrier: payload(exact({ barrier_id: id })),
  controller_registered: payload(exact(registered)),
  controller_heartbeat: payload(exact({ ...registered, sequence: posint, lease_set_digest: dg })),
  controller_recovery_rebound: payload(exact({ old_registration_digests: ascendingDigests(), new_registration_digest: dg, running_todo_ids: ascendingIds })),
  dispatch_routed: payload(routed),
  observation_routed: payload(routed),
  barrier_requested: payload(
    exact({ barrier_id: id, reason: nonEmpty, running_count: nnint, running_todo_ids: ascendingIds, frozen_event_digest: dg }),
    (barrier, at) => {
      if (barrier.running_count === barrier.running_todo_ids.length) return;
      at.report("warning", "running-count", "/running_count", `Differs from the ${barrier.running_todo_ids.length} todos in running_todo_ids.`);
    },
  ),
  hold_prepared: payload(exact({ request_id: id, logical_intent_digest: dg, finding_digest: dg, barrier_id: id, recorded_at: ts })),
  executor_quiesced: payload(
    exact({ barrier_id: id, barrier_control_digest: dg, todo_id: id, ack: part(executorQuiescenceAck), direct_observation: directObservation, evidence_digest: dg }),
    ({ ack, direct_observation: seen, ...quiesced }, at, dialect) => {
      requireEqual(quiesced.todo_id, ack.todo_id, at, "todo-id-binding", "/todo_id", "the todo of the acknowledgement");
      requireEqual(quiesced.barrier_control_digest, ack.barrier_control_digest, at, "barrier-control-digest-binding", "/barrier_control_digest", "that of the acknowledgement");
      for (const key of ["final_checkpoint_digest", "process_observation_digest", "worktree_fingerprint_digest"] as const) {
        requireEqual(seen[key], ack[key], at, `${key.replaceAll("_", "-")}-binding`, `/direct_observation/${key}`, "that of the acknowledgement");
      }
      requireEqual(seen.checkpoint.checkpoint_digest, seen.final_checkpoint_digest, at, "checkpoint-digest-binding", "/direct_observation/checkpoint/checkpoint_digest", "final_checkpoint_digest");
      const observed = at.nested("/direct_observation");
      requireDigestOf(seen.checkpoint.diff, seen.final_checkpoint_digest, observed, "final-checkpoint-digest-match", "/final_checkpoint_digest", dialect);
      requireDigestOf(seen.observation, seen.process_observation_digest, observed, "process-observation-digest-match", "/process_observation_digest", dialect);
      requireDigestOf(seen.worktree_fingerprint, seen.worktree_fingerprint_digest, observed, "worktree-fingerprint-digest-match", "/worktree_fingerprint_digest", dialect);
      requireDigestOf({ ack, direct_observation: seen }, quiesced.evidence_digest, at, "evidence-digest-match", "/evidence_digest", dialect);
    },
  ),
  lease_revoked: payload(exact(revoked)),
  epoch_rebind_acknowledged: payload(exact({ todo_id: id, ack_digest: dg, staged_lease_digest: dg })),
  write_gate_committed: payload(exact({ ...gateMembers, gate_generation: posint })),
  epoch_activated: payload(epochGate),
  intake_resumed: payload(epochGate),
  io_warning_observed: payload(
    exact({
      warning_kind: oneOf("io_overlap_warning", "io_undeclared_write_warning"),
      todo_ids: list(id, { min: 1, order: "ascending" }),
      path: bounded(4096),
      probe_outcome: oneOf("observed", "transient", "escalated", "unprobed"),
      warning_digest: dg,
    }),
    ({ warning_kind, todo_ids, path, warning_digest }, at, dialect) => {
      requireDigestOf({ warning_kind, todo_ids, path }, warning_digest, at, "warning-digest-match", "/warning_digest", dialect);
    },
  ),
  io_escalation_decided: payload(
    exact({ warning_digest: dg, anchor_todo_id: id, checkpoint_digest: dg, finding_digest: nullable(dg), outcome: oneOf("held", "rejected", "skipped"), detail: bounded(4096) }),
    (decided, at) => void at.require(decided.outcome !== "held" || decided.finding_digest !== null, "finding-digest-of-held", "/finding_digest", "Must name the finding that led to the hold."),
  ),
  workers_resumed: payload(exact({ resumed_todo_ids: ascendingIds, skipped_count: nnint })),
  worker_processes_terminated: payload(exact({ reason: nonEmpty, terminated_pids: pids, skipped_count: nnint })),
};
export type ControlEventKind = keyof typeof payloads;

/** D16 */
const laterKinds: ReadonlySet<string> = new Set<ControlEventKind>(["io_warning_observed", "io_escalation_decided", "workers_resumed", "worker_processes_terminated"]);

const allKinds = Object.keys(payloads) as ControlEventKind[];
const kindsOf: Readonly<Record<Dialect, readonly ControlEventKind[]>> = { "0.12": allKinds.filter((kind) => !laterKinds.has(kind)), "0.50": allKinds };

export function controlEventKinds(dialect: Dialect): readonly ControlEventKind[] {
  return kindsOf[dialect];
}

/** The second form of the two kinds that have one, meant when its own key is there. */
const otherForms: Partial<Record<ControlEventKind, { readonly key: string; readonly form: ArtifactDefinition<unknown> }>> = {
  supervisor_stopped: { key: "signal", form: payload<unknown>(exact({ signal: nonEmpty })) },
  lease_revoked: { key: "response_digest", form: payload<unknown>(exact({ ...revoked, response_digest: dg })) },
};

function checkPayload(event: Readonly<Record<string, unknown>>, at: FindingCollector, dialect: Dialect): void {
  const kind = controlEventKinds(dialect).find((known) => known === event["kind"]);
  // An unknown kind is a finding of its own.
  if (kind === undefined) return;
  const body = event["payload"];
  const other = otherForms[kind];
  const form = other !== undefined && isPlainObject(body) && Object.hasOwn(body, other.key) ? other.form : payloads[kind];
  checkBy(form as ArtifactDefinition<unknown>, body, at.nested("/payload", form.prefix), dialect);
}

const kindShape = (dialect: Dialect): Shape<ControlEventKind> => oneOf(...controlEventKinds(dialect));

/** `{kind, payload}`: a payload looked at without its event. */
export function controlPayload(kind: ControlEventKind): ArtifactDefinition<{ kind: string; payload: unknown }> {
  return artifact({
    prefix: "control-payload",
    digestField: null,
    shape: ({ dialect }) => exact({ kind: controlEventKinds(dialect).includes(kind) ? is<string>(kind) : kindShape(dialect), payload: present }),
    foreign: checkPayload,
  });
}

export const controlEvent = artifact({
  prefix: "control-event",
  digestField: "event_digest",
  shape: ({ dialect }) =>
    exact({
      schema: schemaId("lattice.runtime_control_event.v1"),
      run_id: id,
      sequence: posint,
      previous_digest: nullable(dg),
      kind: kindShape(dialect),
      session_nonce_digest: dg,
      payload: plain,
      recorded_at: ts,
      event_digest: selfDigestField,
    }),
  foreign: checkPayload,
  relations(event, at) {
    at.require(
      (event.sequence === 1) === (event.previous_digest === null),
      "previous-digest-genesis",
      "/previous_digest",
      event.sequence === 1 ? "The first event has no predecessor: must be null." : "Must be the digest of the event before: only the first event has null.",
    );
  },
});
export type ControlEvent = ArtifactOf<typeof controlEvent>;
