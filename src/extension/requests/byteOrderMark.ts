// Owns: taking the byte order mark off a request file. An editor keeps it outside of the text, where no edit reaches it, so that
// the file itself is written, with nothing but the mark gone. Leaves to others: saying that there is one (worker/fileBytes.ts).
import * as vscode from "vscode";
import type { PlainCommand } from "../commands/command.js";

const mark = [0xef, 0xbb, 0xbf] as const;

export const removeByteOrderMark: PlainCommand = {
  id: "runState.removeByteOrderMark",
  kind: "plain",
  run: async ({ t, requests }, given) => {
    const document = requests.documentOf(given);
    if (document === null || document.uri.scheme !== "file") return vscode.window.showInformationMessage(t("Open a recompile request first."));
    if (document.isDirty && !(await document.save())) return undefined;
    const bytes = await vscode.workspace.fs.readFile(document.uri);
    if (!mark.every((byte, index) => bytes[index] === byte)) return vscode.window.showInformationMessage(t("The file has no byte order mark."));
    await vscode.workspace.fs.writeFile(document.uri, bytes.subarray(mark.length));
    requests.judgeAgain(document);
    return undefined;
  },
};
