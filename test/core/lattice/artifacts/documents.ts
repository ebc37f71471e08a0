// Owns: a valid document of every kind of artifact for the tests: from the captured runs where there is one, else made here.
// Leaves to others: what a test does to it.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { digestArtifact, selfDigest } from "../../../../src/core/artifact/canonical.js";
import type { ArtifactKind } from "../../../../src/core/systems/lattice/artifacts/checkArtifact.js";

export type JsonObject = Record<string, unknown>;

const rundirs = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../fixtures/rundirs/lattice");

/** Absolute path of the run in a captured directory. */
export function fixtureRun(name: string): string {
  const runs = path.join(rundirs, name, ".lattice", "runs");
  return path.join(runs, String(fs.readdirSync(runs)[0]));
}

export function readJson(file: string): unknown {
  return JSON.parse(fs.readFileSync(file, "utf8"));
}

export function seal(document: JsonObject, field: string): JsonObject {
  return { ...document, [field]: selfDigest(document, field) };
}

const digest = (text: string): string => digestArtifact(text);
const run = fixtureRun("closed-epoch2");
const file = (name: string): JsonObject => readJson(path.join(run, name)) as JsonObject;
const events = (name: string): JsonObject[] => readJson(path.join(run, name)) as JsonObject[];
const member = (document: unknown, ...keys: readonly string[]): JsonObject => keys.reduce<unknown>((at, key) => (at as JsonObject)[key], document) as JsonObject;
const first = (directory: string): string => path.join(directory, String(fs.readdirSync(path.join(run, directory))[0]));
const eventOf = (kind: string): JsonObject => events("events.json").find((event) => event["kind"] === kind) ?? {};

const lease = { lease_id: "lease-1", run_id: "r", todo_id: "T1", plan_epoch: 2, packet_digest: digest("p"), controller_registration_digest: digest("c"), supervisor_session_nonce_digest: digest("s"), ttl_ms: 60_000, issued_control_digest: digest("i") };

