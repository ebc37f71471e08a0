// Owns: what a new recompile request needs to know of a held run, and writing one.
// Leaves to others: asking a person (newRecompileRequest.ts in the host), the document (core skeleton.ts).
import { buildRecompileSkeleton, heldFinding } from "../../../core/systems/lattice/requests/skeleton.js";
import type { HeldRunFact, Operations, SkeletonInput, SkeletonOutput } from "../protocol.js";
import { dialectOf, type Runs } from "./runs.js";

export async function heldRunOf({ runDirectory, dialect }: Operations["heldRun"]["input"], runs: Runs): Promise<HeldRunFact> {
  const read = await runs.contextOf(runDirectory, true);
  const { context, problems } = read;
  const proved = dialectOf(dialect, read).dialect;
  // A seam split is possible for every finding, so that it shows whether the run is fit for a request at all.
  const trial = buildRecompileSkeleton(context, { mode: "seam_split", reason: "trial", dialect: proved });
  const finding = heldFinding(context);
  const { predecessorBundle: bundle, run } = context;
  if (trial.kind === "refused" || finding === null || bundle === undefined) {
    const reasons = [trial.kind === "refused" ? trial.reason : "", ...problems.map(({ file, message }) => `${file}: ${message}`)];
    return { kind: "refused", reason: reasons.filter((reason) => reason !== "").join(" ") };
  }
  return {
    kind: "held",
    runId: run.runId,
    epoch: bundle.plan_epoch,
    dialect: proved,
    freshRequestId: String(trial.request["request_id"]),
    usedRequestIds: [...run.usedRequestIds.keys()],
    finding: { todoIds: finding.todoIds, path: finding.path, resourceId: finding.resourceId, epoch: finding.epoch },
  };
}

export async function skeletonOf({ runDirectory, mode, reason, requestId, stayTodoId, dialect }: SkeletonInput, runs: Runs): Promise<SkeletonOutput> {
  const { context } = await runs.contextOf(runDirectory, true);
  const outcome = buildRecompileSkeleton(context, { mode, reason, requestId, dialect, ...(stayTodoId === null ? {} : { stayTodoId }) });
  return outcome.kind === "built" ? { kind: "built", text: outcome.text } : outcome;
}
