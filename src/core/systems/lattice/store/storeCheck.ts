// Owns: whether the runtime accepts a run directory, and if not the code it gives (spec/lattice.md section 3.3); and which
// request, plan and manifests are in force.
// Leaves to others: the chain of events (events/), what the runtime overlooks (problems/).
import { isPlainObject } from "../../../artifact/syntax.js";
import type { CommittedEpochPointer, EpochBundle, RunMeta } from "../artifacts/epochs.js";
import { requirePlanOfRequest } from "../artifacts/epochs.js";
import type { PlanCompileResult, RuntimePlan } from "../artifacts/planning.js";
import { FindingCollector } from "../finding.js";
import type { LoadedRun } from "./loadRun.js";
import { acceptedValue, runtimeMaxBytes, type ParsedFile } from "./readDocument.js";
import { epochDirectoryName } from "./runLayout.js";

export type RuntimeErrorCode = "INPUT_UNREADABLE" | "INPUT_TOO_LARGE" | "INVALID_JSON" | "INVALID_RUN_STORE" | "EVENT_CHAIN_INVALID";

export interface StoreRefusal {
  readonly kind: "refused";
  readonly code: RuntimeErrorCode;
  /** Absolute path of what the runtime refuses. */
  readonly path: string;
  /** Stable code of ours, finer than the runtime's. */
  readonly reason: string;
}

export interface StoreInForce {
  readonly kind: "accepted";
  readonly isManaged: boolean;
  readonly runId: string;
  readonly meta: RunMeta;
  readonly events: readonly unknown[];
  readonly epoch: number;
  readonly request: Readonly<Record<string, unknown>>;
  readonly plan: RuntimePlan;
  /** Null in an unmanaged run. */
  readonly bundle: EpochBundle | null;
  readonly pointer: CommittedEpochPointer | null;
}

/** How the runtime names a core file that it cannot read or parse; null when it can. */
function inputRefusal(file: Pick<ParsedFile, "path"> & { readonly kind: string; readonly code?: string; readonly file?: { readonly size: number } }): StoreRefusal | null {
  const refused = (code: RuntimeErrorCode, reason: string): StoreRefusal => ({ kind: "refused", code, path: file.path, reason });
  if (file.kind === "missing") return refused("INPUT_UNREADABLE", "file-missing");
  if (file.kind === "not-json") return refused("INVALID_JSON", "not-json");
  if (file.kind === "unreadable") return file.code === "too-large" ? refused("INPUT_TOO_LARGE", "too-large") : refused("INPUT_UNREADABLE", "unreadable");
  // We read journals beyond the limit of the runtime.
  return file.file !== undefined && file.file.size > runtimeMaxBytes ? refused("INPUT_TOO_LARGE", "too-large") : null;
}

/** The check that precedes every answer of the runtime. The directory listing plays no part: the pointer is the only truth. */
export function checkStore(run: LoadedRun): StoreRefusal | StoreInForce {
  for (const file of [run.request, run.compileResult, run.events, run.meta]) {
    const refusal = inputRefusal(file);
    if (refusal !== null) return refusal;
  }
  return checkDocuments(run);
}

/** As checkStore, but journals longer than the runtime reads are no obstacle. */
export function checkDocuments(run: LoadedRun): StoreRefusal | StoreInForce {
  const invalid = (path: string, reason: string): StoreRefusal => ({ kind: "refused", code: "INVALID_RUN_STORE", path, reason });
  const { events, request, compileResult, meta } = run;
  if (events.kind !== "parsed" || !Array.isArray(events.value)) return invalid(events.path, "events-not-a-list");
  if (request.kind !== "accepted") return invalid(request.path, "request-invalid");
  if (compileResult.kind !== "accepted" || !isBound(compileResult.value, request.value)) return invalid(compileResult.path, "compile-result-invalid");
  if (meta.kind !== "accepted") return invalid(meta.path, "meta-invalid");
  const runId = String(request.value["request_id"]);
  if (meta.value.run_id !== runId) return invalid(meta.path, "meta-of-another-run");
  const common = { kind: "accepted", runId, meta: meta.value, events: events.value as readonly unknown[] } as const;
  const { plan } = compileResult.value;
  if (meta.value.schema === "lattice.run_meta.v1") {
    if (meta.value.plan_digest !== plan.plan_digest) return invalid(meta.path, "meta-plan-mismatch");
    return { ...common, isManaged: false, epoch: plan.plan_epoch, request: request.value, plan, bundle: null, pointer: null };
  }
  const committed = committedBundle(run, meta.value.created_plan_digest, runId);
  if (committed.kind === "refused") return committed;
  const { bundle, pointer } = committed;
  return { ...common, isManaged: true, epoch: pointer.plan_epoch, request: bundle.request, plan: bundle.plan, bundle, pointer };
}

function isBound(result: PlanCompileResult, request: Readonly<Record<string, unknown>>): boolean {
  const at = new FindingCollector("");
  requirePlanOfRequest(result.plan, request, at);
  return at.findings.length === 0 && result.request_digest === request["request_digest"];
}

interface Committed {
  readonly kind: "committed";
  readonly bundle: EpochBundle;
  readonly pointer: CommittedEpochPointer;
}

/** The multi-epoch store: every bundle from the first to the committed one, chained, bound by the pointer. */
function committedBundle(run: LoadedRun, createdPlanDigest: string, runId: string): StoreRefusal | Committed {
  const invalid = (path: string, reason: string): StoreRefusal => ({ kind: "refused", code: "INVALID_RUN_STORE", path, reason });
  const pointer = acceptedValue(run.pointer);
  if (pointer === null) return invalid(run.pointer.path, run.pointer.kind === "missing" ? "pointer-missing" : "pointer-invalid");
  let previous: EpochBundle | null = null;
  for (let epoch = 1; epoch <= pointer.plan_epoch; epoch += 1) {
    const loaded = run.epochs.find(({ name }) => name === epochDirectoryName(epoch));
    const bundle = loaded === undefined ? null : acceptedValue(loaded.bundle);
    if (loaded === undefined || bundle === null) return invalid(loaded?.bundle.path ?? run.directory, loaded === undefined || loaded.bundle.kind === "missing" ? "bundle-missing" : "bundle-invalid");
    if (bundle.plan_epoch !== epoch || bundle.run_id !== runId) return invalid(loaded.bundle.path, "bundle-of-another-place");
    if (bundle.predecessor_bundle_digest !== (previous?.bundle_digest ?? null)) return invalid(loaded.bundle.path, "bundle-chain-broken");
    if (epoch === 1 && bundle.plan.plan_digest !== createdPlanDigest) return invalid(loaded.bundle.path, "first-bundle-mismatch");
    previous = bundle;
  }
  if (previous === null) return invalid(run.pointer.path, "pointer-invalid");
  const isPointed = pointer.run_id === runId && pointer.plan_ref === previous.plan.plan_ref && pointer.bundle_digest === previous.bundle_digest;
  return isPointed ? { kind: "committed", bundle: previous, pointer } : invalid(run.pointer.path, "pointer-bundle-mismatch");
}

/** Todo ids of a request of any version. */
export function todosOf(request: Readonly<Record<string, unknown>>): readonly string[] {
  const { todos } = request;
  if (!Array.isArray(todos)) return [];
  return todos.flatMap((todo: unknown) => (isPlainObject(todo) && typeof todo["todo_id"] === "string" ? [todo["todo_id"]] : []));
}
