// Owns: what every way of displacing a claim is given and answers; moving it and verifying what was moved.
// Leaves to others: what happens before the move (latticeProtocol.ts), the record (executeQuarantine.ts).
import { dirname } from "node:path";
import type { FileIdentity } from "../claims/claim.js";
import { syncDirectory } from "../storage/directorySteps.js";
import { errnoOf, hasErrno } from "../storage/errno.js";
import { fileIdentityOf, isSameFile, isSameInode } from "../storage/fileIdentity.js";
import type { FileStat } from "../storage/filePort.js";
import { lookAt, moveToFreshName, unlinkIfSame } from "../storage/moveSteps.js";
import { putBackNoClobber } from "../storage/putBack.js";
import { type ContentHash } from "./claimContent.js";
import type { ChangedReason, ItemType, RefusedReason } from "./quarantineEntry.js";
import type { Session } from "./session.js";

/** What shall lie at the destination afterwards, and nothing else. */
export interface Target {
  readonly file: FileIdentity;
  readonly itemType: ItemType;
  readonly sha256: string | null;
  /** Hard links that the claim has by itself; null when nobody counted. */
  readonly linkCount: number | null;
}

export interface Displacement {
  readonly session: Session;
  readonly target: Target;
  /** The claim's path. */
  readonly source: string;
  /** Fresh names in the quarantine directory. */
  readonly destination: string;
  readonly frozen: string;
  /** False when another instance has taken over: then nothing may be moved. */
  readonly isStillHeld: () => Promise<boolean>;
  readonly hash: (path: string, stat: FileStat) => Promise<ContentHash>;
}

/** What lies at the destination when it is not the target (or not known to be). */
export interface Kept {
  readonly file: FileIdentity;
  readonly itemType: ItemType;
  readonly sha256: string | null;
}

export type Displaced =
  | { readonly kind: "displaced"; readonly warnings: readonly string[] }
  /** The claim left its place while we held a second link: its bytes are at the destination. */
  | { readonly kind: "vanished"; readonly kept: Kept; readonly warnings: readonly string[] }
  /** Another claim was moved and its place was taken again: it is at the destination. */
  | { readonly kind: "conflict"; readonly kept: Kept; readonly warnings: readonly string[] }
  /** The claim is in its place, or was never in our hands. `isClean` false: a second link or a moved item is left; the record must stay. */
  | { readonly kind: "untouched"; readonly cause: Cause; readonly isClean: boolean; readonly warnings: readonly string[] };

export type Cause =
  | { readonly kind: "changed"; readonly reason: ChangedReason; readonly detail: string | null }
  | { readonly kind: "refused"; readonly reason: RefusedReason; readonly detail: string | null };

export function changed(reason: ChangedReason, detail: string | null = null): Cause {
  return { kind: "changed", reason, detail };
}

export function refused(reason: RefusedReason, detail: string | null = null): Cause {
  return { kind: "refused", reason, detail };
}

export function untouched(cause: Cause, warnings: readonly string[] = []): Displaced {
  return { kind: "untouched", cause, isClean: true, warnings };
}

/** The refusal for a failed file step. @throws anything that is no kernel answer. */
export function refusedBy(error: unknown): Cause {
  const code = errnoOf(error);
  if (code === null) throw error;
  return refused(hasErrno(error, "EXDEV") ? "other-file-system" : "io-error", code);
}

/** In what `stat` differs from the target, or null. `extraLinks`: links of ours. */
export function mismatch(target: Target, stat: FileStat | null, extraLinks = 0): Cause | null {
  if (stat === null) return changed("missing");
  const identity = fileIdentityOf(stat);
  if (!isSameInode(identity, target.file)) return changed("file-replaced");
  if (stat.type !== target.itemType) return changed("type-changed", stat.type);
  // The size and time of a directory follow its entries; its inode is all that identifies it.
  if (stat.type === "directory") return null;
  if (!isSameFile(identity, target.file)) return changed("content-changed");
  const links = Number(stat.linkCount) - extraLinks;
  return target.linkCount === null || links === target.linkCount ? null : changed("link-count-changed", String(links));
}

/** In what the bytes at `path` differ from the target, or null. `unreadable` is no difference: see the callers. */
export async function contentMismatch(d: Displacement, path: string, stat: FileStat): Promise<"differs" | "unreadable" | null> {
  if (d.target.sha256 === null) return null;
  const content = await d.hash(path, stat);
  if (content.kind === "unreadable") return "unreadable";
  return content.kind === "hash" && content.sha256 === d.target.sha256 ? null : "differs";
}

