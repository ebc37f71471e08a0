import assert from "node:assert/strict";
import fc from "fast-check";
import { compositionOf, displayName, displayText, hasHiddenCharacters } from "../../../src/shared/displayText.js";

describe("displayText", () => {
  it("shows control, bidi, zero-width and other invisible characters by their code point", () => {
    const table: readonly (readonly [string, string])[] = [
      ["run\u202Egnp.exe", "run\\u{202e}gnp.exe"],
      ["a\nb\tc", "a\\u{a}b\\u{9}c"],
      ["a\u200Bb\uFEFFc", "a\\u{200b}b\\u{feff}c"],
      ["\u0000\u001B[31m", "\\u{0}\\u{1b}[31m"],
      ["a\u00A0b\u3000c", "a\\u{a0}b\\u{3000}c"],
      ["tag\u{E0041}", "tag\\u{e0041}"],
      ["\uD800x", "\\u{d800}x"],
      ["\u2028\u2029\u2066", "\\u{2028}\\u{2029}\\u{2066}"],
      ["x\u3164\u2800\uFE0F", "x\\u{3164}\\u{2800}\\u{fe0f}"],
    ];
    for (const [raw, shown] of table) assert.equal(displayText(raw), shown);
  });

  it("leaves letters of every script, combining marks and emoji alone", () => {
    for (const plain of ["run-1", "Über", "日本語", "עברית", "ไทยคำ", "हिन्दी", "🙂", "e\u0301", "a b", "…"]) assert.equal(displayText(plain), plain);
  });

  it("makes a blank at either end visible", () => {
    assert.equal(displayText(" a b "), "\\u{20}a b\\u{20}");
  });

  it("cannot be forged: a text that looks like an escape is told from an escape", () => {
    assert.equal(displayText("\\u{202e}"), "\\\\u{202e}");
    assert.equal(displayText("\\\u202E"), "\\\\\\u{202e}");
    assert.equal(displayText("C:\\users\\"), "C:\\users\\");
    const alphabet = fc.string({ unit: fc.constantFrom("\\", "u", "{", "20", "}", " ", "\u202E", "202e"), maxLength: 12 });
    fc.assert(
      fc.property(alphabet, alphabet, (a, b) => {
        fc.pre(a !== b);
        assert.notEqual(displayText(a), displayText(b));
      }),
      { numRuns: 20_000 },
    );
  });

  it("cuts the middle out of long text, never inside a character", () => {
    assert.equal(displayText("abcdefghij", { maxLength: 5 }), "ab…ij");
    assert.equal(displayText("🙂🙂🙂🙂🙂🙂", { maxLength: 3 }), "🙂…🙂");
    assert.equal(displayText("🙂🙂🙂", { maxLength: 3 }), "🙂🙂🙂");
    assert.equal(displayText("abc", { maxLength: 1 }), "…");
  });

  it("answers quickly for a text of 50 MB", () => {
    const huge = "x".repeat(50_000_000);
    const start = performance.now();
    assert.equal(displayText(huge).length, 200);
    // Splitting all of it would take several seconds.
    assert.ok(performance.now() - start < 1_000);
  });

  it("stops marks from piling up over the neighbouring lines", () => {
    assert.equal(displayText(`a${"\u0301".repeat(6)}`), `a${"\u0301".repeat(4)}\\u{301}\\u{301}`);
  });

  it("keeps line breaks and tabs only where asked", () => {
    assert.equal(displayText("a\n\tb\r", { keepLineBreaks: true }), "a\n\tb\\u{d}");
  });

  it("gives different texts for different inputs of moderate length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.string({ unit: "binary", maxLength: 60 }), (a, b) => {
        fc.pre(a !== b);
        assert.notEqual(displayText(a), displayText(b));
      }),
      { numRuns: 2000 },
    );
  });

  it("never lets a line break or a bidi control through", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (raw) => {
        assert.doesNotMatch(displayText(raw), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("hasHiddenCharacters", () => {
  it("is about characters, not about length", () => {
    assert.ok(!hasHiddenCharacters("a".repeat(1000)));
    assert.ok(hasHiddenCharacters("a\u202E"));
  });
});

describe("displayName", () => {
  it("marks the composition of a name only beside its twin", () => {
    assert.equal(displayName("\u00E9", true), "\u00E9 (NFC)");
    assert.equal(displayName("e\u0301", true), "e\u0301 (NFD)");
    assert.equal(displayName("\u00E9", false), "\u00E9");
    assert.equal(displayName("abc", true), "abc");
    assert.equal(compositionOf("\u00E9e\u0301"), "mixed");
  });
});
