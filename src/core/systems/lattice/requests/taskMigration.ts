// Owns: the rules migration.* (spec/lattice.md section 5.3).
// Leaves to others: bindings of other documents to a migration (recompileRequest.ts, treatments.ts).
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import type { Finding } from "../finding.js";
import { CanonicalMemo } from "./canonicalMemo.js";
import { looksLikeDigest, requireDigest, requireIdentifier, requireIdentifierItem } from "./coercion.js";
import { dispositions, isNonEmptyText, isOneOf, keysOf, requireKeys, schemaIds, type Disposition } from "./documentKeys.js";
import { orderProblems, reportOrder, requireOrder, type OrderProblem } from "./order.js";
import { dropCoveredAdvisories, Report } from "./report.js";

const maxEntries = 10_000;

export interface TaskMigrationOptions {
  readonly dialect?: Dialect;
  /** Nodes of the predecessor plan, in any order; null is absent. */
  readonly predecessorTaskIds?: readonly string[] | null;
  /** Todos of the successor request, in any order; null is absent. */
  readonly successorTaskIds?: readonly string[] | null;
}

/** One entry as far as it is well formed. */
export interface MigrationEntry {
  readonly index: number;
  /** Compared as it is: the runtime accepts a number here and then compares the number. */
  readonly predecessorTaskId: unknown;
  readonly disposition: Disposition | null;
  /** Null when it is no list of identifiers in order. */
  readonly successorTaskIds: readonly unknown[] | null;
}

/** What a surrounding document may build on. */
export interface MigrationShape {
  /** Null unless the value is an object. */
  readonly migration: Readonly<Record<string, unknown>> | null;
  /** Null unless every entry has its keys and an id. */
  readonly entries: readonly MigrationEntry[] | null;
}

/** Judges a task migration; coverage only for the sets of ids that are given. */
export function checkTaskMigration(value: unknown, options: TaskMigrationOptions = {}): Finding[] {
  const report = Report.create();
  inspectTaskMigration(value, options, new CanonicalMemo(options.dialect ?? defaultDialect), report);
  return dropCoveredAdvisories(report.findings);
}

/** All rules of a migration under the base of `report`. */
export function inspectTaskMigration(value: unknown, options: Omit<TaskMigrationOptions, "dialect">, memo: CanonicalMemo, report: Report): MigrationShape {
  if (!requireKeys(value, keysOf.taskMigration, "migration.exact-keys", report)) {
    return { migration: isPlainObject(value) ? value : null, entries: null };
  }
  report.require(value["schema"] === schemaIds.taskMigration, "migration.schema-id", "/schema", `Must be ${schemaIds.taskMigration}.`);
  const list = value["entries"];
  if (Array.isArray(list) && list.length > maxEntries) {
    // So many have no canonical form either; that is the same mistake.
    report.add("migration.entries-limit", "/entries", `Must have at most 10 000 entries; these are ${list.length}.`);
    return { migration: value, entries: null };
  }
  const entries = checkEntries(list, memo, report);
  if (entries !== null) {
    checkPredecessors(entries, options.predecessorTaskIds ?? undefined, memo, report);
    checkSuccessors(entries, options.successorTaskIds ?? undefined, report);
  }
  checkDigest(value, memo, report);
  return { migration: value, entries };
}

function checkDigest(value: Readonly<Record<string, unknown>>, memo: CanonicalMemo, report: Report): void {
  const problem = memo.problem(value, "migration_digest");
  if (problem !== null) {
    report.add("migration.canonical-limits", "", `Has no canonical form: ${problem.message}`, [{ pointer: report.base + problem.pointer, message: problem.message }]);
    return;
  }
  if (!report.require(looksLikeDigest(value["migration_digest"]), "migration.digest-format", "/migration_digest", "Must be 64 lower-case hexadecimal digits.")) return;
  const digest = memo.selfDigest(value, "migration_digest");
  report.require(value["migration_digest"] === digest, "migration.digest-match", "/migration_digest", `Does not match the migration, whose digest is ${digest}.`);
}

