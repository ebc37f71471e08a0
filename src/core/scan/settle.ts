// Owns: the rule that two consistent looks are needed before a good state is replaced by an unusable one (pains.md 31, 38).
// Leaves to others: looking (readDirectory.ts), when the second look is taken (readStore.ts).
import { isDoubtfulLock } from "./lockKinds.js";
import type { DirectoryReading, LockReading } from "./readDirectory.js";

/** Only what was listed has a stamp. */
function isListed(reading: DirectoryReading): boolean {
  return reading.stamp !== null;
}

function isDoubtful(lock: LockReading): boolean {
  return isDoubtfulLock(lock.kind, lock.look);
}

/** Whether a second look, a moment later, may well show something else than `reading`. What was settled before is not doubted again. */
export function needsSecondLook(reading: DirectoryReading | null, previous: DirectoryReading | null): boolean {
  if (reading === null || reading === previous) return false;
  if (!isListed(reading)) return previous !== null && isListed(previous);
  return reading.locks.some((lock) => isDoubtful(lock) && previous?.locks.includes(lock) !== true);
}

/**
 * What two looks, of which the first was doubtful, establish. An unusable state counts when both looks show it; when they
 * disagree the last good state stays, marked, and is looked at again by the next refresh. Without a good state before, the
 * second look counts.
 */
export function settle(previous: DirectoryReading | null, first: DirectoryReading | null, second: DirectoryReading | null): DirectoryReading | null {
  if (second === null) return null;
  if (!isListed(second)) {
    if (previous === null || !isListed(previous) || isSameProblem(first, second)) return second;
    return { ...previous, isUnsettled: true, problems: [...withoutUnsettled(previous), { code: "unsettled", path: second.path, detail: second.problems[0]?.code ?? null }] };
  }
  const locks = second.locks.map((lock) => settleLock(previous?.locks.find(({ path }) => path === lock.path) ?? null, first?.locks.find(({ path }) => path === lock.path) ?? null, lock));
  const unsettled = locks.filter(({ isUnsettled }) => isUnsettled);
  if (unsettled.length === 0) return { ...second, locks };
  return { ...second, locks, isUnsettled: true, problems: [...second.problems, ...unsettled.map(({ path }) => ({ code: "unsettled", path, detail: null }))] };
}

function withoutUnsettled({ problems }: DirectoryReading): DirectoryReading["problems"] {
  return problems.filter(({ code }) => code !== "unsettled");
}

function isSameProblem(a: DirectoryReading | null, b: DirectoryReading): boolean {
  const [problem] = a?.problems ?? [];
  const [other] = b.problems;
  return problem !== undefined && problem.code === other?.code && problem.detail === other.detail;
}

function settleLock(previous: LockReading | null, first: LockReading | null, second: LockReading): LockReading {
  if (!isDoubtful(second)) return second;
  if (previous === null || isDoubtful(previous) || (first !== null && isSameLook(first, second))) return second;
  return { ...previous, isUnsettled: true };
}

function isSameLook({ look: a }: LockReading, { look: b }: LockReading): boolean {
  if (a.kind === "read" && b.kind === "read") return a.sha256 === b.sha256 && a.stat.inode === b.stat.inode && a.stat.mtimeNs === b.stat.mtimeNs;
  if (a.kind === "unreadable" && b.kind === "unreadable") return a.code === b.code;
  // "Changing" twice in a row is no state that could be shown.
  return false;
}
