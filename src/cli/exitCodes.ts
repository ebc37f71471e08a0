// Owns: the exit codes of the command line, documented in the README and by `run-state --help`.
// Leaves to others: when each applies (the commands).

export const exitCodes = {
  /** Done; or nothing needs attention. */
  done: 0,
  /** `inspect` found something that needs attention. */
  attention: 1,
  /** The command line was wrong. Nothing was looked at. */
  usage: 2,
  /** Not allowed by the verdict, not confirmed, or not possible; nothing was changed. */
  refused: 3,
  /** What is on disk is no longer what was asked about; nothing was displaced. */
  changed: 4,
  /** Another claim came into the way; both are kept and named. */
  conflict: 5,
  /** A bug, or an I/O error nobody expected. */
  failure: 70,
  /** Interrupted (128 + SIGINT). */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
