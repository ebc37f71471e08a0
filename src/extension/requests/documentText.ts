// Owns: a document's text in pieces that are small enough never to hold up the extension host.
// Leaves to others: sending them (workerClient.ts), looking into them (requestFiles.ts).
import * as vscode from "vscode";
import type { TextSource } from "./workerClient.js";

/** UTF-16 code units. Copying this much takes well under a millisecond. */
const pieceLength = 262_144;

/** UTF-16 code units, line ends included; costs next to nothing however long the text is. */
export function lengthOf(document: vscode.TextDocument): number {
  return document.offsetAt(endOf(document));
}

function endOf(document: vscode.TextDocument): vscode.Position {
  return document.lineAt(document.lineCount - 1).range.end;
}

export function* piecesOf(document: vscode.TextDocument): Generator<string, void> {
  const end = endOf(document);
  let from = new vscode.Position(0, 0);
  while (from.isBefore(end)) {
    const next = document.positionAt(document.offsetAt(from) + pieceLength);
    // Chained by position: an offset between CR and LF is none.
    const to = next.isAfter(from) ? next : end;
    yield document.getText(new vscode.Range(from, to));
    from = to;
  }
}

export function sourceOf(document: vscode.TextDocument): TextSource {
  return {
    uri: document.uri.toString(),
    get version() {
      return document.version;
    },
    get length() {
      return lengthOf(document);
    },
    pieces: () => piecesOf(document),
  };
}
