// Owns: the rules recompile.* (spec/lattice.md section 5.4) and the order in which the parts of a request are judged.
// Leaves to others: the parts (runRequest.ts, taskMigration.ts, treatments.ts, phaseRevision.ts), text and ranges (text.ts).
import { isDeepStrictEqual } from "node:util";
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject, isPositiveInteger } from "../../../artifact/syntax.js";
import type { Finding } from "../finding.js";
import { checkApplyTime } from "./applyTime.js";
import { CanonicalMemo } from "./canonicalMemo.js";
import { looksLikeDigest, requireDigest, requireIdentifier } from "./coercion.js";
import { givenContext, sourceOf, type RecompileContext } from "./context.js";
import { isNonEmptyText, isOneOf, keysOf, modes, requireKeys, schemaIds } from "./documentKeys.js";
import { inspectPhaseRevision } from "./phaseRevision.js";
import { dropCoveredAdvisories, Report, type RequestFinding } from "./report.js";
import type { RuleId } from "./rules.js";
import { inspectRunRequest, type RunRequestShape } from "./runRequest.js";
import { inspectTaskMigration, type MigrationShape } from "./taskMigration.js";
import { checkIntentionalSerial, checkSeamSplit } from "./treatments.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Judges a recompile request: every finding at once, one for a mistake. Rules whose context is absent are left out
 * (leftOutRules names them). Without any context there is no phase validator either, as for the runtime: give `{}` to have
 * phase revisions judged by the built-in one. Never throws on a value that came from JSON.
 */
export function checkRecompileRequest(value: unknown, context?: RecompileContext | null, options: { readonly dialect?: Dialect } = {}): Finding[] {
  return inspectRecompileRequest(value, givenContext(context), new CanonicalMemo(options.dialect ?? defaultDialect));
}

/** The same for a caller that has a memo of the value already. */
export function inspectRecompileRequest(value: unknown, context: RecompileContext, memo: CanonicalMemo): RequestFinding[] {
  const report = Report.create();
  if (!requireKeys(value, keysOf.recompileRequest, "recompile.exact-keys", report)) return report.findings;
  checkTopLevel(value, report);
  const successor = inspectRunRequest(value["successor_request"], "successor", memo, report.at("successor_request"));
  const { predecessorBundle: bundle } = context;
  const migration = inspectTaskMigration(
    value["task_migration"],
    {
      ...(bundle === undefined ? {} : { predecessorTaskIds: bundle.plan.nodes.map(({ todo_id: id }) => id) }),
      ...(successor.todoIds === null ? {} : { successorTaskIds: successor.todoIds }),
    },
    memo,
    report.at("task_migration"),
  );
  checkOwnBindings(value, successor, migration, report);
  checkContextBindings(value, successor, context, report);
  if (value["phase_revision"] === null) checkUnchanged(successor, migration, context, report);
  else checkPhase(value, context, memo, report);
  checkTreatments(value, successor, migration, memo, report);
  checkDigest(value, memo, report);
  const { run } = context;
  if (run === undefined) return dropCoveredAdvisories(report.findings);
  checkApplyTime(value, context, run, memo, report);
  return dropCoveredAdvisories(report.findings.filter(({ rule }) => !isToldByRun.has(rule)));
}

/** With a run at hand a rule of apply time says the same more exactly. */
const isToldByRun: ReadonlySet<RuleId> = new Set<RuleId>(["serial.more-than-two", "run-request.more-than-eight-todos"]);

function checkTopLevel(value: Fields, report: Report): void {
  report.require(value["schema"] === schemaIds.recompileRequest, "recompile.schema-id", "/schema", `Must be ${schemaIds.recompileRequest}.`);
  requireIdentifier(value["request_id"], "recompile.request-id-syntax", report, "/request_id");
  requireIdentifier(value["run_id"], "recompile.run-id-syntax", report, "/run_id");
  report.require(isPositiveInteger(value["predecessor_epoch"]), "recompile.predecessor-epoch", "/predecessor_epoch", "Must be a whole number of at least 1.");
  requireDigest(value["frozen_event_digest"], "recompile.frozen-digest-format", report, "/frozen_event_digest");
  requireDigest(value["hold_decision_digest"], "recompile.hold-digest-format", report, "/hold_decision_digest");
  report.require(isOneOf(modes, value["mode"]), "recompile.mode-enum", "/mode", `Must be ${modes.join(" or ")}.`);
  report.require(isNonEmptyText(value["reason"]), "recompile.reason-nonempty", "/reason", "Must be a text that is not empty.");
}