/** Last looks before the point of no return: cancelled, or no longer ours to do? */
export async function mayMove(d: Displacement): Promise<Cause | null> {
  if (d.session.signal?.aborted === true) return refused("cancelled");
  return (await d.isStillHeld()) ? null : refused("busy", "guard-lost");
}

export type MoveAttempt =
  | { readonly kind: "arrived"; readonly stat: FileStat }
  | { readonly kind: "not-moved"; readonly cause: Cause }
  /** The disk does not say whether it moved. */
  | { readonly kind: "in-doubt"; readonly cause: Cause };

/** Moves whatever the source names to the destination. What lies there then is still to be verified. */
export async function moveClaim(d: Displacement): Promise<MoveAttempt> {
  const { port, platform, clock } = d.session;
  const verify = async (): Promise<boolean> => mismatch(d.target, await lookAt(port, d.source), 0)?.reason !== "file-replaced";
  try {
    const moved = await moveToFreshName(port, d.source, d.destination, { platform, clock, verify });
    switch (moved.kind) {
      case "moved":
        return { kind: "arrived", stat: moved.stat };
      case "missing":
        return { kind: "not-moved", cause: changed("missing") };
      case "occupied":
        return { kind: "not-moved", cause: refused("io-error", "EEXIST") };
      case "in-doubt":
        return { kind: "in-doubt", cause: refused("io-error", moved.code) };
    }
  } catch (error) {
    const cause = refusedBy(error);
    try {
      const stat = await lookAt(port, d.destination);
      return stat === null ? { kind: "not-moved", cause } : { kind: "arrived", stat };
    } catch (second) {
      if (errnoOf(second) === null) throw second;
      return { kind: "in-doubt", cause };
    }
  }
}

/** Verifies what arrived; a claim that is not the target goes back to its place without replacing what it may hold. */
export async function settleArrival(d: Displacement, stat: FileStat, hasFrozen: boolean): Promise<Displaced> {
  const wrong = mismatch({ ...d.target, linkCount: null }, stat);
  const content = wrong === null ? await contentMismatch(d, d.destination, stat) : null;
  if (wrong === null && content !== "differs") {
    const warnings = content === "unreadable" ? ["content-not-verified"] : [];
    return { kind: "displaced", warnings: [...warnings, ...(await tidy(d, hasFrozen))] };
  }
  const cause = wrong ?? changed("content-changed");
  const kept = await describe(d, d.destination, stat);
  try {
    const { port, platform, clock } = d.session;
    const back = await putBackNoClobber(port, d.destination, d.source, { platform, clock });
    if (back.kind === "put-back") return { kind: "untouched", cause, isClean: back.warnings.length === 0, warnings: back.warnings };
    if (back.kind === "missing") return { kind: "untouched", cause, isClean: false, warnings: ["item-missing"] };
    return { kind: "conflict", kept, warnings: [] };
  } catch (error) {
    return { kind: "untouched", cause: refusedBy(error), isClean: false, warnings: ["moved-not-put-back"] };
  }
}

/** Makes the move durable before the second link goes, so that no power cut finds neither name. */
async function tidy(d: Displacement, hasFrozen: boolean): Promise<readonly string[]> {
  const { port, platform } = d.session;
  const warnings: string[] = [];
  const step = async (warning: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      warnings.push(warning);
    }
  };
  await step("not-durable", () => syncDirectory(port, dirname(d.destination), { platform }));
  if (hasFrozen && warnings.length > 0) warnings.push("second-link-left");
  else if (hasFrozen) await step("second-link-left", () => unlinkIfSame(port, d.frozen, d.target.file));
  await step("not-durable", () => syncDirectory(port, dirname(d.source), { platform }));
  return [...new Set(warnings)];
}

/** What lies at `path`, for a record that speaks of something else than the plan. */
export async function describe(d: Displacement, path: string, stat: FileStat): Promise<Kept> {
  const content = await d.hash(path, stat);
  return { file: fileIdentityOf(stat), itemType: stat.type, sha256: content.kind === "hash" ? content.sha256 : null };
}

/** Moves a claim without freezing it first: directories, and file systems without hard links. */
export async function displaceDirectly(d: Displacement, warnings: readonly string[] = []): Promise<Displaced> {
  const before = mismatch(d.target, await lookAt(d.session.port, d.source)) ?? (await mayMove(d));
  if (before !== null) return untouched(before, warnings);
  const moved = await moveClaim(d);
  if (moved.kind === "arrived") {
    const displaced = await settleArrival(d, moved.stat, false);
    return { ...displaced, warnings: [...warnings, ...displaced.warnings] };
  }
  return { kind: "untouched", cause: moved.cause, isClean: moved.kind === "not-moved", warnings };
}
