// Owns: the library's public face (design/core-api.md). The one file of the core that re-exports; nothing inside imports it.
// Leaves to others: everything.
export { ArtifactError, canonicalizeArtifact, digestArtifact, selfDigest, type ArtifactErrorCode, type Dialect } from "./artifact/canonical.js";
export type { ClaimKind, ClaimOwner, ClaimSnapshot, FileIdentity, SystemId } from "./claims/claim.js";
export type { Check, Judgement, Proof, StaleReason, Verdict, VerdictWord } from "./claims/verdict.js";
export { createProcessInspector } from "./process/createProcessInspector.js";
export type { ProcessIdentity, ProcessInspection, ProcessInspector, ProcessObserver } from "./process/processInspector.js";
export { executeQuarantine } from "./quarantine/executeQuarantine.js";
export { listQuarantine } from "./quarantine/listQuarantine.js";
export { planQuarantine } from "./quarantine/planQuarantine.js";
export { planPurge, purgeQuarantine } from "./quarantine/purgeQuarantine.js";
export type { QuarantineEntry, QuarantinePlan, QuarantineRecord, QuarantineResult, RestoreResult, SettleResult } from "./quarantine/quarantineEntry.js";
export { restoreFromQuarantine } from "./quarantine/restoreFromQuarantine.js";
export { settleFrozen } from "./quarantine/settleFrozen.js";
export { createScanIndex } from "./scan/scanIndex.js";
export { scanRunState } from "./scan/scanRunState.js";
export type { LatticeStoreSnapshot, RootSnapshot, RunSnapshot, RunStateSnapshot, ScanProblem } from "./scan/snapshot.js";
export { acquireLifecycleLock, type LifecycleLockHandle } from "./systems/lattice/acquireLifecycleLock.js";
export { inspectLifecycleLock } from "./systems/lattice/inspectLifecycleLock.js";
export { judgeLifecycleLock } from "./systems/lattice/judgeLifecycleLock.js";
export { checkLifecycleLock } from "./systems/lattice/lifecycleLock.js";
export { LifecycleLockError } from "./systems/lattice/lifecycleLockError.js";
export type { LifecycleLock } from "./systems/lattice/lifecycleLockRecord.js";
export { releaseLifecycleLock } from "./systems/lattice/releaseLifecycleLock.js";
export { inspectWeakLock } from "./systems/lattice/weakLocks.js";

// lattice runs in depth
export { checkArtifact, type ArtifactKind } from "./systems/lattice/artifacts/checkArtifact.js";
export { projectRunState, type RunProjection } from "./systems/lattice/events/projectRunState.js";
export { computeReadyFrontier } from "./systems/lattice/events/readyFrontier.js";
export { verifyControlJournal } from "./systems/lattice/events/verifyControlJournal.js";
export { verifyRunEventChain } from "./systems/lattice/events/verifyRunEventChain.js";
export type { Finding } from "./systems/lattice/finding.js";
export { buildCarryOverWitness } from "./systems/lattice/hold/carryOverWitness.js";
export { decideHoldAndCarryOver } from "./systems/lattice/hold/decideHold.js";
export { finalizeRecompileActivation } from "./systems/lattice/hold/finalizeActivation.js";
export { detectNonConvergentConflicts } from "./systems/lattice/hold/nonConvergence.js";
export { RecompileError } from "./systems/lattice/hold/recompileError.js";
export { recompileNextEpochPlan } from "./systems/lattice/hold/recompilePlan.js";
export { routeConflictTreatment } from "./systems/lattice/hold/routeTreatment.js";
export { inspectRun } from "./systems/lattice/store/inspectRun.js";

// lattice requests
export type { RecompileContext } from "./systems/lattice/requests/context.js";
export { checkRecompileRequest } from "./systems/lattice/requests/recompileRequest.js";
export { readRecompileContext } from "./systems/lattice/requests/runContext.js";
export { checkRunRequest, checkRunRequestV2 } from "./systems/lattice/requests/runRequest.js";
export { buildRecompileSkeleton } from "./systems/lattice/requests/skeleton.js";
export { checkTaskMigration } from "./systems/lattice/requests/taskMigration.js";
export { checkRecompileRequestText } from "./systems/lattice/requests/text.js";

// pi-amq
export { classifyOwner } from "./systems/pi-amq/classifyOwner.js";
export { inspectNamespace } from "./systems/pi-amq/inspectNamespace.js";
export { judgeLeaseOwner } from "./systems/pi-amq/judgeLeaseOwner.js";
export { WorkflowLeaseManager } from "./systems/pi-amq/workflowLeaseManager.js";
export { LeaseRecordError, parseLifecycleGuard, parseWorkflowLeaseOwner } from "./systems/pi-amq/leaseRecord.js";
