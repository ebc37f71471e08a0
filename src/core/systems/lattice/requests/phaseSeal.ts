// Owns: how the derived members of a phase revision are computed (spec/lattice.md section 2.7; the topology members were
// established on real revisions). Leaves to others: judging them (phaseRevision.ts, phasePlan.ts), writing them (seal.ts).
import { isDigest, isPlainObject } from "../../../artifact/syntax.js";
import type { CanonicalMemo } from "./canonicalMemo.js";

type Fields = Readonly<Record<string, unknown>>;

function pick(record: Fields, keys: readonly string[]): Fields {
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}

const topologyKeys = ["project_id", "plan_key", "tasks", "phases", "hard_dependencies", "joins", "phase_accept_dependencies"] as const;

/** topology_digest of a todo plan; depends on plan_version. */
export function topologyDigest(plan: Fields, memo: CanonicalMemo): string {
  return memo.todoDigest(pick(plan, [...topologyKeys, "plan_version"]));
}

/** plan_version of the desired plan. */
export function planVersion(revision: Fields, plan: Fields, memo: CanonicalMemo): string {
  const body = {
    schema: "lattice.phase_todo_revision_version.v2",
    ...pick(revision, ["project_id", "plan_key", "predecessor", "task_migration", "phase_migration"]),
    desired_topology: pick(plan, ["schema", "predecessor_plan_digest", ...topologyKeys]),
  };
  return `rev-${memo.todoDigest(body).slice(0, 24)}`;
}

interface BoundPart {
  /** Null when the part has no digest to bind. */
  readonly digest: string | null;
  /** Member of the revision. */
  readonly part: string;
}

/** What the members of `reconciliation` must be, but the predecessor's own and the self digest. */
export function reconciliationDigests(revision: Fields, memo: CanonicalMemo): Readonly<Record<string, BoundPart>> {
  const of = (part: string): BoundPart => {
    const value = revision[part];
    return { digest: typeof value === "object" && value !== null ? memo.todoDigest(value) : null, part };
  };
  const recorded = (part: string, field: string): BoundPart => {
    const value = revision[part];
    const digest = isPlainObject(value) ? value[field] : undefined;
    return { digest: isDigest(digest) ? digest : null, part };
  };
  return {
    source_inventory_digest: of("source_inventory"),
    desired_plan_digest: recorded("desired_plan", "plan_digest"),
    runtime_task_migration_digest: recorded("runtime_task_migration", "migration_digest"),
    task_migration_digest: { digest: memo.todoDigest({ task_migration: revision["task_migration"] }), part: "task_migration" },
    phase_migration_digest: of("phase_migration"),
    source_cutover_batch_digest: recorded("source_cutover_batch", "batch_digest"),
  };
}
