// Owns: finishing or undoing what an interrupted operation has left (a crash, a failed disk), one item at a time.
// Leaves to others: what a state means (classifyItem.ts), the guard and directories (underGuard.ts).
import { dirname } from "node:path";
import { syncDirectory } from "../storage/directorySteps.js";
import { errnoError } from "../storage/errno.js";
import { areSameFile, fileIdentityOf } from "../storage/fileIdentity.js";
import type { FileStat } from "../storage/filePort.js";
import { lookAt, moveToFreshName, unlinkIfSame } from "../storage/moveSteps.js";
import { putBackNoClobber } from "../storage/putBack.js";
import { removeTree } from "../storage/removeTree.js";
import { driverOf } from "./drivers.js";
import { entryOf, lookAtItem, type ItemLook } from "./itemFacts.js";
import { itemPaths, type ItemPaths } from "./itemPaths.js";
import { freshItemName, type ClaimPlace } from "./latticeLayout.js";
import type { QuarantineDriver } from "./quarantineDriver.js";
import type { Conflict, QuarantineEntry, QuarantineRecord, Refusal, SettleAction, SettleResult } from "./quarantineEntry.js";
import { amendRecord } from "./quarantineRecord.js";
import { forgetRecord, writeRecord } from "./recordFile.js";
import { openSession, type QuarantineOptions, type Session } from "./session.js";
import { refusal, underGuard } from "./underGuard.js";

/**
 * Settles one entry of kind `frozen` or `intended`: looks again under the guard and does what the disk then calls for, which may
 * be less than the entry said. No claim is displaced that was not displaced already, no place is overwritten.
 */
export async function settleFrozen(entry: QuarantineEntry, options: QuarantineOptions = {}): Promise<SettleResult> {
  if (entry.kind !== "frozen" && entry.kind !== "intended") return refusal("nothing-to-settle", entry.kind);
  const session = openSession(options);
  const driver = driverOf(entry.record.system);
  const paths = itemPaths(dirname(entry.path), entry.name);
  const place = driver?.placeOfRecord(entry.record, paths.directory) ?? null;
  if (driver === null || place === null) return refusal("not-supported", entry.record.original_path);
  return await underGuard(session, driver, place, "quarantine", async (): Promise<SettleResult> => {
    const settled = await settleItem(session, driver, paths);
    if (settled.kind !== "settled") return settled;
    return settled.action === null ? refusal("nothing-to-settle") : { ...settled, action: settled.action };
  });
}

export type ItemSettled =
  /** `action`: the first that was taken; null when nothing was to be settled. */
  | { readonly kind: "settled"; readonly action: SettleAction | null; readonly entry: QuarantineEntry | null; readonly warnings: readonly string[] }
  | Conflict
  | Refusal;

/** No state needs more: every action leads to one that needs fewer. More means that somebody else is at it. */
const mostActions = 6;

/** Under the guard. @throws errno errors; the item is then in one of the states that this function settles. */
export async function settleItem(session: Session, driver: QuarantineDriver, paths: ItemPaths): Promise<ItemSettled> {
  let first: SettleAction | null = null;
  let conflict: Conflict | null = null;
  for (let count = 0; count < mostActions; count += 1) {
    const look = await lookAtItem(session, driver, paths);
    if (look.kind !== "item" || !("settle" in look.state)) {
      const entry = entryOf(paths, look);
      return conflict === null ? { kind: "settled", action: first, entry, warnings: [] } : { ...conflict, entry };
    }
    first ??= look.state.settle;
    // After a conflict there may still be the second link of the claim that was judged.
    conflict = (await act(session, driver, paths, look, look.state.settle)) ?? conflict;
  }
  return refusal("busy", "unsettled");
}

type Look = Extract<ItemLook, { kind: "item" }>;

async function act(session: Session, driver: QuarantineDriver, paths: ItemPaths, look: Look, action: SettleAction): Promise<Conflict | null> {
  const { record, item, frozen } = look.facts;
  switch (action) {
    case "forget":
      await mustForget(session, paths);
      return null;
    case "undo":
      if (frozen !== null) await dropSecondLink(session, paths, frozen);
      return null;
    case "finish":
      await writeDone(session, paths, record);
      if (item !== null && frozen !== null && areSameFile(item, frozen)) await dropSecondLink(session, paths, frozen);
      return null;
    case "keep":
      if (frozen !== null) await keep(session, driver, paths, look, frozen);
      return null;
    case "put-back":
      return item === null ? null : await putBack(session, driver, paths, look, item);
    case "finish-restore":
      await finishRestore(session, paths, look);
      return null;
    case "finish-purge":
      await removeTree(session.port, paths.item);
      await removeTree(session.port, paths.frozen);
      return null;
  }
}

