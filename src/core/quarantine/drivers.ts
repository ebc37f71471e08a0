// Owns: which driver sets the claims of a runtime aside.
// Leaves to others: the drivers themselves.
import type { SystemId } from "../claims/claim.js";
import { latticeDriver } from "./latticeDriver.js";
import type { QuarantineDriver } from "./quarantineDriver.js";

/** Null for a runtime whose claims are never displaced. */
export function driverOf(system: SystemId): QuarantineDriver | null {
  return system === latticeDriver.system ? latticeDriver : null;
}
