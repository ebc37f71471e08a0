// Owns: adding up what the suites reported (mocha's JSON form), and the closing line. A suite that gave no number counts as failed.
// Leaves to others: running the suites (test.mjs).
import fs from "node:fs";

/** @typedef {{ name: string, passed: number, failed: number, skipped: number, seconds: number, complaint: string | null }} SuiteResult */

/** One mocha JSON report as numbers; null when it is missing, unreadable or ran no test. */
function readReport(file) {
  let stats;
  try {
    ({ stats } = JSON.parse(fs.readFileSync(file, "utf8")));
  } catch {
    return null;
  }
  const { passes, failures, pending } = stats ?? {};
  if (![passes, failures, pending].every(Number.isSafeInteger) || passes + failures + pending === 0) return null;
  return { passed: passes, failed: failures, skipped: pending };
}

/** The result of a suite from its reports and its exit code; trouble that no report tells counts as one failure. */
export function suiteResult({ name, reports, code, seconds }) {
  const result = { name, passed: 0, failed: 0, skipped: 0, seconds, complaint: null };
  const missing = [];
  for (const file of reports) {
    const numbers = readReport(file);
    if (numbers === null) {
      missing.push(file);
      continue;
    }
    result.passed += numbers.passed;
    result.failed += numbers.failed;
    result.skipped += numbers.skipped;
  }
  if (missing.length > 0) {
    result.failed += missing.length;
    result.complaint = `no result in ${missing.join(", ")} (exit code ${code})`;
  } else if (code !== 0 && result.failed === 0) {
    result.failed = 1;
    result.complaint = `exit code ${code} although no test failed`;
  }
  return result;
}

/** The table and, as the last line, the sums: `N passed, N failed` and `, N skipped` when there are any. */
export function summaryText(results) {
  const width = Math.max(...results.map(({ name }) => name.length));
  const rows = results.map(
    ({ name, passed, failed, skipped, seconds, complaint }) =>
      `${name.padEnd(width)}  ${String(passed).padStart(6)} passed  ${String(failed).padStart(4)} failed  ${String(skipped).padStart(4)} skipped  ${seconds.toFixed(1).padStart(6)} s${complaint === null ? "" : `  ${complaint}`}`,
  );
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
  return [...rows, `${sum("passed")} passed, ${sum("failed")} failed${skipped}`].join("\n");
}

/** Whether everything that was to run ran and passed. */
export function allPassed(results) {
  return results.length > 0 && results.every(({ failed }) => failed === 0);
}
