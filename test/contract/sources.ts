// Owns: reading sources as the compiler does: members of an interface, members of a union, imports, string literals.
// Leaves to others: what must be true of them (the tests beside it).
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../tools/processGroup.mjs";

/** Paths of all TypeScript files below a directory of the checkout, relative, sorted; none when it does not exist. */
export function sourceFiles(directory: string): readonly string[] {
  const absolute = path.join(repositoryRoot, directory);
  if (!fs.existsSync(absolute)) return [];
  return fs
    .readdirSync(absolute, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.posix.join(directory, name.split(path.sep).join("/")))
    .sort();
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, fs.readFileSync(path.join(repositoryRoot, file), "utf8"), ts.ScriptTarget.ES2022, true);
}

/** Modules that a file imports, types included. */
export function importedModules(file: string): readonly string[] {
  return ts.preProcessFile(fs.readFileSync(path.join(repositoryRoot, file), "utf8"), true, true).importedFiles.map(({ fileName }) => fileName);
}

/** Every string literal and template without holes, import paths excluded. */
export function stringLiterals(file: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

function declaration<Kind extends ts.Statement>(file: string, name: string, is: (node: ts.Node) => node is Kind & { readonly name: ts.Identifier }): Kind {
  const found = parse(file).statements.filter((statement) => is(statement)).find((statement) => statement.name.text === name);
  if (found === undefined) throw new Error(`${file} declares no ${name}.`);
  return found;
}

/** Names of the members of an interface, as written. */
export function interfaceMembers(file: string, name: string): readonly string[] {
  return declaration<ts.InterfaceDeclaration>(file, name, ts.isInterfaceDeclaration).members.map(({ name: member }) => {
    if (member === undefined || !(ts.isIdentifier(member) || ts.isStringLiteral(member))) throw new Error(`${name} in ${file} has a member without a plain name.`);
    return member.text;
  });
}

/** The literals of a union of string literals. */
export function unionLiterals(file: string, name: string): readonly string[] {
  const { type } = declaration<ts.TypeAliasDeclaration>(file, name, ts.isTypeAliasDeclaration);
  if (!ts.isUnionTypeNode(type)) throw new Error(`${name} in ${file} is no union.`);
  return type.types.map((part) => {
    if (!ts.isLiteralTypeNode(part) || !ts.isStringLiteral(part.literal)) throw new Error(`${name} in ${file} holds more than string literals.`);
    return part.literal.text;
  });
}
