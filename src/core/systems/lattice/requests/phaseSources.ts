// Owns: the rules of source_inventory and source_cutover_batch of a phase revision (spec/lattice.md section 2.7).
import { hasExactKeys, isDigest, isIdentifier, isPlainObject } from "../../../artifact/syntax.js";
import type { CanonicalMemo } from "./canonicalMemo.js";
import { isNonEmptyText, isOneOf, requireKeys } from "./documentKeys.js";
import type { DesiredPlan } from "./phasePlan.js";
import type { Report } from "./report.js";
import { requirePlainOrder, requireTodoDigest } from "./todoArtifact.js";

const sourceRefPattern = /^.+#L[1-9][0-9]*$/su;

function isSourceRef(value: unknown): value is string {
  return typeof value === "string" && sourceRefPattern.test(value);
}

interface Source {
  readonly ref: string;
  readonly digest: string;
}

/** What the batch must agree with; null members could not be read. */
export interface Inventory {
  readonly active: ReadonlyMap<string, Source> | null;
  readonly tombstones: readonly Source[] | null;
}

export function checkSourceInventory(value: unknown, plan: DesiredPlan | null, report: Report): Inventory {
  if (!requireKeys(value, ["active", "excluded_tombstones"], "phase.inventory-exact-keys", report)) return { active: null, tombstones: null };
  const active = checkActive(value["active"], plan, report);
  const tombstones = checkTombstones(value["excluded_tombstones"], report);
  if (active !== null && tombstones !== null) {
    const refs = new Set([...active.values()].map(({ ref }) => ref));
    const shared = tombstones.findIndex(({ ref }) => refs.has(ref));
    if (shared >= 0) report.add("phase.tombstones-disjoint", `/excluded_tombstones/${shared}/source_ref`, "This place is an active source too.");
  }
  return { active, tombstones };
}

function checkActive(value: unknown, plan: DesiredPlan | null, report: Report): ReadonlyMap<string, Source> | null {
  if (!Array.isArray(value)) {
    report.add("phase.inventory-entry", "/active", "Must be a list.");
    return null;
  }
  const wrong = value.findIndex((item) => !hasExactKeys(item, ["task_id", "source_ref", "source_digest"]) || !isIdentifier(item["task_id"]) || !isSourceRef(item["source_ref"]) || !isDigest(item["source_digest"]));
  if (wrong >= 0) {
    report.add("phase.inventory-entry", `/active/${wrong}`, "Must be {task_id, source_ref: <file>#L<line>, source_digest}.");
    return null;
  }
  const items = value as readonly { readonly task_id: string; readonly source_ref: string; readonly source_digest: string }[];
  const ids = items.map(({ task_id: id }) => id);
  const refs = items.map(({ source_ref: ref }) => ref);
  const taskIds = plan?.taskIds ?? null;
  if (taskIds !== null && ids.join("\u0000") !== taskIds.join("\u0000")) {
    report.add("phase.inventory-order", "/active", "Must have one item for each task of the desired plan, in the order of the plan.");
  } else if (taskIds !== null) {
    for (const [index, ref] of refs.entries()) {
      report.require(ref === plan?.narrativeRefs[index], "phase.inventory-narrative-binding", `/active/${index}/source_ref`, "Must equal narrative_ref of the task.");
    }
  }
  const repeated = refs.findIndex((ref, index) => refs.indexOf(ref) < index);
  if (repeated >= 0) report.add("phase.inventory-refs-unique", `/active/${repeated}/source_ref`, `Is the source of item ${refs.indexOf(refs[repeated] ?? "") + 1} too.`);
  return new Map(items.map(({ task_id: id, source_ref: ref, source_digest: digest }) => [id, { ref, digest }]));
}

function checkTombstones(value: unknown, report: Report): readonly Source[] | null {
  if (!Array.isArray(value)) {
    report.add("phase.tombstone-entry", "/excluded_tombstones", "Must be a list.");
    return null;
  }
  const wrong = value.findIndex((item) => !hasExactKeys(item, ["source_ref", "source_digest", "exclusion_reason"]) || !isSourceRef(item["source_ref"]) || !isDigest(item["source_digest"]) || !isNonEmptyText(item["exclusion_reason"]));
  if (wrong >= 0) {
    report.add("phase.tombstone-entry", `/excluded_tombstones/${wrong}`, "Must be {source_ref: <file>#L<line>, source_digest, exclusion_reason}.");
    return null;
  }
  const items = (value as readonly { readonly source_ref: string; readonly source_digest: string }[]).map(({ source_ref: ref, source_digest: digest }) => ({ ref, digest }));
  requirePlainOrder("phase.tombstones-sorted-unique", items.map(({ ref }) => ref), { pointer: "/excluded_tombstones", member: "/source_ref", what: "source_ref values" }, report);
  return items;
}

export function checkCutoverBatch(value: unknown, inventory: Inventory, memo: CanonicalMemo, report: Report): void {
  if (!requireKeys(value, ["batch_id", "archive_ref", "operations", "batch_digest"], "phase.cutover-exact-keys", report)) return;
  const { batch_id: batchId, archive_ref: archive, operations } = value;
  report.require(isIdentifier(batchId), "phase.cutover-archive-ref", "/batch_id", "Must be an identifier.");
  const isArchive = report.require(typeof archive === "string" && /.\.md$/su.test(archive), "phase.cutover-archive-ref", "/archive_ref", "Must be a Markdown file (.md).");
  requireTodoDigest(value, "batch_digest", "phase.cutover-digest", memo, report);
  if (!Array.isArray(operations) || operations.length < 1 || operations.length > 512) {
    report.add("phase.cutover-operations", "/operations", "Must be a list of 1 to 512 operations.");
    return;
  }
  const wrong = operations.findIndex((item) => !isPlainObject(item) || !isOneOf(["active", "excluded"], item["disposition"]) || !isSourceRef(item["source_ref"]) || !isDigest(item["source_digest"]));
  if (wrong >= 0) {
    report.add("phase.cutover-operations", `/operations/${wrong}`, "Must have disposition active or excluded, source_ref (<file>#L<line>) and source_digest.");
    return;
  }
  const steps = operations as readonly Readonly<Record<string, unknown>>[];
  requirePlainOrder("phase.cutover-sorted", steps.map(({ source_ref: ref }) => String(ref)), { pointer: "/operations", member: "/source_ref", what: "source_ref values" }, report);
  if (!isArchive) return;
  for (const [index, step] of steps.entries()) {
    const place = `${String(archive)}#L${index + 6}`;
    if (!isInInventory(step, place, inventory)) {
      report.add("phase.cutover-inventory-binding", `/operations/${index}`, `The inventory must list ${place} with the same digest ${step["disposition"] === "active" ? "for its task" : "as a tombstone"}.`);
    }
  }
}

function isInInventory(step: Readonly<Record<string, unknown>>, place: string, { active, tombstones }: Inventory): boolean {
  if (step["disposition"] === "active") {
    if (active === null) return true;
    const source = active.get(String(step["task_id"]));
    return source?.ref === place && source.digest === step["source_digest"];
  }
  return tombstones === null || tombstones.some(({ ref, digest }) => ref === place && digest === step["source_digest"]);
}
