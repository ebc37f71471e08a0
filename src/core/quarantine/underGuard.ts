// Owns: the frame of every changing operation: directories checked, guard taken, work done, guard released, kernel answers
// turned into refusals.
// Leaves to others: the work.
import { ProcessInspectorError } from "../process/createProcessInspector.js";
import { refusedBy } from "./displacement.js";
import type { InstanceGuard } from "./instanceGuard.js";
import type { ClaimPlace } from "./latticeLayout.js";
import type { QuarantineDriver } from "./quarantineDriver.js";
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

/** Runs `work` under the guard of one place. A guard that could not be released is a warning of the result, never instead of it. */
export async function underGuard<Result extends { readonly warnings: readonly string[] }>(
  session: Session,
  driver: QuarantineDriver,
  place: ClaimPlace,
  create: boolean,
  work: (guard: InstanceGuard) => Promise<Result>,
): Promise<Result | Refusal> {
  try {
    const problem = await driver.openDirectories(session, place, create);
    if (problem !== null) return refusal(problem.reason, problem.detail);
    const attempt = await driver.acquireGuard(session, place);
    if (attempt.kind === "busy") return refusal("busy", null, attempt.holder);
    return await release(attempt.guard, work);
  } catch (error) {
    return refusalBy(error);
  }
}

async function release<Result extends { readonly warnings: readonly string[] }>(
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
