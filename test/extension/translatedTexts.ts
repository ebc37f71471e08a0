// Owns: reading from the sources which texts a translator must have: the first argument of every call of `t`.
// Leaves to others: comparing them with the bundle (localization.test.ts), writing it (test/tools/writeTexts.ts).
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../tools/processGroup.mjs";

export const bundleFile = path.join(repositoryRoot, "media/l10n/bundle.l10n.json");

export interface TranslatedTexts {
  /** In the order of files and lines. */
  readonly texts: ReadonlySet<string>;
  /** `file:line` of calls whose text cannot be read from the source. */
  readonly computed: readonly string[];
}

/** The directories whose code speaks to a person in VS Code. */
const directories = ["src/extension", "src/shared"];

export function shellSources(): readonly string[] {
  return directories.flatMap((directory) =>
    fs
      .readdirSync(path.join(repositoryRoot, directory), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .sort()
      .map((name) => path.join(repositoryRoot, directory, name)),
  );
}

export function translatedTexts(): TranslatedTexts {
  const texts = new Set<string>();
  const computed: string[] = [];
  for (const file of shellSources()) {
    const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isTranslate(node.expression)) {
        const [text] = node.arguments;
        if (text !== undefined && ts.isStringLiteral(text)) texts.add(text.text);
        else computed.push(`${path.relative(repositoryRoot, file)}:${String(source.getLineAndCharacterOfPosition(node.getStart()).line + 1)}`);
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
