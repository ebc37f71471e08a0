// Owns: the rules of the three migrations of a phase revision (spec/lattice.md section 2.7): the strict copy of the runtime
// migration, its projection onto the todo plan, and the phases' own. Leaves to others: the runtime's rules (taskMigration.ts).
import { hasExactKeys, isDigest, isIdentifier } from "../../../artifact/syntax.js";
import type { CanonicalMemo } from "./canonicalMemo.js";
import { dispositions, isNonEmptyText, isOneOf, keysOf, requireKeys, schemaIds, type Disposition } from "./documentKeys.js";
import type { Report } from "./report.js";
import { requirePlainOrder, requireTodoDigest } from "./todoArtifact.js";

const maxEntries = 512;

export interface StrictEntry {
  readonly from: string;
  readonly disposition: Disposition;
  readonly successors: readonly string[];
}

function isBounded(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= maxEntries;
}

/** Null unless every entry has the strict form and they are in order. */
export function checkRuntimeMigration(value: unknown, taskIds: readonly string[] | null, memo: CanonicalMemo, report: Report): readonly StrictEntry[] | null {
  if (!requireKeys(value, keysOf.taskMigration, "phase.runtime-migration-exact-keys", report)) return null;
  report.require(value["schema"] === schemaIds.taskMigration, "phase.runtime-migration-schema-id", "/schema", `Must be ${schemaIds.taskMigration}.`);
  requireTodoDigest(value, "migration_digest", "phase.runtime-migration-digest", memo, report);
  const list = value["entries"];
  if (!isBounded(list)) {
    report.add("phase.runtime-migration-bounds", "/entries", `Must be a list of 1 to ${maxEntries} entries.`);
    return null;
  }
  const entries: StrictEntry[] = [];
  for (const [index, entry] of list.entries()) {
    const wrong = strictProblem(entry, memo);
    if (typeof wrong === "string") report.add("phase.runtime-migration-entry", `/entries/${index}`, wrong);
    else entries.push(wrong);
  }
  if (entries.length < list.length) return null;
  const isOrdered = requirePlainOrder("phase.runtime-migration-sorted-unique", entries.map(({ from }) => from), { pointer: "/entries", member: "/predecessor_task_id", what: "predecessor ids", leads: "first-place" }, report);
  const successors = entries.flatMap(({ successors: ids }) => ids);
  if (taskIds !== null && !isSameList(successors, taskIds)) {
    report.add("phase.successors-equal-tasks", "/entries", `Successors must be exactly the tasks of the desired plan${difference(successors, taskIds)}.`);
  }
  return isOrdered ? entries : null;
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && [...a].sort().join("\u0000") === [...b].sort().join("\u0000");
}

