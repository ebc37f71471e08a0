// Owns: the one error of the hold, recompile and activation functions: a precondition that does not hold.
// Leaves to others: checking the preconditions.

/** Which precondition failed (spec/lattice.md section 6). Stable; the message is for people. */
export type RecompileErrorCode =
  | "options-shape"
  | "plan-contract"
  | "request-contract"
  | "projection"
  | "not-frozen"
  | "no-conflict"
  | "hold-decision-contract"
  | "recomputation-mismatch"
  | "timestamp"
  | "foreign-prefix"
  | "not-canonical"
  | "finding-shape"
  | "treatments-array"
  | "threshold"
  | "additional-conflicts-array"
  | "additional-conflict-shape"
  | "non-convergent"
  | "new-plan-contract"
  | "plan-request-binding"
  | "continue-set-party"
  | "carry-over-binding-missing"
  | "content-digest-mismatch"
  | "rebind-packet-contract"
  | "redispatch-binding-missing"
  | "redispatch-packet-contract"
  | "plan-diff-contract"
  | "activation-binding"
  | "ack-set-mismatch"
  | "ack-binding";

/** A TypeError, because that is what the runtime raises for each of these. Nothing was changed and no event was made. */
export class RecompileError extends TypeError {
  override readonly name = "RecompileError";
  constructor(
    readonly code: RecompileErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  static is(error: unknown, code?: RecompileErrorCode): error is RecompileError {
    return error instanceof RecompileError && (code === undefined || error.code === code);
  }
}
