// Owns: the codes with which acquiring and releasing a lifecycle lock fail (spec/lattice.md 4.5).
// Leaves to others: when (acquireLifecycleLock.ts, releaseLifecycleLock.ts).

export type LifecycleLockErrorCode =
  /** A live owner; somebody is writing; or the owner changed while we recovered. Trying again later may succeed. */
  | "RUN_BUSY"
  /** Bad arguments, or what lies there is no lock that could be judged. Trying again does not help. */
  | "RUN_LOCK_INVALID"
  /** Release by somebody who does not own it (any more). */
  | "RUN_LOCK_OWNER_MISMATCH";

export class LifecycleLockError extends Error {
  override readonly name = "LifecycleLockError";
  constructor(
    readonly code: LifecycleLockErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  static is(error: unknown, code?: LifecycleLockErrorCode): error is LifecycleLockError {
    return error instanceof LifecycleLockError && (code === undefined || error.code === code);
  }
}

export function invalidArgument(name: string): LifecycleLockError {
  return new LifecycleLockError("RUN_LOCK_INVALID", `Not a valid ${name}.`);
}
