// Owns: colour and badge of rows, through a file decoration provider of our own scheme.
// Leaves to others: which decoration a row has (rows.ts).
import * as vscode from "vscode";
import { rowScheme } from "../contract.js";
import type { RowDecoration } from "./treeNode.js";

/** The decoration is part of the address: a row that changes has another one, so nothing needs to be looked up or announced. */
export function rowUri(id: string, decoration: RowDecoration): vscode.Uri {
  return vscode.Uri.from({ scheme: rowScheme, path: `/${id}`, query: JSON.stringify(decoration) });
}

export function registerRowDecorations(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: (uri) => {
      if (uri.scheme !== rowScheme) return undefined;
      // Only rowUri makes such addresses.
      const { badge, color, tooltip } = JSON.parse(uri.query) as RowDecoration;
      return new vscode.FileDecoration(
        badge ?? undefined,
        tooltip ?? undefined,
        color === null ? undefined : new vscode.ThemeColor(color),
      );
    },
  });
}
