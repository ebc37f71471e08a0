// Owns: mutual exclusion between instances of this product on one claim. A guard is a numbered directory that appears complete
// (a prepared directory is renamed to its number, which fails when that number exists) and is free once it holds `released`.
// Leaves to others: judging a holder (guardOwner.ts), what is done under the guard.
//
// Why numbers: whoever finds the newest guard free or its holder gone takes the next number, and only one can. Numbers never go
// down, since the newest is never removed; so nobody ever moves or deletes a guard that might be somebody's, which is the race
// that every scheme of "remove the stale lock, then take it" has. No hard links are needed.
import { join } from "node:path";
import type { FileIdentity } from "../claims/claim.js";
import { createExclusiveDurable } from "../storage/createSteps.js";
import { ensureDirectory, syncDirectory } from "../storage/directorySteps.js";
import { answerOr, errnoError, errnoOf } from "../storage/errno.js";
import { fileIdentityOf, isSameInode } from "../storage/fileIdentity.js";
import { lookAt, renameWithRetry } from "../storage/moveSteps.js";
import { readBounded } from "../storage/readBounded.js";
import { guardOwnerBytes, guardOwnerOf, judgeGuardOwner, parseGuardOwner, type GuardOwner } from "./guardOwner.js";
import { guardDirectory, guardsName, type ClaimPlace } from "./latticeLayout.js";
import type { GuardHolder } from "./quarantineEntry.js";
import type { Session } from "./session.js";

export interface InstanceGuard {
  /** False when another instance took over (it judged us gone, or a person overrode us): then nothing may be moved any more. */
  isStillHeld(): Promise<boolean>;
  /** Never throws for kernel answers: `guard-not-released` is a warning beside the result. The next use in this process ends it. */
  release(): Promise<readonly string[]>;
}

export type GuardAttempt =
  | { readonly kind: "held"; readonly guard: InstanceGuard }
  | { readonly kind: "busy"; readonly holder: GuardHolder }
  /** A directory of the guard is a symlink or no directory: what is written there would land elsewhere. */
  | { readonly kind: "unsafe"; readonly path: string };

const ownerName = "owner.json";
const releasedName = "released";
// A hostile repository may bring a guard of any number: the next one must still be a number, and a safe integer.
const numberPattern = /^\d{10,15}$/;
const ownerMaxBytes = 65_536;

/** Guards of this process whose release failed: ours, and nobody works under them. Positive knowledge, so it may be global. */
const unreleased = new Set<string>();

const numberName = (number: number): string => String(number).padStart(10, "0");

/**
 * Takes the guard of one claim, or says who has it. Does not wait. The quarantine root must exist.
 * @throws the errno error of the step that failed; nothing that others see was then changed.
 */
export async function acquireInstanceGuard(session: Session, place: ClaimPlace): Promise<GuardAttempt> {
  const { port } = session;
  const directory = guardDirectory(place);
  const all = join(place.root, guardsName);
  for (const [parent, path] of [[place.root, all], [all, directory]] as const) {
    const check = await ensureDirectory(port, parent, path, { mode: 0o700, platform: session.platform });
    if (check.kind === "unsafe") return { kind: "unsafe", path };
  }
  const newest = await newestNumber(session, directory);
  if (newest > 0) {
    const holder = await holderOf(session, place, directory, newest);
    if (holder !== null && !isOverridden(session, holder)) return { kind: "busy", holder };
  }
  const owner = guardOwnerOf(await session.observer.current(), session.random.uuid(), place.relative, session.clock.now());
  return await take(session, place, directory, newest + 1, owner);
}

async function take(session: Session, place: ClaimPlace, directory: string, number: number, owner: GuardOwner): Promise<GuardAttempt> {
  const path = join(directory, numberName(number));
  try {
    const identity = await publish(session, directory, number, owner);
    if (identity === null || !(await isNewest(session, directory, number, identity))) {
      await abandon(session, path, owner.token);
      return { kind: "busy", holder: (await holderOf(session, place, directory, await newestNumber(session, directory))) ?? raceWinner(number) };
    }
    await sweep(session, directory, number);
    return { kind: "held", guard: { isStillHeld: () => isNewest(session, directory, number, identity), release: () => release(session, path, owner.token) } };
  } catch (error) {
    // Whatever stands on the disk now, nobody will work under this token.
    if (errnoOf(error) !== null) await abandon(session, path, owner.token);
    throw error;
  }
}

async function abandon(session: Session, path: string, token: string): Promise<void> {
  unreleased.add(token);
  await answerOr(undefined, async () => {
    const read = await readBounded(session.port, join(path, ownerName), { maxBytes: ownerMaxBytes });
    if (read.kind === "read" && parseGuardOwner(read.bytes)?.token === token) await release(session, path, token);
  });
}

