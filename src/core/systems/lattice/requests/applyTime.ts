// Owns: the rules apply.* as far as a run directory shows them, and seam.finding-unknown (spec/lattice.md 5.5, 5.6): warnings,
// because the supervisor enforces them and the validator does not. Pure. Leaves to others: reading the directory (runContext.ts).
import { isDeepStrictEqual } from "node:util";
import type { Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import type { CanonicalMemo } from "./canonicalMemo.js";
import type { RecompileContext, RecordedFinding, RunFacts } from "./context.js";
import { countOf } from "./documentKeys.js";
import { holdersOf, ownedId, ownershipOf, type OwnershipEntry } from "./ownership.js";
import type { RelatedPlace, Report } from "./report.js";

type Fields = Readonly<Record<string, unknown>>;

/** Judges `request`, whose exact keys hold, against what the run directory shows. */
export function checkApplyTime(request: Fields, context: RecompileContext, run: RunFacts, memo: CanonicalMemo, report: Report): void {
  checkFrozenAndHeld(context, run, report);
  checkRequestId(request, run, report);
  const { successor_request: successor } = request;
  if (isPlainObject(successor)) checkSuccessor(successor, request["mode"], context, run, memo, report);
  const mode = request["mode"] === "seam_split" ? "seam_split" : "intentional_serial";
  const treatment = request[mode];
  if (!isPlainObject(treatment)) return;
  const finding = resolveFinding(mode, treatment, run, report);
  checkQueue(treatment, mode, run, report);
  if (mode === "intentional_serial" && Array.isArray(treatment["todo_ids"]) && treatment["todo_ids"].length > 2) {
    report.add("apply.serial-exactly-two", "/intentional_serial/todo_ids", "A conflict of a plan has exactly two ends; the recompile will fail.");
  }
  if (finding === null) return;
  checkTodos(mode, treatment, finding, report);
  if (mode === "intentional_serial") checkSerialResource(treatment, finding, context, memo, report);
  else if (isPlainObject(successor)) checkSeam(treatment, finding, successor, context, memo, report);
}

function checkFrozenAndHeld({ holdDecisionDigest, sources }: RecompileContext, { frozenEpoch, committedEpoch }: RunFacts, report: Report): void {
  if (frozenEpoch === null) report.add("apply.frozen-and-held", "/frozen_event_digest", "The run has no intake_frozen event: it was never frozen.");
  else if (holdDecisionDigest === undefined) {
    const epoch = committedEpoch === null ? "the committed epoch" : `epoch ${committedEpoch}`;
    report.add("apply.frozen-and-held", "/hold_decision_digest", `The run has no hold decision of ${epoch}.`, sources?.frozenEvent === undefined ? [] : [{ ...sources.frozenEvent, message: "The last freeze." }]);
  }
}

function checkRequestId(request: Fields, run: RunFacts, report: Report): void {
  const { request_id: id, successor_request: successor } = request;
  const used = typeof id === "string" ? run.usedRequestIds.get(id) : undefined;
  const digest = isPlainObject(successor) ? successor["request_digest"] : undefined;
  if (used === undefined || (used.requestDigest !== null && used.requestDigest === digest)) return;
  report.add("apply.request-id-fresh", "/request_id", "This request id was used for another successor already.", [{ ...used.source, message: "The bundle of that id." }]);
}

function checkSuccessor(successor: Fields, mode: unknown, { predecessorBundle: bundle }: RecompileContext, run: RunFacts, memo: CanonicalMemo, report: Report): void {
  const { todos, repo } = successor;
  if (Array.isArray(todos) && todos.length > 8) report.add("apply.successor-compiles", "/successor_request/todos", `A plan holds at most 8 todos; these are ${todos.length}.`);
  const base = isPlainObject(repo) ? repo["base_sha"] : undefined;
  if (typeof base !== "string") return;
  const before = isPlainObject(bundle?.request["repo"]) ? bundle.request["repo"]["base_sha"] : undefined;
  if (mode === "seam_split" && memo.dialect === "0.50" && base === before) {
    report.add("apply.seam-base-advanced", "/successor_request/repo/base_sha", "Is still the predecessor's commit; a seam split has to be committed first.");
  } else if (run.headCommit !== null && base !== run.headCommit) {
    report.add("apply.successor-compiles", "/successor_request/repo/base_sha", `The repository is at ${run.headCommit}; the successor compiles only at its base.`);
  }
}

/** The finding the treatment names; null after saying why it cannot be used. */
function resolveFinding(mode: "seam_split" | "intentional_serial", treatment: Fields, run: RunFacts, report: Report): RecordedFinding | null {
  const digest = treatment["finding_digest"];
  if (typeof digest !== "string") return null;
  const pointer = `/${mode}/finding_digest`;
  const broken = run.brokenFindings.get(digest);
  if (broken !== undefined) {
    report.add("apply.finding-recorded", pointer, `The record of this finding cannot be used: ${broken.reason}`, [{ ...broken.source, message: "The record." }]);
    return null;
  }
  const finding = run.findings.get(digest);
  if (finding === undefined) {
    const held = run.heldFindingDigest === null ? "" : ` The hold decision is about ${run.heldFindingDigest}.`;
    report.add(mode === "seam_split" ? "seam.finding-unknown" : "apply.finding-recorded", pointer, `The run has no finding of this digest.${held}`);
    return null;
  }
  const related: readonly RelatedPlace[] = [{ ...finding.source, message: "The record of the finding." }];
  if (run.committedEpoch !== null && finding.epoch !== run.committedEpoch) {
    report.add("apply.finding-epoch", pointer, `The finding is of epoch ${finding.epoch}, but epoch ${run.committedEpoch} is committed.`, related);
  } else if (run.heldFindingDigest !== null && run.heldFindingDigest !== digest) {
    report.add("apply.finding-matches-hold", pointer, `The hold decision is about ${run.heldFindingDigest}.`, related);
  }
  return finding;
}

function checkTodos(mode: "seam_split" | "intentional_serial", treatment: Fields, finding: RecordedFinding, report: Report): void {
  const member = mode === "seam_split" ? "predecessor_task_ids" : "todo_ids";
  if (!Array.isArray(treatment[member]) || isDeepStrictEqual(treatment[member], finding.todoIds)) return;
  report.add("apply.finding-matches-hold", `/${mode}/${member}`, `Must be exactly the todos of the finding: ${finding.todoIds.join(", ")}.`, [{ file: finding.source.file, pointer: "/finding/todo_ids", message: "The todos of the finding." }]);
}

function checkQueue(treatment: Fields, mode: string, { queue }: RunFacts, report: Report): void {
  if (queue === null || queue.length === 0) return;
  const isSame = queue.length === 1 && queue.headDigests.includes(String(treatment["finding_digest"]));
  if (!isSame) report.add("apply.queue-empty-or-same", `/${mode}/finding_digest`, `The run has ${countOf(queue.length, "queued event")} that must be replayed first.`, [{ ...queue.source, message: "The queue." }]);
}

/** What a serial over the finding has to be about; null when it depends on the version (0.12, finding about a path). */
export function serialResourceOf(finding: RecordedFinding, dialect: Dialect): string | null {
  if (finding.resourceId !== null) return finding.resourceId;
  return finding.path === null || dialect === "0.12" ? null : ownedId("path", finding.path);
}

function checkSerialResource(serial: Fields, finding: RecordedFinding, { predecessorBundle: bundle }: RecompileContext, memo: CanonicalMemo, report: Report): void {
  const expected = serialResourceOf(finding, memo.dialect);
  const related = [{ file: finding.source.file, pointer: finding.resourceId === null ? "/finding/path" : "/finding/resource_id", message: "What the finding is about." }];
  if (expected !== null && serial["resource_id"] !== expected) {
    report.add("apply.serial-resource", "/intentional_serial/resource_id", `Must be ${expected}, what the finding is about.`, related);
    return;
  }
  if (finding.resourceId === null || bundle === undefined || !Array.isArray(serial["todo_ids"])) return;
  const holders = holdersOf(bundle.request, finding.resourceId);
  const strangers = serial["todo_ids"].filter((id) => typeof id === "string" && !holders.includes(id));
  if (strangers.length > 0) report.add("apply.serial-resource", "/intentional_serial/todo_ids", `${strangers.join(", ")} does not hold ${finding.resourceId} in resources or state_effects.`, related);
}

function checkSeam(seam: Fields, finding: RecordedFinding, successor: Fields, { predecessorBundle: bundle }: RecompileContext, memo: CanonicalMemo, report: Report): void {
  const after = ownershipOf(successor);
  const contested = finding.resourceId ?? (finding.path === null ? null : ownedId("path", finding.path));
  const owners = after.filter(({ resource_id: id, access_kind: kind }) => id === contested && kind === "own").map(({ owner_todo_id: todo }) => todo);
  if (new Set(owners).size > 1) {
    report.add("apply.seam-single-owner", "/successor_request/manual_witness", `${owners.join(" and ")} both own ${finding.path ?? finding.resourceId ?? ""}, which the split has to separate.`, [{ ...finding.source, message: "The finding." }]);
  }
  const diff = seam["ownership_diff"];
  if (bundle === undefined || !isPlainObject(diff) || !Array.isArray(diff["added"]) || !Array.isArray(diff["removed"])) return;
  const before = ownershipOf(bundle.request);
  // The predecessor is reconciled with the finding: its todos may then count as owners of the contested path.
  const reconciled = contested === null ? before : [...before, ...finding.todoIds.map((todo) => ({ resource_id: contested, owner_todo_id: todo, access_kind: "own" as const }))];
  const mistakes = [before, reconciled].map((start) => [difference("added", diff["added"], after, start, memo), difference("removed", diff["removed"], start, after, memo)].filter((text) => text !== null));
  const fewest = mistakes.every(({ length }) => length > 0) ? mistakes[0] : undefined;
  if (fewest !== undefined) report.add("apply.seam-diff-derivable", "/seam_split/ownership_diff", `Is not what changed between predecessor and successor: ${fewest.join("; ")}.`);
}

/** What `listed` lacks or has too much compared with what is in `those` but not in `these`; null when it is right. */
function difference(side: string, listed: unknown, those: readonly OwnershipEntry[], these: readonly OwnershipEntry[], memo: CanonicalMemo): string | null {
  const keyed = (entries: readonly unknown[]): Map<string, unknown> => new Map(entries.map((entry) => [memo.text(entry), entry]));
  const others = keyed(these);
  const expected = new Map([...keyed(those)].filter(([key]) => !others.has(key)));
  const found = keyed(listed as readonly unknown[]);
  const lacking = [...expected].filter(([key]) => !found.has(key)).map(([, entry]) => say(entry));
  const strange = [...found].filter(([key]) => !expected.has(key)).map(([, entry]) => say(entry));
  if (lacking.length === 0 && strange.length === 0) return null;
  return `${side} ${[...(lacking.length > 0 ? [`lacks ${shorten(lacking)}`] : []), ...(strange.length > 0 ? [`has ${shorten(strange)} too much`] : [])].join(" and ")}`;
}

function say(entry: unknown): string {
  const { owner_todo_id: todo, access_kind: kind, resource_id: resource } = entry as OwnershipEntry;
  return `${todo} ${kind} ${resource}`;
}

function shorten(items: readonly string[]): string {
  return items.length <= 3 ? items.join(", ") : `${items.slice(0, 3).join(", ")} and ${items.length - 3} more`;
}
