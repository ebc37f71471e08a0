// Owns: every named problem of a run: how bad it is, what it means, what can be done. Codes only.
// Leaves to others: finding them (problems/), wording (shared/explain.ts).

export type ProblemSeverity = "error" | "warning" | "info";

interface ProblemKind {
  readonly severity: ProblemSeverity;
  /** What it means for the run. */
  readonly meaning: string;
  /** What a person can do. */
  readonly remedy: string;
}

const kind = (severity: ProblemSeverity, meaning: string, remedy: string): ProblemKind => ({ severity, meaning, remedy });

/** Worst first within a severity: the order in which a view lists them. */
export const problemCatalog = {
  /** The runtime answers nothing about the run. */
  "run-directory-not-real": kind("error", "runtime-refuses-run", "replace-link-by-directory"),
  "file-missing": kind("error", "runtime-refuses-run", "restore-file-from-backup"),
  "file-unreadable": kind("error", "runtime-refuses-run", "make-file-readable"),
  "file-too-large": kind("error", "runtime-refuses-run", "close-run-and-start-another"),
  "file-not-json": kind("error", "runtime-refuses-run", "restore-file-from-backup"),
  "document-invalid": kind("error", "record-was-altered", "restore-file-from-backup"),
  "pointer-missing": kind("error", "runtime-refuses-run", "restore-file-from-backup"),
  "pointer-mismatch": kind("error", "runtime-refuses-run", "restore-file-from-backup"),
  "bundle-missing": kind("error", "runtime-refuses-run", "restore-file-from-backup"),
  "bundle-chain-broken": kind("error", "runtime-refuses-run", "restore-file-from-backup"),
  "event-chain-invalid": kind("error", "history-cannot-be-trusted", "restore-file-from-backup"),
  "meta-rolled-back": kind("error", "runtime-shows-first-epoch", "restore-file-from-backup"),
  /** The runtime does not notice. */
  "control-journal-missing": kind("error", "runtime-does-not-notice", "restore-file-from-backup"),
  "control-journal-invalid": kind("error", "runtime-does-not-notice", "restore-file-from-backup"),
  "event-tail-lost": kind("error", "newest-history-lost", "restore-file-from-backup"),
  "control-tail-lost": kind("error", "newest-history-lost", "restore-file-from-backup"),
  "gate-missing": kind("error", "shows-only-as-frozen", "let-supervisor-recover"),
  "gate-invalid": kind("error", "shows-only-as-frozen", "let-supervisor-recover"),
  "gate-not-committed": kind("error", "record-was-altered", "restore-file-from-backup"),
  "gate-chain-broken": kind("warning", "record-was-altered", "restore-file-from-backup"),
  "name-digest-mismatch": kind("error", "record-was-altered", "restore-file-from-backup"),
  "not-canonical-bytes": kind("error", "runtime-refuses-file", "restore-file-from-backup"),
  "secret-in-event": kind("error", "secret-on-disk", "rotate-secret"),
  "decision-not-reproducible": kind("warning", "decision-contradicts-history", "compare-by-hand"),
  "event-chain-beyond-limit": kind("error", "valid-but-runtime-cannot-read", "close-run-and-start-another"),
  "control-journal-beyond-limit": kind("warning", "valid-but-runtime-cannot-read", "close-run-and-start-another"),
  /** What a crash left in the middle of something. */
  "gate-of-another-epoch": kind("warning", "activation-not-finished", "let-supervisor-recover"),
  "activation-unfinished": kind("warning", "activation-not-finished", "let-supervisor-recover"),
  "event-batch-pending": kind("warning", "activation-not-finished", "let-supervisor-recover"),
  "hold-unfinished": kind("warning", "frozen-without-hold", "abandon-or-hold-again"),
  "second-conflict-not-holdable": kind("warning", "frozen-without-hold", "abandon-run"),
  "hold-pair-torn": kind("warning", "hold-not-finished", "let-supervisor-recover"),
  "orphan-epoch": kind("warning", "not-in-force", "set-aside"),
  "staging-incomplete": kind("warning", "staging-not-finished", "let-supervisor-recover"),
  "staging-leftover": kind("warning", "not-in-force", "set-aside"),
  "release-mismatch": kind("warning", "activation-not-finished", "let-supervisor-recover"),
  "pid-contradiction": kind("warning", "owner-cannot-be-told", "compare-by-hand"),
  "registration-mismatch": kind("warning", "controller-not-registered", "let-supervisor-recover"),
  "supervisor-socket-missing": kind("info", "supervisor-not-reachable", "activate-again"),
  "supervisor-restart-pointer-mismatch": kind("error", "record-was-altered", "restore-file-from-backup"),
  "run-id-is-not-name": kind("warning", "runtime-looks-elsewhere", "rename-directory"),
  "dialects-contradict": kind("warning", "written-by-two-versions", "use-one-version"),
  "directory-unreadable": kind("warning", "not-all-was-seen", "make-file-readable"),
  "directory-too-large": kind("warning", "not-all-was-seen", "set-aside"),
  /** Nothing wrong, but worth knowing. */
  "staged-epoch": kind("info", "successor-waits-for-commit", "nothing"),
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof problemCatalog;

export interface RunProblem {
  readonly code: ProblemCode;
  readonly severity: ProblemSeverity;
  readonly meaning: string;
  readonly remedy: string;
  /** Absolute path of what shows it. */
  readonly path: string;
  /** RFC 6901 into that file; null for the file as a whole. */
  readonly pointer: string | null;
  /** Raw texts from files: a view must sanitise them. Never a secret. */
  readonly evidence: readonly { readonly name: string; readonly value: string }[];
}

export interface ProblemPlace {
  readonly path: string;
  readonly pointer?: string | null;
  readonly evidence?: Readonly<Record<string, string | number | null | undefined>>;
}

export function problem(code: ProblemCode, { path, pointer = null, evidence = {} }: ProblemPlace): RunProblem {
  const told = Object.entries(evidence).flatMap(([name, value]) => (value === null || value === undefined ? [] : [{ name, value: String(value) }]));
  return { code, ...problemCatalog[code], path, pointer, evidence: told };
}

const codes = Object.keys(problemCatalog);
const severities: readonly ProblemSeverity[] = ["error", "warning", "info"];

/** Worst first; equal ones by path, so that the order is the same on every look. */
export function inOrder(problems: readonly RunProblem[]): RunProblem[] {
  return [...problems].sort(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) || codes.indexOf(a.code) - codes.indexOf(b.code) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  );
}
