// Owns: which changes may repair a finding: one small function for each kind of fix.
// Leaves to others: edits (changes.ts), digests that follow, and whether a repair really helps (fixes.ts).
import { isDeepStrictEqual } from "node:util";
import type { Dialect } from "../../../../artifact/canonical.js";
import { isPlainObject } from "../../../../artifact/syntax.js";
import { serialResourceOf } from "../applyTime.js";
import { CanonicalMemo } from "../canonicalMemo.js";
import type { RecompileContext } from "../context.js";
import { indexText } from "../jsonIndex.js";
import { compareCanonically } from "../order.js";
import { rules, type RuleId } from "../rules.js";
import type { FixKind } from "../rules/rule.js";
import { buildTreatment, heldFinding, identityEntry } from "../skeleton.js";
import type { LocatedFinding } from "../text.js";
import { tokensOf, type Change } from "./changes.js";

export interface Repair {
  readonly code: FixKind;
  readonly title: string;
  readonly changes: readonly Change[];
  /** Derived members to write even though they were wrong before. */
  readonly recompute: readonly string[];
  /** What a person would do without thinking; only these take part in fixing everything. */
  readonly isPreferred: boolean;
}

export interface RepairInput {
  readonly finding: LocatedFinding;
  readonly text: string;
  readonly start: number;
  /** The parsed document; undefined when the text does not parse. */
  readonly value: unknown;
  readonly context: RecompileContext;
  readonly dialect: Dialect;
}

type Fields = Readonly<Record<string, unknown>>;

/** The value at a pointer, undefined when there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  let at = document;
  for (const token of tokensOf(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, token)) return undefined;
    at = (at as Fields)[token];
  }
  return at;
}

/** Candidates, best first. Whether they help is not known yet. */
export function repairsFor(input: RepairInput): readonly Repair[] {
  const code = rules[input.finding.rule].fix;
  if (code === undefined) return [];
  const repair = builders[code](input);
  return repair === null ? [] : [{ code, ...repair }];
}

type Built = Omit<Repair, "code"> | null;

const builders: Readonly<Record<FixKind, (input: RepairInput) => Built>> = {
  "recompute-digest": recomputeDigest,
  "sort-array": sortArray,
  "remove-duplicate": removeDuplicate,
  "add-missing-entries": addMissingEntries,
  "add-treatment": addTreatment,
  "remove-treatment": ({ finding: { pointer } }) => simple(`Set ${nameOf(pointer)} to null`, [{ kind: "replace", pointer, value: null }]),
  "fill-binding": fillBinding,
  "copy-value": copyValue,
  "remove-keys": removeKeys,
  "strip-bom": () => simple("Remove the byte order mark", [{ kind: "cut", range: { offset: 0, length: 1 } }]),
  "remove-duplicate-key": removeDuplicateKey,
};

function simple(title: string, changes: readonly Change[], isPreferred = true): Built {
  return { title, changes, recompute: [], isPreferred };
}

function nameOf(pointer: string): string {
  return tokensOf(pointer).at(-1) ?? "the document";
}

function recomputeDigest({ finding: { pointer } }: RepairInput): Built {
  // A binding follows the migration's digest: if that is wrong itself, copying it would only move the mistake.
  const recompute = pointer.endsWith("/task_migration_digest") ? ["/task_migration/migration_digest", pointer] : [pointer];
  return { title: `Recompute ${nameOf(pointer)}`, changes: [], recompute, isPreferred: true };
}

interface ListPlace {
  readonly list: string;
  readonly index: number;
  /** From the item to the member that the finding is at, e.g. "/predecessor_task_id". */
  readonly member: string;
}

/** The innermost list of a pointer. */
function listPlaceOf(pointer: string): ListPlace | null {
  const found = /^(.*)\/(0|[1-9][0-9]*)((?:\/[^/]*)?)$/.exec(pointer);
  return found === null ? null : { list: found[1] ?? "", index: Number(found[2]), member: found[3] ?? "" };
}

function sortArray({ finding: { rule, pointer }, value, dialect }: RepairInput): Built {
  const place = rule === "dialect.order" ? { list: pointer, member: "" } : listPlaceOf(pointer);
  const items = place === null ? undefined : valueAt(value, place.list);
  if (place === null || !Array.isArray(items)) return null;
  const order = sortedOrder(items, place.member, rule, dialect);
  if (order === null) return null;
  const title = rule === "dialect.order" ? "Sort ascending, which makes another successor the primary one" : `Sort ${nameOf(place.list)}${order.length < items.length ? " and remove repetitions" : ""}`;
  return simple(title, mirrored(value, place.list, (list) => ({ kind: "arrange", pointer: list, order })), rule !== "dialect.order");
}