async function mustForget(session: Session, paths: ItemPaths): Promise<void> {
  if (!(await forgetRecord(session, paths))) throw errnoError("EIO", "unlink", paths.record);
}

async function dropSecondLink(session: Session, paths: ItemPaths, frozen: FileStat): Promise<void> {
  await unlinkIfSame(session.port, paths.frozen, fileIdentityOf(frozen));
  await syncDirectory(session.port, paths.directory, { platform: session.platform });
}

async function writeDone(session: Session, paths: ItemPaths, record: QuarantineRecord): Promise<void> {
  const completed_at = record.completed_at ?? new Date(session.clock.now()).toISOString();
  const done = amendRecord(record, { state: "done", outcome: record.outcome ?? "displaced", completed_at, restored_at: null });
  if (done.record_digest !== record.record_digest) await writeRecord(session, paths.record, done);
}

/** The claim has left its place: the second link becomes an item, with a record that says what it holds. */
async function keep(session: Session, driver: QuarantineDriver, paths: ItemPaths, { facts, place }: Look, frozen: FileStat): Promise<void> {
  // The item's own name is taken when a foreign claim could not go back: this one gets its own name and record then.
  const own = facts.item === null ? paths : itemPaths(paths.directory, freshItemName(place.place, session.clock.now(), session.random.uuid()));
  const content = await driver.hash(session, paths.frozen, frozen);
  const intended = amendRecord(facts.record, {
    item_name: own.name,
    state: "intended",
    outcome: "vanished",
    file: fileIdentityOf(frozen),
    item_type: frozen.type,
    sha256: content.kind === "hash" ? content.sha256 : null,
  });
  await writeRecord(session, own.record, intended);
  const moved = await moveToFreshName(session.port, paths.frozen, own.item, { platform: session.platform, clock: session.clock });
  if (moved.kind !== "moved") throw errnoError(moved.kind === "in-doubt" ? moved.code : "EIO", "rename", own.item);
  const completed_at = new Date(session.clock.now()).toISOString();
  await writeRecord(session, own.record, amendRecord(intended, { state: "done", completed_at, restored_at: null }));
}

/** What was moved is not what was judged: it goes back, unless its place was taken again. */
async function putBack(session: Session, driver: QuarantineDriver, paths: ItemPaths, { facts, place }: Look, item: FileStat): Promise<Conflict | null> {
  const { port, platform, clock } = session;
  if (areSameFile(item, facts.place)) {
    await unlinkIfSame(port, paths.item, fileIdentityOf(item));
    await syncDirectory(port, paths.directory, { platform });
    return null;
  }
  const content = await driver.hash(session, paths.item, item);
  if (!(await isPlaceGone(session, place)) && (await putBackNoClobber(port, paths.item, place.place, { platform, clock })).kind !== "occupied") return null;
  const done = amendRecord(facts.record, {
    state: "done",
    outcome: "conflict",
    file: fileIdentityOf(item),
    item_type: item.type,
    sha256: content.kind === "hash" ? content.sha256 : null,
    completed_at: new Date(clock.now()).toISOString(),
  });
  await writeRecord(session, paths.record, done);
  return { kind: "conflict", reason: "place-taken", paths: [paths.item, place.place], entry: null, warnings: [] };
}

/** Without its directory there is nowhere to put it back: it is kept, with a record of what it is, as when the place is taken. */
async function isPlaceGone({ port }: Session, place: ClaimPlace): Promise<boolean> {
  return (await lookAt(port, dirname(place.place))) === null;
}

/** It is back in its place already. The record first: were the second name gone first, nothing would say that it came back. */
async function finishRestore(session: Session, paths: ItemPaths, { facts }: Look): Promise<void> {
  const { record, item, place } = facts;
  if (record.state !== "restored") {
    const restored_at = new Date(session.clock.now()).toISOString();
    await writeRecord(session, paths.record, amendRecord(record, { state: "restored", restored_at }));
  }
  if (item === null || !areSameFile(item, place)) return;
  await unlinkIfSame(session.port, paths.item, fileIdentityOf(item));
  await syncDirectory(session.port, paths.directory, { platform: session.platform });
}