function isOverridden(session: Session, holder: GuardHolder): boolean {
  return holder.verdict !== "live" && session.breakGuard?.typedId === holder.token;
}

/** Somebody took the number and was done before we looked: there is no holder to name. */
function raceWinner(number: number): GuardHolder {
  return { token: numberName(number), verdict: "unknown", pid: null, hostname: null, acquiredAt: null };
}

async function newestNumber(session: Session, directory: string): Promise<number> {
  const numbers = (await session.port.readdir(directory)).filter((entry) => numberPattern.test(entry.name)).map((entry) => Number(entry.name));
  return Math.max(0, ...numbers);
}

async function isNewest(session: Session, directory: string, number: number, identity: FileIdentity): Promise<boolean> {
  if ((await newestNumber(session, directory)) !== number) return false;
  const stat = await lookAt(session.port, join(directory, numberName(number)));
  return stat !== null && isSameInode(fileIdentityOf(stat), identity);
}

/** Null when the guard is free: released, or its holder is gone. */
async function holderOf(session: Session, place: ClaimPlace, directory: string, number: number): Promise<GuardHolder | null> {
  const guard = join(directory, numberName(number));
  if ((await lookAt(session.port, join(guard, releasedName))) !== null) return null;
  const read = await readBounded(session.port, join(guard, ownerName), { maxBytes: ownerMaxBytes });
  const owner = read.kind === "read" ? parseGuardOwner(read.bytes) : null;
  if (owner === null) return { token: numberName(number), verdict: "unreadable", pid: null, hostname: null, acquiredAt: null };
  if (unreleased.has(owner.token)) return null;
  session.observer.forget();
  const [current, inspection, environment] = await Promise.all([
    session.observer.current(),
    session.observer.inspect(owner.pid),
    session.observer.environment(place.root, owner.pid),
  ]);
  const verdict = judgeGuardOwner(owner, { current, inspection, environment });
  if (verdict === "gone") return null;
  return { token: owner.token, verdict, pid: owner.pid, hostname: owner.hostname, acquiredAt: owner.acquired_at };
}

/** The identity of our guard once it stands under its number; null when the number was taken. */
async function publish(session: Session, directory: string, number: number, owner: GuardOwner): Promise<FileIdentity | null> {
  const { port, platform, clock } = session;
  const prepared = join(directory, `.prepare-${owner.token}`);
  const target = join(directory, numberName(number));
  await port.mkdir(prepared, 0o700);
  let identity: FileIdentity | null = null;
  try {
    const created = await createExclusiveDurable(port, join(prepared, ownerName), guardOwnerBytes(owner), { mode: 0o600, platform });
    // Impossible on a sound disk, since the directory is ours and new; a guard without our name in it must not be published.
    if (created.kind === "exists") throw errnoError("EEXIST", "open", prepared);
    identity = fileIdentityOf(await port.lstat(prepared));
    await renameWithRetry(port, prepared, target, { platform, clock, verify: async () => (await lookAt(port, target)) === null });
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    // The answer may have come after the fact; the disk knows.
    const stat = await lookAt(port, target);
    if (stat === null || identity === null || !isSameInode(fileIdentityOf(stat), identity)) {
      await removeGuard(session, prepared);
      if (stat !== null) return null;
      throw error;
    }
  }
  await answerOr(undefined, () => syncDirectory(port, directory, { platform }));
  return identity;
}

/** What older holders and crashed attempts have left. Whoever is preparing now has aimed at a number that is taken, and fails. */
async function sweep(session: Session, directory: string, number: number): Promise<void> {
  await answerOr(undefined, async () => {
    for (const { name } of await session.port.readdir(directory)) {
      const isOld = numberPattern.test(name) && Number(name) < number;
      if (isOld || name.startsWith(".prepare-")) await removeGuard(session, join(directory, name));
    }
  });
}

async function removeGuard(session: Session, guard: string): Promise<void> {
  const stat = await answerOr(null, () => lookAt(session.port, guard));
  // What only looks like a guard (a symlink) would let us delete elsewhere.
  if (stat?.type !== "directory") return;
  for (const name of [ownerName, releasedName]) await answerOr(undefined, () => session.port.unlink(join(guard, name)));
  await answerOr(undefined, () => session.port.rmdir(guard));
}

async function release(session: Session, guard: string, token: string): Promise<readonly string[]> {
  const path = join(guard, releasedName);
  try {
    // Need not be durable: after a power cut the holder is of another boot and gone.
    await (await session.port.createExclusive(path, 0o600)).close();
    return [];
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    if (await answerOr(false, async () => (await lookAt(session.port, path)) !== null)) return [];
    unreleased.add(token);
    return ["guard-not-released"];
  }
}
