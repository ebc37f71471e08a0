// Owns: making raw text from files, file names and the kernel safe to show: nothing invisible, nothing that reorders a line.
// Leaves to others: wording (explain.ts), escaping for HTML or Markdown (the views that need it).

/** Longest text that a row or a dialog shows, in characters of the source; longer ones are cut in the middle. */
export const defaultDisplayLength = 200;

export interface DisplayOptions {
  /** Characters (code points) of the source to keep; the cut-out middle is replaced by `…`. */
  readonly maxLength?: number;
  /** Multi-line views keep LF and TAB; a row never does. */
  readonly keepLineBreaks?: boolean;
}

/*
 * Cc and Cf (bidi controls, zero-width, soft hyphen, tags, BOM), lone surrogates, private use and unassigned characters,
 * line and paragraph separators, and every blank but U+0020: two different names must never look like one.
 * The further ranges draw nothing although they are letters or marks: Hangul fillers, Braille blank, variation selectors,
 * combining grapheme joiner.
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]|[\u115F\u1160\u3164\uFFA0\u2800]|\u034F|[\u180B-\u180F]|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/u;

/** More marks than this on one base are drawn over the neighbouring lines. */
const mostMarks = 4;
const mark = /\p{M}/u;

/** No string iterates to it, so a `…` of the text itself is never taken for the cut. */
const cut = "";

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Text as one may show it: control, bidi, zero-width and other invisible characters appear as `\u{…}`, backslashes before
 * such an escape (or before a text that looks like one) are doubled so that the result stays unambiguous, blanks at either
 * end are made visible, over-long text is cut in the middle. Letters of every script pass unchanged.
 * Not for copying: the clipboard gets the real text.
 */
export function displayText(raw: string, options: DisplayOptions = {}): string {
  const characters = shorten(raw, options.maxLength ?? defaultDisplayLength);
  let marks = 0;
  let backslashes = 0;
  let shown = "";
  for (const [index, character] of characters.entries()) {
    if (character === "\\") {
      backslashes += 1;
      continue;
    }
    marks = mark.test(character) ? marks + 1 : 0;
    const isLineBreak = options.keepLineBreaks === true && (character === "\n" || character === "\t");
    const isOuterBlank = character === " " && (index === 0 || index === characters.length - 1);
    const isEscaped = !isLineBreak && (isOuterBlank || marks > mostMarks || invisible.test(character));
    const looksEscaped = character === "u" && characters[index + 1] === "{";
    shown += "\\".repeat(isEscaped || looksEscaped ? backslashes * 2 : backslashes);
    backslashes = 0;
    if (isEscaped) shown += escaped(character);
    else shown += character === cut ? "…" : character;
  }
  return shown + "\\".repeat(backslashes);
}

function shorten(raw: string, maxLength: number): readonly string[] {
  if (raw.length <= maxLength) return Array.from(raw);
  // A code point has at most two units: longer text is cut before it is split, or 50 MB would be split for one row.
  if (raw.length <= maxLength * 2) {
    const all = Array.from(raw);
    if (all.length <= maxLength) return all;
  }
  const head = Math.ceil((maxLength - 1) / 2);
  const tail = maxLength - 1 - head;
  const start = Array.from(raw.slice(0, head * 2)).slice(0, head);
  const end = tail <= 0 ? [] : Array.from(raw.slice(-tail * 2)).slice(-tail);
  return [...start, cut, ...end];
}

/** Whether `displayText` would change the text (apart from its length). */
export function hasHiddenCharacters(raw: string): boolean {
  return displayText(raw, { maxLength: Infinity }) !== raw;
}

/** How a name is composed, when that matters: two names that differ only so look the same in every font. */
export type Composition = "plain" | "composed" | "decomposed" | "mixed";

/** `plain` when NFC and NFD are the same text. */
export function compositionOf(raw: string): Composition {
  const composed = raw.normalize("NFC");
  const decomposed = raw.normalize("NFD");
  if (composed === decomposed) return "plain";
  if (raw === composed) return "composed";
  return raw === decomposed ? "decomposed" : "mixed";
}

/**
 * A file name among its siblings: as `displayText`, plus ` (NFC)`, ` (NFD)` or ` (mixed)` when a sibling differs only in composition.
 */
export function displayName(raw: string, hasTwin: boolean, options: DisplayOptions = {}): string {
  const shown = displayText(raw, options);
  if (!hasTwin) return shown;
  const composition = compositionOf(raw);
  if (composition === "plain") return shown;
  return `${shown} (${{ composed: "NFC", decomposed: "NFD", mixed: "mixed" }[composition]})`;
}
