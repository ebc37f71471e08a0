// Owns: schemas of epochs: run meta, bundle, committed pointer, release barrier, prepare, phase revision commit receipt
// (spec/lattice.md section 2.9; D7).
// Leaves to others: requests and migrations (requests/), which epoch is the current one (store/).
import { pointerTo } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import type { FindingCollector } from "../finding.js";
import { checkRunRequest, checkRunRequestV2 } from "../requests/runRequest.js";
import { checkTaskMigration } from "../requests/taskMigration.js";
import { artifact, type ArtifactOf } from "./artifactDefinition.js";
import { adopt, requireEqual, requireSameKeys } from "./bindings.js";
import { boundaryManifest } from "./boundaryManifest.js";
import { executorPacket } from "./execution.js";
import { nodesOf, requireManifestsOfPlan, runtimePlan } from "./planning.js";
import { byKey, dg, exact, id, is, leaf, list, looseLeaves, nonEmpty, nullable, oneOf, part, plain, posint, schemaId, selfDigestField } from "./shapes.js";

const metaMembers = { run_id: id, executor_adapter: oneOf("scripted", "isolated-worktree", "actual-agent") };

/** `run-meta.json` before activation. It has no digest. */
export const runMetaV1 = artifact({
  prefix: "run-meta",
  digestField: null,
  shape: () => exact({ schema: schemaId("lattice.run_meta.v1"), ...metaMembers, plan_digest: dg }),
});

/** `run-meta.json` after activation. */
export const runMetaV2 = artifact({
  prefix: "run-meta",
  digestField: "meta_digest",
  shape: () =>
    exact({
      schema: schemaId("lattice.run_meta.v2"),
      ...metaMembers,
      run_event_schema: is("lattice.run_event.v1"),
      control_event_schema: is("lattice.runtime_control_event.v1"),
      epoch_bundle_schema: is("lattice.runtime_epoch_bundle.v1"),
      created_plan_digest: dg,
      meta_digest: selfDigestField,
    }),
});
export type RunMeta = ArtifactOf<typeof runMetaV1> | ArtifactOf<typeof runMetaV2>;

export const phaseRevisionCommitReceipt = artifact({
  prefix: "phase-revision-commit-receipt",
  digestField: "receipt_digest",
  loose: true,
  shape: (mode) => {
    const loose = looseLeaves(mode);
    return exact({
      schema: schemaId("lattice.phase_revision_commit_receipt.v1"),
      project_id: loose.id,
      plan_key: loose.id,
      plan_version: nonEmpty,
      revision_digest: loose.dg,
      committed_member_digest: loose.dg,
      active_plan_digest: loose.dg,
      journal_genesis_digest: loose.dg,
      reconciliation_digest: loose.dg,
      source_cutover_receipt_digest: loose.dg,
      committed_at: leaf<string>((value) => typeof value === "string" && !Number.isNaN(Date.parse(value)), "date", "Must be a date."),
      receipt_digest: selfDigestField,
    });
  },
});

/** Null in the first epoch, given in every later one. */
const later = nullable(plain);

/** `epochs/NNNNNNNN/epoch-bundle.json`. Contents of rebind_packets, plan_diff and treatment are not judged (U8). */
export const epochBundle = artifact({
  prefix: "epoch-bundle",
  digestField: "bundle_digest",
  loose: true,
  shape: (mode) => {
    const loose = looseLeaves(mode);
    return exact({
      schema: schemaId("lattice.runtime_epoch_bundle.v1"),
      run_id: loose.id,
      plan_epoch: posint,
      request: plain,
      plan: part(runtimePlan),
      manifests: byKey(part(boundaryManifest)),
      executor_packets: byKey(part(executorPacket)),
      rebind_packets: later,
      plan_diff: later,
      task_migration: later,
      treatment: later,
      phase_revision_digest: nullable(loose.dg),
      phase_revision_commit_receipt: nullable(part(phaseRevisionCommitReceipt)),
      predecessor_bundle_digest: nullable(loose.dg),
      bundle_digest: selfDigestField,
    });
  },
  foreign(bundle, at, dialect) {
    if (isPlainObject(bundle["request"])) {
      adopt((bundle["plan_epoch"] === 1 ? checkRunRequest : checkRunRequestV2)(bundle["request"], { dialect }), at, "/request");
    }
    if (isPlainObject(bundle["task_migration"])) adopt(checkTaskMigration(bundle["task_migration"], { dialect }), at, "/task_migration");
  },
  relations(bundle, at) {
    const { plan, request } = bundle;
    requireEqual(bundle.run_id, request["request_id"], at, "run-id-binding", "/run_id", "the id of the request");
    requireEqual(bundle.plan_epoch, plan.plan_epoch, at, "plan-epoch-binding", "/plan_epoch", "the epoch of the plan");
    requirePlanOfRequest(plan, request, at.nested("/plan"));
    requireManifestsOfPlan(bundle.manifests, plan, at);
    requireSameKeys(bundle.executor_packets, nodesOf(plan), at, "executor-packets-keys", "/executor_packets");
    for (const [todoId, packet] of Object.entries(bundle.executor_packets)) {
      const place = at.nested(pointerTo("/executor_packets", todoId));
      requireEqual(packet.todo_id, todoId, place, "packet-todo-id-binding", "/todo_id", "its key");
      requireEqual(packet.plan_ref, plan.plan_ref, place, "packet-plan-ref-binding", "/plan_ref", "that of the plan");
      requireEqual(packet.plan_epoch, plan.plan_epoch, place, "packet-plan-epoch-binding", "/plan_epoch", "that of the plan");
    }
    requireMembersOfEpoch(bundle, at);
  },
});
export type EpochBundle = ArtifactOf<typeof epochBundle>;