function difference(found: readonly string[], expected: readonly string[]): string {
  const lacking = expected.filter((id) => !found.includes(id));
  const strange = found.filter((id) => !expected.includes(id));
  const parts = [...(lacking.length > 0 ? [`lacking ${lacking.join(", ")}`] : []), ...(strange.length > 0 ? [`too much ${strange.join(", ")}`] : [])];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

/** The entry, or what is wrong with it. */
function strictProblem(entry: unknown, memo: CanonicalMemo): StrictEntry | string {
  if (!hasExactKeys(entry, keysOf.migrationEntry)) return `Must have exactly the keys ${keysOf.migrationEntry.join(", ")}.`;
  const { predecessor_task_id: from, disposition, successor_task_ids: successors, reason, evidence_digests: evidence } = entry;
  if (!isIdentifier(from)) return "predecessor_task_id must be an identifier.";
  if (!isOneOf(dispositions, disposition)) return `disposition must be one of ${dispositions.join(", ")}.`;
  if (!isNonEmptyText(reason) || Buffer.byteLength(reason, "utf8") > 16_384 || /[\u0000-\u001F\u007F]/.test(reason)) return "reason must be a text of at most 16 384 bytes without control characters.";
  if (!Array.isArray(successors) || successors.length > maxEntries || !successors.every(isIdentifier)) return `successor_task_ids must be a list of at most ${maxEntries} identifiers.`;
  if (!isBounded(evidence) || !evidence.every(isDigest) || !isStrictlyAscending(evidence)) return `evidence_digests must be 1 to ${maxEntries} digests, ascending.`;
  // D21: as for the runtime migration itself.
  const isOrdered = isStrictlyAscending(memo.dialect === "0.12" ? successors : successors.slice(1)) && new Set(successors).size === successors.length;
  if (!isOrdered) return memo.dialect === "0.12" ? "successor_task_ids must be ascending." : "successor_task_ids must be ascending after the first, and unique.";
  const fits = disposition === "retire" ? successors.length === 0 : disposition === "carry" || disposition === "stay" ? successors.length === 1 && successors[0] === from : successors.length > 0;
  return fits ? { from, disposition, successors } : `successor_task_ids do not fit the disposition ${disposition}.`;
}

function isStrictlyAscending(texts: readonly string[]): boolean {
  return texts.every((text, index) => index === 0 || (texts[index - 1] ?? "") < text);
}

/** task_migration against the runtime migration it projects. `entries` null: only its own form is judged. */
export function checkTaskProjection(value: unknown, entries: readonly StrictEntry[] | null, memo: CanonicalMemo, report: Report): void {
  if (!isBounded(value)) {
    report.add("phase.task-migration-bounds", "/task_migration", `Must be a list of 1 to ${maxEntries} items.`);
    return;
  }
  const items = value.filter((item, index): item is Record<string, unknown> => requireKeys(item, ["from_task_id", "to_task_id", "state_policy"], "phase.task-migration-exact-keys", report.at("task_migration", index)));
  if (items.length < value.length) return;
  const isOrdered = requirePlainOrder("phase.task-migration-sorted-unique", items.map(({ from_task_id: from }) => String(from)), { pointer: "/task_migration", member: "/from_task_id", what: "from_task_id values", leads: "first-place" }, report);
  const targets = items.map(({ to_task_id: to }) => to);
  const repeated = targets.findIndex((to, index) => to !== "removed" && targets.indexOf(to) < index);
  if (repeated >= 0) report.add("phase.task-migration-targets-unique", `/task_migration/${repeated}/to_task_id`, `Is the target of item ${targets.indexOf(targets[repeated]) + 1} too.`);
  if (entries === null || !isOrdered || repeated >= 0) return;
  if (items.length !== entries.length) {
    report.add("phase.task-migration-projection", "/task_migration", `Must have one item for each of the ${entries.length} entries of the runtime migration.`);
    return;
  }
  for (const [index, entry] of entries.entries()) {
    const expected = projectionOf(entry, memo);
    const item = items[index];
    if (item?.["from_task_id"] === entry.from && item["to_task_id"] === expected.to && isOneOf(expected.policies, item["state_policy"])) continue;
    report.add(
      "phase.task-migration-projection",
      `/task_migration/${index}`,
      `Must be from ${entry.from} to ${expected.to} with ${expected.policies.join(" or ")}, because the runtime migration has ${entry.disposition}.`,
      [{ pointer: `${report.base}/runtime_task_migration/entries/${index}`, message: "The entry it projects." }],
    );
  }
}

function projectionOf({ from, disposition, successors }: StrictEntry, memo: CanonicalMemo): { readonly to: string; readonly policies: readonly string[] } {
  switch (disposition) {
    case "carry":
    case "stay":
      return { to: from, policies: memo.dialect === "0.12" ? ["carry", "carry_reconciled_metadata"] : ["carry", "carry_reconciled_metadata", "acquire_phase"] };
    case "retire":
      return { to: "removed", policies: ["removed"] };
    case "replace":
    case "split":
      return { to: successors[0] ?? "", policies: ["reset_pending"] };
  }
}

export function checkPhaseMigration(value: unknown, phaseIds: readonly string[] | null, report: Report): void {
  if (!Array.isArray(value)) {
    report.add("phase.phase-migration", "/phase_migration", "Must be a list.");
    return;
  }
  const wrong = value.findIndex((item) => !isPhaseMove(item));
  if (wrong >= 0) {
    report.add("phase.phase-migration", `/phase_migration/${wrong}`, "Must be {from_phase_id: identifier or null, to_phase_id: identifier or removed, state_policy: carry, reset or removed}.");
    return;
  }
  const moves = value as readonly Readonly<Record<string, unknown>>[];
  for (const [member, open] of [["from_phase_id", null], ["to_phase_id", "removed"]] as const) {
    const ids = moves.map((move) => move[member]);
    const repeated = ids.findIndex((id, index) => id !== open && ids.indexOf(id) < index);
    if (repeated >= 0) report.add("phase.phase-migration-unique", `/phase_migration/${repeated}/${member}`, `Occurs in item ${ids.indexOf(ids[repeated]) + 1} too.`);
  }
  const targets = [...new Set(moves.map(({ to_phase_id: to }) => String(to)).filter((to) => to !== "removed"))];
  if (phaseIds !== null && !isSameList(targets, [...new Set(phaseIds)])) {
    report.add("phase.phase-migration-coverage", "/phase_migration", `Targets must be exactly the phases of the desired plan${difference(targets, phaseIds)}.`);
  }
}

function isPhaseMove(item: unknown): boolean {
  if (!hasExactKeys(item, ["from_phase_id", "to_phase_id", "state_policy"])) return false;
  return (item["from_phase_id"] === null || isIdentifier(item["from_phase_id"])) && isIdentifier(item["to_phase_id"]) && isOneOf(["carry", "reset", "removed"], item["state_policy"]);
}
