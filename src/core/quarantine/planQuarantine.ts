// Owns: the plan that a person confirms.
// Leaves to others: whether it is permitted (permission.ts), doing it (executeQuarantine.ts).
import { join } from "node:path";
import type { ClaimSnapshot } from "../claims/claim.js";
import { driverOf } from "./drivers.js";
import { assess } from "./permission.js";
import type { QuarantinePlan } from "./quarantineEntry.js";
import { openSession, type QuarantineOptions } from "./session.js";

/**
 * What quarantining this claim would do, bound to the file and bytes that were judged. Read only; never throws for a state of the
 * disk: what cannot be done has `permission: "never"` and the reason among its cautions.
 */
export async function planQuarantine(claim: ClaimSnapshot, options: QuarantineOptions = {}): Promise<QuarantinePlan> {
  const session = openSession(options);
  const driver = driverOf(claim.system);
  const place = driver?.placeOfClaim(claim.path) ?? null;
  const plannedAt = session.clock.now();
  const base = { claim, sha256: claim.sha256, proof: claim.verdict.kind === "stale" ? claim.verdict.proof : null, plannedAt };
  if (driver === null || place === null) {
    return { ...base, file: null, itemType: "other", permission: "never", cautions: ["not-supported"], quarantineDirectory: "", destination: "" };
  }
  const { permission, cautions, stat } = await assess(session, claim);
  const name = driver.itemName(claim, plannedAt, session.random.uuid());
  return {
    ...base,
    file: claim.file,
    itemType: stat?.type ?? "other",
    permission,
    cautions: claim.linkCount !== null && claim.linkCount > 1 && stat?.type === "file" ? [...cautions, "further-links"] : cautions,
    quarantineDirectory: place.directory,
    destination: join(place.directory, name),
  };
}
