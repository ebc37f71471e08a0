// Owns: the frame of every changing operation: directories checked, guard taken, work done, guard released, kernel answers
// turned into refusals.
// Leaves to others: the work.
import { ProcessInspectorError } from "../process/createProcessInspector.js";
import { assertSafeDirectory } from "../storage/directorySteps.js";
import { refusedBy } from "./displacement.js";
import type { InstanceGuard } from "./instanceGuard.js";
import type { ClaimPlace } from "./latticeLayout.js";
import type { DirectoryProblem, QuarantineDriver } from "./quarantineDriver.js";
import type { GuardHolder, RefusedReason, Refusal } from "./quarantineEntry.js";
import type { Session } from "./session.js";

export function refusal(reason: RefusedReason, detail: string | null = null, guard: GuardHolder | null = null, warnings: readonly string[] = []): Refusal {
  return { kind: "refused", reason, detail, guard, warnings };
}

/** @throws anything that is no answer of the kernel or the process observer. */
export function refusalBy(error: unknown): Refusal {
  // Without knowing ourselves we cannot sign a guard, and without a guard nothing is moved.
  if (ProcessInspectorError.is(error)) return refusal("not-supported", error.code);
  const cause = refusedBy(error);
  return refusal(cause.kind === "refused" ? cause.reason : "io-error", cause.detail);
}

/**
 * What an operation needs of the directories. `create`: the place is there, the quarantine is made. `place`: both are there.
 * `quarantine`: only that; the run may have been removed since.
 */
export type Needs = "create" | "place" | "quarantine";

/** Runs `work` under the guard of one place. A guard that could not be released is a warning of the result, never instead of it. */
export async function underGuard<Result extends Outcome>(
  session: Session,
  driver: QuarantineDriver,
  place: ClaimPlace,
  needs: Needs,
  work: (guard: InstanceGuard) => Promise<Result>,
): Promise<Result | Refusal> {
  const result = await attempt(session, driver, place, needs, work);
  // JSON escapes the control characters that a path may hold.
  const words = [result.kind, "reason" in result ? result.reason : "", ...result.warnings].filter((word) => word !== "");
  session.logger.info(`${driver.system} ${JSON.stringify(place.relative)}: ${words.join(" ")}`);
  return result;
}

interface Outcome {
  readonly kind: string;
  readonly warnings: readonly string[];
}

async function attempt<Result extends Outcome>(
  session: Session,
  driver: QuarantineDriver,
  place: ClaimPlace,
  needs: Needs,
  work: (guard: InstanceGuard) => Promise<Result>,
): Promise<Result | Refusal> {
  try {
    const problem = await directoryProblem(session, driver, place, needs);
    if (problem !== null) return refusal(problem.reason, problem.detail);
    const acquired = await driver.acquireGuard(session, place);
    if (acquired.kind === "busy") return refusal("busy", null, acquired.holder);
    if (acquired.kind === "unsafe") return refusal("unsafe-directory", acquired.path);
    return await workAndRelease(acquired.guard, work);
  } catch (error) {
    return refusalBy(error);
  }
}

async function directoryProblem(session: Session, driver: QuarantineDriver, place: ClaimPlace, needs: Needs): Promise<DirectoryProblem | null> {
  const problem = await driver.openDirectories(session, place, needs === "create");
  if (problem?.reason !== "place-missing" || needs !== "quarantine") return problem;
  for (const path of [place.root, place.directory]) {
    const check = await assertSafeDirectory(session.port, path);
    if (check.kind === "unsafe") return { reason: "unsafe-directory", detail: path };
    if (check.kind !== "safe") return problem;
  }
  return null;
}

async function workAndRelease<Result extends Outcome>(
  guard: InstanceGuard,
  work: (guard: InstanceGuard) => Promise<Result>,
): Promise<Result | Refusal> {
  let result: Result | Refusal;
  try {
    result = await work(guard);
  } catch (error) {
    const warnings = await guard.release();
    return { ...refusalBy(error), warnings };
  }
  return { ...result, warnings: [...result.warnings, ...(await guard.release())] };
}
