// Owns: schemas of who runs a run: supervisor, controllers, registry, write gate and leases (spec/lattice.md section 2.9).
// Leaves to others: judging the processes they name (judgeLifecycleLock.ts), what a gate means for a run (store/).
import { pointerTo } from "../../../artifact/canonical.js";
import { isDigest, isPlainObject } from "../../../artifact/syntax.js";
import { artifact, type ArtifactOf } from "./artifactDefinition.js";
import { requireEqual } from "./bindings.js";
import { controlEvent } from "./controlEvent.js";
import { processStartIdentity, warnUnlessSamePid } from "./processIdentity.js";
import { ascendingDigests, dg, exact, id, is, leaf, list, nonEmpty, nullable, oneOf, part, posint, schemaId, selfDigestField, text, ts, type Shape } from "./shapes.js";

/** `supervisor/descriptor.json` */
export const supervisorDescriptor = artifact({
  prefix: "supervisor-descriptor",
  digestField: "descriptor_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_supervisor_descriptor.v1"),
      run_id: id,
      pid: posint,
      process_start_identity: part(processStartIdentity),
      socket_ref: is("supervisor/control.sock"),
      session_nonce_digest: dg,
      protocol_version: is("v1"),
      activated_at: ts,
      descriptor_digest: selfDigestField,
    }),
  relations: warnUnlessSamePid,
});
export type SupervisorDescriptor = ArtifactOf<typeof supervisorDescriptor>;

const candidateRefPattern = /^supervisor\/restart-candidates\/[0-9a-f]{64}$/;

/** A path below the run directory, which a file may name without leading out of it. */
export function isCandidateRef(value: unknown): value is string {
  return typeof value === "string" && candidateRefPattern.test(value);
}

/** `supervisor/active-runtime.json`: after a restart, where descriptor, session and control journal are. */
export const activePointer = artifact({
  prefix: "active-pointer",
  digestField: "pointer_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_active_pointer.v1"),
      run_id: id,
      candidate_ref: leaf<string>(isCandidateRef, "syntax", "Must be `supervisor/restart-candidates/` and 64 hexadecimal digits."),
      activation_request_id: id,
      activation_request_digest: dg,
      activation_intent_digest: dg,
      activation_response_digest: dg,
      descriptor_digest: dg,
      session_nonce_digest: dg,
      control_head_digest: dg,
      control_head_sequence: posint,
      committed_at: ts,
      pointer_digest: selfDigestField,
    }),
});
export type ActivePointer = ArtifactOf<typeof activePointer>;

const operations = ["dispatch", "observe", "inventory", "barrier", "rebind", "prepare", "activate", "release", "revoke"] as const;
const allOperations: Shape<string[]> = leaf<string[]>(
  (value) => Array.isArray(value) && value.length === operations.length && operations.every((operation, index) => operation === value[index]),
  "operations",
  `Must be the nine operations in order: ${operations.join(", ")}.`,
);

const adapterCapabilities = artifact({
  prefix: "adapter-capabilities",
  digestField: "capabilities_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_adapter_capabilities.v1"),
      operations: allOperations,
      durable_dispatch: is(true),
      process_observation: is(true),
      staged_write_lease: is(true),
      worktree_fingerprint: is(true),
      capabilities_digest: selfDigestField,
    }),
});

const heartbeatPolicy = artifact({
  prefix: "heartbeat-policy",
  digestField: "policy_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_heartbeat_policy.v1"),
      interval_ms: posint,
      ttl_ms: posint,
      disconnect_revokes_immediately: is(true),
      policy_digest: selfDigestField,
    }),
  relations: (policy, at) => void at.require(policy.interval_ms < policy.ttl_ms, "interval-below-ttl", "/interval_ms", "Must be less than ttl_ms."),
});
export type HeartbeatPolicy = ArtifactOf<typeof heartbeatPolicy>;

