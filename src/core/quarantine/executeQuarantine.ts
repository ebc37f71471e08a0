// Owns: carrying out a confirmed plan: guard, re-check, record first, displace, complete the record (design/quarantine.md, Steps).
// Leaves to others: how the claim is moved (the driver's protocol), what a crash leaves (settleFrozen.ts).
import { basename, dirname } from "node:path";
import { ArtifactError } from "../artifact/canonical.js";
import type { FileStat } from "../storage/filePort.js";
import { refusedBy, untouched, type Cause, type Displaced } from "./displacement.js";
import { driverOf } from "./drivers.js";
import { entryOf, lookAtItem } from "./itemFacts.js";
import { itemPaths, type ItemPaths } from "./itemPaths.js";
import type { InstanceGuard } from "./instanceGuard.js";
import type { ClaimPlace } from "./latticeLayout.js";
import { assess } from "./permission.js";
import type { QuarantineDriver } from "./quarantineDriver.js";
import type { Changed, QuarantineEntry, QuarantinePlan, QuarantineRecord, QuarantineResult, Refusal } from "./quarantineEntry.js";
import { amendRecord, intendedRecord } from "./quarantineRecord.js";
import { completeRecord, forgetRecord, writeRecord } from "./recordFile.js";
import { differenceFrom } from "./recheck.js";
import { openSession, type QuarantineOptions, type Session } from "./session.js";
import { settleItem } from "./settleFrozen.js";
import { settlePlace } from "./settlePlace.js";
import { refusal, underGuard } from "./underGuard.js";

/**
 * Displaces the claim of `plan` into quarantine if it is still exactly what was planned. Promises, at any interleaving and with a
 * failure at any step: no other claim is lost or overwritten, the bytes of this one are in place or in quarantine, and what a
 * failure leaves is shown by `listQuarantine` and settled by `settleFrozen` or the next repair. Not promised: a runtime that
 * stalls longer than the drain between judging and renaming can still interfere (nothing is lost then either).
 * Kernel answers are results; only bugs are thrown.
 */
export async function executeQuarantine(plan: QuarantinePlan, options: QuarantineOptions = {}): Promise<QuarantineResult> {
  const session = openSession(options);
  const driver = driverOf(plan.claim.system);
  const place = driver?.placeOfClaim(plan.claim.path) ?? null;
  if (driver === null || place === null || plan.file === null) return refusal("never-allowed", plan.cautions[0] ?? null);
  const forbidden = forbids(plan, session);
  if (forbidden !== null) return forbidden;
  if (dirname(plan.destination) !== place.directory) return refusal("not-supported", plan.destination);
  return await underGuard(session, driver, place, "create", async (guard): Promise<QuarantineResult> => {
    const earlier = await settlePlace(session, driver, place);
    const result = await repair({ session, driver, plan, place, guard, linksUndone: earlier.linksUndone });
    return { ...result, warnings: [...earlier.warnings, ...result.warnings] };
  });
}

function forbids(plan: QuarantinePlan, session: Session): Refusal | null {
  if (session.signal?.aborted === true) return refusal("cancelled");
  switch (plan.permission) {
    case "never":
      return refusal("never-allowed", plan.cautions[0] ?? null);
    case "force-only":
      if (session.force === null) return refusal("force-needed", plan.cautions[0] ?? null);
      return session.force.typedId === plan.claim.id ? null : refusal("typed-id-differs");
    case "normal":
      return null;
  }
}

interface Repair {
  readonly session: Session;
  readonly driver: QuarantineDriver;
  readonly plan: QuarantinePlan;
  readonly place: ClaimPlace;
  readonly guard: InstanceGuard;
  readonly linksUndone: number;
}

async function repair(r: Repair): Promise<QuarantineResult> {
  const { session, driver, plan, place } = r;
  const checked = await recheck(r);
  if (checked.kind !== "as-planned") return asResult(checked, []);
  const paths = itemPaths(place.directory, basename(plan.destination));
  const record = newRecord(session, plan, paths.name);
  if (record === null) return refusal("not-supported", "record");
  await writeRecord(session, paths.record, record);
  const displaced = await displace(r, paths, checked.linkCount);
  return await conclude(session, driver, place, paths, record, displaced);
}

