// Owns: the rules of the desired plan of a phase revision: lattice.todo_plan.v5 and v7 (spec/lattice.md section 2.7).
// Leaves to others: how its derived members are computed (phaseSeal.ts).
import { hasExactKeys, isDigest, isIdentifier, isPlainObject } from "../../../artifact/syntax.js";
import type { CanonicalMemo } from "./canonicalMemo.js";
import { isNonEmptyText, isOneOf, requireKeys, schemaIds } from "./documentKeys.js";
import { planVersion, topologyDigest } from "./phaseSeal.js";
import type { Report } from "./report.js";
import { requirePlainOrder, requireTodoDigest } from "./todoArtifact.js";

export interface DesiredPlan {
  /** Null unless every task has its keys and an id. */
  readonly taskIds: readonly string[] | null;
  /** narrative_ref of each task, in the order of taskIds. */
  readonly narrativeRefs: readonly unknown[];
  readonly phaseIds: readonly string[] | null;
}

export const todoPlanKeys = [
  "schema", "project_id", "plan_key", "plan_version", "predecessor_plan_digest", "tasks", "hard_dependencies", "joins", "topology_digest",
  "plan_digest", "phases", "phase_accept_dependencies",
] as const;

const taskKeys = ["task_id", "title", "lane", "narrative_ref", "narrative_anchor", "compile_binding", "parent_task_id", "phase_id"] as const;
const phaseKeys = ["phase_id", "title", "gate_policy", "predecessor_phase_ids", "required_evidence_slots"] as const;

type Fields = Readonly<Record<string, unknown>>;

/** Null when the plan has not its keys. */
export function checkDesiredPlan(revision: Fields, memo: CanonicalMemo, report: Report): DesiredPlan | null {
  const plan = revision["desired_plan"];
  if (!requireKeys(plan, todoPlanKeys, "phase.plan-exact-keys", report)) return null;
  const schemas = memo.dialect === "0.12" ? [schemaIds.todoPlanV5] : [schemaIds.todoPlanV5, schemaIds.todoPlanV7];
  report.require(isOneOf(schemas, plan["schema"]), "phase.plan-schema-id", "/schema", `Must be ${schemas.join(" or ")}.`);
  for (const member of ["project_id", "plan_key"]) {
    report.require(plan[member] === revision[member], "phase.plan-identity", `/${member}`, `Must equal ${member} of the revision.`);
  }
  const predecessor = revision["predecessor"];
  if (isPlainObject(predecessor) && isDigest(predecessor["plan_digest"])) {
    report.require(plan["predecessor_plan_digest"] === predecessor["plan_digest"], "phase.plan-predecessor-binding", "/predecessor_plan_digest", "Must equal predecessor.plan_digest of the revision.");
  }
  const phaseIds = checkPhases(plan["phases"], report);
  const tasks = checkTasks(plan["tasks"], plan["schema"] === schemaIds.todoPlanV7, phaseIds, report);
  checkDependencies(plan["hard_dependencies"], memo, report);
  for (const member of ["joins", "phase_accept_dependencies"]) report.require(Array.isArray(plan[member]), "phase.joins-array", `/${member}`, "Must be a list.");
  const version = planVersion(revision, plan, memo);
  report.require(plan["plan_version"] === version, "phase.plan-version", "/plan_version", `Must be ${version}, derived from predecessor, topology and migrations.`);
  const topology = topologyDigest(plan, memo);
  report.require(plan["topology_digest"] === topology, "phase.topology-digest", "/topology_digest", `Does not match the topology, whose digest is ${topology}.`);
  requireTodoDigest(plan, "plan_digest", "phase.plan-digest", memo, report);
  return { taskIds: tasks?.map(({ id }) => id) ?? null, narrativeRefs: tasks?.map(({ narrativeRef }) => narrativeRef) ?? [], phaseIds };
}

interface Task {
  readonly id: string;
  readonly parent: string | null;
  readonly narrativeRef: unknown;
}

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";

function checkTasks(value: unknown, hasMemo: boolean, phaseIds: readonly string[] | null, report: Report): readonly Task[] | null {
  if (!Array.isArray(value)) {
    report.add("phase.tasks-array", "/tasks", "Must be a list of tasks.");
    return null;
  }
  const keys = hasMemo ? [...taskKeys, "design_memo"] : taskKeys;
  const tasks: Task[] = [];
  for (const [index, task] of value.entries()) {
    const at = report.at("tasks", index);
    if (!requireKeys(task, keys, "phase.task-exact-keys", at)) continue;
    const { task_id: id, parent_task_id: parent, phase_id: phase } = task;
    const wrong = [
      ...(isIdentifier(id) ? [] : ["task_id"]),
      ...(isIdentifier(phase) ? [] : ["phase_id"]),
      ...(parent === null || isIdentifier(parent) ? [] : ["parent_task_id"]),
      ...["title", "narrative_ref", "narrative_anchor"].filter((member) => !isTextOrNull(task[member])),
      ...(typeof task["lane"] === "string" ? [] : ["lane"]),
    ];
    if (wrong.length > 0) at.add("phase.task-syntax", "", `Wrong form: ${wrong.join(", ")}.`, wrong.map((member) => ({ pointer: `${at.base}/${member}`, message: "Has the wrong form." })));
    if (isIdentifier(id)) tasks.push({ id, parent: isIdentifier(parent) ? parent : null, narrativeRef: task["narrative_ref"] });
    if (isIdentifier(phase) && phaseIds !== null && !phaseIds.includes(phase)) at.add("phase.reference-unknown", "/phase_id", "The plan has no phase of this id.");
  }
  if (tasks.length < value.length) return null;
  requirePlainOrder("phase.tasks-sorted-unique", tasks.map(({ id }) => id), { pointer: "/tasks", member: "/task_id", what: "task ids" }, report);
  const parents = new Map(tasks.map(({ id, parent }) => [id, parent === null ? [] : [parent]]));
  const cyclic = tasks.findIndex(({ id }) => reaches(id, id, parents));
  if (cyclic >= 0) report.add("phase.task-parents-acyclic", `/tasks/${cyclic}/parent_task_id`, "The task is its own ancestor.");
  for (const [index, { parent }] of tasks.entries()) {
    if (parent !== null && !parents.has(parent)) report.add("phase.reference-unknown", `/tasks/${index}/parent_task_id`, "The plan has no task of this id.");
  }
  return tasks;
}