const makers: Readonly<Record<Exclude<ArtifactKind, `control_payload:${string}`>, () => JsonObject>> = {
  boundary_manifest: () => member(file("plan-compile-result.json"), "manifests", "T1"),
  runtime_plan: () => member(file("epochs/00000002/epoch-bundle.json"), "plan"),
  plan_compile_result: () => file("plan-compile-result.json"),
  run_event: () => eventOf("executor_dispatched"),
  executor_packet: () => member(file("epochs/00000001/epoch-bundle.json"), "executor_packets", "T1"),
  executor_receipt: () => member(eventOf("receipt_recorded"), "payload"),
  hold_decision: () => member(eventOf("hold_decided"), "payload"),
  carry_over_witness: () => member(eventOf("carry_over_witnessed"), "payload", "witness"),
  epoch_rebind_packet: () =>
    seal({ schema: "lattice.epoch_rebind_packet.v1", packet_id: "p", todo_id: "T3", executor_handle: "h", worktree_id: "w", witness_digest: digest("w"), context_content_digest: digest("c"), authorized_checkpoint_digest: digest("a"), old_plan_ref: "e1", new_plan_ref: "e2", new_plan_epoch: 2 }, "packet_digest"),
  runtime_plan_diff: () =>
    seal({ schema: "lattice.runtime_plan_diff.v1", old_plan_ref: "e1", new_plan_ref: "e2", accepted_checkpoints: [], invalidated_contexts: ["T1"], carried_over: ["T3"], redispatched: ["T1"], node_edge_diff: {} }, "diff_digest"),
  runtime_conflict_finding: () => member(file(first("findings")), "finding"),
  runtime_finding_record: () => file(first("findings")),
  runtime_finding_candidate: () =>
    seal({ schema: "lattice.runtime_finding_candidate.v1", proposed_kind: "semantic_conflict_unknown", todo_ids: ["T1", "T2"], path: null, resource_id: "db", evidence_digests: [digest("e")] }, "candidate_digest"),
  run_meta: () => file("run-meta.json"),
  runtime_epoch_bundle: () => file("epochs/00000002/epoch-bundle.json"),
  phase_revision_commit_receipt: () =>
    seal({ schema: "lattice.phase_revision_commit_receipt.v1", project_id: "p", plan_key: "main", plan_version: "rev-1", revision_digest: digest("1"), committed_member_digest: digest("2"), active_plan_digest: digest("3"), journal_genesis_digest: digest("4"), reconciliation_digest: digest("5"), source_cutover_receipt_digest: digest("6"), committed_at: "2026-07-21T00:00:41.000Z" }, "receipt_digest"),
  committed_epoch_pointer: () => file("committed-epoch.json"),
  release_epoch_barrier: () => file("release-epoch.json"),
  runtime_epoch_prepare: () => file("epochs/00000002/prepare.json"),
  runtime_control_event: () => events("control-events.json").find((event) => event["kind"] === "executor_quiesced") ?? {},
  runtime_control_request_ledger: () => file("control-request-ledger.json"),
  runtime_hold_result: () => file("hold-result.json"),
  runtime_control_operation_receipt: () => file("hold-operation-receipt.json"),
  runtime_pending_recompile: () => file("pending-recompile.json"),
  runtime_epoch_activation_transaction: () => file("epoch-activation-transaction.json"),
  runtime_run_event_batch_receipt: () => file(String(fs.readdirSync(run).find((name) => name.startsWith("run-event-batch-")))),
  runtime_queue: () => seal({ schema: "lattice.runtime_queue.v1", run_id: "r", frozen_epoch: 1, entries: [{ sequence: 1, kind: "finding", subject_digest: digest("s"), artifact_digest: digest("a") }] }, "queue_digest"),
  supervisor_descriptor: () => file("supervisor/descriptor.json"),
  active_pointer: () =>
    seal({ schema: "lattice.runtime_active_pointer.v1", run_id: "r", candidate_ref: `supervisor/restart-candidates/${digest("x")}`, activation_request_id: "q", activation_request_digest: digest("1"), activation_intent_digest: digest("2"), activation_response_digest: digest("3"), descriptor_digest: digest("4"), session_nonce_digest: digest("5"), control_head_digest: digest("6"), control_head_sequence: 9, committed_at: "2026-07-21T00:00:41.000Z" }, "pointer_digest"),
  controller_descriptor: () => file(path.join(first("controllers"), "descriptor.json")),
  controller_registration: () => file(path.join(first("controllers"), "registration.json")),
  adapter_registry: () => readJson(path.join(run, "../../runtime/adapter-registry/registry.json")) as JsonObject,
  adapter_launch_descriptor: () => readJson(path.join(run, "../../runtime/adapter-registry/descriptors/scripted.json")) as JsonObject,
  supervisor_write_gate: () => file("supervisor/write-gate.json"),
  runtime_gate_commit_bundle: () => file("supervisor/gate-commits/00000002.bundle.json"),
  runtime_gate_commit_receipt: () => file("supervisor/gate-receipts/00000002.receipt.json"),
  staged_write_lease: () => seal({ schema: "lattice.runtime_write_lease.v1", ...lease, state: "staged" }, "lease_digest"),
  armed_write_lease: () => seal({ schema: "lattice.runtime_write_lease.v2", ...lease, state: "armed", release_barrier_digest: digest("b"), gate_generation: 2 }, "lease_digest"),
  executor_epoch_rebind_ack: () =>
    seal({ schema: "lattice.executor_epoch_rebind_ack.v1", ack_id: "a", run_id: "r", todo_id: "T3", executor_handle: "h", worktree_id: "w", predecessor_epoch: 1, successor_epoch: 2, predecessor_packet_digest: digest("p"), rebind_packet_digest: digest("q"), new_write_lease_id: "l", supervisor_session_nonce_digest: digest("s") }, "ack_digest"),
  executor_quiescence_ack: () => member(events("control-events.json").find((event) => event["kind"] === "executor_quiesced"), "payload", "ack"),
  process_start_identity: () => member(file("supervisor/descriptor.json"), "process_start_identity"),
};

/** A fresh valid document, free to change. */
export function valid(kind: ArtifactKind): JsonObject {
  const make = makers[kind as keyof typeof makers];
  return structuredClone(make());
}
