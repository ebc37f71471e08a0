// Owns: the facts about a run that somebody else needs to help, and nothing that a person would not publish.
// Leaves to others: the clipboard (copySupportBundle.ts). Pure. Members are listed one by one: what is not named here stays here.
import { isAbsolute, relative } from "node:path";
import type { ChainDefect, ChainReport } from "../../core/systems/lattice/events/chain.js";
import type { EventSummary, OwnerDetail, RunDetail } from "../../core/systems/lattice/store/runDetail.js";
import type { RunProblem } from "../../core/systems/lattice/store/problemCatalog.js";

/** The newest events; older ones rarely explain what is wrong, and defects are listed apart. */
const mostEvents = 200;
const redacted = "(redacted)";

/** Names, numbers and digests, as the runtime and we write them. Texts of people hold blanks; paths hold slashes. */
const token = /^[A-Za-z0-9_.:-]{1,128}$/;
/** What is a token, but could open something. */
const secretLike = /^(?:gh[a-z]_|github_|sk-|xox|AKIA|eyJ|glpat-|npm_)/;

function safe(text: string | null): string | null {
  return text === null || (token.test(text) && !secretLike.test(text)) ? text : redacted;
}

export function supportBundle(detail: RunDetail, tool: { readonly version: string; readonly platform: string }): Readonly<Record<string, unknown>> {
  const { status, directory } = detail;
  const place = (path: string): string => placeIn(directory, path);
  return {
    schema: "run-state.support_bundle.v1",
    tool,
    taken_at: new Date(detail.takenAt).toISOString(),
    run: safe(detail.name),
    run_id: safe(detail.runId),
    dialect: detail.dialect,
    is_managed: detail.isManaged,
    status: { word: status.word, claimed_word: status.claimedWord, is_staged: status.isStaged, frozen_by: status.frozenBy, frozen_since: status.frozenSince?.sequence ?? null },
    epoch: detail.epoch,
    held: detail.held.map(safe),
    carried_over: detail.carriedOver.map(safe),
    redispatched: detail.redispatched.map(safe),
    runtime: detail.runtimeAnswer.kind === "answered" ? { kind: "answered" } : { kind: "refused", code: detail.runtimeAnswer.code, failed_conditions: detail.runtimeAnswer.failedConditions },
    problems: detail.problems.map((problem) => problemOf(problem, place)),
    todos: detail.todos.map(({ todoId, state, overlay, isInPlan, waitsFor, dispatchedInEpoch, lastSequence }) => ({
      id: safe(todoId),
      state,
      overlay,
      is_in_plan: isInPlan,
      waits_for: waitsFor.map(safe),
      dispatched_in_epoch: dispatchedInEpoch,
      last_sequence: lastSequence,
    })),
    epochs: detail.epochs.map(({ epoch, name, state, bundleDigest, findings }) => ({ epoch, name: safe(name), state, bundle_digest: safe(bundleDigest), rules: findings.map(({ rule, pointer }) => ({ rule, pointer: pointerOf(pointer) })) })),
    events: journalOf(detail.events),
    control_events: journalOf(detail.controlEvents),
    findings: detail.findings.map(({ digest, kind, planEpoch, isHeldFor, isSound }) => ({ digest: safe(digest), kind: safe(kind), epoch: planEpoch, is_held_for: isHeldFor, is_sound: isSound })),
    supervisor:
      detail.supervisor === null
        ? null
        : {
            ...ownerOf(detail.supervisor),
            activated_at: safe(detail.supervisor.activatedAt),
            is_socket_present: detail.supervisor.isSocketPresent,
            is_restarted: detail.supervisor.isRestarted,
            is_session_present: detail.supervisor.isSessionPresent,
            has_stopped: detail.supervisor.hasStopped,
          },
    controllers: detail.controllers.map((controller) => ({
      ...ownerOf(controller),
      id: safe(controller.controllerId),
      adapter: safe(controller.adapterKind),
      is_socket_present: controller.isSocketPresent,
      heartbeat: { state: controller.heartbeat.state, age_ms: controller.heartbeat.ageMs, interval_ms: controller.heartbeat.intervalMs, ttl_ms: controller.heartbeat.ttlMs },
    })),
    gate: detail.gate === null ? null : { generation: detail.gate.generation, epoch: detail.gate.planEpoch, is_in_force: detail.gate.isInForce },
    leases: detail.leases.map(({ leaseDigest, todoId, state }) => ({ digest: safe(leaseDigest), todo: safe(todoId), state })),
    leftovers: detail.leftovers.map(({ kind, path, cause, type, size, ageMs }) => ({ kind, path: place(path), cause, type, size, age_ms: ageMs })),
  };
}

/** Relative to the run, with each part that is no plain name left out; what lies outside is not named at all. */
function placeIn(directory: string, path: string): string {
  const way = relative(directory, path).replaceAll("\\", "/");
  if (way === "") return ".";
  if (way.startsWith("..") || isAbsolute(way)) return "(outside the run)";
  return way.split("/").map(safe).join("/");
}

/** Keys of a document may be anybody's text. */
function pointerOf(pointer: string | null): string | null {
  return pointer === null ? null : pointer.split("/").map((part) => (part === "" ? "" : safe(part))).join("/");
}

function problemOf({ code, severity, path, pointer, evidence }: RunProblem, place: (path: string) => string): unknown {
  return { code, severity, path: place(path), pointer: pointerOf(pointer), evidence: Object.fromEntries(evidence.map(({ name, value }) => [name, safe(value)])) };
}

function journalOf({ report, entries }: { readonly report: ChainReport<string> | null; readonly entries: readonly EventSummary[] }): unknown {
  return {
    standing: report?.standing ?? null,
    limit: report?.limit ?? null,
    count: entries.length,
    head_digest: safe(report?.headDigest ?? null),
    defect_count: report?.defectCount ?? 0,
    defects: report?.defects.map(defectOf) ?? [],
    newest: entries.slice(-mostEvents).map(({ index, sequence, kind, todoId, planEpoch, recordedAt, isSound }) => ({
      index,
      sequence,
      kind: safe(kind),
      todo: safe(todoId),
      epoch: planEpoch,
      recorded_at: safe(recordedAt),
      is_sound: isSound,
    })),
  };
}

/** Without its sentence: the condition says the same. */
function defectOf({ condition, index, sequence, pointer }: ChainDefect): unknown {
  return { condition, index, sequence, pointer: pointerOf(pointer) };
}

/** Neither host nor program: both name people and machines. */
function ownerOf({ owner, judgement }: OwnerDetail): Readonly<Record<string, unknown>> {
  const { verdict = null } = judgement ?? {};
  return { pid: owner.pid, platform: safe(owner.platform), verdict: verdict?.kind ?? null, reason: verdict !== null && "reason" in verdict ? verdict.reason : null };
}
