// Owns: how pure code asks for text in the person's language, so that it needs no `vscode` to be tested.
// Leaves to others: the translations (media/l10n) and the real translator (`vscode.l10n.t`, handed in by the extension).

export type TextArgument = string | number | boolean;

/** Same contract as `vscode.l10n.t`: `{0}`, `{1}` … are replaced; the English text is the key. */
export type Translate = (message: string, ...args: TextArgument[]) => string;

/** The source language: what is shown when no translation exists, what the CLI prints, and what tests read. */
export const englishText: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (hole, index: string) => {
    const value = args[Number(index)];
    return value === undefined ? hole : String(value);
  });
