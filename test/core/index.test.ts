// The names that other programs rely on (design/core-api.md) exist on the public face.
import assert from "node:assert/strict";
import * as core from "../../src/core/index.js";

const functions = [
  ...["canonicalizeArtifact", "digestArtifact", "selfDigest"],
  ...["checkTaskMigration", "checkRunRequest", "checkRunRequestV2", "checkRecompileRequest", "checkArtifact", "checkRecompileRequestText", "checkLifecycleLock"],
  ...["verifyRunEventChain", "projectRunState", "computeReadyFrontier", "decideHoldAndCarryOver", "recompileNextEpochPlan", "finalizeRecompileActivation"],
  ...["routeConflictTreatment", "buildCarryOverWitness", "acquireLifecycleLock", "releaseLifecycleLock", "inspectLifecycleLock"],
  ...["WorkflowLeaseManager", "parseWorkflowLeaseOwner", "parseLifecycleGuard", "classifyOwner"],
  ...["createProcessInspector", "scanRunState", "planQuarantine", "executeQuarantine", "listQuarantine", "restoreFromQuarantine"],
];

describe("the library's public face", () => {
  for (const name of functions) {
    it(`exports ${name}`, () => {
      assert.equal(typeof (core as Readonly<Record<string, unknown>>)[name], "function");
    });
  }
});
