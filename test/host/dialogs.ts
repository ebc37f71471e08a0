// Owns: standing in for the person at VS Code's dialogs: answers by script, keeps what was shown. VS Code refuses real modals in tests.
// Leaves to others: what to answer (the tests).
import * as vscode from "vscode";

export interface ShownMessage {
  readonly kind: "information" | "warning" | "error";
  readonly message: string;
  readonly detail: string | null;
  readonly isModal: boolean;
  readonly buttons: readonly string[];
}

/** What the person does: presses a button, closes (`null`), picks rows, types. Anything that is shown without an answer is closed. */
export interface Script {
  /** By the text that the message must hold. */
  readonly messages?: readonly (readonly [holds: string, button: string | null])[];
  /** Labels to pick, one entry per quick pick; a list for one that takes several. */
  readonly picks?: readonly (string | readonly string[] | null)[];
  readonly inputs?: readonly (string | null)[];
}

export interface Dialogs {
  readonly messages: readonly ShownMessage[];
  readonly picks: readonly (readonly vscode.QuickPickItem[])[];
  readonly inputs: readonly vscode.InputBoxOptions[];
  /** The messages whose text holds this. */
  with(text: string): readonly ShownMessage[];
}

const messageKinds = { showInformationMessage: "information", showWarningMessage: "warning", showErrorMessage: "error" } as const;

function shownMessage(kind: ShownMessage["kind"], message: string, rest: readonly unknown[]): ShownMessage {
  const [first, ...others] = rest;
  const options = typeof first === "object" && first !== null ? (first as vscode.MessageOptions) : null;
  const buttons = (options === null ? rest : others).filter((item) => typeof item === "string");
  return { kind, message, detail: options?.detail ?? null, isModal: options?.modal === true, buttons };
}

/**
 * Replaces the dialogs while `work` runs. A press of a button that is not there is an error: a person could not press it either.
 */
export async function actingAs<T>(script: Script, work: (dialogs: Dialogs) => Promise<T>): Promise<T> {
  const undo: (() => void)[] = [];
  const replace = (name: string, by: (...args: never[]) => unknown): void => {
    const original: unknown = Reflect.get(vscode.window, name);
    if (!Reflect.set(vscode.window, name, by)) throw new Error(`vscode.window.${name} cannot be replaced.`);
    undo.push(() => Reflect.set(vscode.window, name, original));
  };
  try {
    return await work(replaceDialogs(script, replace));
  } finally {
    for (const one of undo) one();
  }
}

function replaceDialogs(script: Script, replace: (name: string, by: (...args: never[]) => unknown) => void): Dialogs {
  const messages: ShownMessage[] = [];
  const picks: (readonly vscode.QuickPickItem[])[] = [];
  const inputs: vscode.InputBoxOptions[] = [];
  const pressed = [...(script.messages ?? [])];
  const picked = [...(script.picks ?? [])];
  const typed = [...(script.inputs ?? [])];

  for (const [name, kind] of Object.entries(messageKinds)) {
    replace(name, (message: string, ...rest: readonly unknown[]) => {
      const shown = shownMessage(kind, message, rest);
      messages.push(shown);
      const at = pressed.findIndex(([holds]) => message.includes(holds));
      const [, button = null] = at < 0 ? [] : (pressed.splice(at, 1)[0] ?? []);
      if (button === null || shown.buttons.includes(button)) return Promise.resolve(button ?? undefined);
      return Promise.reject(new Error(`"${message}" has no button "${button}", only: ${shown.buttons.join(", ")}`));
    });
  }
  replace("showQuickPick", async (given: readonly vscode.QuickPickItem[] | Promise<readonly vscode.QuickPickItem[]>, options?: vscode.QuickPickOptions) => {
    const items = await given;
    picks.push(items);
    const wanted = picked.shift() ?? null;
    if (wanted === null) return undefined;
    if (options?.canPickMany === true) return (typeof wanted === "string" ? [wanted] : wanted).map((label) => itemWith(items, label));
    if (typeof wanted !== "string") throw new Error("This quick pick takes one item.");
    return itemWith(items, wanted);
  });
  replace("showInputBox", (options: vscode.InputBoxOptions) => {
    inputs.push(options);
    return Promise.resolve(typed.shift() ?? undefined);
  });
  return { messages, picks, inputs, with: (text) => messages.filter(({ message }) => message.includes(text)) };
}

function itemWith(items: readonly vscode.QuickPickItem[], label: string): vscode.QuickPickItem {
  const found = items.find((item) => item.label.includes(label));
  if (found === undefined) throw new Error(`No item "${label}", only: ${items.map((item) => item.label).join(", ")}`);
  return found;
}
