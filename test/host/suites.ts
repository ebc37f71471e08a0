// Owns: which windows the host tests run in, and the names that runner (run.ts) and test bundle (index.ts) share.

export interface HostSuite {
  /** Names the report: out/reports/<name>.json. */
  readonly name: string;
  /** Below out/host; the files of the others' directories do not belong to it. */
  readonly directory: string;
  readonly trusted: boolean;
  /** What the window opens: the demo, or a folder without any run state. */
  readonly workspace: "demo" | "empty";
}

/** Tests directly in test/host run in the first window, those in a directory below it in a window of their own. */
export const hostSuites: readonly HostSuite[] = [
  { name: "host", directory: ".", trusted: true, workspace: "demo" },
  { name: "host-untrusted", directory: "untrusted", trusted: false, workspace: "demo" },
  { name: "host-activation", directory: "activation", trusted: true, workspace: "empty" },
];

/** Environment variables that the runner sets. */
export const hostVariables = {
  /** Absolute path of the checkout: mocha and the budgets come from there. */
  root: "RUN_STATE_ROOT",
  /** Directory of this suite's bundled tests, inside the staged extension. */
  tests: "RUN_STATE_HOST_TESTS",
  /** File for mocha's JSON report. */
  report: "RUN_STATE_HOST_REPORT",
  /** Set: the window is not trusted. */
  untrusted: "RUN_STATE_HOST_UNTRUSTED",
} as const;

export function requireVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set: host tests are started by test/host/run.ts.`);
  return value;
}
