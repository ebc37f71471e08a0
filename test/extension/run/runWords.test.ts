// Every code that a look into a run gives has a wording, and no wording stands for a code that nobody gives.
import assert from "node:assert/strict";
import { problemCatalog } from "../../../src/core/systems/lattice/store/problemCatalog.js";
import { leftoverCause, leftoverName, frozenReason, meaningSentence, remedySentence, runProblemName } from "../../../src/shared/runWords.js";
import { englishText, type Translate } from "../../../src/shared/text.js";
import { literalsOf } from "./literals.js";

const marked: Translate = (message, ...args) => `⟦${englishText(message, ...args)}⟧`;
const isWorded = (text: string): boolean => text.startsWith("⟦");

describe("the words of runs", () => {
  for (const [code, { meaning, remedy }] of Object.entries(problemCatalog)) {
    it(`name ${code}, what it means and what can be done`, () => {
      assert.ok(isWorded(runProblemName(code, marked)));
      assert.ok(isWorded(meaningSentence(meaning, marked)), meaning);
      assert.ok(isWorded(remedySentence(remedy, marked)), remedy);
    });
  }

  it("have a name for no problem that the core does not know", () => {
    const kinds = Object.values(problemCatalog);
    assert.deepEqual(literalsOf("problemNames").filter((code) => !Object.hasOwn(problemCatalog, code)), []);
    assert.deepEqual(literalsOf("meanings").filter((code) => !kinds.some(({ meaning }) => meaning === code)), []);
    assert.deepEqual(literalsOf("remedies").filter((code) => !kinds.some(({ remedy }) => remedy === code)), []);
  });

  it("name every left-over with its cause, and why a run is frozen", () => {
    for (const kind of ["stale-lock", "temporary-file", "temporary-epoch", "stray-entry"]) assert.ok(isWorded(leftoverName(kind, marked)), kind);
    for (const cause of ["lock-recovery-crashed", "write-crashed", "activation-crashed", "run-start-crashed", "not-of-the-runtime"]) assert.ok(isWorded(leftoverCause(cause, marked)), cause);
    for (const reason of ["intake", "gate-missing", "gate-invalid", "gate-of-another-epoch"]) assert.ok(isWorded(frozenReason(reason, marked)), reason);
  });

  it("show a code that they do not know as it is, sanitized, also one that objects inherit", () => {
    assert.equal(runProblemName("brand-new", marked), "brand-new");
    assert.equal(meaningSentence("toString", marked), "toString");
    assert.equal(remedySentence("a\u202eb", marked), "a\\u{202e}b");
  });
});
