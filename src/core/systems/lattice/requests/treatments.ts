// Owns: the rules seam.*, ownership.*, edge.* and serial.* (spec/lattice.md section 5.4).
// Leaves to others: which treatment the mode wants (recompileRequest.ts), what the run says about it (applyRules.ts).
import { isPlainObject } from "../../../artifact/syntax.js";
import type { CanonicalMemo } from "./canonicalMemo.js";
import { looksLikeDigest, requireDigest, requireIdentifier, requireIdentifierItem } from "./coercion.js";
import { accessKinds, edgeKinds, isNonEmptyText, isOneOf, keysOf, requireKeys, schemaIds } from "./documentKeys.js";
import { requireOrder } from "./order.js";
import type { Report } from "./report.js";
import type { RuleId } from "./rules.js";
import type { MigrationEntry, MigrationShape } from "./taskMigration.js";

export interface TreatmentSurroundings {
  readonly migration: MigrationShape;
  readonly successorTodoIds: readonly string[] | null;
  readonly hasPhaseRevision: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Digest rules of one sealed object. A body without canonical form is told once, at the root of the request. */
export function requireSealed(value: Fields, field: string, ruleOf: { readonly format: RuleId; readonly match: RuleId }, memo: CanonicalMemo, report: Report): void {
  if (!report.require(looksLikeDigest(value[field]), ruleOf.format, `/${field}`, "Must be 64 lower-case hexadecimal digits.")) return;
  if (memo.problem(value, field) !== null) return;
  const digest = memo.selfDigest(value, field);
  report.require(value[field] === digest, ruleOf.match, `/${field}`, `Does not match the content, whose digest is ${digest}.`);
}

/** A list of identifiers; true when it is one, ascending and unique. */
function checkIdList(value: unknown, pointer: string, what: string, ruleOf: { readonly list: RuleId; readonly item: RuleId; readonly order: RuleId }, memo: CanonicalMemo, report: Report): value is readonly unknown[] {
  if (!Array.isArray(value)) {
    report.add(ruleOf.list, pointer, "Must be a list of todo ids.");
    return false;
  }
  let areIdentifiers = true;
  for (const [index, id] of value.entries()) areIdentifiers = requireIdentifierItem(id, ruleOf.item, report, `${pointer}/${index}`) && areIdentifiers;
  return areIdentifiers && requireOrder(ruleOf.order, value, { pointer, what }, memo, report);
}

export function checkSeamSplit(value: unknown, around: TreatmentSurroundings, memo: CanonicalMemo, report: Report): void {
  if (!requireKeys(value, keysOf.seamSplit, "seam.exact-keys", report)) return;
  report.require(value["schema"] === schemaIds.seamSplit, "seam.schema-id", "/schema", `Must be ${schemaIds.seamSplit}.`);
  requireDigest(value["finding_digest"], "seam.finding-digest-format", report, "/finding_digest");
  const predecessors = value["predecessor_task_ids"];
  const idRules = { list: "seam.predecessors-array", item: "seam.predecessor-id-syntax", order: "seam.predecessors-sorted-unique" } as const;
  if (checkIdList(predecessors, "/predecessor_task_ids", "predecessor ids", idRules, memo, report) && around.migration.entries !== null) {
    const known = new Set(around.migration.entries.map(({ predecessorTaskId }) => predecessorTaskId));
    for (const [index, id] of predecessors.entries()) {
      report.require(known.has(id), "seam.predecessor-unknown", `/predecessor_task_ids/${index}`, "The migration has no task of this id.");
    }
  }
  const { migration } = around.migration;
  if (migration !== null && value["task_migration_digest"] !== migration["migration_digest"]) {
    report.add("seam.migration-digest-binding", "/task_migration_digest", "Must equal migration_digest of the task migration.", [{ pointer: "/task_migration/migration_digest", message: "The migration's digest." }]);
  }
  checkVerifierRefs(value["verifier_refs"], memo, report);
  checkOwnershipDiff(value["ownership_diff"], memo, report.at("ownership_diff"));
  checkEdgeDiff(value["edge_diff"], around, memo, report.at("edge_diff"));
  if (!around.hasPhaseRevision) checkNothingMoves(value, report);
  requireSealed(value, "split_digest", { format: "seam.digest-format", match: "seam.digest-match" }, memo, report);
}

function checkVerifierRefs(refs: unknown, memo: CanonicalMemo, report: Report): void {
  if (!Array.isArray(refs)) {
    report.add("seam.verifier-refs-array", "/verifier_refs", "Must be a list of texts, [] for none.");
    return;
  }
  let areTexts = true;
  for (const [index, ref] of refs.entries()) {
    areTexts = report.require(isNonEmptyText(ref), "seam.verifier-ref-nonempty", `/verifier_refs/${index}`, "Must be a text that is not empty.") && areTexts;
  }
  if (areTexts) requireOrder("seam.verifier-refs-sorted-unique", refs, { pointer: "/verifier_refs", what: "verifiers (compared by their JSON text)" }, memo, report);
}

/** Without a phase revision nothing may change hands; several lists are one mistake. */
function checkNothingMoves(seam: Fields, report: Report): void {
  const filled = ["ownership_diff", "edge_diff"].flatMap((diff) => {
    const lists = seam[diff];
    if (!isPlainObject(lists)) return [];
    return ["added", "removed"].filter((side) => Array.isArray(lists[side]) && lists[side].length > 0).map((side) => `/${diff}/${side}`);
  });
  const [first, ...others] = filled;
  if (first === undefined) return;
  report.add("seam.phase-required-diff", first, "Must be empty, because the request has no phase revision.", others.map((pointer) => ({ pointer: report.base + pointer, message: "Must be empty too." })));
}

interface DiffRules {
  readonly prefix: "ownership" | "edge";
  readonly schema: string;
  readonly entryKeys: readonly string[];
  readonly checkEntry: (entry: Fields, report: Report) => boolean;
}

interface DiffSides {
  readonly added: readonly Fields[] | null;
  readonly removed: readonly Fields[] | null;
}

function checkDiff(value: unknown, { prefix, schema, entryKeys, checkEntry }: DiffRules, memo: CanonicalMemo, report: Report): DiffSides {
  if (!requireKeys(value, keysOf.diff, `${prefix}.exact-keys`, report)) return { added: null, removed: null };
  report.require(value["schema"] === schema, `${prefix}.schema-id`, "/schema", `Must be ${schema}.`);
  const side = (name: "added" | "removed"): readonly Fields[] | null => {
    const entries = value[name];
    if (!Array.isArray(entries)) {
      report.add(`${prefix}.entries-array`, `/${name}`, "Must be a list, [] for none.");
      return null;
    }
    const sound = entries.filter((entry: unknown, index): entry is Fields => {
      const at = report.at(name, index);
      return requireKeys(entry, entryKeys, `${prefix}.entry-exact-keys`, at) && checkEntry(entry, at);
    });
    if (sound.length < entries.length) return null;
    requireOrder(`${prefix}.sorted-unique`, entries, { pointer: `/${name}`, what: `entries (by ${[...entryKeys].sort().join(", then ")})`, leads: "first-place" }, memo, report);
    return sound;
  };
  const sides = { added: side("added"), removed: side("removed") };
  requireSealed(value, "diff_digest", { format: `${prefix}.digest-format`, match: `${prefix}.digest-match` }, memo, report);
  return sides;
}

function checkOwnershipDiff(value: unknown, memo: CanonicalMemo, report: Report): void {
  const { added, removed } = checkDiff(value, { prefix: "ownership", schema: schemaIds.ownershipDiff, entryKeys: keysOf.ownershipEntry, checkEntry: checkOwnershipEntry }, memo, report);
  if (added === null || removed === null) return;
  const taken = new Map(removed.map((entry, index) => [memo.text(entry), index]));
  const owners = new Map<unknown, number>();
  for (const [index, entry] of added.entries()) {
    const opposite = taken.get(memo.text(entry));
    if (opposite !== undefined) report.add("ownership.contradiction", `/added/${index}`, "The same entry is removed too.", [{ pointer: `${report.base}/removed/${opposite}`, message: "Removed here." }]);
    if (entry["access_kind"] !== "own") continue;
    const first = owners.get(entry["resource_id"]);
    if (first === undefined) owners.set(entry["resource_id"], index);
    else report.add("ownership.multiple-owners", `/added/${index}`, "Another todo becomes owner of this resource too.", [{ pointer: `${report.base}/added/${first}`, message: "The other owner." }]);
  }
}

function checkOwnershipEntry(entry: Fields, report: Report): boolean {
  const results = [
    requireIdentifier(entry["resource_id"], "ownership.resource-id-syntax", report, "/resource_id"),
    requireIdentifier(entry["owner_todo_id"], "ownership.owner-id-syntax", report, "/owner_todo_id"),
    report.require(isOneOf(accessKinds, entry["access_kind"]), "ownership.access-kind-enum", "/access_kind", `Must be one of ${accessKinds.join(", ")}.`),
  ];
  return results.every(Boolean);
}

function checkEdgeDiff(value: unknown, around: TreatmentSurroundings, memo: CanonicalMemo, report: Report): void {
  const { added, removed } = checkDiff(value, { prefix: "edge", schema: schemaIds.edgeDiff, entryKeys: keysOf.edgeEntry, checkEntry: checkEdgeEntry }, memo, report);
  const predecessors = around.migration.entries?.map(({ predecessorTaskId }) => predecessorTaskId) ?? null;
  for (const [side, edges, known] of [["added", added, around.successorTodoIds], ["removed", removed, predecessors]] as const) {
    for (const [index, edge] of (edges ?? []).entries()) {
      const { from_todo_id: from, to_todo_id: to } = edge;
      if (from === to) report.add("edge.self-loop", `/${side}/${index}`, "Joins a todo to itself.");
      if (known === null) continue;
      const unknown = [...new Set([from, to])].filter((id) => !known.includes(id as string));
      if (unknown.length > 0) report.add("edge.todo-unknown", `/${side}/${index}`, `The ${side === "added" ? "successor request" : "migration"} has no ${unknown.map((id) => JSON.stringify(id)).join(" and no ")}.`);
    }
  }
}

function checkEdgeEntry(entry: Fields, report: Report): boolean {
  const results = [
    requireIdentifier(entry["from_todo_id"], "edge.from-id-syntax", report, "/from_todo_id"),
    requireIdentifier(entry["to_todo_id"], "edge.to-id-syntax", report, "/to_todo_id"),
    report.require(isOneOf(edgeKinds, entry["kind"]), "edge.kind-enum", "/kind", `Must be one of ${edgeKinds.join(", ")}.`),
  ];
  return results.every(Boolean);
}

export function checkIntentionalSerial(value: unknown, around: TreatmentSurroundings, memo: CanonicalMemo, report: Report): void {
  if (!requireKeys(value, keysOf.intentionalSerial, "serial.exact-keys", report)) return;
  report.require(value["schema"] === schemaIds.intentionalSerial, "serial.schema-id", "/schema", `Must be ${schemaIds.intentionalSerial}.`);
  requireDigest(value["finding_digest"], "serial.finding-digest-format", report, "/finding_digest");
  requireIdentifier(value["resource_id"], "serial.resource-id-syntax", report, "/resource_id");
  report.require(isNonEmptyText(value["reason"]), "serial.reason-nonempty", "/reason", "Must be a text that is not empty.");
  checkSerialTodos(value, around.migration.entries, memo, report);
  requireSealed(value, "serial_digest", { format: "serial.digest-format", match: "serial.digest-match" }, memo, report);
}

function checkSerialTodos(value: Fields, entries: readonly MigrationEntry[] | null, memo: CanonicalMemo, report: Report): void {
  const { todo_ids: ids, stay_todo_id: stay } = value;
  const idRules = { list: "serial.todo-ids-array", item: "serial.todo-id-syntax", order: "serial.todo-ids-sorted-unique" } as const;
  const areSound = checkIdList(ids, "/todo_ids", "todo ids", idRules, memo, report);
  if (!Array.isArray(ids)) return;
  if (ids.length < 2) report.add("serial.todo-ids-min-two", "/todo_ids", "Must name at least two todos.");
  else if (ids.length > 2) report.add("serial.more-than-two", "/todo_ids", "A conflict of a plan has exactly two ends; the recompile will fail.");
  const isMember = report.require(ids.includes(stay), "serial.stay-member", "/stay_todo_id", "Must be one of todo_ids.");
  if (entries === null) return;
  const byId = new Map(entries.map((entry) => [entry.predecessorTaskId, entry]));
  if (areSound) {
    for (const [index, id] of ids.entries()) report.require(byId.has(id), "serial.todos-in-migration", `/todo_ids/${index}`, "The migration has no task of this id.");
  }
  const entry = byId.get(stay);
  if (isMember && entry?.disposition !== undefined && entry.disposition !== null && entry.disposition !== "stay") {
    report.add("serial.stay-disposition", "/stay_todo_id", `Its task has the disposition ${entry.disposition}, but must have stay.`, [{ pointer: `/task_migration/entries/${entry.index}/disposition`, message: "The disposition of that task." }]);
  }
}
