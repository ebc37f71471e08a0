// Owns: every caution of a plan and every warning of a result, as lists, so that a test can see that each has its words.
// Leaves to others: the words (shared/explain.ts). A verdict's reason and a proof's assumptions can also be cautions.

export const quarantineCautions = [
  "live",
  "empty",
  "weak-proof",
  "remote",
  "unknown",
  "corrupt",
  /** Somebody may be writing it: it has not rested for a minute. */
  "changed-recently",
  "file-open",
  "open-file-not-observed",
  /** Held by an interrupted repair: settle that first. */
  "frozen",
  /** The file has names beside the claim's own. */
  "further-links",
  "missing",
  /** Followed by the errno. */
  "unreadable",
  "not-observed",
  "changed-since-scan",
  "not-supported",
] as const;

export const quarantineWarnings = [
  /** The lock was moved without the freeze that excludes a runtime in the same moment. */
  "no-hard-links",
  /** A directory could not be fsynced: a power cut could still undo what was done. */
  "not-durable",
  "content-not-verified",
  /** Each of these leaves a state that settleFrozen settles. */
  "second-link-left",
  "left-frozen",
  "moved-not-put-back",
  "item-left",
  "item-missing",
  "record-left",
  "record-not-completed",
  /** Ends with the next operation of this process, or with the process. */
  "guard-not-released",
  /** What an earlier interrupted operation had left was settled on the way. */
  "settled-forget",
  "settled-undo",
  "settled-finish",
  "settled-keep",
  "settled-put-back",
  "settled-finish-restore",
  "settled-finish-purge",
  "settled-conflict",
] as const;

export type QuarantineWarning = (typeof quarantineWarnings)[number];
