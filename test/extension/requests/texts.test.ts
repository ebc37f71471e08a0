// The words about requests: complete, translated, and safe whatever a file holds.
import assert from "node:assert/strict";
import fs from "node:fs";
import fc from "fast-check";
import path from "node:path";
import { accessKinds, dispositions, edgeKinds, modes } from "../../../src/core/systems/lattice/requests/documentKeys.js";
import { hoverText } from "../../../src/extension/requests/hoverText.js";
import type { DialectFact, DigestMeaning, HoverFact, RunFact } from "../../../src/extension/requests/protocol.js";
import { countText, detailText } from "../../../src/extension/requests/statusText.js";
import { englishText as t, type Translate } from "../../../src/shared/text.js";
import { repositoryRoot } from "../../tools/processGroup.mjs";

const pseudo: Translate = (message, ...args) => `⟦${t(message, ...args)}⟧`;
const link = (text: string): string => `<${text}>`;
const range = { offset: 0, length: 0 };
const digest = "ab".repeat(32);

function digestFact(meaning: DigestMeaning, more: Partial<Extract<HoverFact, { kind: "digest" }>> = {}): HoverFact {
  return { kind: "digest", range, field: "request_digest", value: digest, meaning, expected: null, matches: null, source: null, finding: null, ...more };
}

describe("what a hover says", () => {
  it("is a sentence of its own for every kind of digest", () => {
    const own = (["request", "successor", "migration", "seam", "ownership", "edges", "serial", "phase"] as const).map((of) => ({ kind: "self", of }) as const);
    const others = (["migration-binding", "predecessor-request", "frozen-event", "hold-decision", "finding", "evidence", "other"] as const).map((kind) => ({ kind }) as const);
    const said = [...own, ...others].map((meaning) => hoverText(digestFact(meaning), t, link));
    assert.equal(new Set(said).size, said.length);
  });

  it("names the right digest when the one that is there is wrong", () => {
    const said = hoverText(digestFact({ kind: "self", of: "request" }, { expected: "cd".repeat(32), matches: false }), t, link);
    assert.ok(said.includes("✗ Does not match."));
    assert.ok(said.includes("cd".repeat(32)));
    assert.match(hoverText(digestFact({ kind: "self", of: "request" }, { expected: digest, matches: true }), t, link), /✓ Matches\./);
  });

  it("explains every word that the format knows, and no other", () => {
    const words = [...dispositions.map((word) => ["disposition", word]), ...accessKinds.map((word) => ["access_kind", word]), ...edgeKinds.map((word) => ["kind", word]), ...modes.map((word) => ["mode", word])] as const;
    const unknown = "Not a word of this field.";
    for (const [field, word] of words) assert.ok(!hoverText({ kind: "word", range, field: field as "mode", word: word ?? "" }, t, link).includes(unknown), word);
    assert.ok(hoverText({ kind: "word", range, field: "mode", word: "carry" }, t, link).includes(unknown));
  });

  it("has no text that is not translated", () => {
    const facts: readonly HoverFact[] = [
      digestFact({ kind: "finding" }, { expected: digest, matches: true, finding: { todoIds: ["T1"], path: "p", resourceId: null, epoch: 1 }, source: { file: "/f.json", place: null, name: "n", isOwn: true } }),
      digestFact({ kind: "evidence" }, { source: { file: "/f.json", place: null, name: "n", isOwn: false } }),
      { kind: "binding", range, field: "run_id", value: "r", expected: "r", matches: true, source: null },
      { kind: "todo", range, id: "T1", migration: { disposition: "retire", successors: [] }, madeFrom: { predecessor: "T0", disposition: "split" }, isInSuccessor: false, isInPredecessor: false, isHeld: true, witness: { owns: ["a"], reads: 1, writes: ["b"], resources: ["c"] } },
    ];
    for (const fact of facts) {
      const left = hoverText(fact, pseudo, link)
        .split("\n")
        .filter((line) => line !== "" && !line.includes("⟦"));
      assert.deepEqual(left, []);
    }
  });

  it("cannot be broken out of by an id, and shows what is invisible", () => {
    const odd = fc.string({ unit: fc.constantFrom("`", "*", "[", "](command:x)", "<img>", "\n", "\u202e", "a", "|", "\\") });
    fc.assert(
      fc.property(odd, (id) => {
        const said = hoverText({ kind: "todo", range, id, migration: { disposition: id, successors: [id] }, madeFrom: null, isInSuccessor: true, isInPredecessor: true, isHeld: false, witness: null }, t, link);
        assert.doesNotMatch(said, /\u202e/);
        // In reading order: an escaped backtick opens no span, and in a span nothing is escaped.
        const outside = said.replaceAll(/\\[^]|(`+)(?:(?!\1)[^])*?\1(?!`)/g, "");
        assert.doesNotMatch(outside, /[<[`]/);
      }),
    );
  });
});

describe("what the status says", () => {
  it("counts by severity and says when there is nothing", () => {
    assert.equal(countText([], t), "No findings");
    assert.equal(countText([{ severity: "error" }, { severity: "warning" }, { severity: "error" }, { severity: "info" }], t), "2 errors, 1 warning, 1 hint");
  });

  it("names version, run, what was left out and what could not be read", () => {
    const say = (dialect: DialectFact, run: RunFact, leftOut: number, problems: readonly string[] = []): string =>
      detailText({ kind: "judged", version: 1, findings: [], dialect, run, leftOut: Array.from({ length: leftOut }, () => "recompile.epoch-binding" as const), problems: problems.map((file) => ({ file, message: "" })) }, t);
    assert.equal(say({ dialect: "0.50", from: "run" }, { kind: "found", directory: "/p/.lattice/runs/run-1" }, 0), "lattice 0.50 · Run run-1");
    assert.equal(say({ dialect: "0.50", from: "default" }, { kind: "none", runId: "run-1" }, 20), "lattice 0.12 and 0.50 · Run run-1 not found · 20 rules not judged");
    assert.equal(say({ dialect: "0.12", from: "setting" }, { kind: "several", runId: "r", directories: ["/a/r", "/b/r"] }, 1), "lattice 0.12 (setting) · 2 runs are called r · 1 rule not judged");
    assert.equal(say({ dialect: "0.50", from: "run" }, { kind: "found", directory: "/r" }, 0, ["/p/events.json"]), "lattice 0.50 · Run r · events.json not usable");
  });
});

describe("the page of a rule", () => {
  it("is linked under a name that cannot lead to another file", () => {
    const pages = fs.readdirSync(path.join(repositoryRoot, "media/rules"));
    assert.ok(pages.includes("json.bom.md"));
    const pattern = /^[a-z]+(?:-[a-z]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/;
    assert.deepEqual(pages.filter((name) => name !== "index.md" && !pattern.test(name.replace(/\.md$/, ""))), []);
  });
});
