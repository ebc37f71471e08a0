// Owns: one mistake for each rule of phase revisions.
import type { RuleId } from "../../../../src/core/systems/lattice/requests/rules.js";
import { list, object, type Fields } from "./documents.js";
import { wrong, hex, set, bad, P, type Mutation, type Change } from "./mutationKit.js";

const phase = (more: Omit<Mutation, "on" | "alone">): Mutation => ({ on: "split", alone: "phase", ...more });
const phaseSet = (pointer: string, member: string, value: unknown): Mutation => phase({ change: set(P + pointer, member, value) });
const phaseExtra = (pointer: string): Mutation => phaseSet(pointer, "unknown_key", 1);
const phaseChange = (how: Change): Mutation => phase({ change: how });
const phaseWrong = (pointer: string, member: string): Mutation => ({ ...wrong("split", P + pointer, member), alone: "phase" });

export const phasesMutations = {
  "phase.exact-keys": phaseExtra(""),
  "phase.schema-id": phaseSet("", "schema", "lattice.phase_todo_revision.v2"),
  "phase.canonical-limits": phaseSet("/desired_plan/tasks/0", "compile_binding", { ratio: 0.5 }),
  "phase.identity-syntax": phaseChange(({ value }) => {
    object(value, P)["project_id"] = bad;
    object(value, `${P}/desired_plan`)["project_id"] = bad;
  }),
  "phase.predecessor": phaseSet("/predecessor", "plan_version", bad),
  "phase.plan-exact-keys": phaseExtra("/desired_plan"),
  "phase.plan-schema-id": phaseSet("/desired_plan", "schema", "lattice.todo_plan.v4"),
  "phase.plan-identity": phaseSet("/desired_plan", "plan_key", "other"),
  "phase.plan-predecessor-binding": phaseSet("/desired_plan", "predecessor_plan_digest", hex("e")),
  "phase.plan-version": phaseWrong("/desired_plan", "plan_version"),
  "phase.topology-digest": phaseWrong("/desired_plan", "topology_digest"),
  "phase.plan-digest": phaseWrong("/desired_plan", "plan_digest"),
  "phase.tasks-array": phaseSet("/desired_plan", "tasks", {}),
  "phase.task-exact-keys": phaseExtra("/desired_plan/tasks/1"),
  "phase.task-syntax": phaseSet("/desired_plan/tasks/1", "title", 5),
  "phase.tasks-sorted-unique": phaseChange(({ value }) => {
    list(value, `${P}/desired_plan/tasks`).reverse();
    list(value, `${P}/source_inventory/active`).reverse();
  }),
  "phase.task-parents-acyclic": phaseChange(({ value }) => {
    object(value, `${P}/desired_plan/tasks/0`)["parent_task_id"] = "T1b";
    object(value, `${P}/desired_plan/tasks/1`)["parent_task_id"] = "T1a";
  }),
  "phase.phases-array": phaseSet("/desired_plan", "phases", {}),
  "phase.phase-exact-keys": phaseExtra("/desired_plan/phases/0"),
  "phase.phase-syntax": phaseSet("/desired_plan/phases/0", "required_evidence_slots", []),
  "phase.phases-sorted-unique": phaseChange(({ value }) => void list(value, `${P}/desired_plan/phases`).reverse()),
  "phase.phases-acyclic": phaseSet("/desired_plan/phases/0", "predecessor_phase_ids", ["phase-b"]),
  "phase.dependencies": phaseSet("/desired_plan", "hard_dependencies", [{ from: "T1a", to: "T1b" }]),
  "phase.dependencies-sorted-unique": phaseChange(({ value }) => {
    const dependencies = list(value, `${P}/desired_plan/hard_dependencies`);
    dependencies.push(structuredClone(dependencies[0]));
  }),
  "phase.joins-array": phaseSet("/desired_plan", "joins", {}),
  "phase.reference-unknown": phaseSet("/desired_plan/tasks/0", "phase_id", "phase-z"),
  "phase.runtime-migration-exact-keys": phaseExtra("/runtime_task_migration"),
  "phase.runtime-migration-schema-id": phaseSet("/runtime_task_migration", "schema", "lattice.other.v1"),
  "phase.runtime-migration-bounds": phaseSet("/runtime_task_migration", "entries", []),
  "phase.runtime-migration-entry": phaseSet("/runtime_task_migration/entries/0", "evidence_digests", []),
  "phase.runtime-migration-sorted-unique": phaseChange(({ value }) => void list(value, `${P}/runtime_task_migration/entries`).reverse()),
  "phase.runtime-migration-digest": phaseWrong("/runtime_task_migration", "migration_digest"),
  "phase.task-migration-bounds": phaseSet("", "task_migration", []),
  "phase.task-migration-exact-keys": phaseExtra("/task_migration/0"),
  "phase.task-migration-sorted-unique": phaseChange(({ value }) => void list(value, `${P}/task_migration`).reverse()),
  "phase.task-migration-targets-unique": phaseSet("/task_migration/1", "to_task_id", "T1a"),
  "phase.task-migration-projection": phaseSet("/task_migration/0", "state_policy", "carry"),
  "phase.successors-equal-tasks": phaseSet("/runtime_task_migration/entries/0", "successor_task_ids", ["T1a"]),
  "phase.phase-migration": phaseSet("/phase_migration/0", "state_policy", "keep"),
  "phase.phase-migration-unique": phaseChange(({ value }) => void (object(value, P)["phase_migration"] = [
    { from_phase_id: "phase-a", to_phase_id: "phase-a", state_policy: "carry" },
    { from_phase_id: "phase-a", to_phase_id: "phase-b", state_policy: "reset" },
  ])),
  "phase.phase-migration-coverage": phaseSet("", "phase_migration", [{ from_phase_id: "phase-a", to_phase_id: "phase-a", state_policy: "carry" }]),
  "phase.inventory-exact-keys": phaseExtra("/source_inventory"),
  "phase.inventory-entry": phaseSet("/source_inventory/active/1", "source_ref", "docs/plan.md"),
  "phase.inventory-order": phaseChange(({ value }) => void list(value, `${P}/source_inventory/active`).reverse()),
  "phase.inventory-narrative-binding": phaseSet("/source_inventory/active/1", "source_ref", "docs/plan.md#L77"),
  "phase.inventory-refs-unique": phaseChange(({ value }) => {
    for (const [index, place] of ["tasks", "active"].entries()) {
      const items = list(value, index === 0 ? `${P}/desired_plan/tasks` : `${P}/source_inventory/${place}`) as Fields[];
      const member = index === 0 ? "narrative_ref" : "source_ref";
      if (items[2] !== undefined && items[1] !== undefined) items[2][member] = items[1][member];
    }
  }),
  "phase.tombstone-entry": phaseSet("/source_inventory/excluded_tombstones/0", "exclusion_reason", ""),
  "phase.tombstones-sorted-unique": phaseChange(({ value }) => {
    const tombstones = list(value, `${P}/source_inventory/excluded_tombstones`);
    tombstones.push({ ...(tombstones[0] as Fields), source_ref: "docs/a.md#L1" });
  }),
  "phase.tombstones-disjoint": phaseSet("/source_inventory/excluded_tombstones/0", "source_ref", "docs/plan.md#L11"),
  "phase.cutover-exact-keys": phaseExtra("/source_cutover_batch"),
  "phase.cutover-archive-ref": phaseSet("/source_cutover_batch", "batch_id", bad),
  "phase.cutover-operations": phaseSet("/source_cutover_batch", "operations", []),
  "phase.cutover-sorted": phaseChange(({ value }) => {
    const active = object(value, `${P}/source_inventory/active/1`);
    active["source_ref"] = "docs/archive/cutover-1.md#L7";
    object(value, `${P}/desired_plan/tasks/1`)["narrative_ref"] = active["source_ref"];
    list(value, `${P}/source_cutover_batch/operations`).push({ task_id: "T1b", disposition: "active", source_ref: "docs/a.md#L1", source_digest: active["source_digest"], live_replacement: "moved" });
  }),
  "phase.cutover-inventory-binding": phaseSet("/source_cutover_batch/operations/0", "source_digest", hex("e")),
  "phase.cutover-digest": phaseWrong("/source_cutover_batch", "batch_digest"),
  "phase.reconciliation-exact-keys": phaseExtra("/reconciliation"),
  "phase.reconciliation-format": phaseSet("/reconciliation", "predecessor_reconciliation_digest", "short"),
  "phase.reconciliation-binding": phaseWrong("/reconciliation", "task_migration_digest"),
  "phase.reconciliation-digest": phaseWrong("/reconciliation", "reconciliation_digest"),
  "phase.revision-digest": phaseWrong("", "revision_digest"),
} as const satisfies Partial<Record<RuleId, Mutation | string>>;
