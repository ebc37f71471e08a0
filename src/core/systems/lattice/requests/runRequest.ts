// Owns: the rules run-request.* of base and successor requests but those of one todo's witness (spec/lattice.md 2.1, 5.2).
// Leaves to others: manual_witness entries (runRequestWitness.ts), bindings to other documents (recompileRequest.ts).
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { isGitSha, isIdentifier, isPlainObject, isPositiveInteger } from "../../../artifact/syntax.js";
import type { Finding } from "../finding.js";
import { CanonicalMemo } from "./canonicalMemo.js";
import { looksLikeDigest, requireDigest } from "./coercion.js";
import { baseRequestSchemas, isNonEmptyText, isOneOf, keysOf, queryOperations, requireKeys, schemaIds } from "./documentKeys.js";
import { dropCoveredAdvisories, Report } from "./report.js";
import { checkWitness, requireList } from "./runRequestWitness.js";

/** What a surrounding document may build on. */
export interface RunRequestShape {
  /** Null unless the document has its keys: then nothing of it is comparable. */
  readonly request: Readonly<Record<string, unknown>> | null;
  /** Null unless every todo has an id, so that no set of them can be formed. */
  readonly todoIds: readonly string[] | null;
  /** Members without a finding of their own: only these can be compared with another request's. */
  readonly isSound: (member: string) => boolean;
}

const identifierMessage = "Must be an identifier: 1 to 128 letters, digits, dots, underscores or hyphens.";

/** Judges a base request (v1; v3 and v4 in 0.50). Never throws on a value that came from JSON. */
export function checkRunRequest(value: unknown, options: { readonly dialect?: Dialect } = {}): Finding[] {
  return checkAlone(value, "base", options.dialect ?? defaultDialect);
}

/** Judges a successor request (v2) alone; its bindings to a migration and a predecessor are not judged. */
export function checkRunRequestV2(value: unknown, options: { readonly dialect?: Dialect } = {}): Finding[] {
  return checkAlone(value, "successor", options.dialect ?? defaultDialect);
}

function checkAlone(value: unknown, kind: "base" | "successor", dialect: Dialect): Finding[] {
  const report = Report.create();
  inspectRunRequest(value, kind, new CanonicalMemo(dialect), report);
  return dropCoveredAdvisories(report.findings);
}

/** All rules of one request under the base of `report`. */
export function inspectRunRequest(value: unknown, kind: "base" | "successor", memo: CanonicalMemo, report: Report): RunRequestShape {
  const unusable: RunRequestShape = { request: null, todoIds: null, isSound: () => false };
  const problem = memo.problem(value, "request_digest");
  if (problem !== null) {
    report.add("run-request.canonical-limits", "", `Has no canonical form: ${problem.message}`, [{ pointer: report.base + problem.pointer, message: problem.message }]);
    return unusable;
  }
  if (!requireKeys(value, kind === "base" ? keysOf.baseRequest : keysOf.successorRequest, "run-request.exact-keys", report)) return unusable;
  const { dialect } = memo;
  const firstOwn = report.findings.length;
  const schemas = kind === "base" ? baseRequestSchemas(dialect) : [schemaIds.successorRequest];
  report.require(isOneOf(schemas, value["schema"]), "run-request.schema-id", "/schema", `Must be ${schemas.join(" or ")}.`);
  if (kind === "successor") {
    requireDigest(value["predecessor_request_digest"], "run-request.predecessor-digest-format", report, "/predecessor_request_digest");
    requireDigest(value["task_migration_digest"], "run-request.migration-digest-format", report, "/task_migration_digest");
  }
  report.require(isIdentifier(value["request_id"]), "run-request.request-id-syntax", "/request_id", identifierMessage);
  checkRepoAndCapacity(value, report);
  const todoIds = checkTodos(value["todos"], report);
  checkWitnesses(value["manual_witness"], todoIds, allowsCreates(value["schema"], kind, dialect), dialect, report);
  checkQuerySet(value["sensor_query_set"], dialect, report.at("sensor_query_set"));
  checkCapability(value["executor_capability"], dialect, report.at("executor_capability"));
  report.require(value["claim_mode"] === "exact_minimum", "run-request.claim-mode", "/claim_mode", "Must be exact_minimum.");
  if (report.require(looksLikeDigest(value["request_digest"]), "run-request.digest-format", "/request_digest", "Must be 64 lower-case hexadecimal digits.")) {
    const digest = memo.selfDigest(value, "request_digest");
    report.require(value["request_digest"] === digest, "run-request.digest-match", "/request_digest", `Does not match the request, whose digest is ${digest}.`);
  }
  const own = report.findings.slice(firstOwn).flatMap(({ severity, pointer }) => (severity === "error" ? [pointer.slice(report.base.length)] : []));
  return { request: value, todoIds, isSound: (member) => !own.some((pointer) => pointer === `/${member}` || pointer.startsWith(`/${member}/`)) };
}

/** D5: `creates` needs v3, v4, or the successor of 0.50. */
function allowsCreates(schema: unknown, kind: "base" | "successor", dialect: Dialect): boolean {
  return dialect === "0.50" && (kind === "successor" || schema === schemaIds.runRequestV3 || schema === schemaIds.runRequestV4);
}

