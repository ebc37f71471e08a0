// Owns: reading from shared/runWords.ts which codes one of its tables words.
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../../tools/processGroup.mjs";

/** Keys of the object that a top-level constant is. */
export function literalsOf(table: string): readonly string[] {
  const file = path.join(repositoryRoot, "src/shared/runWords.ts");
  const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name) || name.text !== table || initializer === undefined || !ts.isObjectLiteralExpression(initializer)) continue;
      return initializer.properties.flatMap((property) => (property.name !== undefined && (ts.isStringLiteral(property.name) || ts.isIdentifier(property.name)) ? [property.name.text] : []));
    }
  }
  throw new Error(`There is no table ${table}.`);
}