/** Bindings between the parts of the document. */
function checkOwnBindings(value: Fields, { request, isSound }: RunRequestShape, { migration }: MigrationShape, report: Report): void {
  if (request === null) return;
  if (typeof request["request_id"] === "string" && request["request_id"] !== value["run_id"]) {
    report.add("recompile.run-id-binding", "/successor_request/request_id", "Must equal run_id.", [{ pointer: "/run_id", message: "The run's id." }]);
  }
  if (migration !== null && isSound("task_migration_digest") && request["task_migration_digest"] !== migration["migration_digest"]) {
    report.add("recompile.migration-digest-binding", "/successor_request/task_migration_digest", "Must equal migration_digest of the task migration.", [{ pointer: "/task_migration/migration_digest", message: "The migration's digest." }]);
  }
}

/** Bindings to what the run recorded. */
function checkContextBindings(value: Fields, { request, isSound }: RunRequestShape, context: RecompileContext, report: Report): void {
  const { predecessorBundle: bundle, frozenEventDigest, holdDecisionDigest, sources } = context;
  if (bundle !== undefined && isPositiveInteger(value["predecessor_epoch"]) && value["predecessor_epoch"] !== bundle.plan_epoch) {
    report.add("recompile.epoch-binding", "/predecessor_epoch", `Must be the committed epoch, ${bundle.plan_epoch}.`, sourceOf(sources?.predecessorBundle, "/plan_epoch", "The committed epoch."));
  }
  if (bundle !== undefined && request !== null && isSound("predecessor_request_digest") && request["predecessor_request_digest"] !== bundle.request["request_digest"]) {
    const expected = bundle.request["request_digest"];
    report.add(
      "recompile.predecessor-request-binding",
      "/successor_request/predecessor_request_digest",
      `Must be the digest of the request that is replaced${typeof expected === "string" ? `, ${expected}` : ""}.`,
      sourceOf(sources?.predecessorBundle, "/request/request_digest", "The digest of that request."),
    );
  }
  const frozen = value["frozen_event_digest"];
  if (frozenEventDigest !== undefined && looksLikeDigest(frozen) && frozen !== frozenEventDigest) {
    report.add("recompile.frozen-event-binding", "/frozen_event_digest", `Must be the digest of the last intake_frozen event, ${frozenEventDigest}.`, sourceOf(sources?.frozenEvent, "/event_digest", "The last intake_frozen event."));
  }
  const hold = value["hold_decision_digest"];
  if (holdDecisionDigest !== undefined && looksLikeDigest(hold) && hold !== holdDecisionDigest) {
    report.add("recompile.hold-decision-binding", "/hold_decision_digest", `Must be the digest of the last hold decision, ${holdDecisionDigest}.`, sourceOf(sources?.holdDecision, "/payload/decision_digest", "The last hold decision."));
  }
}

/** Without a phase revision the work itself must not change. */
function checkUnchanged({ request, isSound }: RunRequestShape, { entries }: MigrationShape, { predecessorBundle: bundle, sources }: RecompileContext, report: Report): void {
  if (bundle === undefined) return;
  for (const member of ["todos", "manual_witness", "sensor_query_set"]) {
    if (request === null || !isSound(member) || isDeepStrictEqual(request[member], bundle.request[member])) continue;
    report.add(
      "recompile.phase-required-input-change",
      `/successor_request/${member}`,
      `Must equal ${member} of the predecessor request, order included, because the request has no phase revision.`,
      sourceOf(sources?.predecessorBundle, `/request/${member}`, "What it was."),
    );
  }
  for (const { index, disposition } of entries ?? []) {
    if (disposition === null || disposition === "carry" || disposition === "stay") continue;
    report.add("recompile.phase-required-identity-change", `/task_migration/entries/${index}`, `${disposition} needs a phase revision; without one every task is carried or stays.`);
  }
}