function checkRepoAndCapacity(value: Readonly<Record<string, unknown>>, report: Report): void {
  const { repo, capacity } = value;
  if (requireKeys(repo, ["base_sha", "root_kind"], "run-request.repo-exact-keys", report.at("repo"))) {
    report.require(isGitSha(repo["base_sha"]), "run-request.base-sha-format", "/repo/base_sha", "Must be a full commit id: 40 lower-case hexadecimal digits.");
    report.require(isIdentifier(repo["root_kind"]), "run-request.root-kind-syntax", "/repo/root_kind", identifierMessage);
  }
  if (requireKeys(capacity, ["executors"], "run-request.capacity-exact-keys", report.at("capacity"))) {
    report.require(isPositiveInteger(capacity["executors"]), "run-request.executors-positive", "/capacity/executors", "Must be a whole number of at least 1.");
  }
}

function checkTodos(todos: unknown, report: Report): readonly string[] | null {
  if (!Array.isArray(todos) || todos.length < 1 || todos.length > 256) {
    report.add("run-request.todos-bounds", "/todos", "Must be a list of 1 to 256 todos.");
    return Array.isArray(todos) && todos.length === 0 ? [] : null;
  }
  const firstIndex = new Map<string, number>();
  const ids: string[] = [];
  for (const [index, todo] of todos.entries()) {
    const at = report.at("todos", index);
    if (!requireKeys(todo, ["todo_id"], "run-request.todo-exact-keys", at)) continue;
    const id = todo["todo_id"];
    if (!isIdentifier(id)) {
      at.add("run-request.todo-id-syntax", "/todo_id", identifierMessage);
      continue;
    }
    ids.push(id);
    const first = firstIndex.get(id);
    if (first === undefined) firstIndex.set(id, index);
    else at.add("run-request.todo-id-unique", "/todo_id", `Todo ${id} is already item ${first + 1}.`, [{ pointer: `${report.base}/todos/${first}/todo_id`, message: "First occurrence." }]);
  }
  if (todos.length > 8) report.add("run-request.more-than-eight-todos", "/todos", `A plan holds at most 8 todos; these are ${todos.length}.`);
  return ids.length === todos.length ? ids : null;
}

function checkWitnesses(witnesses: unknown, todoIds: readonly string[] | null, canCreate: boolean, dialect: Dialect, report: Report): void {
  const at = report.at("manual_witness");
  if (!isPlainObject(witnesses)) {
    at.add("run-request.witness-object", "", "Must be an object with one member for each todo.");
    return;
  }
  const expected = todoIds === null ? null : new Set(todoIds);
  if (expected !== null && expected.size > 0) {
    const lacking = [...expected].filter((id) => !Object.hasOwn(witnesses, id));
    const strange = Object.keys(witnesses).filter((id) => !expected.has(id));
    if (lacking.length > 0 || strange.length > 0) {
      const parts = [...(lacking.length > 0 ? [`no witness for ${lacking.join(", ")}`] : []), ...(strange.length > 0 ? [`no todo for ${strange.map((id) => JSON.stringify(id)).join(", ")}`] : [])];
      at.add("run-request.witness-keys-equal-todos", "", `Must have one member for each todo: ${parts.join("; ")}.`, strange.map((id) => ({ pointer: at.at(id).base, message: "No todo has this id." })));
    }
  }
  for (const [id, witness] of Object.entries(witnesses)) {
    if (expected === null || expected.has(id)) checkWitness(witness, canCreate, dialect, at.at(id));
  }
}

function checkQuerySet(value: unknown, dialect: Dialect, report: Report): void {
  if (dialect === "0.12") {
    report.require(isPlainObject(value), "run-request.query-set-object", "", "Must be an object.");
    return;
  }
  if (!requireKeys(value, ["queries"], "run-request.query-set-exact-keys", report)) return;
  const queries = requireList(value["queries"], "run-request.query-set-bounds", report, "/queries");
  const firstIndex = new Map<string, number>();
  for (const [index, query] of queries.entries()) {
    const at = report.at("queries", index);
    const keys = isPlainObject(query) && Object.hasOwn(query, "target") ? ["id", "operation", "target"] : ["id", "operation"];
    if (!requireKeys(query, keys, "run-request.query-exact-keys", at)) continue;
    const { id, operation, target } = query;
    at.require(isOneOf(queryOperations, operation), "run-request.query-operation-enum", "/operation", `Must be one of ${queryOperations.join(", ")}.`);
    at.require(!Object.hasOwn(query, "target") || isNonEmptyText(target), "run-request.query-target-nonempty", "/target", "Must be a text that is not empty.");
    if (!isIdentifier(id)) {
      at.add("run-request.query-id-syntax", "/id", identifierMessage);
      continue;
    }
    const first = firstIndex.get(id);
    if (first === undefined) firstIndex.set(id, index);
    else at.add("run-request.query-id-unique", "/id", `Query ${id} is already item ${first + 1}.`, [{ pointer: `${report.base}/queries/${first}/id`, message: "First occurrence." }]);
  }
}

function checkCapability(value: unknown, dialect: Dialect, report: Report): void {
  if (dialect === "0.12") {
    report.require(isPlainObject(value), "run-request.capability-object", "", "Must be an object.");
    return;
  }
  if (!requireKeys(value, ["adapters"], "run-request.capability-exact-keys", report)) return;
  const { adapters } = value;
  const isValid = Array.isArray(adapters) && adapters.length >= 1 && adapters.length <= 256 && adapters.every(isIdentifier) && new Set(adapters).size === adapters.length;
  report.require(isValid, "run-request.capability-adapters", "/adapters", "Must be a list of 1 to 256 different identifiers.");
}
