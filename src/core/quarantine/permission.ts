// Owns: who may be displaced (the table of design/quarantine.md), as a pure function, and gathering what it needs.
// Leaves to others: the verdict itself (systems/*), asking the person (the views).
import type { ClaimSnapshot } from "../claims/claim.js";
import type { Verdict } from "../claims/verdict.js";
import type { OpenFileEvidence } from "../process/processInspector.js";
import { errnoOf } from "../storage/errno.js";
import { fileIdentityOf, isSameFile } from "../storage/fileIdentity.js";
import type { FileStat } from "../storage/filePort.js";
import { lookAt } from "../storage/moveSteps.js";
import type { QuarantinePlan } from "./quarantineEntry.js";
import type { Session } from "./session.js";

export type Permission = Pick<QuarantinePlan, "permission" | "cautions">;

/** Milliseconds for which a corrupt claim must have been left alone: somebody may be writing it. */
export const corruptRestMs = 60_000;

export interface PermissionFacts {
  readonly verdict: Verdict;
  /** Milliseconds since anything about the file changed; asked for corrupt claims only. */
  readonly restMs: number;
  /** Asked for corrupt claims only; null otherwise. */
  readonly open: OpenFileEvidence | null;
}

/**
 * The table. Force is offered for a corrupt claim only after a minute without change and never while a process has it open. Where
 * nobody can be looked into (`unknown`) that second condition cannot be met by anybody; force then remains, with a caution, as
 * for every other claim about which nothing can be known.
 */
export function permissionFor({ verdict, restMs, open }: PermissionFacts): Permission {
  switch (verdict.kind) {
    case "live":
    case "empty":
      return { permission: "never", cautions: [verdict.kind] };
    case "stale":
      return { permission: "normal", cautions: verdict.proof === "strong" ? [] : ["weak-proof", ...verdict.assumptions] };
    case "remote":
    case "unknown":
      // The claim of somebody who has just come: the next look tells what it is (pains.md 37).
      if (verdict.reason === "being_written") return { permission: "never", cautions: [verdict.kind, "changed-recently"] };
      return { permission: "force-only", cautions: [verdict.kind, verdict.reason] };
    case "corrupt":
      // An interrupted repair of ours holds it: settling that comes first, and may show a sound claim underneath.
      if (verdict.reason === "frozen") return { permission: "never", cautions: ["corrupt", "frozen"] };
      if (open?.kind === "open") return { permission: "never", cautions: ["corrupt", "file-open"] };
      // A time in the future proves no rest either.
      if (!(restMs >= corruptRestMs)) return { permission: "never", cautions: ["corrupt", "changed-recently"] };
      return { permission: "force-only", cautions: open?.kind === "not-open" ? ["corrupt", verdict.reason] : ["corrupt", verdict.reason, "open-file-not-observed"] };
  }
}

export interface Assessment extends Permission {
  /** What lies at the claim's path now; null when nothing, or when it could not be looked at. */
  readonly stat: FileStat | null;
}

/** Judges whether a claim may be displaced as it lies there now. Read only. */
export async function assess(session: Session, claim: ClaimSnapshot): Promise<Assessment> {
  let stat: FileStat | null;
  try {
    stat = await lookAt(session.port, claim.path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    return { permission: "never", cautions: ["unreadable", code], stat: null };
  }
  if (stat === null) return { permission: "never", cautions: ["missing"], stat };
  if (claim.file === null) return { permission: "never", cautions: [claim.verdict.kind === "empty" ? "empty" : "not-observed"], stat };
  if (!isSameFile(fileIdentityOf(stat), claim.file)) return { permission: "never", cautions: ["changed-since-scan"], stat };
  const isCorrupt = claim.verdict.kind === "corrupt";
  const content = isCorrupt ? await contentOf(session, claim) : null;
  const open = isCorrupt ? await session.observer.whoHasOpen(content === null ? claim.file : fileIdentityOf(content)) : null;
  const now = session.clock.now();
  const restMs = Math.min(restOf(stat, now), content === null ? Infinity : restOf(content, now));
  return { ...permissionFor({ verdict: claim.verdict, restMs, open }), stat };
}

/** The file of a directory that somebody may be writing; null where the claim's own path is that file, or nothing is there. */
async function contentOf(session: Session, claim: ClaimSnapshot): Promise<FileStat | null> {
  if (claim.contentPath === undefined) return null;
  try {
    return await lookAt(session.port, claim.contentPath);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

/** The later of the two times counts: mtime can be set by anyone (a restored backup), ctime cannot. */
function restOf(stat: FileStat, now: number): number {
  const latestNs = stat.mtimeNs > stat.ctimeNs ? stat.mtimeNs : stat.ctimeNs;
  return now - Number(latestNs / 1_000_000n);
}