/** A plan is bound to a request: same digest, same base, and every node is a todo of it (section 2.3). */
export function requirePlanOfRequest(plan: ArtifactOf<typeof runtimePlan>, request: Readonly<Record<string, unknown>>, at: FindingCollector): void {
  const repo = request["repo"];
  requireEqual(plan.request_digest, request["request_digest"], at, "request-digest-binding", "/request_digest", "the digest of the request");
  requireEqual(plan.base_sha, isPlainObject(repo) ? repo["base_sha"] : undefined, at, "base-sha-binding", "/base_sha", "that of the request");
  const listed: readonly unknown[] = Array.isArray(request["todos"]) ? request["todos"] : [];
  const todos = new Set(listed.map((todo) => (isPlainObject(todo) ? todo["todo_id"] : undefined)));
  for (const [index, { todo_id }] of plan.nodes.entries()) {
    at.require(todos.has(todo_id), "nodes-todo-id-requested", `/nodes/${index}/todo_id`, "Is no todo of the request.");
  }
}

function requireMembersOfEpoch(bundle: EpochBundle, at: FindingCollector): void {
  const givenLater = ["rebind_packets", "plan_diff", "task_migration", "treatment", "predecessor_bundle_digest"] as const;
  const phase = ["phase_revision_digest", "phase_revision_commit_receipt"] as const;
  const ruleOf = (key: string): string => `${key.replaceAll("_", "-")}-of-epoch`;
  if (bundle.plan_epoch === 1) {
    for (const key of [...givenLater, ...phase]) at.require(bundle[key] === null, ruleOf(key), `/${key}`, "Must be null in the first epoch.");
    return;
  }
  for (const key of givenLater) at.require(bundle[key] !== null, ruleOf(key), `/${key}`, "Must be given in every epoch after the first.");
  const receipt = bundle.phase_revision_commit_receipt;
  if (at.require((bundle.phase_revision_digest === null) === (receipt === null), "phase-revision-pair", "/phase_revision_commit_receipt", "Digest and receipt of a phase revision are both given or both null.") && receipt !== null) {
    requireEqual(receipt.revision_digest, bundle.phase_revision_digest, at, "phase-revision-digest-binding", "/phase_revision_commit_receipt/revision_digest", "phase_revision_digest");
  }
}

/** `committed-epoch.json`: the only truth about the current epoch. */
export const committedEpochPointer = artifact({
  prefix: "committed-epoch-pointer",
  digestField: "pointer_digest",
  loose: true,
  shape: (mode) => {
    const loose = looseLeaves(mode);
    return exact({
      schema: schemaId("lattice.committed_epoch_pointer.v1"),
      run_id: loose.id,
      plan_epoch: posint,
      plan_ref: loose.id,
      bundle_digest: loose.dg,
      activation_run_event_digest: loose.dg,
      activation_control_event_digest: loose.dg,
      pointer_digest: selfDigestField,
    });
  },
});
export type CommittedEpochPointer = ArtifactOf<typeof committedEpochPointer>;

/** `release-epoch.json` */
export const releaseEpochBarrier = artifact({
  prefix: "release-epoch-barrier",
  digestField: "release_digest",
  loose: true,
  shape: (mode) => {
    const loose = looseLeaves(mode);
    const digests = list(loose.dg, { order: "ascending" });
    return exact({
      schema: schemaId("lattice.release_epoch_barrier.v1"),
      run_id: loose.id,
      committed_epoch_pointer_digest: loose.dg,
      plan_epoch: posint,
      activation_digest: loose.dg,
      controller_ready_ack_digests: digests,
      staged_lease_digests: digests,
      gate_generation: posint,
      release_digest: selfDigestField,
    });
  },
});
export type ReleaseEpochBarrier = ArtifactOf<typeof releaseEpochBarrier>;

/** `staging/<transaction>/prepare.json`, later beside the bundle. */
export const epochPrepare = artifact({
  prefix: "epoch-prepare",
  digestField: "prepare_digest",
  loose: true,
  shape: (mode) => {
    const loose = looseLeaves(mode);
    return exact({ schema: schemaId("lattice.runtime_epoch_prepare.v1"), transaction_id: loose.id, bundle_digest: loose.dg, prepare_digest: selfDigestField });
  },
});
export type EpochPrepare = ArtifactOf<typeof epochPrepare>;