/** Looks and judges again, nothing cached. `as-planned` also means: still permitted. */
async function recheck({ session, plan, linksUndone }: Repair): Promise<Cause | { readonly kind: "as-planned"; readonly linkCount: number | null }> {
  session.observer.forget();
  const now = await session.reinspect(plan.claim);
  const difference = differenceFrom(plan, now, linksUndone);
  if (difference !== null) return { kind: "changed", ...difference };
  const { permission, cautions, stat } = await assess(session, now);
  // It changed between the two looks of this very re-check.
  if (stat === null) return { kind: "changed", reason: "missing", detail: cautions.at(-1) ?? null };
  if (cautions.includes("changed-since-scan")) return { kind: "changed", reason: "file-replaced", detail: null };
  if (permission === "never") return { kind: "refused", reason: "never-allowed", detail: cautions.at(-1) ?? null };
  if (session.signal?.aborted === true) return { kind: "refused", reason: "cancelled", detail: null };
  return { kind: "as-planned", linkCount: plan.itemType === "directory" ? null : now.linkCount };
}

/** Null when the claim's own texts pass the limits of a record (a path of many thousand characters). */
function newRecord(session: Session, plan: QuarantinePlan, name: string): QuarantineRecord | null {
  try {
    return intendedRecord(plan, name, plan.permission === "force-only", session.author);
  } catch (error) {
    if (!ArtifactError.is(error)) throw error;
    return null;
  }
}

async function displace({ session, driver, plan, place, guard }: Repair, paths: ItemPaths, linkCount: number | null): Promise<Displaced> {
  const { file, itemType, sha256 } = plan;
  if (file === null) throw new TypeError("A plan without a file displaces nothing.");
  try {
    return await driver.displace(
      {
        session,
        target: { file, itemType, sha256, linkCount },
        source: place.place,
        destination: paths.item,
        frozen: paths.frozen,
        isStillHeld: () => guard.isStillHeld(),
        hash: (path: string, stat: FileStat) => driver.hash(session, path, stat),
      },
      itemType,
    );
  } catch (error) {
    // By the protocols' promise: thrown before anything was linked or moved.
    return untouched(refusedBy(error));
  }
}

async function conclude(
  session: Session,
  driver: QuarantineDriver,
  place: ClaimPlace,
  paths: ItemPaths,
  record: QuarantineRecord,
  displaced: Displaced,
): Promise<QuarantineResult> {
  if (displaced.kind === "untouched") {
    const isForgotten = displaced.isClean && (await forgetRecord(session, paths));
    return asResult(displaced.cause, isForgotten || !displaced.isClean ? displaced.warnings : [...displaced.warnings, "record-left"]);
  }
  const completed_at = new Date(session.clock.now()).toISOString();
  const kept = displaced.kind === "displaced" ? {} : { file: displaced.kept.file, item_type: displaced.kept.itemType, sha256: displaced.kept.sha256 };
  const done = amendRecord(record, { ...kept, state: "done", outcome: displaced.kind, completed_at });
  const isComplete = await completeRecord(session, paths.record, done);
  const secondLink = displaced.kind === "conflict" ? await settleSecondLink(session, driver, paths) : [];
  const warnings = [...displaced.warnings, ...(isComplete ? [] : ["record-not-completed"]), ...secondLink];
  const entry = await entryNow(session, driver, paths, done);
  switch (displaced.kind) {
    case "displaced":
      return { kind: "quarantined", entry, warnings };
    case "vanished":
      return { kind: "changed", reason: "recovered-by-runtime", detail: null, entry, warnings };
    case "conflict":
      return { kind: "conflict", reason: "place-taken", paths: [paths.item, place.place], entry, warnings };
  }
}

/** After a conflict the claim that was frozen has no place and no item yet. */
async function settleSecondLink(session: Session, driver: QuarantineDriver, paths: ItemPaths): Promise<readonly string[]> {
  try {
    await settleItem(session, driver, paths);
    return [];
  } catch (error) {
    refusedBy(error);
    return ["left-frozen"];
  }
}

/** The entry as the disk shows it; as we know it when the disk cannot be asked: the displacement is a fact either way. */
async function entryNow(session: Session, driver: QuarantineDriver, paths: ItemPaths, record: QuarantineRecord): Promise<QuarantineEntry> {
  const known: QuarantineEntry = {
    path: paths.item,
    recordPath: paths.record,
    name: paths.name,
    size: Number(record.file.size),
    at: Date.parse(record.completed_at ?? record.planned_at),
    kind: "quarantined",
    record,
  };
  try {
    return entryOf(paths, await lookAtItem(session, driver, paths)) ?? known;
  } catch (error) {
    refusedBy(error);
    return known;
  }
}

function asResult(cause: Cause, warnings: readonly string[]): Changed | Refusal {
  if (cause.kind === "refused") return refusal(cause.reason, cause.detail, null, warnings);
  return { kind: "changed", reason: cause.reason, detail: cause.detail, entry: null, warnings };
}