/** Null when a set of predecessors cannot be formed. */
function checkEntries(value: unknown, memo: CanonicalMemo, report: Report): readonly MigrationEntry[] | null {
  if (!Array.isArray(value)) {
    report.add("migration.entries-array", "/entries", "Must be a list of entries.");
    return null;
  }
  if (value.length === 0) report.add("migration.empty", "/entries", "Has no entry; a plan has at least one task, so this fits no run.");
  const entries: MigrationEntry[] = [];
  let areIdentified = true;
  for (const [index, entry] of value.entries()) {
    const at = report.at("entries", index);
    if (!requireKeys(entry, keysOf.migrationEntry, "migration.entry-exact-keys", at)) {
      areIdentified = false;
      continue;
    }
    const isIdentified = requireIdentifier(entry["predecessor_task_id"], "migration.predecessor-id-syntax", at, "/predecessor_task_id");
    areIdentified &&= isIdentified;
    entries.push(checkEntry(entry, index, isIdentified, memo, at));
  }
  return areIdentified ? entries : null;
}

function checkEntry(entry: Readonly<Record<string, unknown>>, index: number, isIdentified: boolean, memo: CanonicalMemo, report: Report): MigrationEntry {
  const { predecessor_task_id: predecessorTaskId, disposition } = entry;
  const known = isOneOf(dispositions, disposition) ? disposition : null;
  report.require(known !== null, "migration.disposition-enum", "/disposition", `Must be one of ${dispositions.join(", ")}.`);
  report.require(isNonEmptyText(entry["reason"]), "migration.reason-nonempty", "/reason", "Must be a text that is not empty.");
  const successorTaskIds = checkSuccessorList(entry["successor_task_ids"], memo, report);
  if (known !== null && successorTaskIds !== null) checkDisposition(known, predecessorTaskId, successorTaskIds, isIdentified, memo, report);
  checkEvidence(entry["evidence_digests"], memo, report);
  return { index, predecessorTaskId, disposition: known, successorTaskIds };
}

function checkDisposition(disposition: Disposition, own: unknown, successors: readonly unknown[], isIdentified: boolean, memo: CanonicalMemo, report: Report): void {
  const pointer = "/successor_task_ids";
  switch (disposition) {
    case "carry":
    case "stay":
      report.require(
        successors.length === 1 && memo.text(successors[0]) === memo.text(own),
        "migration.carry-stay-identity",
        pointer,
        `Must be exactly the own id${isIdentified && typeof own === "string" ? `, ["${own}"]` : ""}, because the disposition is ${disposition}.`,
      );
      return;
    case "retire":
      report.require(successors.length === 0, "migration.retire-empty", pointer, "Must be empty, because the task is retired.");
      return;
    case "replace":
    case "split":
      if (!report.require(successors.length > 0, "migration.replace-split-nonempty", pointer, `Must name at least one successor, because the disposition is ${disposition}.`)) return;
      if (disposition === "split" && successors.length === 1) report.add("migration.split-single-target", pointer, "A split into one task is a replacement.");
  }
}

/** Null when it is no list of identifiers in order. */
function checkSuccessorList(value: unknown, memo: CanonicalMemo, report: Report): readonly unknown[] | null {
  if (!Array.isArray(value)) {
    report.add("migration.successors-array", "/successor_task_ids", "Must be a list of todo ids.");
    return null;
  }
  let areIdentifiers = true;
  for (const [index, id] of value.entries()) {
    areIdentifiers = requireIdentifierItem(id, "migration.successor-id-syntax", report, `/successor_task_ids/${index}`) && areIdentifiers;
  }
  if (!areIdentifiers) return null;
  const repeated = orderProblems(value, memo).filter(({ kind }) => kind === "repeated");
  const isUnique = repeated.length === 0 || reportOrder("migration.successors-unique", repeated, { pointer: "/successor_task_ids", what: "successors" }, report);
  return checkSuccessorOrder(value, memo, report) && isUnique ? value : null;
}

/** D2: in 0.12 the whole list ascends; in 0.50 the first is the primary and the rest ascend. */
function checkSuccessorOrder(ids: readonly unknown[], memo: CanonicalMemo, report: Report): boolean {
  const unsortedFrom = (start: number): OrderProblem[] =>
    orderProblems(ids.slice(start), memo)
      .filter(({ kind }) => kind === "not-ascending")
      .map((problem) => ({ ...problem, index: problem.index + start }));
  const isOld = memo.dialect === "0.12";
  const problems = unsortedFrom(isOld ? 0 : 1);
  const list = { pointer: "/successor_task_ids", what: isOld ? "successors (0.12)" : "successors after the primary one" };
  if (problems.length > 0) return reportOrder("migration.successors-order", problems, list, report);
  if (!isOld && unsortedFrom(0).length > 0) report.add("dialect.order", "/successor_task_ids", "Valid for lattice 0.50 only: 0.12 wants the whole list ascending.");
  return true;
}