function checkPhase(value: Fields, context: RecompileContext, memo: CanonicalMemo, report: Report): void {
  const revision = value["phase_revision"];
  const validator = context.phaseValidator ?? "built-in";
  if (validator === "none") {
    report.add("recompile.phase-validator-missing", "/phase_revision", "A phase revision needs a validator, and none is configured.");
    return;
  }
  if (!isValidRevision(revision, validator, memo, report)) return;
  const own = isPlainObject(revision) ? revision["runtime_task_migration"] : undefined;
  if (!isDeepStrictEqual(own, value["task_migration"])) {
    report.add("recompile.phase-migration-binding", "/phase_revision/runtime_task_migration", "Must equal task_migration.", [{ pointer: "/task_migration", message: "The migration of the request." }]);
  }
}

/** The runtime gives one answer for the whole revision; what the built-in validator found are details of it, not further errors. */
function isValidRevision(revision: unknown, validator: "built-in" | ((revision: unknown) => boolean), memo: CanonicalMemo, report: Report): boolean {
  if (validator !== "built-in") {
    return report.require(validator(revision), "recompile.phase-invalid", "/phase_revision", "The phase validator refuses this revision.");
  }
  const detail = Report.create().at("phase_revision");
  inspectPhaseRevision(revision, memo, detail);
  const mistakes = detail.findings.filter(({ severity }) => severity === "error");
  const [first] = mistakes;
  if (first !== undefined) {
    const related = mistakes.slice(0, 20).map(({ pointer, message, rule }) => ({ pointer, message: `${rule}: ${message}` }));
    report.add("recompile.phase-invalid", "/phase_revision", `Is not a valid phase revision: ${first.message}${mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : ""}`, related);
  }
  for (const { rule, pointer, message, related } of detail.findings) report.addAs("warning", rule, pointer, message, related);
  return first === undefined;
}

function checkTreatments(value: Fields, successor: RunRequestShape, migration: MigrationShape, memo: CanonicalMemo, report: Report): void {
  const { mode } = value;
  if (!isOneOf(modes, mode)) return;
  const other = mode === "seam_split" ? "intentional_serial" : "seam_split";
  if (value[other] !== null) report.add("recompile.mode-exclusive", `/${other}`, `Must be null, because the mode is ${mode}.`, [{ pointer: "/mode", message: "The mode." }]);
  const check = mode === "seam_split" ? checkSeamSplit : checkIntentionalSerial;
  check(value[mode], { migration, successorTodoIds: successor.todoIds, hasPhaseRevision: value["phase_revision"] !== null }, memo, report.at(mode));
}

/** What a writer leaves who could not compute a digest. */
const placeholderDigest = "0".repeat(64);

function checkDigest(value: Fields, memo: CanonicalMemo, report: Report): void {
  const problem = memo.problem(value, "request_digest");
  if (problem !== null) {
    // The part that passes the limit has said so itself, unless the limit is only passed by the whole.
    const isTold = report.findings.some(({ rule }) => rule === "migration.canonical-limits" || rule === "run-request.canonical-limits");
    if (!isTold) report.add("recompile.canonical-limits", "", `Has no canonical form: ${problem.message}`, [{ pointer: problem.pointer, message: problem.message }]);
    return;
  }
  if (!report.require(looksLikeDigest(value["request_digest"]), "recompile.digest-format", "/request_digest", "Must be 64 lower-case hexadecimal digits.")) return;
  const digest = memo.selfDigest(value, "request_digest");
  if (value["request_digest"] === digest) return;
  if (value["request_digest"] === placeholderDigest && (Array.isArray(value["task_migration"]) || Array.isArray(value["successor_request"]))) {
    // A list cannot carry its digest in JSON: the runtime raises an error while sealing such a request, and the placeholder stays.
    report.add("recompile.canonical-limits", "", "Was never sealed: a part that must carry a digest is a list, so no digest could be computed.", [{ pointer: "/request_digest", message: "The placeholder of 64 zeros." }]);
    return;
  }
  report.add("recompile.digest-match", "/request_digest", `Does not match the request, whose digest is ${digest}.`);
}
