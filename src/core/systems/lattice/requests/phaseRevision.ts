// Owns: the rules of phase_todo_revision.v3 as a whole: identity, digests, reconciliation (spec/lattice.md section 2.7).
// Leaves to others: the desired plan (phasePlan.ts), the migrations (phaseMigrations.ts), sources and cutover (phaseSources.ts).
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { hasExactKeys, isDigest, isIdentifier } from "../../../artifact/syntax.js";
import type { Finding } from "../finding.js";
import { CanonicalMemo } from "./canonicalMemo.js";
import { requireKeys, schemaIds } from "./documentKeys.js";
import { checkPhaseMigration, checkRuntimeMigration, checkTaskProjection } from "./phaseMigrations.js";
import { checkDesiredPlan } from "./phasePlan.js";
import { checkCutoverBatch, checkSourceInventory } from "./phaseSources.js";
import { reconciliationDigests } from "./phaseSeal.js";
import { Report } from "./report.js";
import { requireTodoDigest } from "./todoArtifact.js";

export const phaseRevisionKeys = [
  "schema", "project_id", "plan_key", "predecessor", "desired_plan", "runtime_task_migration", "task_migration", "phase_migration",
  "source_inventory", "reconciliation", "source_cutover_batch", "revision_digest",
] as const;

export const reconciliationKeys = [
  "predecessor_reconciliation_digest", "source_inventory_digest", "desired_plan_digest", "runtime_task_migration_digest", "task_migration_digest",
  "phase_migration_digest", "source_cutover_batch_digest", "reconciliation_digest",
] as const;

/** Judges a phase revision alone. What section 2.7 does not state (joins, bindings, lanes) is not judged. */
export function checkPhaseRevision(value: unknown, options: { readonly dialect?: Dialect } = {}): Finding[] {
  const report = Report.create();
  inspectPhaseRevision(value, new CanonicalMemo(options.dialect ?? defaultDialect), report);
  return report.findings;
}

export function inspectPhaseRevision(value: unknown, memo: CanonicalMemo, report: Report): void {
  if (!requireKeys(value, phaseRevisionKeys, "phase.exact-keys", report)) return;
  const problem = memo.todoProblem(value);
  if (problem !== null) {
    report.add("phase.canonical-limits", "", `Has no canonical form: ${problem.message}`, [{ pointer: report.base + problem.pointer, message: problem.message }]);
    return;
  }
  report.require(value["schema"] === schemaIds.phaseRevision, "phase.schema-id", "/schema", `Must be ${schemaIds.phaseRevision}.`);
  for (const member of ["project_id", "plan_key"]) report.require(isIdentifier(value[member]), "phase.identity-syntax", `/${member}`, "Must be an identifier.");
  checkPredecessor(value["predecessor"], report);
  const plan = checkDesiredPlan(value, memo, report.at("desired_plan"));
  const entries = checkRuntimeMigration(value["runtime_task_migration"], plan?.taskIds ?? null, memo, report.at("runtime_task_migration"));
  checkTaskProjection(value["task_migration"], entries, memo, report);
  checkPhaseMigration(value["phase_migration"], plan?.phaseIds ?? null, report);
  const inventory = checkSourceInventory(value["source_inventory"], plan, report.at("source_inventory"));
  checkCutoverBatch(value["source_cutover_batch"], inventory, memo, report.at("source_cutover_batch"));
  checkReconciliation(value, memo, report.at("reconciliation"));
  requireTodoDigest(value, "revision_digest", "phase.revision-digest", memo, report);
}

function checkPredecessor(value: unknown, report: Report): void {
  const isSound = hasExactKeys(value, ["plan_digest", "journal_head_digest", "plan_version"]) && isDigest(value["plan_digest"]) && isDigest(value["journal_head_digest"]) && isIdentifier(value["plan_version"]);
  report.require(isSound, "phase.predecessor", "/predecessor", "Must be exactly {plan_digest, journal_head_digest, plan_version}: two digests and an identifier.");
}

function checkReconciliation(revision: Readonly<Record<string, unknown>>, memo: CanonicalMemo, report: Report): void {
  const value = revision["reconciliation"];
  if (!requireKeys(value, reconciliationKeys, "phase.reconciliation-exact-keys", report)) return;
  report.require(isDigest(value["predecessor_reconciliation_digest"]), "phase.reconciliation-format", "/predecessor_reconciliation_digest", "Must be 64 lower-case hexadecimal digits.");
  for (const [member, { digest, part }] of Object.entries(reconciliationDigests(revision, memo))) {
    if (digest === null || value[member] === digest) continue;
    report.add("phase.reconciliation-binding", `/${member}`, `Must be the digest of ${part}, which is ${digest}.`, [{ pointer: report.base.replace(/\/reconciliation$/, "") + `/${part}`, message: "What it has to bind." }]);
  }
  requireTodoDigest(value, "reconciliation_digest", "phase.reconciliation-digest", memo, report);
}
