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