/** `controllers/<id>/descriptor.json` */
export const controllerDescriptor = artifact({
  prefix: "controller-descriptor",
  digestField: "descriptor_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_adapter_controller_descriptor.v1"),
      controller_id: id,
      adapter_kind: id,
      pid: posint,
      process_start_identity: part(processStartIdentity),
      socket_ref: text,
      controller_session_nonce_digest: dg,
      capabilities: part(adapterCapabilities),
      heartbeat: part(heartbeatPolicy),
      descriptor_digest: selfDigestField,
    }),
  relations(descriptor, at) {
    requireEqual(descriptor.socket_ref, `supervisor/controllers/${descriptor.controller_id}.sock`, at, "socket-ref", "/socket_ref", "supervisor/controllers/<controller_id>.sock");
    warnUnlessSamePid(descriptor, at);
  },
});
export type ControllerDescriptor = ArtifactOf<typeof controllerDescriptor>;

/** `controllers/<id>/registration.json` */
export const controllerRegistration = artifact({
  prefix: "controller-registration",
  digestField: "registration_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_adapter_registration.v1"),
      registration_id: id,
      run_id: id,
      supervisor_session_nonce_digest: dg,
      controller_descriptor_digest: dg,
      registered_operations: allOperations,
      registered_at: ts,
      registration_digest: selfDigestField,
    }),
});
export type ControllerRegistration = ArtifactOf<typeof controllerRegistration>;

/** `.lattice/runtime/adapter-registry/registry.json` */
export const adapterRegistry = artifact({
  prefix: "adapter-registry",
  digestField: "registry_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_adapter_registry.v1"),
      entries: list(exact({ adapter_kind: id, launch_descriptor_ref: text, launch_descriptor_digest: dg }), { min: 1, order: "ascending", key: (entry) => entry.adapter_kind }),
      registry_digest: selfDigestField,
    }),
  relations(registry, at) {
    for (const [index, entry] of registry.entries.entries()) {
      const expected = `.lattice/runtime/adapter-registry/descriptors/${entry.adapter_kind}.json`;
      requireEqual(entry.launch_descriptor_ref, expected, at, "entries-launch-descriptor-ref", `${pointerTo("/entries", index)}/launch_descriptor_ref`, expected);
    }
  },
});

const nullOrNonEmpty = nullable(nonEmpty);

/** `.lattice/runtime/adapter-registry/descriptors/<kind>.json` */
export const adapterLaunchDescriptor = artifact({
  prefix: "adapter-launch-descriptor",
  digestField: "descriptor_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_adapter_launch_descriptor.v1"),
      adapter_kind: id,
      launch_kind: oneOf("host_binary", "existing_endpoint"),
      binary_path: nullOrNonEmpty,
      binary_digest: nullable(dg),
      binary_identity: leaf((value) => value === null || isDigest(value) || isPlainObject(value), "identity", "Must be an identity (an object or a digest), or null."),
      argv: list(text, { max: 64 }),
      config_ref: nonEmpty,
      config_digest: dg,
      endpoint: leaf((value) => value === null || (typeof value === "string" && value !== "") || isPlainObject(value), "endpoint", "Must be an endpoint (a text or an object), or null."),
      capabilities_digest: dg,
      descriptor_digest: selfDigestField,
    }),
  relations(launch, at) {
    const isBinary = launch.launch_kind === "host_binary";
    for (const key of isBinary ? (["binary_path", "binary_digest"] as const) : (["endpoint"] as const)) {
      at.require(launch[key] !== null, `${key.replaceAll("_", "-")}-of-kind`, `/${key}`, `Must be given when launch_kind is ${launch.launch_kind}.`);
    }
    if (isBinary) at.require(launch.endpoint === null, "endpoint-of-kind", "/endpoint", "Must be null when launch_kind is host_binary.");
  },
});

const leaseMembers = (state: "staged" | "armed") => ({
  lease_id: id,
  run_id: id,
  todo_id: id,
  plan_epoch: posint,
  packet_digest: dg,
  controller_registration_digest: dg,
  supervisor_session_nonce_digest: dg,
  state: is(state),
  ttl_ms: posint,
  issued_control_digest: dg,
  lease_digest: selfDigestField,
});

