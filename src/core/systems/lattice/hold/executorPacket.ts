// Owns: executor packets as lattice writes them for a plan, and the digest over the content of a packet (spec/lattice.md section 2.6).
// Leaves to others: judging a packet that was read (artifacts/).
import type { Dialect } from "../../../artifact/canonical.js";
import type { RuntimePlan } from "../artifacts/planning.js";
import { stringsOf, type JsonObject } from "./documents.js";
import { digestOf, seal } from "./seal.js";

/** D9: a worker of 0.50 may commit in its own worktree. */
const forbiddenOperations: Readonly<Record<Dialect, readonly string[]>> = {
  "0.12": ["commit", "push", "branch", "merge", "rebase", "reset", "stash"],
  "0.50": ["push", "branch", "merge", "rebase", "reset", "stash"],
};

/** The six members that make two packets the same work: what a carried-over worker was promised must not change. */
export function packetContentDigest(packet: JsonObject, dialect: Dialect): string {
  const content = Object.fromEntries(
    ["todo_id", "task_ref", "scope", "base_sha", "verifier_refs", "forbidden_operations"].map((key) => [key, packet[key]]),
  );
  return digestOf(content, "The content of an executor packet", dialect);
}

/** The packet with which a todo of the plan is dispatched. The result is not checked here. */
export function buildExecutorPacket(plan: RuntimePlan, todoId: string, manifest: JsonObject, dialect: Dialect): JsonObject {
  const body = {
    schema: "lattice.executor_packet.v1",
    packet_id: `${plan.plan_ref}-packet-${todoId}`,
    todo_id: todoId,
    task_ref: `${plan.plan_ref}-task-${todoId}`,
    scope: { writes: stringsOf(manifest["writes"]) },
    base_sha: plan.base_sha,
    verifier_refs: stringsOf(manifest["affected_tests"]).map((test) => `node --test ${test}`),
    forbidden_operations: forbiddenOperations[dialect],
    plan_ref: plan.plan_ref,
    plan_epoch: plan.plan_epoch,
  };
  return seal({ ...body, context_content_digest: packetContentDigest(body, dialect) }, "packet_digest", dialect);
}
