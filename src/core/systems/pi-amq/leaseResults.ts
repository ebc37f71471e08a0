// Owns: results and errors of the lease operations, with pi-amq's names (spec/pi-amq.md sections 7 to 9).
// Leaves to others: reaching them (workflowLeaseManager.ts).
import type { LeaseProjection as FullProjection, Diagnostic } from "./readRecord.js";
import type { WorkflowLeaseOwner } from "./leaseRecord.js";

/** Beside pi-amq's sentence, which has no stable form, ours carries a stable code. */
interface Diagnosed {
  readonly diagnostic: string;
  readonly diagnosticCode: string;
}

/** What went wrong beside a result that stands. Absent when nothing did. */
interface Warned {
  readonly warnings?: readonly string[];
}

export type RefusalReason = "remote-owner" | "unverifiable-owner" | "corrupt-owner" | "lifecycle-busy" | "lifecycle-unverifiable";

export type AcquireResult =
  | ({
      readonly kind: "acquired";
      readonly owner: WorkflowLeaseOwner;
      /** The stale owner that had to make room, and where it lies now. */
      readonly reclaimed?: { readonly owner: WorkflowLeaseOwner; readonly quarantinePath: string };
    } & Warned)
  | ({ readonly kind: "held"; readonly owner: WorkflowLeaseOwner } & Warned)
  | ({ readonly kind: "refused"; readonly reason: RefusalReason } & Diagnosed & Warned);

export type ReleaseResult =
  | ({ readonly kind: "released" } & Warned)
  /** `owner` is absent when there is no lease at all. */
  | ({ readonly kind: "not-owner"; readonly owner?: WorkflowLeaseOwner } & Warned)
  | ({ readonly kind: "refused" } & Diagnosed & Warned);

export type LeaseInspection =
  | { readonly kind: "empty" }
  | { readonly kind: "owned"; readonly owner: WorkflowLeaseOwner }
  | ({ readonly kind: "corrupt" } & Diagnosed);

export interface WorkerLeaseDiagnosis {
  readonly resourceId: string;
  /** Absolute. */
  readonly path: string;
  readonly projection: LeaseInspection;
}

/**
 * The caller is not, or may no longer be, the supervisor of the namespace. When the operation had run to its end before the
 * guard turned out to be lost, `completed` holds what it gave: it happened.
 */
export class WorkflowLeaseFenceError extends Error {
  override readonly name = "WorkflowLeaseFenceError";
  constructor(
    /** `supervisor_not_current`, `reservation_not_current`, `guard_changed_before_release`, or the code of the guard's refusal. */
    readonly code: string,
    message: string,
    readonly completed?: { readonly value: unknown },
  ) {
    super(message);
  }

  static is(error: unknown, code?: string): error is WorkflowLeaseFenceError {
    return error instanceof WorkflowLeaseFenceError && (code === undefined || error.code === code);
  }
}

/** An argument that the operation cannot work with; nothing was touched. A TypeError, as with pi-amq. */
export class LeaseArgumentError extends TypeError {
  override readonly name = "LeaseArgumentError";
  constructor(
    readonly code: "argument_required" | "argument_not_absolute",
    readonly argument: string,
  ) {
    super(code === "argument_required" ? `${argument} is required.` : `${argument} must be an absolute path.`);
  }

  static is(error: unknown, code?: LeaseArgumentError["code"]): error is LeaseArgumentError {
    return error instanceof LeaseArgumentError && (code === undefined || error.code === code);
  }
}

export function diagnosed({ code, message }: Diagnostic): Diagnosed {
  return { diagnostic: message, diagnosticCode: code };
}

/** The result with what went wrong beside it; the very same result when nothing did. */
export function withWarnings<Result extends Warned>(result: Result, warnings: readonly string[]): Result {
  return warnings.length === 0 ? result : { ...result, warnings: [...(result.warnings ?? []), ...warnings] };
}

export function inspectionOf(projection: FullProjection): LeaseInspection {
  switch (projection.kind) {
    case "empty":
      return { kind: "empty" };
    case "owned":
      return { kind: "owned", owner: projection.owner };
    case "corrupt":
      return { kind: "corrupt", ...diagnosed(projection.diagnostic) };
  }
}
