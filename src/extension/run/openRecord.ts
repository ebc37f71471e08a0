// Owns: opening the file behind a row inside a run, read-only, at the value that the row shows.
// Leaves to others: which file and value (record.ts).
import * as vscode from "vscode";
import { indexText } from "../../core/systems/lattice/requests/jsonIndex.js";
import type { RowCommand } from "../commands/command.js";
import { recordOf } from "./record.js";

export const openRecord: RowCommand = {
  id: "runState.openRecord",
  kind: "row",
  run: async ({ t, view, log }, rowId) => {
    const subject = view.find(rowId)?.subject;
    const record = subject?.kind === "detail" ? recordOf(subject.item) : null;
    if (record === null) return;
    const uri = vscode.Uri.file(record.path);
    const { type } = await stat(uri);
    // Never a FIFO, a socket or a link: opening one may hang, or show what the run does not hold.
    if (type !== vscode.FileType.File) {
      void vscode.window.showInformationMessage(type === vscode.FileType.Directory ? t("This is a directory.") : t("There is no regular file to open."));
      return;
    }
    const selection = record.pointer === null ? null : await rangeOf(uri, record.pointer).catch(() => null);
    if (selection === null && record.pointer !== null) log.debug("the place in the file was not found; the file is shown from its beginning");
    await vscode.commands.executeCommand("vscode.open", uri, { preview: true, ...(selection === null ? {} : { selection }) });
    // Records are sealed by digests: a slip of the hand would break the run. It can be unlocked by the same command of VS Code.
    await vscode.commands.executeCommand("workbench.action.files.setActiveEditorReadonlyInSession");
  },
};

async function stat(uri: vscode.Uri): Promise<{ readonly type: vscode.FileType }> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    return { type: vscode.FileType.Unknown };
  }
}

/** Null when the text has no such value, as a torn one. */
async function rangeOf(uri: vscode.Uri, pointer: string): Promise<vscode.Range | null> {
  const document = await vscode.workspace.openTextDocument(uri);
  const place = indexText(document.getText(), 0, { pointers: [pointer] }).places.get(pointer);
  if (place === undefined) return null;
  const { offset, length } = place.value;
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
