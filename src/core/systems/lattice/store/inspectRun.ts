// Owns: one look into a run directory: everything that is known about it, as one immutable value.
// Leaves to others: its parts (loadRun.ts, runView.ts, statusWord.ts, problems/, leftovers.ts), many runs at once (scan/).
import { basename, dirname, join, resolve } from "node:path";
import type { Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { systemClock, type Clock } from "../../../ports.js";
import type { ProcessObserver } from "../../../process/processInspector.js";
import { errnoOf } from "../../../storage/errno.js";
import type { ReadPort } from "../../../storage/filePort.js";
import { nodeFilePort } from "../../../storage/nodeFilePort.js";
import { textOrNull } from "../events/foldRunEvents.js";
import { projectOverlays, summarize } from "../events/projectRunState.js";
import type { ChainReport } from "../events/chain.js";
import { listRunLeftovers } from "./leftovers.js";
import { loadRun, type LoadedEpoch } from "./loadRun.js";
import { inOrder, problem, type RunProblem } from "./problemCatalog.js";
import { documentProblems } from "./problems/documentProblems.js";
import { epochProblems } from "./problems/epochProblems.js";
import { gateProblems } from "./problems/gateProblems.js";
import { holdProblems } from "./problems/holdProblems.js";
import { journalProblems } from "./problems/journalProblems.js";
import { supervisorProblems } from "./problems/supervisorProblems.js";
import { acceptedValue } from "./readDocument.js";
import type { EpochDetail, EpochState, EventSummary, FindingDetail, RunDetail } from "./runDetail.js";
import { viewRun, type RunView } from "./runView.js";
import { statusOf, todosOf } from "./statusWord.js";
import { controllerDetails, gateDetail, HeartbeatMemory, leaseDetails, supervisorDetail } from "./supervisorDetail.js";

export interface InspectRunOptions {
  /** Default: the real disk. */
  readonly port?: ReadPort;
  readonly clock?: Clock;
  /** Default: as the documents show. */
  readonly dialect?: Dialect;
  /** Given: supervisor and controllers are judged. Default: they are told, not judged. */
  readonly observer?: ProcessObserver;
  /** Kept by a caller that looks again and again. */
  readonly heartbeats?: HeartbeatMemory;
  readonly signal?: AbortSignal;
}

const finders = [documentProblems, epochProblems, journalProblems, gateProblems, holdProblems, supervisorProblems];

/**
 * Everything about one run: status word, todos, epochs, both journals verified event by event, findings, supervisor, controllers,
 * leases, named problems, leftovers, and the answers that the runtime itself would give (spec/lattice.md section 3).
 *
 * Never writes, follows no link, opens nothing but small regular files with known names, and never `supervisor/session`. Kernel
 * answers and broken files are part of the result: one bad file never hides the rest. The result is of one moment, and files may
 * have changed between two reads; whoever acts on it must look again.
 * @throws the reason of `signal` when it is aborted
 */
export async function inspectRun(runDirectory: string, options: InspectRunOptions = {}): Promise<RunDetail> {
  const { port = nodeFilePort, clock = systemClock, observer = null, heartbeats = new HeartbeatMemory(), signal } = options;
  const directory = resolve(runDirectory);
  const view = viewRun(await loadRun(port, directory, { dialect: options.dialect ?? null, signal }));
  const { run, store, fold } = view;
  const now = clock.now();
  const owners = { observer, heartbeats, now, monotonicNow: clock.monotonic() };
  const overlays = fold === null ? null : projectOverlays(fold, run.dialect);
  return {
    schema: "run-state.lattice_run.v1",
    takenAt: now,
    directory,
    name: basename(directory),
    runId: store?.runId ?? runIdOf(view),
    dialect: run.dialect,
    detected: run.detected,
    isManaged: store?.isManaged ?? run.pointer.kind !== "missing",
    status: statusOf(view),
    epoch: store?.epoch ?? null,
    planRef: store?.plan.plan_ref ?? null,
    executors: store?.plan.capacity.executors ?? null,
    held: overlays?.held ?? [],
    carriedOver: overlays?.carryOver ?? [],
    redispatched: overlays?.redispatch ?? [],
    treatmentAdvice: overlays?.treatmentAdvice ?? null,
    projection: fold === null ? null : summarize(fold),
    todos: todosOf(view),
    epochs: [...run.epochs.map((epoch) => epochDetail(view, epoch, false)), ...run.staging.map((epoch) => epochDetail(view, epoch, true))],
    events: { path: run.events.path, report: view.chain, entries: summaries(view.events, view.chain) },
    controlEvents: { path: run.controlEvents.path, report: view.control, entries: summaries(view.controlEvents, view.control) },
    findings: findingDetails(view),
    supervisor: await supervisorDetail(view, owners),
    controllers: await controllerDetails(view, owners),
    gate: gateDetail(view),
    leases: leaseDetails(view),
    problems: inOrder([...finders.flatMap((find) => find(view)), ...(await linkProblems(port, directory))]),
    leftovers: await listRunLeftovers(port, directory, run.listings, now),
    runtimeAnswer: view.answer,
  };
}

function runIdOf({ run }: RunView): string | null {
  const { request } = run;
  const value = request.kind === "accepted" || request.kind === "rejected" ? request.value : null;
  return isPlainObject(value) ? textOrNull(value["request_id"]) : null;
}

/** The runtime wants `.lattice` and `.lattice/runs` to be real directories too. */
async function linkProblems(port: ReadPort, directory: string): Promise<RunProblem[]> {
  const runs = dirname(directory);
  const parents = basename(runs) === "runs" && basename(dirname(runs)) === ".lattice" ? [runs, dirname(runs)] : [];
  const problems: RunProblem[] = [];
  for (const path of parents) {
    try {
      const { type } = await port.lstat(path);
      if (type !== "directory") problems.push(problem("run-directory-not-real", { path, evidence: { type } }));
    } catch (error) {
      // What cannot be looked at shows in the listing of the run itself.
      if (errnoOf(error) === null) throw error;
    }
  }
  return problems;
}

function epochDetail({ run, store }: RunView, { name, directory, bundle }: LoadedEpoch, isStaging: boolean): EpochDetail {
  const value = acceptedValue(bundle);
  const epoch = value?.plan_epoch ?? (isStaging ? null : Number(name));
  const committed = acceptedValue(run.pointer)?.plan_epoch ?? store?.epoch ?? null;
  return {
    epoch,
    name,
    state: value === null ? "unreadable" : epochState(value.plan_epoch, committed, isStaging),
    directory,
    bundlePath: join(directory, "epoch-bundle.json"),
    bundleDigest: value?.bundle_digest ?? null,
    planRef: value?.plan.plan_ref ?? null,
    todoIds: value?.plan.nodes.map((node) => node.todo_id) ?? [],
    findings: bundle.kind === "accepted" || bundle.kind === "rejected" ? bundle.findings : [],
  };
}

function epochState(epoch: number, committed: number | null, isStaging: boolean): EpochState {
  if (isStaging) return "staged";
  if (committed === null || epoch > committed) return "orphan";
  return epoch === committed ? "committed" : "superseded";
}

function summaries(events: readonly unknown[], report: ChainReport<string> | null): EventSummary[] {
  const unsound = new Set(report?.defects.map(({ index }) => index));
  return events.map((event, index) => {
    const members: Readonly<Record<string, unknown>> = isPlainObject(event) ? event : {};
    const { sequence, kind, subject, plan_epoch: planEpoch } = members;
    return {
      index,
      sequence: typeof sequence === "number" ? sequence : null,
      kind: typeof kind === "string" ? kind : "",
      todoId: isPlainObject(subject) && subject["kind"] === "todo" ? textOrNull(subject["ref"]) : null,
      planEpoch: typeof planEpoch === "number" ? planEpoch : null,
      recordedAt: textOrNull(members["recorded_at"]),
      isSound: !unsound.has(index),
    };
  });
}

function findingDetails({ run, fold }: RunView): FindingDetail[] {
  const hold = fold?.holds.at(-1)?.payload["finding"];
  const heldFor = isPlainObject(hold) ? hold["finding_digest"] : null;
  return run.findings.map(({ name, document }) => {
    const record = acceptedValue(document);
    return {
      path: document.path,
      digest: name,
      kind: record?.finding.kind ?? null,
      planEpoch: record?.plan_epoch ?? null,
      todoIds: record?.finding.todo_ids ?? [],
      conflictPath: record?.finding.path ?? null,
      resourceId: record?.finding.resource_id ?? null,
      isHeldFor: name === heldFor,
      isSound: record?.finding_digest === name,
    };
  });
}