export const stagedWriteLease = artifact({
  prefix: "staged-write-lease",
  digestField: "lease_digest",
  shape: () => exact({ schema: schemaId("lattice.runtime_write_lease.v1"), ...leaseMembers("staged") }),
});

export const armedWriteLease = artifact({
  prefix: "armed-write-lease",
  digestField: "lease_digest",
  shape: () => exact({ schema: schemaId("lattice.runtime_write_lease.v2"), ...leaseMembers("armed"), release_barrier_digest: dg, gate_generation: posint }),
});

/** `supervisor/write-gate.json` */
export const writeGate = artifact({
  prefix: "write-gate",
  digestField: "gate_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.supervisor_write_gate.v1"),
      run_id: id,
      plan_epoch: posint,
      gate_generation: posint,
      release_barrier_digest: dg,
      controller_release_ack_digests: ascendingDigests(),
      armed_lease_digests: ascendingDigests(),
      previous_gate_digest: nullable(dg),
      committed_at: ts,
      gate_digest: selfDigestField,
    }),
});
export type WriteGate = ArtifactOf<typeof writeGate>;

const gateEventKinds = ["write_gate_committed", "epoch_activated", "intake_resumed"] as const;

/** `supervisor/gate-commits/NNNNNNNN.bundle.json` */
export const gateCommitBundle = artifact({
  prefix: "gate-commit-bundle",
  digestField: "bundle_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_gate_commit_bundle.v1"),
      run_id: id,
      gate: part(writeGate),
      control_events: list(part(controlEvent), { min: 3, max: 3 }),
      previous_control_head_digest: nullable(dg),
      previous_receipt_digest: nullable(dg),
      bundle_digest: selfDigestField,
    }),
  relations(bundle, at) {
    const { gate } = bundle;
    requireEqual(gate.run_id, bundle.run_id, at, "gate-run-id-binding", "/gate/run_id", "run_id");
    let head = bundle.previous_control_head_digest;
    let sequence: number | null = null;
    for (const [index, event] of bundle.control_events.entries()) {
      const place = at.nested(`/control_events/${index}`);
      requireEqual(event.run_id, bundle.run_id, place, "control-events-run-id-binding", "/run_id", "run_id of the bundle");
      requireEqual(event.kind, gateEventKinds[index], place, "control-events-kind-order", "/kind", `${gateEventKinds[index] ?? ""}, the kind at this place`);
      requireEqual(event.previous_digest, head, place, "control-events-chain", "/previous_digest", "the digest of the event before");
      if (sequence !== null) requireEqual(event.sequence, sequence + 1, place, "control-events-sequence", "/sequence", "the sequence before, plus one");
      if (event.kind === gateEventKinds[index]) {
        const [key, expected] = index === 0 ? ["gate_generation", gate.gate_generation] : ["plan_epoch", gate.plan_epoch];
        requireEqual(event.payload["gate_digest"], gate.gate_digest, place, "control-events-gate-binding", "/payload/gate_digest", "the digest of the gate");
        requireEqual(event.payload[key], expected, place, "control-events-gate-binding", `/payload/${key}`, "that of the gate");
      }
      head = event.event_digest;
      sequence = event.sequence;
    }
  },
});
export type GateCommitBundle = ArtifactOf<typeof gateCommitBundle>;

/** `supervisor/gate-receipts/NNNNNNNN.receipt.json`: its rename is the commit point of a gate. */
export const gateCommitReceipt = artifact({
  prefix: "gate-commit-receipt",
  digestField: "receipt_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.runtime_gate_commit_receipt.v1"),
      run_id: id,
      gate_generation: posint,
      gate_digest: dg,
      bundle_digest: dg,
      control_head_digest: dg,
      previous_receipt_digest: nullable(dg),
      committed_at: ts,
      receipt_digest: selfDigestField,
    }),
});
export type GateCommitReceipt = ArtifactOf<typeof gateCommitReceipt>;
