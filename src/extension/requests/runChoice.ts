// Owns: asking once which of several runs a request is for, and remembering the answer for the workspace.
// Leaves to others: finding candidates (worker/runs.ts), judging again (requests.ts).
import path from "node:path";
import * as vscode from "vscode";
import { displayText } from "../../shared/displayText.js";
import type { Translate } from "../../shared/text.js";
import type { RunFact } from "./protocol.js";

const memoryKey = "requests.chosenRuns";
/** Old answers fall off the end. */
const maxRemembered = 200;

type Remembered = Readonly<Record<string, string>>;

export class RunChoice {
  /** What was asked in this session: a person who closed the question is not asked again. */
  private readonly asked = new Set<string>();

  constructor(
    private readonly memory: vscode.Memento,
    private readonly t: Translate,
  ) {}

  /** Absolute path of the run directory; null when nothing was chosen. */
  chosenFor(uri: vscode.Uri): string | null {
    return this.remembered()[uri.toString()] ?? null;
  }

  /** Resolves to whether something was chosen. Asks about one document and run id once. */
  async askOnce(uri: vscode.Uri, run: Extract<RunFact, { kind: "several" }>): Promise<boolean> {
    const question = `${uri.toString()} ${run.runId}`;
    if (this.asked.has(question)) return false;
    this.asked.add(question);
    const { t } = this;
    const choose = t("Choose…");
    const pressed = await vscode.window.showInformationMessage(t("{0} runs are called {1}. Which one is {2} for?", run.directories.length, displayText(run.runId), displayText(path.basename(uri.fsPath))), choose);
    return pressed === choose && (await this.pick(uri, run.directories));
  }

  /** Resolves to whether something was chosen. */
  async pick(uri: vscode.Uri, directories: readonly string[]): Promise<boolean> {
    const { t } = this;
    const items = directories.map((directory) => ({ label: path.basename(directory), description: path.resolve(directory, "../../.."), directory }));
    const picked = await vscode.window.showQuickPick(items, { placeHolder: t("Which run is {0} for?", displayText(path.basename(uri.fsPath))), matchOnDescription: true });
    if (picked === undefined) return false;
    await this.remember(uri, picked.directory);
    return true;
  }

  private remembered(): Remembered {
    return this.memory.get<Remembered>(memoryKey, {});
  }

  private remember(uri: vscode.Uri, directory: string): Thenable<void> {
    const key = uri.toString();
    const others = Object.entries(this.remembered()).filter(([known]) => known !== key);
    return this.memory.update(memoryKey, Object.fromEntries([...others.slice(-(maxRemembered - 1)), [key, directory]]));
  }
}
