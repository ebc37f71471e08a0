import assert from "node:assert/strict";
import { problemCodes } from "../../../src/core/scan/problemCodes.js";
import { lifecycleLockReasons } from "../../../src/core/systems/lattice/judgeLifecycleLock.js";
import { lockFileReasons } from "../../../src/core/systems/lattice/lifecycleLockClaim.js";
import { weakLockReasons } from "../../../src/core/systems/lattice/weakLocks.js";
import { cautionSentence, checkName, codeSentence, factName, problemSentence, problemText, verdictSentence } from "../../../src/shared/explain.js";
import { englishText, type Translate } from "../../../src/shared/text.js";
import type { StaleReason, Verdict } from "../../../src/core/claims/verdict.js";

const t: Translate = englishText;

/** A code without a wording is shown as it is: that is the fallback for others' codes, never for ours. */
function assertWorded(code: string, worded: string | null): void {
  assert.notEqual(worded, code);
  assert.ok(worded === null || /^\P{Ll}.*[^.]\.?$/su.test(worded), `${code}: ${String(worded)}`);
}

describe("explain", () => {
  it("words every reason of every verdict that the lattice judges give", () => {
    const verdicts: Verdict[] = [];
    for (const { corrupt, unknown, stale, remote } of [
      { corrupt: [], ...lifecycleLockReasons },
      { remote: [], stale: [], ...lockFileReasons },
      { remote: [], ...weakLockReasons },
    ] as const) {
      verdicts.push(
        ...corrupt.map((reason): Verdict => ({ kind: "corrupt", reason, diagnostic: "" })),
        ...unknown.map((reason): Verdict => ({ kind: "unknown", reason, settles: [] })),
        ...stale.map((reason): Verdict => ({ kind: "stale", reason: reason as StaleReason, proof: "weak", assumptions: [] })),
        ...remote.map((reason): Verdict => ({ kind: "remote", reason })),
      );
    }
    assert.ok(verdicts.length > 30);
    for (const verdict of verdicts) assertWorded("reason" in verdict ? verdict.reason : "", verdictSentence(verdict, t));
  });

  it("words what would settle a doubt, what was assumed, and every note", () => {
    const codes = [lifecycleLockReasons, lockFileReasons, weakLockReasons].flatMap((reasons) => [...reasons.settles, ...reasons.notes, ...("assumptions" in reasons ? reasons.assumptions : [])]);
    for (const code of codes) {
      assertWorded(code, codeSentence(code, t));
      assertWorded(code, cautionSentence(code, t));
    }
  });

  it("names every check and every fact", () => {
    for (const id of [...lockFileReasons.checks, ...weakLockReasons.checks]) assertWorded(id, checkName(id, t));
    for (const name of lockFileReasons.facts) assertWorded(name, factName(name, t));
  });

  it("words every problem of a scan, with its detail made visible", () => {
    for (const code of problemCodes) {
      const problem = { code, path: "/w", detail: null };
      assertWorded(code, problemSentence(problem, t));
      assert.ok(problemText(problem, t).length <= 30, code);
    }
    assert.match(problemText({ code: "symlink", path: "/w", detail: "a\u202Eb" }, t), /\(a\\u\{202e\}b\)$/);
  });

  it("shows a code that it does not know as it is, made visible, and takes none for a member that objects inherit", () => {
    for (const code of ["never-heard-of", "constructor", "__proto__", "toString"]) {
      assert.equal(codeSentence(code, t), code);
      assert.equal(verdictSentence({ kind: "remote", reason: code }, t), code);
    }
    assert.equal(codeSentence("a\u202E", t), "a\\u{202e}");
  });
});
