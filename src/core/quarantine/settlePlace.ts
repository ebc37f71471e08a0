// Owns: settling everything that earlier operations have left at one place, before it is repaired again or because a person asks.
// Leaves to others: one item (settleFrozen.ts).
import { dirname } from "node:path";
import type { ClaimSnapshot } from "../claims/claim.js";
import { syncDirectory } from "../storage/directorySteps.js";
import { errnoError } from "../storage/errno.js";
import { areSameFile, fileIdentityOf } from "../storage/fileIdentity.js";
import type { FileStat } from "../storage/filePort.js";
import { lookAt, unlinkIfSame } from "../storage/moveSteps.js";
import { driverOf } from "./drivers.js";
import { itemPaths } from "./itemPaths.js";
import { frozenSuffix, type ClaimPlace } from "./latticeLayout.js";
import { listDirectory } from "./listQuarantine.js";
import type { QuarantineDriver } from "./quarantineDriver.js";
import type { Refusal, SettleAction } from "./quarantineEntry.js";
import { openSession, type QuarantineOptions, type Session } from "./session.js";
import { settleItem } from "./settleFrozen.js";
import { refusal, underGuard } from "./underGuard.js";

export interface PlaceSettled {
  readonly kind: "settled";
  /** What was done, in order; empty when nothing was to be settled. */
  readonly actions: readonly (SettleAction | "conflict")[];
  /** Second links of the claim that were taken away: its link count has gone down by as many. */
  readonly linksUndone: number;
  readonly warnings: readonly string[];
}

/**
 * Settles whatever interrupted repairs have left at the place of this claim: for a claim whose verdict is `corrupt`, reason
 * `frozen`. Also takes away a second link whose record somebody has removed. Kernel answers are results.
 */
export async function settleClaim(claim: Pick<ClaimSnapshot, "path" | "system">, options: QuarantineOptions = {}): Promise<PlaceSettled | Refusal> {
  const session = openSession(options);
  const driver = driverOf(claim.system);
  const place = driver?.placeOfClaim(claim.path) ?? null;
  if (driver === null || place === null) return refusal("not-supported", claim.path);
  return await underGuard(session, driver, place, "quarantine", () => settlePlace(session, driver, place));
}

/** Under the guard. @throws errno errors; what is unsettled then can be settled again. */
export async function settlePlace(session: Session, driver: QuarantineDriver, place: ClaimPlace): Promise<PlaceSettled> {
  const { port } = session;
  const entries = await listDirectory(session, driver, place.directory);
  const pending = entries.filter(
    (entry) => (entry.kind === "frozen" || entry.kind === "intended") && driver.placeOfRecord(entry.record, place.directory)?.relative === place.relative,
  );
  const orphans = entries.filter((entry) => entry.kind === "unreadable" && entry.path.endsWith(frozenSuffix));
  if (pending.length === 0 && orphans.length === 0) return { kind: "settled", actions: [], linksUndone: 0, warnings: [] };
  const before = await lookAt(port, place.place);
  const actions: (SettleAction | "conflict")[] = [];
  for (const { name } of pending) {
    const settled = await settleItem(session, driver, itemPaths(place.directory, name));
    if (settled.kind === "refused") throw errnoError("EBUSY", "settle", name);
    if (settled.kind === "conflict") actions.push("conflict");
    else if (settled.action !== null) actions.push(settled.action);
  }
  for (const { path } of orphans) if (await dropOrphan(session, path, before)) actions.push("undo");
  const after = await lookAt(port, place.place);
  const linksUndone = before !== null && after !== null && areSameFile(before, after) ? Number(before.linkCount - after.linkCount) : 0;
  return { kind: "settled", actions, linksUndone, warnings: actions.map((action) => `settled-${action}`) };
}

/** A second link without a record is dropped only while the claim's own place names the same file. */
async function dropOrphan(session: Session, path: string, place: FileStat | null): Promise<boolean> {
  const stat = await lookAt(session.port, path);
  if (stat === null || place === null || !areSameFile(stat, place)) return false;
  await unlinkIfSame(session.port, path, fileIdentityOf(stat));
  await syncDirectory(session.port, dirname(path), { platform: session.platform });
  return true;
}
