// Owns: the six verdicts, their proof, and the evidence that leads to one. The vocabulary of code, tree, CLI and docs.
// Leaves to others: how a verdict is reached (each system's pure `judge`), and how it is worded (shared/explain.ts).

/** The six words. `unknown` always wins over `stale`: a wrong `stale` destroys a live owner. */
export type VerdictWord = "live" | "stale" | "remote" | "unknown" | "corrupt" | "empty";

/**
 * Strong: the kernel of this boot says so about an identity that can be compared.
 * Weak: something was assumed (no boot id recorded, second-resolution start text, a record that names no host).
 */
export type Proof = "strong" | "weak";

/** Why an owner is provably gone. */
export type StaleReason =
  | "pid_absent"
  | "start_identity_changed"
  | "boot_identity_changed"
  | "executable_changed"
  | "zombie"
  | "thread_id"
  | "no_process_has_file_open";

/**
 * A verdict about the owner of a claim. `reason` is a stable code; its wording is in shared/explain.ts.
 * `unknown.settles` names what would settle it (same kind of code), so that a view can tell the person what to do.
 */
export type Verdict =
  | { readonly kind: "live"; readonly notes: readonly string[] }
  | { readonly kind: "stale"; readonly reason: StaleReason; readonly proof: Proof; readonly assumptions: readonly string[] }
  | { readonly kind: "remote"; readonly reason: string }
  /** `diagnostic`: raw text of whoever could not observe (an errno, an inspector's words), where there is one. */
  | { readonly kind: "unknown"; readonly reason: string; readonly settles: readonly string[]; readonly diagnostic?: string }
  | { readonly kind: "corrupt"; readonly reason: string; readonly diagnostic: string }
  | { readonly kind: "empty" };

/**
 * One check that was made on the way to a verdict, in order. `recorded` and `observed` are raw texts from files and the
 * kernel: a view must pass them through the display sanitizer.
 */
export interface Check {
  /** Stable kebab-case id, e.g. "pid-exists", "start-instant". */
  readonly id: string;
  readonly recorded: string | null;
  readonly observed: string | null;
  readonly outcome: "same" | "different" | "not-observed" | "noted";
  /** True for exactly one check of a list: the one that decided. */
  readonly decides: boolean;
}

/** A verdict with the checks that led to it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
}
