// Owns: a small frozen run of three workers, T1 and T2 in conflict, made by the product's own sealing; for the tests of hold/.
// Leaves to others: what the runtime itself makes of such runs (vectors and captured directories).
import { digestArtifact, selfDigest } from "../../../../src/core/artifact/canonical.js";

export type JsonObject = Record<string, unknown>;

export const recordedAt = "2026-07-17T00:00:00.000Z";
const baseSha = "1".repeat(40);
const runId = "req-hold";

export function sealed(body: JsonObject, field: string): JsonObject {
  return { ...body, [field]: selfDigest(body, field) };
}

export function without<Value extends object>(value: Value, key: keyof Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as Partial<Value>;
}

export function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
}

export interface FrozenRun {
  readonly runId: string;
  readonly request: JsonObject;
  readonly plan: JsonObject;
  readonly manifests: Record<string, JsonObject>;
  readonly packets: Record<string, JsonObject>;
  readonly events: readonly JsonObject[];
  readonly recordedAt: string;
}

const todos = ["T1", "T2", "T3"] as const;

function surfaces(todoId: string): JsonObject {
  const path = `src/${todoId.toLowerCase()}.mjs`;
  return { owns: [{ kind: "path", target: path }], reads: [], writes: [path], resources: [], state_effects: [], affected_tests: [], unknowns: [] };
}

function aRequest(): JsonObject {
  return sealed(
    {
      schema: "lattice.run_request.v1",
      request_id: runId,
      repo: { base_sha: baseSha, root_kind: "git-worktree" },
      capacity: { executors: 3 },
      todos: todos.map((todo_id) => ({ todo_id })),
      manual_witness: Object.fromEntries(todos.map((todoId) => [todoId, { ...surfaces(todoId), sensor_provenance: { queries: [] } }])),
      sensor_query_set: { queries: [] },
      executor_capability: { adapters: ["scripted"] },
      claim_mode: "exact_minimum",
    },
    "request_digest",
  );
}

function aManifest(todoId: string): JsonObject {
  return sealed({ schema: "lattice.boundary_manifest.v3", todo_id: todoId, ...surfaces(todoId), graph_evidence: [], witness_provenance: {} }, "manifest_digest");
}

function aPacket(todoId: string): JsonObject {
  const content = {
    todo_id: todoId,
    task_ref: `plan-${runId}-e1-task-${todoId}`,
    scope: { writes: surfaces(todoId)["writes"] },
    base_sha: baseSha,
    verifier_refs: [],
    forbidden_operations: ["push"],
  };
  const body = { schema: "lattice.executor_packet.v1", packet_id: `plan-${runId}-e1-packet-${todoId}`, ...content, plan_ref: `plan-${runId}-e1`, plan_epoch: 1 };
  return sealed({ ...body, context_content_digest: digestArtifact(content) }, "packet_digest");
}

/** A chain of events with the given kinds, subjects and payloads. */
function chain(parts: readonly { readonly kind: string; readonly ref: string; readonly payload: JsonObject }[]): JsonObject[] {
  const events: JsonObject[] = [];
  for (const [sequence, { kind, ref, payload }] of parts.entries()) {
    const isTodo = /^T\d$/.test(ref);
    events.push(
      sealed(
        {
          schema: "lattice.run_event.v1",
          run_id: runId,
          sequence,
          previous_digest: events.at(-1)?.["event_digest"] ?? null,
          kind,
          actor: "lattice-runtime",
          plan_epoch: sequence === 0 ? 0 : 1,
          subject: { kind: isTodo ? "todo" : sequence === 0 ? "run_request" : "runtime_plan", ref },
          payload,
          recorded_at: recordedAt,
        },
        "event_digest",
      ),
    );
  }
  return events;
}

/** Fresh on every call: tests freeze and damage it. */
export function aFrozenRun(): FrozenRun {
  const request = aRequest();
  const manifests = Object.fromEntries(todos.map((todoId) => [todoId, aManifest(todoId)]));
  const packets = Object.fromEntries(todos.map((todoId) => [todoId, aPacket(todoId)]));
  const ref = `plan-${runId}-e1`;
  const plan = sealed(
    {
      schema: "lattice.runtime_plan.v1",
      plan_ref: ref,
      plan_epoch: 1,
      request_digest: request["request_digest"],
      base_sha: baseSha,
      nodes: todos.map((todo_id) => ({ todo_id })),
      precedence: [],
      conflicts: [],
      capacity: { executors: 3 },
      manifest_digests: Object.fromEntries(todos.map((todoId) => [todoId, manifests[todoId]?.["manifest_digest"]])),
      claim: { mode: "exact_minimum" },
      predecessor_refs: [],
    },
    "plan_digest",
  );
  const dispatched = todos.map((todoId) => ({
    kind: "executor_dispatched",
    ref: todoId,
    payload: { executor_handle: `h-${todoId}`, worktree_id: `wt-${todoId}`, packet_digest: packets[todoId]?.["packet_digest"], context_content_digest: packets[todoId]?.["context_content_digest"] },
  }));
  const events = chain([
    { kind: "run_initialized", ref: "request.json", payload: { request_digest: request["request_digest"] } },
    { kind: "plan_compiled", ref, payload: { plan_digest: plan["plan_digest"] } },
    ...dispatched,
    { kind: "conflict_found", ref: "T1", payload: { kind: "observed_write_conflict", todo_ids: ["T1", "T2"], path: "src/t2.mjs" } },
    { kind: "intake_frozen", ref, payload: { frozen_prefix_digest: "b".repeat(64), reason_kind: "observed_write_conflict" } },
  ]);
  return { runId, request, plan, manifests, packets, events, recordedAt };
}

/** The same run as if its request were the successor of another one, as it is from epoch 2 on. */
export function asSuccessor(run: FrozenRun): FrozenRun {
  const request = sealed(
    { ...run.request, schema: "lattice.run_request.v2", predecessor_request_digest: "c".repeat(64), task_migration_digest: "d".repeat(64) },
    "request_digest",
  );
  return { ...run, request, plan: sealed({ ...run.plan, request_digest: request["request_digest"] }, "plan_digest") };
}
