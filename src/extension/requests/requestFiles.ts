// Owns: which open documents may be recompile requests: cheap questions that leave the certain answer to the worker.
// Leaves to others: judging (requestDocuments.ts).
import * as vscode from "vscode";
import { maxFileBytes } from "../../core/systems/lattice/requests/decode.js";
import { schemaIds } from "../../core/systems/lattice/requests/documentKeys.js";
import { lengthOf, piecesOf } from "./documentText.js";

/** Schemes of documents that a person writes. */
const schemes: ReadonlySet<string> = new Set(["file", "untitled"]);
const languages: readonly string[] = ["json", "jsonc"];

export const requestSelector: vscode.DocumentSelector = [...schemes].flatMap((scheme) => languages.map((language) => ({ scheme, language })));

export function isCandidate(document: vscode.TextDocument, globs: readonly string[]): boolean {
  return schemes.has(document.uri.scheme) && (languages.includes(document.languageId) || isNamed(document, globs));
}

/** Whether the setting names it. A glob without a leading star or slash is meant below the workspace folder, as everywhere in VS Code. */
export function isNamed(document: vscode.TextDocument, globs: readonly string[]): boolean {
  return globs.some((glob) => {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    const isWhole = glob.startsWith("**/") || glob.startsWith("/") || folder === undefined;
    return vscode.languages.match({ pattern: isWhole ? glob : new vscode.RelativePattern(folder, glob) }, document) > 0;
  });
}

/** Whether the text names the schema anywhere. Resolves to false when the text changed meanwhile. */
export async function namesSchema(document: vscode.TextDocument, pause: () => Promise<void>): Promise<boolean> {
  const { version } = document;
  const isOversized = lengthOf(document) > maxFileBytes;
  const wanted = `"${schemaIds.recompileRequest}"`;
  let before = "";
  for (const piece of piecesOf(document)) {
    if ((before + piece).includes(wanted)) return true;
    // Of a text that is not read as a whole the beginning decides.
    if (isOversized) return false;
    before = piece.slice(-wanted.length);
    await pause();
    if (document.version !== version || document.isClosed) return false;
  }
  return false;
}