function checkEvidence(value: unknown, memo: CanonicalMemo, report: Report): void {
  if (!Array.isArray(value)) {
    report.add("migration.evidence-array", "/evidence_digests", "Must be a list of digests, [] for none.");
    return;
  }
  let areDigests = true;
  for (const [index, digest] of value.entries()) {
    areDigests = requireDigest(digest, "migration.evidence-digest-format", report, `/evidence_digests/${index}`) && areDigests;
  }
  if (areDigests) requireOrder("migration.evidence-sorted-unique", value, { pointer: "/evidence_digests", what: "evidence digests" }, memo, report);
}

function checkPredecessors(entries: readonly MigrationEntry[], expected: readonly string[] | undefined, memo: CanonicalMemo, report: Report): void {
  const ids = entries.map(({ predecessorTaskId }) => predecessorTaskId);
  requireOrder("migration.predecessors-sorted-unique", ids, { pointer: "/entries", member: "/predecessor_task_id", what: "predecessor ids", leads: "first-place" }, memo, report);
  // Coverage is a statement about all entries: it waits until each has its successors in order.
  if (expected === undefined || entries.some(({ successorTaskIds }) => successorTaskIds === null)) return;
  const nodes = new Set<unknown>(expected);
  const lacking = [...nodes].filter((id) => !ids.includes(id));
  const strange = entries.filter(({ predecessorTaskId }) => !nodes.has(predecessorTaskId));
  if (lacking.length === 0 && strange.length === 0 && ids.length === nodes.size) return;
  const parts = [
    ...(lacking.length > 0 ? [`no entry for ${lacking.map(String).join(", ")}`] : []),
    ...(strange.length > 0 ? [`no task ${strange.map(({ predecessorTaskId }) => JSON.stringify(predecessorTaskId)).join(", ")} in the plan`] : []),
    ...(lacking.length === 0 && strange.length === 0 ? ["a task has two entries"] : []),
  ];
  report.add("migration.predecessor-coverage", "/entries", `Must have one entry for each task of the predecessor plan: ${parts.join("; ")}.`, strange.map(({ index }) => ({ pointer: `${report.base}/entries/${index}/predecessor_task_id`, message: "The plan has no such task." })));
}

function checkSuccessors(entries: readonly MigrationEntry[], expected: readonly string[] | undefined, report: Report): void {
  const owners = new Map<unknown, { readonly owner: number; isReported: boolean }>();
  let isComplete = true;
  for (const { index, successorTaskIds } of entries) {
    if (successorTaskIds === null) {
      isComplete = false;
      continue;
    }
    const stolen: string[] = [];
    for (const id of new Set(successorTaskIds)) {
      const known = owners.get(id);
      if (known === undefined) owners.set(id, { owner: index, isReported: false });
      else if (!known.isReported) {
        known.isReported = true;
        stolen.push(`${String(id)} (entry ${known.owner + 1})`);
      }
    }
    if (stolen.length > 0) report.add("migration.successor-single-owner", `/entries/${index}/successor_task_ids`, `Another task already becomes ${stolen.join(", ")}.`);
  }
  if (expected === undefined || !isComplete) return;
  const todos = new Set<unknown>(expected);
  const lacking = [...todos].filter((id) => !owners.has(id));
  const strange = [...owners.keys()].filter((id) => !todos.has(id));
  if (lacking.length === 0 && strange.length === 0) return;
  const parts = [
    ...(lacking.length > 0 ? [`no task becomes ${lacking.map(String).join(", ")}`] : []),
    ...(strange.length > 0 ? [`the successor request has no todo ${strange.map((id) => JSON.stringify(id)).join(", ")}`] : []),
  ];
  report.add("migration.successor-coverage", "/entries", `Successors must be exactly the todos of the successor request: ${parts.join("; ")}.`);
}
