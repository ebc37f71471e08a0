// Owns: getting a stale lock out of the way of an acquire: by the repair protocol inside a store, beside itself anywhere else.
// Leaves to others: the protocol (quarantine/), the verdict (lockStanding.ts).
import { basename, dirname, join } from "node:path";
import type { ClaimSnapshot } from "../../claims/claim.js";
import { systemRandom } from "../../ports.js";
import { executeQuarantine } from "../../quarantine/executeQuarantine.js";
import { placeOfClaim } from "../../quarantine/latticeLayout.js";
import { planQuarantine } from "../../quarantine/planQuarantine.js";
import type { QuarantineOptions } from "../../quarantine/session.js";
import { syncDirectory } from "../../storage/directorySteps.js";
import { fileIdentityOf, isSameFile } from "../../storage/fileIdentity.js";
import type { FilePort } from "../../storage/filePort.js";
import { lookAt, moveToFreshName } from "../../storage/moveSteps.js";
import { putBackNoClobber } from "../../storage/putBack.js";
import { lifecycleLockMaxBytes } from "./lifecycleLock.js";
import { LifecycleLockError } from "./lifecycleLockError.js";
import { lookAtLock } from "./lifecycleLockFile.js";

/** `freed`: displaced. `unclear`: it is no longer what was judged, look again. `busy`: another instance of ours is at it, or cancelled. */
export type Recovery = "freed" | "unclear" | "busy";

/**
 * What was displaced is kept: in the store's quarantine with a record, or, for a lock that lies
 * in no store, under the runtime's own `.stale` name beside it.
 * @throws LifecycleLockError RUN_LOCK_INVALID when it cannot be displaced, or another claim came between (both are kept).
 */
export async function recoverLifecycleLock(claim: ClaimSnapshot, port: FilePort, options: QuarantineOptions): Promise<Recovery> {
  return placeOfClaim(claim.path) === null ? await setAsideBeside(claim, port, options) : await quarantine(claim, options);
}

async function quarantine(claim: ClaimSnapshot, options: QuarantineOptions): Promise<Recovery> {
  const plan = await planQuarantine(claim, options);
  // A stale claim may be displaced unless it is no longer there as it was judged.
  if (plan.permission === "never" && plan.cautions[0] !== "not-supported") return "unclear";
  const result = await executeQuarantine(plan, options);
  switch (result.kind) {
    case "quarantined":
      return "freed";
    case "changed":
      return "unclear";
    case "conflict":
      throw conflict(result.paths);
    case "refused":
      if (result.reason === "busy" || result.reason === "cancelled") return "busy";
      throw new LifecycleLockError("RUN_LOCK_INVALID", `The stale lock cannot be displaced: ${result.reason}${result.detail === null ? "" : ` (${result.detail})`}`);
  }
}

/** No store, so no quarantine and no guard: rename, verify, put back without overwriting. Another runtime may race us here as it races itself. */
async function setAsideBeside({ path, file, sha256 }: ClaimSnapshot, port: FilePort, { random = systemRandom }: QuarantineOptions): Promise<Recovery> {
  const directory = dirname(path);
  const aside = join(directory, `.${basename(path)}.${process.pid}.${random.uuid()}.stale`);
  const before = await lookAt(port, path);
  if (before === null || file === null || !isSameFile(fileIdentityOf(before), file)) return "unclear";
  const moved = await moveToFreshName(port, path, aside);
  if (moved.kind !== "moved") return "unclear";
  const look = await lookAtLock(port, aside, lifecycleLockMaxBytes);
  if (isSameFile(fileIdentityOf(moved.stat), file) && look.kind === "read" && look.sha256 === sha256) {
    await syncDirectory(port, directory);
    return "freed";
  }
  const back = await putBackNoClobber(port, aside, path);
  if (back.kind === "occupied") throw conflict([aside, path]);
  return "unclear";
}

function conflict(paths: readonly string[]): LifecycleLockError {
  return new LifecycleLockError("RUN_LOCK_INVALID", `Another claim came between; both are kept: ${paths.join(", ")}`);
}
