// Owns: which driver sets the claims of a runtime aside.
// Leaves to others: the drivers themselves.
import type { SystemId } from "../claims/claim.js";
import { amqDriver } from "../systems/pi-amq/amqDriver.js";
import { latticeDriver } from "./latticeDriver.js";
import type { QuarantineDriver } from "./quarantineDriver.js";

const drivers: readonly QuarantineDriver[] = [latticeDriver, amqDriver];

/** Null for a runtime whose claims are never displaced. */
export function driverOf(system: SystemId): QuarantineDriver | null {
  return drivers.find((driver) => driver.system === system) ?? null;
}