function checkPhases(value: unknown, report: Report): readonly string[] | null {
  if (!Array.isArray(value)) {
    report.add("phase.phases-array", "/phases", "Must be a list of phases.");
    return null;
  }
  const phases: { readonly id: string; readonly predecessors: readonly string[] }[] = [];
  for (const [index, phase] of value.entries()) {
    const at = report.at("phases", index);
    if (!requireKeys(phase, phaseKeys, "phase.phase-exact-keys", at)) continue;
    const { phase_id: id, predecessor_phase_ids: predecessors, required_evidence_slots: slots } = phase;
    const wrong = [
      ...(isIdentifier(id) ? [] : ["phase_id"]),
      ...["title", "gate_policy"].filter((member) => !isNonEmptyText(phase[member])),
      ...(isAscending(predecessors, isIdentifier) ? [] : ["predecessor_phase_ids"]),
      ...(isAscending(slots, isNonEmptyText) && slots.length > 0 ? [] : ["required_evidence_slots"]),
    ];
    if (wrong.length > 0) at.add("phase.phase-syntax", "", `Wrong form: ${wrong.join(", ")}.`, wrong.map((member) => ({ pointer: `${at.base}/${member}`, message: "Has the wrong form." })));
    if (isIdentifier(id)) phases.push({ id, predecessors: isAscending(predecessors, isIdentifier) ? predecessors : [] });
  }
  if (phases.length < value.length) return null;
  const ids = phases.map(({ id }) => id);
  requirePlainOrder("phase.phases-sorted-unique", ids, { pointer: "/phases", member: "/phase_id", what: "phase ids" }, report);
  const before = new Map(phases.map(({ id, predecessors }) => [id, predecessors]));
  const cyclic = phases.findIndex(({ id }) => reaches(id, id, before));
  if (cyclic >= 0) report.add("phase.phases-acyclic", `/phases/${cyclic}/predecessor_phase_ids`, "The phase comes before itself.");
  for (const [index, { predecessors }] of phases.entries()) {
    const strange = predecessors.filter((id) => !before.has(id));
    if (strange.length > 0) report.add("phase.reference-unknown", `/phases/${index}/predecessor_phase_ids`, `The plan has no phase ${strange.join(", ")}.`);
  }
  return ids;
}

function isAscending(value: unknown, accepts: (item: unknown) => item is string): value is readonly string[] {
  if (!Array.isArray(value)) return false;
  return value.every((item: unknown, index) => accepts(item) && (index === 0 || (value[index - 1] as string) < item));
}

/** Whether `target` can be reached from `start` in one step or more. Iterative: a hostile plan may be one long chain. */
function reaches(start: string, target: string, next: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const open = [...(next.get(start) ?? [])];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === target) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(next.get(at) ?? []));
  }
  return false;
}

function checkDependencies(value: unknown, memo: CanonicalMemo, report: Report): void {
  if (!Array.isArray(value)) {
    report.add("phase.dependencies", "/hard_dependencies", "Must be a list.");
    return;
  }
  const wrong = value.findIndex((item) => !hasExactKeys(item, ["from", "to"]) || !isNodeRef(item["from"]) || !isNodeRef(item["to"]));
  if (wrong >= 0) {
    report.add("phase.dependencies", `/hard_dependencies/${wrong}`, "Must be {from, to}, each {project_id, plan_key, task_id}.");
    return;
  }
  // Which member of a node leads the order is not stated; what ascends in either sense is accepted.
  const byNode = value.map((item) => (item as { from: Fields; to: Fields })).map(({ from, to }) => [from, to].flatMap((node) => [node["project_id"], node["plan_key"], node["task_id"]]).join("\u0000"));
  const byText = value.map((item) => memo.text(item));
  const isStrict = (texts: readonly string[]): boolean => texts.every((text, index) => index === 0 || (texts[index - 1] ?? "") < text);
  if (!isStrict(byNode) && !isStrict(byText)) requirePlainOrder("phase.dependencies-sorted-unique", byText, { pointer: "/hard_dependencies", what: "dependencies" }, report);
}

function isNodeRef(value: unknown): boolean {
  return hasExactKeys(value, ["project_id", "plan_key", "task_id"]) && Object.values(value).every(isIdentifier);
}
