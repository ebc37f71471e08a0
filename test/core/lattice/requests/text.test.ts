import assert from "node:assert/strict";
import fc from "fast-check";
import { checkRecompileRequest } from "../../../../src/core/systems/lattice/requests/recompileRequest.js";
import { checkRecompileRequestText, type LocatedFinding } from "../../../../src/core/systems/lattice/requests/text.js";
import { recompileVectors, toContext, validDocument } from "./documents.js";

const valid = JSON.stringify(validDocument("seam").value, null, 2);
const told = (input: string | Uint8Array): readonly LocatedFinding[] => checkRecompileRequestText(input, {});
const rulesOf = (input: string | Uint8Array): readonly string[] => told(input).map(({ rule }) => rule);
const shown = (text: string, { range }: LocatedFinding): string => text.slice(range.offset, range.offset + range.length);

function only(input: string | Uint8Array, rule: string): LocatedFinding {
  const findings = told(input);
  assert.deepEqual(findings.map((finding) => finding.rule), [rule], JSON.stringify(findings));
  const [finding] = findings;
  assert.ok(finding !== undefined);
  return finding;
}

function at(text: string, search: string, replacement: string): string {
  assert.ok(text.includes(search), search);
  return text.replace(search, () => replacement);
}

describe("the text of a request", () => {
  it("gives the findings of the value, each with the range of the value it is about", () => {
    const { cases, contexts } = recompileVectors();
    for (const { value, context, name } of cases.filter((_, index) => index % 9 === 0)) {
      const found = context === null ? null : toContext(contexts[context] ?? {});
      const text = JSON.stringify(value, null, 1);
      const byText = checkRecompileRequestText(text, found);
      const byValue = checkRecompileRequest(value, found);
      assert.deepEqual(byText.map(({ rule, pointer, message }) => ({ rule, pointer, message })), byValue.map(({ rule, pointer, message }) => ({ rule, pointer, message })), name);
      for (const finding of byText) {
        if (finding.rule.endsWith("canonical-limits")) continue;
        const expected = finding.pointer.split("/").slice(1).reduce<unknown>((holder, token) => (holder as Record<string, unknown>)[token], value);
        assert.deepEqual(JSON.parse(shown(text, finding)), expected, `${name}: ${finding.rule} ${finding.pointer}`);
      }
    }
  });

  it("is accepted without findings when it is valid, in bytes as in text", () => {
    assert.deepEqual(told(valid), []);
    assert.deepEqual(told(Buffer.from(valid)), []);
  });

  it("names every syntax error at its place and judges no rule then", () => {
    const text = at(at(at(valid, '"rc-1",', '"rc-1"'), '"mode": "seam_split"', "mode: 'seam_split'"), "{", "{ // note");
    const findings = told(text);
    assert.ok(findings.length >= 3);
    assert.ok(findings.every(({ rule, severity }) => rule === "json.syntax" && severity === "error"));
    assert.equal(shown(text, findings[0] as LocatedFinding), "// note");
    assert.equal(shown(text, findings[1] as LocatedFinding), '"run_id"');
  });

  it("names a comma before a closing brace once", () => {
    assert.equal(shown(valid.replace(/\n\}$/, ",\n}"), only(valid.replace(/\n\}$/, ",\n}"), "json.syntax")), "}");
  });

  it("finds something wrong wherever a document is cut, and nothing in the whole", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: valid.length - 1 }), (end) => {
        const cut = valid.slice(0, end);
        const finding = only(cut, "json.truncated");
        assert.ok(finding.range.offset < cut.length);
      }),
      { numRuns: 200 },
    );
  });

  it("takes a missing closing bracket in the middle for a cut, since nothing tells them apart", () => {
    const text = at(valid, '"root_kind": "git-worktree"\n    },', '"root_kind": "git-worktree"\n    ,');
    assert.ok(rulesOf(text).length > 0);
  });

  it("tells a quote that is missing in the middle at its line, not at the end", () => {
    const text = at(valid, '"reason": "late conflict",', '"reason": "late conflict,');
    const finding = told(text).at(0);
    assert.ok(finding !== undefined);
    assert.equal(finding.rule, "json.syntax");
    assert.ok(Math.abs(finding.range.offset - text.indexOf('"late conflict')) < 40);
  });

  it("strips a byte order mark for judging and keeps positions right", () => {
    const text = `\uFEFF${at(valid, '"reason": "late conflict"', '"reason": ""')}`;
    const findings = told(text);
    assert.deepEqual(findings.map(({ rule, severity }) => `${rule} ${severity}`), ["json.bom info", "recompile.reason-nonempty error", "recompile.digest-match error"]);
    assert.equal(shown(text, findings[1] as LocatedFinding), '""');
    assert.deepEqual(told(Buffer.from(text)), findings);
  });

  it("recognises UTF-16 and UTF-32 with and without mark, and says which", () => {
    const little = Buffer.from(valid, "utf16le");
    const big = Buffer.from(little).swap16();
    const table: readonly (readonly [Buffer, RegExp])[] = [
      [Buffer.concat([Buffer.from([0xff, 0xfe]), little]), /UTF-16 LE/],
      [Buffer.concat([Buffer.from([0xfe, 0xff]), big]), /UTF-16 BE/],
      [little, /UTF-16 LE without/],
      [big, /UTF-16 BE without/],
      [Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), /UTF-32 LE/],
      [Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x7b]), /UTF-32 BE/],
    ];
    for (const [bytes, message] of table) assert.match(only(bytes, "json.utf16").message, message);
    only(little.toString("latin1"), "json.utf16");
  });

  it("recognises what a crash leaves: nothing, zero bytes, a tail of zero bytes", () => {
    only("", "json.empty");
    only(Buffer.alloc(0), "json.empty");
    only("\uFEFF \n", "json.empty");
    only(Buffer.alloc(4096), "json.nul-filled");
    only("\u0000".repeat(9), "json.nul-filled");
    assert.equal(only(valid + "\u0000".repeat(100), "json.nul-filled").range.offset, valid.length);
  });

  it("names the byte that is not UTF-8, and a character that is cut", () => {
    const bytes = (text: string, ...raw: readonly number[]): Buffer => Buffer.concat([Buffer.from(text), Buffer.from(raw), Buffer.from(valid)]);
    assert.deepEqual(only(bytes("é", 0xff), "json.invalid-utf8").range, { offset: 1, length: 1 });
    for (const raw of [[0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe0, 0x80, 0x80]]) {
      assert.ok(rulesOf(bytes("x", ...raw)).every((rule) => rule === "json.invalid-utf8"), String(raw));
    }
    only(Buffer.concat([Buffer.from(valid), Buffer.from([0xe2, 0x82])]), "json.truncated");
  });

  it("tells a repeated key at both places, and judges the one that counts", () => {
    const text = at(valid, '"run_id": "run-a"', '"run_\\u0069d": "ignored",\n  "run_id": "run-a"');
    const findings = told(text);
    assert.deepEqual(findings.map((finding) => [finding.rule, finding.severity, finding.pointer, shown(text, finding)]), [
      ["json.duplicate-key", "warning", "/run_id", '"run_\\u0069d"'],
      ["json.duplicate-key", "warning", "/run_id", '"run_id"'],
    ]);
  });

  it("tells integers that JavaScript cannot hold, not those that it can", () => {
    const { value, context } = validDocument("split");
    const phase = (number: string): string => at(JSON.stringify(value), '"compile_binding":null', `"compile_binding":${number}`);
    const of = (number: string): readonly string[] =>
      checkRecompileRequestText(phase(number), { ...context, phaseValidator: () => true }).map(({ rule }) => rule).filter((rule) => rule.startsWith("json."));
    for (const number of ["9007199254740993", "-9007199254740993", "100000000000000000001"]) assert.deepEqual(of(number), ["json.unsafe-integer"], number);
    for (const number of ["9007199254740992", "1e300", "0.1234567890123456789", "100000000000000000000"]) assert.deepEqual(of(number), [], number);
  });

  it("tells negative zero at its place instead of a limit of the whole", () => {
    for (const number of ["-0", "-0.0", "-0e5", "-1e-400"]) {
      const text = at(valid, '"executors": 3', `"executors": ${number}`);
      assert.equal(shown(text, only(text, "json.negative-zero")), number);
    }
  });

  it("tells half of a surrogate pair in keys and values, escaped or not, and leaves whole pairs alone", () => {
    const count = (text: string): number => told(text).filter(({ rule }) => rule === "json.lone-surrogate").length;
    assert.equal(count(at(valid, "late conflict", "late \\ud83d conflict")), 1);
    assert.equal(count(at(valid, "late conflict", "late \udc00 conflict")), 1);
    assert.equal(count(at(valid, '"root_kind"', '"\\udc00\\ud83d"')), 1);
    for (const whole of ["\\ud83d\\ude00", "🙂", "\\\\ud83d"]) assert.equal(count(at(valid, "late conflict", whole)), 0, whole);
  });

  it("answers a hostile file with one finding", () => {
    only("[".repeat(20_000) + "]".repeat(20_000), "json.too-deep");
    only('{"a":'.repeat(20_000), "json.too-deep");
    only("x".repeat(50_000_000), "json.too-large");
    only(Buffer.alloc(50_000_000, 0x5b), "json.too-large");
    only(`[${"1,".repeat(2_000_000)}1]`, "json.too-many-values");
    only(`[${"{},".repeat(2_000_000)}{}]`, "json.too-many-values");
  });

  it("tells a limit where it is passed", () => {
    const text = at(valid, '"late conflict"', `"${"x".repeat(17_000)}"`);
    assert.equal(shown(text, only(text, "recompile.canonical-limits")).length, 17_002);
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: "binary" })), (text) => {
        for (const { range } of told(text)) assert.ok(range.offset >= 0 && range.offset + range.length <= Math.max(text.length, 1), text);
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => void told(bytes)), { numRuns: 500 });
  });
});