/** Indexes in the order that the rule wants, equal items once; null when different items are equal in order. */
function sortedOrder(items: readonly unknown[], member: string, rule: RuleId, dialect: Dialect): readonly number[] | null {
  const memo = new CanonicalMemo(dialect, true);
  const keys = items.map((item) => (member === "" ? item : valueAt(item, member)));
  const isPlain = rule.startsWith("phase.") && member !== "";
  const compare = (a: number, b: number): number => (isPlain ? plainly(String(keys[a]), String(keys[b])) : compareCanonically(keys[a], keys[b], memo));
  const hasPrimary = rule === "migration.successors-order" && dialect === "0.50";
  const indexes = items.map((_, index) => index);
  const sorted = hasPrimary ? [0, ...indexes.slice(1).sort(compare)] : indexes.sort(compare);
  const order: number[] = [];
  for (const index of sorted) {
    const twin = order.find((other) => compare(other, index) === 0);
    if (twin === undefined) order.push(index);
    else if (!isDeepStrictEqual(items[twin], items[index])) return null;
  }
  return order;
}

function plainly(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A change of the migration is made in the revision's copy too, as long as the two are the same. */
function mirrored(value: unknown, pointer: string, change: (pointer: string) => Change): readonly Change[] {
  const main = "/task_migration";
  const copy = "/phase_revision/runtime_task_migration";
  const isShared = pointer.startsWith(`${main}/`) && isDeepStrictEqual(valueAt(value, main), valueAt(value, copy));
  return isShared ? [change(pointer), change(copy + pointer.slice(main.length))] : [change(pointer)];
}

function removeDuplicate({ finding: { pointer }, value }: RepairInput): Built {
  const place = listPlaceOf(pointer);
  const items = place === null ? undefined : valueAt(value, place.list);
  if (place === null || !Array.isArray(items)) return null;
  const order = items.map((_, index) => index).filter((index) => index !== place.index);
  return simple(`Remove the repeated item from ${nameOf(place.list)}`, mirrored(value, place.list, (list) => ({ kind: "arrange", pointer: list, order })));
}

function addMissingEntries({ value, context: { predecessorBundle: bundle } }: RepairInput): Built {
  const entries = valueAt(value, "/task_migration/entries");
  const todos = valueAt(value, "/successor_request/todos");
  if (bundle === undefined || !Array.isArray(entries) || !Array.isArray(todos)) return null;
  const successors = new Set(todos.map((todo) => (isPlainObject(todo) ? todo["todo_id"] : undefined)));
  const ids = entries.map((entry: unknown) => (isPlainObject(entry) ? entry["predecessor_task_id"] : undefined));
  const missing = bundle.plan.nodes.map(({ todo_id: id }) => id).filter((id) => !ids.includes(id)).sort(plainly);
  const changes: Change[] = [];
  for (const id of missing) {
    const index = ids.filter((other) => typeof other === "string" && other < id).length;
    ids.splice(index, 0, id);
    const entry = successors.has(id) ? identityEntry(id, "carry") : { predecessor_task_id: id, disposition: "retire", successor_task_ids: [], reason: "Not in the successor request.", evidence_digests: [] };
    changes.push(...mirrored(value, "/task_migration/entries", (pointer) => ({ kind: "insert-item", pointer, index, value: entry })));
  }
  return changes.length === 0 ? null : simple(`Add ${missing.length === 1 ? "the entry" : "entries"} for ${missing.join(", ")}`, changes);
}

function addTreatment({ finding: { pointer, rule }, value, context }: RepairInput): Built {
  const finding = heldFinding(context);
  if (finding === null || valueAt(value, pointer) !== null) return null;
  const mode = rule === "seam.exact-keys" ? "seam_split" : "intentional_serial";
  const staying = valueAt(value, "/task_migration/entries");
  const stay: unknown = Array.isArray(staying) ? staying.find((entry) => isPlainObject(entry) && entry["disposition"] === "stay" && finding.todoIds.includes(String(entry["predecessor_task_id"]))) : undefined;
  const stayTodoId = isPlainObject(stay) ? String(stay["predecessor_task_id"]) : undefined;
  const treatment = buildTreatment(mode, finding, { reason: "Treats the finding of the hold decision.", ...(stayTodoId === undefined ? {} : { stayTodoId }) });
  if (treatment === null) return null;
  const inner = mode === "seam_split" ? ["/ownership_diff/diff_digest", "/edge_diff/diff_digest", "/task_migration_digest", "/split_digest"] : ["/serial_digest"];
  return { title: `Add the ${mode} for the held finding`, changes: [{ kind: "replace", pointer, value: treatment }], recompute: inner.map((member) => pointer + member), isPreferred: true };
}

function fillBinding({ finding: { pointer }, value, context, dialect }: RepairInput): Built {
  const expected = expectedBinding(pointer, context, dialect);
  if (expected === undefined || isDeepStrictEqual(valueAt(value, pointer), expected)) return null;
  return simple(`Fill ${nameOf(pointer)} from the run`, [{ kind: "replace", pointer, value: expected }]);
}

/** What the run says of a member that must agree with it; undefined when it says nothing. */
export function expectedBinding(pointer: string, context: RecompileContext, dialect: Dialect): unknown {
  const { predecessorBundle: bundle, frozenEventDigest, holdDecisionDigest } = context;
  const finding = heldFinding(context);
  switch (pointer) {
    case "/predecessor_epoch":
      return bundle?.plan_epoch;
    case "/frozen_event_digest":
      return frozenEventDigest;
    case "/hold_decision_digest":
      return holdDecisionDigest;
    case "/successor_request/predecessor_request_digest":
      return bundle?.request["request_digest"];
    case "/seam_split/finding_digest":
    case "/intentional_serial/finding_digest":
      return finding?.digest;
    case "/seam_split/predecessor_task_ids":
    case "/intentional_serial/todo_ids":
      return finding?.todoIds;
    case "/intentional_serial/resource_id":
      return finding === null ? undefined : (serialResourceOf(finding, dialect) ?? undefined);
    default:
      return undefined;
  }
}

function copyValue({ finding: { pointer, rule }, value, context }: RepairInput): Built {
  const { source, isPreferred } = sourceOfCopy(pointer, rule, value, context);
  if (source === undefined || isDeepStrictEqual(source, valueAt(value, pointer))) return null;
  return simple(rule === "recompile.phase-required-input-change" ? `Take back the change of ${nameOf(pointer)}` : `Copy ${nameOf(pointer)} from where it is defined`, [{ kind: "replace", pointer, value: source }], isPreferred);
}

function sourceOfCopy(pointer: string, rule: RuleId, value: unknown, context: RecompileContext): { readonly source: unknown; readonly isPreferred: boolean } {
  const at = (place: string): { source: unknown; isPreferred: boolean } => ({ source: valueAt(value, place), isPreferred: true });
  const member = nameOf(pointer);
  switch (rule) {
    case "recompile.run-id-binding":
      return at("/run_id");
    case "recompile.phase-migration-binding":
      return at("/task_migration");
    case "recompile.phase-required-input-change":
      return { source: context.predecessorBundle?.request[member], isPreferred: false };
    case "phase.plan-identity":
      return at(`/phase_revision/${member}`);
    case "phase.plan-predecessor-binding":
      return at("/phase_revision/predecessor/plan_digest");
    case "phase.inventory-narrative-binding":
      return at(`/phase_revision/desired_plan/tasks/${listPlaceOf(pointer)?.index ?? ""}/narrative_ref`);
    default:
      return { source: undefined, isPreferred: false };
  }
}

function removeKeys({ finding: { pointer, related = [] } }: RepairInput): Built {
  const unknown = related.filter((place) => place.file === undefined && place.pointer.startsWith(`${pointer}/`));
  if (unknown.length === 0) return null;
  const names = unknown.map((place) => nameOf(place.pointer));
  return simple(`Remove ${names.map((name) => JSON.stringify(name)).join(", ")}`, unknown.map((place) => ({ kind: "remove-member", pointer: place.pointer })), false);
}

/** Takes out the member that the runtime ignores: the earlier one, up to the next key. */
function removeDuplicateKey({ finding: { pointer, range }, text, start }: RepairInput): Built {
  const twins = indexText(text, start, { repeatedKeys: true }).repeatedKeys.filter((twin) => twin.pointer === pointer);
  const found = twins.find(({ first, again }) => [first.key?.offset, again.key?.offset].includes(range.offset));
  const { key = null, value } = found?.first ?? {};
  if (key === null || value === undefined) return null;
  const after = /^\s*,\s*/.exec(text.slice(value.offset + value.length))?.[0].length ?? 0;
  return simple(`Remove the ${JSON.stringify(nameOf(pointer))} that is ignored`, [{ kind: "cut", range: { offset: key.offset, length: value.offset + value.length + after - key.offset } }]);
}
