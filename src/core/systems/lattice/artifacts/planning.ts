// Owns: schemas of what a run is planned from: runtime plan and plan compile result (spec/lattice.md sections 2.3, 2.4).
// Leaves to others: boundary manifest (boundaryManifest.ts), run requests (requests/), how a plan is used (events/, hold/).
import { pointerTo } from "../../../artifact/canonical.js";
import type { FindingCollector } from "../finding.js";
import { artifact, type ArtifactOf } from "./artifactDefinition.js";
import { requireEqual, requireSameKeys } from "./bindings.js";
import { boundaryManifest, type BoundaryManifest } from "./boundaryManifest.js";
import { byKey, dg, exact, id, is, list, nnint, part, posint, present, schemaId, selfDigestField, sha, text } from "./shapes.js";

const runtimePlanShape = exact({
  schema: schemaId("lattice.runtime_plan.v1"),
  plan_ref: id,
  plan_epoch: nnint,
  request_digest: dg,
  base_sha: sha,
  nodes: list(exact({ todo_id: id }), { min: 1, max: 8, order: "unique", key: (node) => node.todo_id }),
  precedence: list(exact({ from_todo_id: id, to_todo_id: id })),
  conflicts: list(exact({ todo_ids: list(id, { min: 2, max: 2, order: "unique" }), resource_id: id })),
  capacity: exact({ executors: posint }),
  manifest_digests: byKey(dg),
  claim: exact({ mode: is("exact_minimum") }),
  predecessor_refs: list(text),
  plan_digest: selfDigestField,
});

export const runtimePlan = artifact({
  prefix: "runtime-plan",
  digestField: "plan_digest",
  shape: () => runtimePlanShape,
  relations(plan, at) {
    const nodes = nodesOf(plan);
    const requireNode = (todoId: string, rule: string, pointer: string): void => {
      at.require(nodes.has(todoId), rule, pointer, "Names no node of the plan.");
    };
    for (const [index, { from_todo_id: from, to_todo_id: to }] of plan.precedence.entries()) {
      const place = `/precedence/${index}`;
      requireNode(from, "precedence-from-todo-id-known", `${place}/from_todo_id`);
      requireNode(to, "precedence-to-todo-id-known", `${place}/to_todo_id`);
      at.require(from !== to, "precedence-distinct", place, "A todo cannot precede itself.");
    }
    for (const [index, { todo_ids: pair }] of plan.conflicts.entries()) {
      for (const [end, todoId] of pair.entries()) requireNode(todoId, "conflicts-todo-ids-known", `/conflicts/${index}/todo_ids/${end}`);
    }
    requireSameKeys(plan.manifest_digests, nodes, at, "manifest-digests-keys", "/manifest_digests");
  },
});
export type RuntimePlan = ArtifactOf<typeof runtimePlan>;

export function nodesOf(plan: Pick<RuntimePlan, "nodes">): ReadonlySet<string> {
  return new Set(plan.nodes.map((node) => node.todo_id));
}

/** Manifests of a plan: one for each node, with the digest that the plan names. */
export function requireManifestsOfPlan(manifests: Readonly<Record<string, BoundaryManifest>>, plan: RuntimePlan, at: FindingCollector): void {
  requireSameKeys(manifests, nodesOf(plan), at, "manifests-keys", "/manifests");
  for (const [todoId, manifest] of Object.entries(manifests)) {
    const pointer = pointerTo("/manifests", todoId);
    requireEqual(manifest.manifest_digest, plan.manifest_digests[todoId], at, "manifest-digest-binding", `${pointer}/manifest_digest`, "the digest that the plan names for it");
    requireEqual(manifest.todo_id, todoId, at, "manifest-todo-id-binding", `${pointer}/todo_id`, "its key");
  }
}

/** `plan-compile-result.json`: what `run start` wrote. */
export const planCompileResult = artifact({
  prefix: "plan-compile-result",
  digestField: "result_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.plan_compile_result.v1"),
      request_digest: dg,
      plan: part(runtimePlan),
      manifests: byKey(part(boundaryManifest)),
      schedule: present,
      graph_digest: dg,
      result_digest: selfDigestField,
    }),
  relations(result, at) {
    requireEqual(result.plan.request_digest, result.request_digest, at, "request-digest-binding", "/request_digest", "the request digest of the plan");
    requireManifestsOfPlan(result.manifests, result.plan, at);
  },
});
export type PlanCompileResult = ArtifactOf<typeof planCompileResult>;
