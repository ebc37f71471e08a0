// Markdown that cannot be broken out of and reads as plain text.
import assert from "node:assert/strict";
import { code, table } from "../../src/extension/evidence/markdown.js";

describe("markdown", () => {
  it("fences a value by more backticks than it holds", () => {
    assert.equal(code("a"), "`a`");
    assert.equal(code("a`b"), "``a`b``");
    assert.equal(code("``"), "``` `` ```");
    assert.equal(code(""), "–");
  });

  it("shows control and bidi characters escaped", () => {
    assert.equal(code("run\u202Egpj.\nx"), "`run\\u{202e}gpj.\\u{a}x`");
  });

  it("keeps a value whole that a row would cut", () => {
    const path = `/${"a".repeat(1_000)}`;
    assert.equal(code(path), `\`${path}\``);
  });

  it("lines up the columns of a table and escapes what separates them", () => {
    assert.equal(
      table(
        ["Check", "Value"],
        [
          ["one", "a|b"],
          ["another", ""],
        ],
      ),
      ["| Check   | Value |", "| ------- | ----- |", "| one     | a\\|b  |", "| another |       |"].join("\n"),
    );
  });
});
