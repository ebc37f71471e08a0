// Owns: which rows stand inside a run, in which order. Only groups that hold something. Pure.
// Leaves to others: paging and identity (tree/children.ts, tree/treeModel.ts), how they look (detailRows.ts).
import type { RunDetail } from "../../core/systems/lattice/store/runDetail.js";
import { detailGroups, statusFacts, type DetailGroup, type DetailItem, type RunLook, type StatusFact } from "./detailItem.js";

/** `name` is unique and stable below its run. */
export interface NamedItem {
  readonly name: string;
  readonly item: DetailItem;
}

/** Rows of the run itself, after its locks. */
export function itemsOfRun(look: RunLook): readonly NamedItem[] {
  if (look.kind !== "seen") return [{ name: "status", item: look }];
  const { detail } = look;
  const groups = detailGroups
    .filter((group) => groupSize(group, detail) > 0)
    .map((group): NamedItem => ({ name: group, item: { kind: "group", group, detail } }));
  return [{ name: "status", item: { kind: "status", detail } }, ...groups];
}

/** Rows below one of them. */
export function itemsBelow(item: DetailItem): readonly NamedItem[] {
  if (item.kind === "status") {
    const { detail } = item;
    return statusFacts.filter((fact) => hasFact(fact, detail)).map((fact) => ({ name: `status:${fact}`, item: { kind: "fact", fact, detail } }));
  }
  return item.kind === "group" ? numbered(itemsOfGroup(item.group, item.detail)) : [];
}

export function groupSize(group: DetailGroup, detail: RunDetail): number {
  switch (group) {
    case "events":
      return detail.events.entries.length;
    case "owners":
      return (detail.supervisor === null ? 0 : 1) + detail.controllers.length;
    case "todos":
    case "epochs":
    case "findings":
    case "leases":
    case "problems":
    case "leftovers":
      return detail[group].length;
  }
}

export function hasFact(fact: StatusFact, detail: RunDetail): boolean {
  const { status } = detail;
  switch (fact) {
    case "records":
    case "version":
      return true;
    case "frozen":
      return status.frozenSince !== null || status.frozenBy !== null;
    case "held":
    case "carriedOver":
    case "redispatched":
      return detail[fact].length > 0;
    case "staged":
      return status.isStaged;
    case "advice":
      return detail.treatmentAdvice !== null;
  }
}

function itemsOfGroup(group: DetailGroup, detail: RunDetail): readonly NamedItem[] {
  switch (group) {
    case "todos":
      return detail.todos.map((todo) => ({ name: `todo:${todo.todoId}`, item: { kind: "todo", todo } }));
    case "epochs":
      return detail.epochs.map((epoch) => ({ name: `epoch:${epoch.directory}`, item: { kind: "epoch", epoch } }));
    case "events": {
      const { entries, path } = detail.events;
      // The index, not the sequence, is the identity: damaged journals repeat sequences.
      return entries.map((event): NamedItem => ({ name: `event:${String(event.index)}`, item: { kind: "event", event, path } })).reverse();
    }
    case "findings":
      return detail.findings.map((finding) => ({ name: `finding:${finding.path}`, item: { kind: "finding", finding } }));
    case "owners": {
      const { supervisor, controllers } = detail;
      const first: readonly NamedItem[] = supervisor === null ? [] : [{ name: "supervisor", item: { kind: "supervisor", supervisor } }];
      return [...first, ...controllers.map((controller): NamedItem => ({ name: `controller:${controller.descriptorPath}`, item: { kind: "controller", controller } }))];
    }
    case "leases":
      return detail.leases.map((lease) => ({ name: `lease:${lease.state}:${lease.leaseDigest}`, item: { kind: "lease", lease } }));
    case "problems":
      return detail.problems.map((problem) => ({
        name: `problem:${problem.code}:${problem.path}:${problem.pointer ?? ""}`,
        item: { kind: "runProblem", problem, directory: detail.directory },
      }));
    case "leftovers":
      return detail.leftovers.map((leftover) => ({ name: `leftover:${leftover.path}`, item: { kind: "leftover", leftover } }));
  }
}

/** Damaged records repeat names, and two problems may have one code at one place: ids must differ all the same, and stay. */
function numbered(items: readonly NamedItem[]): readonly NamedItem[] {
  const seen = new Map<string, number>();
  return items.map(({ name, item }) => {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return { name: count === 0 ? name : `${name}:${String(count)}`, item };
  });
}
