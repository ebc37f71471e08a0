// Owns: displacing a lattice lock, which has no guard of its own: freeze, verify through the link, drain, move, verify
// (design/quarantine.md, "Lattice, which has no guard"). The guard between instances of ours is held by the caller.
// Leaves to others: the move and its verification (displacement.ts), the record (executeQuarantine.ts).
//
// Why a second link freezes: the runtime refuses any lock whose link count is not one, so from the link on no runtime that looks
// recovers it. Why the drain: a runtime that had judged before the link still renames; only after that has the name settled.
// Two residues remain. A runtime that stalls longer than the drain between judging and renaming can still take the name, also
// from a claim that has come since: that is its own race, and our copy of the bytes stays. And an owner who releases in the very
// moment between our look and our link is refused once by its own link-count rule.
import { dirname } from "node:path";
import { syncDirectory } from "../storage/directorySteps.js";
import { errnoOf } from "../storage/errno.js";
import { areSameFile, fileIdentityOf } from "../storage/fileIdentity.js";
import { linkNoClobber, lookAt, moveToFreshName, unlinkIfSame, type Linked } from "../storage/moveSteps.js";
import {
  changed,
  contentMismatch,
  describe,
  displaceDirectly,
  mayMove,
  mismatch,
  moveClaim,
  refused,
  refusedBy,
  settleArrival,
  untouched,
  type Cause,
  type Displaced,
  type Displacement,
} from "./displacement.js";

/**
 * Never throws for a kernel answer once a link was made; before that nothing is left behind. `no-hard-links` is a warning: there
 * the lock is moved without a freeze.
 */
export async function displaceFrozen(d: Displacement): Promise<Displaced> {
  const { port } = d.session;
  const before = mismatch(d.target, await lookAt(port, d.source));
  if (before !== null) return untouched(before);
  let linked: Linked;
  try {
    linked = await linkNoClobber(port, d.source, d.frozen);
  } catch (error) {
    return await thaw(d, refusedBy(error), { isLinked: false });
  }
  switch (linked.kind) {
    case "missing":
      return untouched(changed("missing"));
    case "occupied":
      return untouched(refused("io-error", "EEXIST"));
    case "no-hard-links":
      return await displaceDirectly(d, ["no-hard-links"]);
    case "linked":
      break;
  }
  let obstacle: Cause | null;
  try {
    obstacle = await whileFrozen(d);
  } catch (error) {
    obstacle = refusedBy(error);
  }
  return obstacle === null ? await moveFrozen(d) : await thaw(d, obstacle, { isLinked: true });
}

/** Everything between link and move that can still call it off. Null: move. */
async function whileFrozen(d: Displacement): Promise<Cause | null> {
  const { port, platform, clock, signal } = d.session;
  const link = await lookAt(port, d.frozen);
  const wrongLink = mismatch(d.target, link, 1);
  if (wrongLink !== null || link === null) return wrongLink;
  const content = await contentMismatch(d, d.frozen, link);
  if (content === "unreadable") return refused("io-error", "unreadable");
  if (content === "differs") return changed("content-changed");
  // From here on the bytes survive whatever a runtime does to the name, also across a power cut.
  await syncDirectory(port, dirname(d.frozen), { platform });
  await clock.sleep(d.session.drainMs, signal ?? undefined);
  if (signal?.aborted === true) return refused("cancelled");
  return mismatch(d.target, await lookAt(port, d.source), 1) ?? (await mayMove(d));
}

async function moveFrozen(d: Displacement): Promise<Displaced> {
  const moved = await moveClaim(d);
  if (moved.kind === "not-moved") return await thaw(d, moved.cause, { isLinked: true });
  if (moved.kind === "in-doubt") return { kind: "untouched", cause: moved.cause, isClean: false, warnings: ["left-frozen"] };
  const displaced = await settleArrival(d, moved.stat, true);
  // What came back, or stays as a conflict, was another claim: the one that we froze is only ours to keep now.
  if (displaced.kind !== "untouched" || !displaced.isClean) return displaced;
  return await thaw(d, displaced.cause, { isLinked: true }, displaced.warnings);
}

/**
 * Takes our second link away when the claim's place still names the same file. When it does not, the runtime or the owner took
 * the claim away meanwhile and our link may be the last name of its bytes: they are kept.
 */
async function thaw(d: Displacement, cause: Cause, { isLinked }: { readonly isLinked: boolean }, warnings: readonly string[] = []): Promise<Displaced> {
  const { port, platform, clock } = d.session;
  const leave = (): Displaced => ({ kind: "untouched", cause, isClean: false, warnings: [...warnings, "left-frozen"] });
  try {
    const frozen = await lookAt(port, d.frozen);
    // A link that we made and that nobody else knows cannot be gone: a disk that says so is not to be believed.
    if (frozen === null) return isLinked ? leave() : untouched(cause, warnings);
    const place = await lookAt(port, d.source);
    if (areSameFile(frozen, place)) {
      await unlinkIfSame(port, d.frozen, fileIdentityOf(frozen));
      return untouched(cause, warnings);
    }
    const moved = await moveToFreshName(port, d.frozen, d.destination, { platform, clock });
    if (moved.kind !== "moved") return leave();
    return { kind: "vanished", kept: await describe(d, d.destination, moved.stat), warnings };
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return leave();
  }
}
