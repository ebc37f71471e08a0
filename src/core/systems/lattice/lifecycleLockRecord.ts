// Owns: the shape of a lattice lifecycle lock (spec/lattice.md 2.8). Types only.
// Leaves to others: validating bytes as one (lifecycleLock.ts), judging its owner (judgeLifecycleLock.ts).

/** Who a process is, as lattice records it: nothing names a host, a boot, a zone or a namespace. */
export interface ProcessStartIdentity {
  readonly schema: "lattice.process_start_identity.v1";
  /** `process.platform` of the writer. */
  readonly platform: string;
  readonly pid: number;
  /** Text of `ps -o lstart=`, in the writer's own time zone, whole seconds. Any non-empty text is valid. */
  readonly started_identity: string;
  readonly identity_digest: string;
}

/** Content of `.lifecycle.lock`; the file is its canonical JSON plus LF. */
export interface LifecycleLock {
  readonly schema: "lattice.runtime_lifecycle_lock.v1";
  readonly owner_pid: number;
  readonly owner_process_start_identity: ProcessStartIdentity;
  readonly session_nonce_digest: string;
  readonly operation: string;
  readonly request_id: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly acquired_at: string;
  readonly lock_digest: string;
}
