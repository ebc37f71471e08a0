// Owns: the way from a rule id to its page: the address that diagnostics carry, opening it rendered, and asking which.
// Leaves to others: the pages (media/rules, written by test/tools/writeGenerated.ts from the table of rules).
import * as vscode from "vscode";
import type { PlainCommand, Services } from "../commands/command.js";
import { extensionId } from "../contract.js";

const showRuleId = "runState.showRule";
const ruleIdPattern = /^[a-z]+(?:-[a-z]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A command, because a page is read rendered, not as its source. */
export function ruleUri(rule: string): vscode.Uri {
  return vscode.Uri.from({ scheme: "command", path: showRuleId, query: JSON.stringify([rule]) });
}

function pagesDirectory(): vscode.Uri {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) throw new Error(`${extensionId} is not installed.`);
  return vscode.Uri.joinPath(extension.extensionUri, "media/rules");
}

export const showRule: PlainCommand = {
  id: showRuleId,
  kind: "plain",
  run: async (services, given) => {
    // An address can be typed by anybody: it names a rule, never a file.
    const rule = typeof given === "string" && ruleIdPattern.test(given) ? given : await pickRule(services);
    if (rule === null) return undefined;
    const page = vscode.Uri.joinPath(pagesDirectory(), `${rule}.md`);
    // The preview comes with VS Code, but a person can switch it off.
    const commands = new Set(await vscode.commands.getCommands(true));
    if (commands.has("markdown.showPreview")) return vscode.commands.executeCommand("markdown.showPreview", page);
    return vscode.window.showTextDocument(page, { preview: true });
  },
};

async function pickRule({ t, requests }: Services): Promise<string | null> {
  const names = await vscode.workspace.fs.readDirectory(pagesDirectory());
  const all = names.flatMap(([name]) => /^(.*\..*)\.md$/.exec(name)?.[1] ?? []).sort();
  const leftOut = new Set<string>(requests.activeReport()?.leftOut ?? []);
  const item = (rule: string): vscode.QuickPickItem => ({ label: rule });
  const separator = (label: string): vscode.QuickPickItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const items = leftOut.size === 0 ? all.map(item) : [separator(t("Not judged in this file")), ...[...leftOut].map(item), separator(t("All rules")), ...all.filter((rule) => !leftOut.has(rule)).map(item)];
  const picked = await vscode.window.showQuickPick(items, { placeHolder: t("Which rule?") });
  return picked?.label ?? null;
}
