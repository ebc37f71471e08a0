// Owns: the types of summary.mjs, which runs before anything is installed and hence is plain JavaScript.

export interface SuiteResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  /** What went wrong beside failed tests; null when nothing. */
  readonly complaint: string | null;
}

export function suiteResult(run: { readonly name: string; readonly reports: readonly string[]; readonly code: number; readonly seconds: number }): SuiteResult;
export function summaryText(results: readonly SuiteResult[]): string;
export function allPassed(results: readonly SuiteResult[]): boolean;
