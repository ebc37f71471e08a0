// Owns: telling kernel answers (errno) from bugs, and the one retry that a transient answer deserves.
// Leaves to others: what an answer means for a step (the other files here).

/** The errno text of a failed file step, or null when the error is no kernel answer (a bug, which must propagate). */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  const { code } = error;
  // Node's own argument errors carry codes like ERR_INVALID_ARG_TYPE: those are bugs of ours, not answers of the kernel.
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) && !code.startsWith("ERR") ? code : null;
}

/** An answer as the kernel would give it, for what we find out ourselves and callers treat like one. */
export function errnoError(code: string, step: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${step} '${path}'`), { code, syscall: step, path });
}

export function hasErrno(error: unknown, ...codes: readonly string[]): boolean {
  const code = errnoOf(error);
  return code !== null && codes.includes(code);
}

/** No such file. NFS answers ESTALE for a file that another host has removed (pains.md 32). */
export function isMissing(error: unknown): boolean {
  return hasErrno(error, "ENOENT", "ESTALE");
}

/** Answers of a file system that has no hard links; EMLINK: it has, but not for one more. EOPNOTSUPP is ENOTSUP's other name. */
export function isLinkUnsupported(error: unknown): boolean {
  return hasErrno(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK");
}

const transientCodes = ["EINTR", "EAGAIN", "EBUSY"];

/** Runs a step that changes nothing once more when its answer was transient: one bad moment must not flip a verdict (pains.md 31). */
export async function retryTransient<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!hasErrno(error, ...transientCodes)) throw error;
    return await step();
  }
}

/** For steps whose failure changes nothing for the caller (cleaning up, a look that may fail): kernel answers give `otherwise`. */
export async function answerOr<T, Otherwise>(otherwise: Otherwise, step: () => Promise<T>): Promise<T | Otherwise> {
  try {
    return await step();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return otherwise;
  }
}
