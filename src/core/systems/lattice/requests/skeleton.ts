// Owns: writing a correct, sealed recompile request for a held run, and the treatments that fixes add.
// Leaves to others: what the run says (runContext.ts), judging (recompileRequest.ts), asking a person (the editor).
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { serialResourceOf } from "./applyTime.js";
import type { RecompileContext, RecordedFinding } from "./context.js";
import { schemaIds } from "./documentKeys.js";
import { sealInPlace } from "./seal.js";

export type RecompileMode = "seam_split" | "intentional_serial";

export interface SkeletonOptions {
  readonly mode: RecompileMode;
  /** Why the run is recompiled. */
  readonly reason: string;
  /** Default: the first of rc-1, rc-2, … that the run did not use. */
  readonly requestId?: string;
  /** For intentional_serial: the todo that keeps its place; default the first of the finding. */
  readonly stayTodoId?: string;
  /** Commit of the successor; default the predecessor's (seam_split needs a later one before it is applied). */
  readonly baseSha?: string;
  readonly dialect?: Dialect;
}

export type SkeletonOutcome =
  | { readonly kind: "built"; readonly request: Readonly<Record<string, unknown>>; readonly text: string }
  /** Nothing is guessed: what the run does not say is named. */
  | { readonly kind: "refused"; readonly reason: string };

type Fields = Record<string, unknown>;

const baseMembers = ["repo", "capacity", "todos", "manual_witness", "sensor_query_set", "executor_capability", "claim_mode"] as const;

/**
 * A request that checkRecompileRequest accepts in `context`: same work, every task carried (those held stay), bindings and
 * digests filled. `text` has the indent of the runtime's own files and ends with a line feed.
 */
export function buildRecompileSkeleton(context: RecompileContext, options: SkeletonOptions): SkeletonOutcome {
  const refused = (reason: string): SkeletonOutcome => ({ kind: "refused", reason });
  const { predecessorBundle: bundle, frozenEventDigest, holdDecisionDigest, run } = context;
  if (run === undefined) return refused("No run directory was read.");
  if (bundle === undefined) return refused("The bundle of the committed epoch cannot be used.");
  if (frozenEventDigest === undefined) return refused("The run is not frozen: it has no intake_frozen event.");
  if (holdDecisionDigest === undefined) return refused("The run is not held: it has no hold decision of the committed epoch.");
  const finding = heldFinding(context);
  if (finding === null) return refused("The finding that the hold decision is about is not recorded in findings/.");
  const treatment = buildTreatment(options.mode, finding, { reason: options.reason, ...(options.stayTodoId === undefined ? {} : { stayTodoId: options.stayTodoId }) });
  if (treatment === null) return refused("The finding is about one todo; an intentional serial needs two.");
  const held = new Set(finding.todoIds);
  const request: Fields = {
    schema: schemaIds.recompileRequest,
    request_id: options.requestId ?? freshRequestId(run.usedRequestIds),
    run_id: run.runId,
    predecessor_epoch: bundle.plan_epoch,
    frozen_event_digest: frozenEventDigest,
    hold_decision_digest: holdDecisionDigest,
    mode: options.mode,
    reason: options.reason,
    successor_request: successorOf(bundle.request, run.runId, options.baseSha),
    task_migration: {
      schema: schemaIds.taskMigration,
      entries: bundle.plan.nodes
        .map(({ todo_id: id }) => id)
        .sort((a, b) => (a < b ? -1 : 1))
        .map((id) => identityEntry(id, held.has(id) ? "stay" : "carry")),
      migration_digest: "",
    },
    phase_revision: null,
    seam_split: options.mode === "seam_split" ? treatment : null,
    intentional_serial: options.mode === "intentional_serial" ? treatment : null,
    request_digest: "",
  };
  sealInPlace(request, options.dialect ?? defaultDialect);
  return { kind: "built", request, text: `${JSON.stringify(request, null, 1)}\n` };
}

/** The finding of the hold decision, when its record can be used. */
export function heldFinding({ run }: RecompileContext): RecordedFinding | null {
  const digest = run?.heldFindingDigest ?? null;
  return digest === null ? null : (run?.findings.get(digest) ?? null);
}

export function identityEntry(id: string, disposition: "carry" | "stay"): Fields {
  return { predecessor_task_id: id, disposition, successor_task_ids: [id], reason: disposition === "stay" ? "Held by the finding; stays as it is." : "Not affected by the finding; carries on.", evidence_digests: [] };
}

function successorOf(predecessor: Readonly<Record<string, unknown>>, runId: string, baseSha: string | undefined): Fields {
  const members = structuredClone(Object.fromEntries(baseMembers.map((member) => [member, predecessor[member]])));
  const repo = baseSha === undefined ? members["repo"] : { ...(members["repo"] as Fields), base_sha: baseSha };
  const { capacity, todos, manual_witness, sensor_query_set, executor_capability, claim_mode } = members;
  return {
    schema: schemaIds.successorRequest,
    request_id: runId,
    repo,
    capacity,
    todos,
    manual_witness,
    sensor_query_set,
    executor_capability,
    claim_mode,
    predecessor_request_digest: predecessor["request_digest"],
    task_migration_digest: "",
    request_digest: "",
  };
}

export interface TreatmentOptions {
  readonly reason: string;
  readonly stayTodoId?: string;
}

/** A treatment of the finding, not yet sealed; null when the finding has too few todos for it. */
export function buildTreatment(mode: RecompileMode, finding: RecordedFinding, { reason, stayTodoId }: TreatmentOptions): Fields | null {
  const emptyDiff = (schema: string): Fields => ({ schema, added: [], removed: [], diff_digest: "" });
  if (mode === "seam_split") {
    return {
      schema: schemaIds.seamSplit,
      finding_digest: finding.digest,
      predecessor_task_ids: [...finding.todoIds],
      task_migration_digest: "",
      ownership_diff: emptyDiff(schemaIds.ownershipDiff),
      edge_diff: emptyDiff(schemaIds.edgeDiff),
      verifier_refs: [],
      split_digest: "",
    };
  }
  const [first, second] = finding.todoIds;
  if (first === undefined || second === undefined) return null;
  return {
    schema: schemaIds.intentionalSerial,
    finding_digest: finding.digest,
    todo_ids: [...finding.todoIds],
    // 0.12 does not say how a path becomes a resource; the id of 0.50 is an identifier there as well.
    resource_id: serialResourceOf(finding, "0.50") ?? first,
    stay_todo_id: stayTodoId ?? first,
    reason,
    serial_digest: "",
  };
}

function freshRequestId(used: ReadonlyMap<string, unknown>): string {
  let number = 1;
  while (used.has(`rc-${number}`)) number += 1;
  return `rc-${number}`;
}
