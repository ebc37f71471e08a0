// Owns: the rules of one todo's witness (spec/lattice.md sections 2.1.1 and 5.2).
// Leaves to others: which todos have one (runRequest.ts).
import type { Dialect } from "../../../artifact/canonical.js";
import { hasExactKeys, isIdentifier, isPlainObject, isRepoPath } from "../../../artifact/syntax.js";
import { isNonEmptyText, isOneOf, keysOf, requireKeys, stateEffectKinds } from "./documentKeys.js";
import type { Report } from "./report.js";
import type { RuleId } from "./rules.js";

/** Every list of a request but `todos` has at most this many items. */
const maxItems = 256;

/** The list, or an empty one after reporting that it is none or too long. */
export function requireList(value: unknown, rule: RuleId, report: Report, pointer: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= maxItems) return value;
  report.add(rule, pointer, `Must be a list of at most ${maxItems} items.`);
  return [];
}

interface FieldRule {
  readonly rule: RuleId;
  readonly accepts: (item: unknown, canCreate: boolean) => boolean;
  readonly expected: string;
}

const fields: readonly (FieldRule & { readonly field: string })[] = [
  { field: "owns", rule: "run-request.witness-owns", accepts: isOwnership, expected: "{kind: symbol or path, target}" },
  { field: "reads", rule: "run-request.witness-reads", accepts: (item) => isRepoPath(item), expected: "a repository path" },
  { field: "writes", rule: "run-request.witness-writes", accepts: (item) => isRepoPath(item, { prefixAllowed: true }), expected: "a repository path or prefix" },
  { field: "resources", rule: "run-request.witness-resources", accepts: isIdentifier, expected: "an identifier" },
  { field: "state_effects", rule: "run-request.witness-state-effects", accepts: isStateEffect, expected: "{resource_id, kind}" },
  { field: "affected_tests", rule: "run-request.witness-affected-tests", accepts: (item) => isRepoPath(item), expected: "a repository path" },
  { field: "unknowns", rule: "run-request.witness-unknowns", accepts: isUnknown, expected: "{kind, ref}" },
];

/** `canCreate`: the document may have owns[].creates (D5). */
export function checkWitness(witness: unknown, canCreate: boolean, dialect: Dialect, report: Report): void {
  if (!requireKeys(witness, keysOf.witness, "run-request.witness-exact-keys", report)) return;
  for (const { field, rule, accepts, expected } of fields) {
    const list = witness[field];
    if (!Array.isArray(list) || list.length > maxItems) {
      report.add(rule, `/${field}`, `Must be a list of at most ${maxItems} items.`);
      continue;
    }
    if (list.every((item) => accepts(item, canCreate))) continue;
    const wrong = [...list.keys()].filter((index) => !accepts(list[index], canCreate));
    const related = wrong.slice(0, 10).map((index) => ({ pointer: `${report.base}/${field}/${index}`, message: wrongItem(field, list[index], expected, canCreate) }));
    report.add(rule, `/${field}`, `Item ${wrong.map((index) => index + 1).join(", ")} is not ${expected}${hint(field, list[wrong[0] ?? 0], canCreate)}.`, related);
  }
  checkProvenance(witness["sensor_provenance"], dialect, report.at("sensor_provenance"));
}

function wrongItem(field: string, item: unknown, expected: string, canCreate: boolean): string {
  return `Must be ${expected}${hint(field, item, canCreate)}.`;
}

function hint(field: string, item: unknown, canCreate: boolean): string {
  if (field !== "owns" || !isPlainObject(item) || !Object.hasOwn(item, "creates")) return "";
  if (!canCreate) return "; creates is not allowed in this kind of request";
  return "; creates may only be true, on a path";
}

export function isOwnership(item: unknown, canCreate: boolean): boolean {
  if (!isPlainObject(item)) return false;
  const creates = Object.hasOwn(item, "creates");
  if (creates && !(canCreate && item["creates"] === true && item["kind"] === "path")) return false;
  if (!hasExactKeys(item, creates ? ["kind", "target", "creates"] : ["kind", "target"])) return false;
  const target = item["target"];
  return isOneOf(["symbol", "path"], item["kind"]) && isNonEmptyText(target) && Buffer.byteLength(target, "utf8") <= 1024;
}

export function isStateEffect(item: unknown): boolean {
  return hasExactKeys(item, ["resource_id", "kind"]) && isIdentifier(item["resource_id"]) && isOneOf(stateEffectKinds, item["kind"]);
}

export function isUnknown(item: unknown): boolean {
  return hasExactKeys(item, ["kind", "ref"]) && isIdentifier(item["kind"]) && isNonEmptyText(item["ref"]);
}

/** D6. */
function checkProvenance(value: unknown, dialect: Dialect, report: Report): void {
  if (dialect === "0.12") {
    report.require(isPlainObject(value), "run-request.provenance-object", "", "Must be an object.");
    return;
  }
  if (!requireKeys(value, ["queries"], "run-request.provenance-exact-keys", report)) return;
  for (const [index, entry] of requireList(value["queries"], "run-request.provenance-queries-bounds", report, "/queries").entries()) {
    const at = report.at("queries", index);
    if (!requireKeys(entry, ["query_id", "expect"], "run-request.provenance-entry-exact-keys", at)) continue;
    at.require(isIdentifier(entry["query_id"]), "run-request.provenance-query-id-syntax", "/query_id", "Must be an identifier.");
    at.require(isExpectation(entry["expect"]), "run-request.provenance-expect", "/expect", "Must be {kind: symbol, name, path} or {kind: path or affected, path}.");
  }
}

function isExpectation(value: unknown): boolean {
  if (hasExactKeys(value, ["kind", "name", "path"])) return value["kind"] === "symbol" && isNonEmptyText(value["name"]) && isRepoPath(value["path"]);
  return hasExactKeys(value, ["kind", "path"]) && isOneOf(["path", "affected"], value["kind"]) && isRepoPath(value["path"]);
}
