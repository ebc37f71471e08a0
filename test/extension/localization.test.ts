// Every text that a person sees can be translated: the bundle holds exactly the texts of the code, package.nls.json exactly those of package.json.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundle = JSON.parse(fs.readFileSync(path.join(root, "media/l10n/bundle.l10n.json"), "utf8")) as Record<string, string>;

function sources(directory: string): readonly string[] {
  return fs
    .readdirSync(path.join(root, directory), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.join(root, directory, name));
}

interface Found {
  readonly texts: ReadonlySet<string>;
  /** Calls whose text cannot be read from the source. */
  readonly computed: readonly string[];
}

/** First arguments of every call of `t(…)` or `….t(…)`. */
function translated(files: readonly string[]): Found {
  const texts = new Set<string>();
  const computed: string[] = [];
  for (const file of files) {
    const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isTranslate(node.expression)) {
        const [text] = node.arguments;
        if (text !== undefined && ts.isStringLiteral(text)) texts.add(text.text);
        else computed.push(`${path.relative(root, file)}:${String(source.getLineAndCharacterOfPosition(node.getStart()).line + 1)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { texts, computed };
}

function isTranslate(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === "t";
  return ts.isPropertyAccessExpression(callee) && callee.name.text === "t";
}

describe("localization", () => {
  const { texts, computed } = translated(sources("src/extension"));

  it("reads every text from a literal, so that a translator can find it", () => {
    assert.deepEqual(computed, []);
  });

  it("has exactly the texts of the code in the bundle", () => {
    const keys = new Set(Object.keys(bundle));
    assert.deepEqual([...texts].filter((text) => !keys.has(text)), [], "missing in the bundle");
    assert.deepEqual([...keys].filter((key) => !texts.has(key)), [], "not in the code");
  });

  it("keeps every text's placeholders dense, so that no argument is lost", () => {
    for (const text of texts) {
      const holes = [...new Set([...text.matchAll(/\{(\d+)\}/g)].map(([, index]) => Number(index)))].sort((a, b) => a - b);
      assert.deepEqual(holes, holes.map((_, index) => index), text);
    }
  });

  it("passes no text to VS Code's messages that is not translated", () => {
    const untranslated = sources("src/extension").flatMap((file) =>
      [...fs.readFileSync(file, "utf8").matchAll(/show(?:Information|Warning|Error)Message\(\s*["'`]/g)].map(() => path.relative(root, file)),
    );
    assert.deepEqual(untranslated, []);
  });
});
