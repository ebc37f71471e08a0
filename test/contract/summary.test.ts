// Owns: the closing line of `npm test`: its sums are true, and nothing that gave no number passes.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { allPassed, suiteResult, summaryText, type SuiteResult } from "../tools/summary.mjs";

describe("the summary", () => {
  let directory: string;

  beforeEach(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-summary-"));
  });

  afterEach(() => fs.rmSync(directory, { recursive: true }));

  /** A suite whose reports are given as numbers, or as raw text. */
  function suite(name: string, code: number, ...reports: (string | { passes: number; failures: number; pending: number })[]): SuiteResult {
    const files = reports.map((content, index) => {
      const file = path.join(directory, `${name}.${index}.json`);
      fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify({ stats: content }));
      return file;
    });
    return suiteResult({ name, reports: files, code, seconds: 1 });
  }

  const lastLine = (results: readonly SuiteResult[]): string => summaryText(results).split("\n").at(-1) ?? "";

  it("adds up all reports of all suites", () => {
    const results = [suite("a", 0, { passes: 10, failures: 0, pending: 1 }), suite("b", 0, { passes: 5, failures: 0, pending: 0 }, { passes: 2, failures: 0, pending: 2 })];
    assert.equal(lastLine(results), "17 passed, 0 failed, 3 skipped");
    assert.equal(allPassed(results), true);
  });

  it("leaves out the skipped when there are none", () => {
    assert.equal(lastLine([suite("a", 0, { passes: 10, failures: 0, pending: 0 })]), "10 passed, 0 failed");
  });

  it("counts failed tests, and fails with them", () => {
    const results = [suite("a", 2, { passes: 10, failures: 2, pending: 0 })];
    assert.equal(lastLine(results), "10 passed, 2 failed");
    assert.equal(allPassed(results), false);
  });

  it("counts a suite without a report as failed, even with exit code 0", () => {
    const result = suiteResult({ name: "a", reports: [path.join(directory, "absent.json")], code: 0, seconds: 1 });
    assert.equal(result.failed, 1);
    assert.match(result.complaint ?? "", /no result/);
  });

  it("counts a report that is cut off, or that has no numbers, as failed", () => {
    for (const text of ['{"stats":{"pass', "", "{}", '{"stats":{"passes":"3","failures":0,"pending":0}}']) assert.equal(suite("a", 0, text).failed, 1, text);
  });

  it("counts a suite that ran no test as failed", () => {
    assert.equal(suite("a", 0, { passes: 0, failures: 0, pending: 0 }).failed, 1);
  });

  it("counts a bad exit code as a failure although every test passed", () => {
    const result = suite("a", 7, { passes: 3, failures: 0, pending: 0 });
    assert.deepEqual([result.passed, result.failed], [3, 1]);
    assert.match(result.complaint ?? "", /exit code 7/);
  });

  it("does not pass when there was nothing to run", () => {
    assert.equal(allPassed([]), false);
  });
});
