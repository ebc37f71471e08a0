// Owns: a text under several changes in a row, and the edits of the original that make the same text: one undo step.
// Leaves to others: what to change.
import type { TextRange } from "../report.js";

/** Replaces a range of UTF-16 code units; an insertion has length 0. */
export interface TextEdit extends TextRange {
  readonly text: string;
}

/** Applies edits of one text at once. They must not overlap; those at one offset go in the order given. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.offset - b.offset)) {
    result += text.slice(at, edit.offset) + edit.text;
    at = edit.offset + edit.length;
  }
  return result + text.slice(at);
}

/** A stretch of the original, or inserted text. */
type Piece = { readonly from: number; readonly length: number } | { readonly from: null; readonly text: string };

const lengthOf = (piece: Piece): number => (piece.from === null ? piece.text.length : piece.length);

function split(piece: Piece, at: number): readonly [Piece, Piece] {
  if (piece.from === null) return [{ from: null, text: piece.text.slice(0, at) }, { from: null, text: piece.text.slice(at) }];
  return [{ from: piece.from, length: at }, { from: piece.from + at, length: piece.length - at }];
}

export class TextChanges {
  private pieces: Piece[];
  private current: string;

  constructor(private readonly original: string) {
    this.pieces = [{ from: 0, length: original.length }];
    this.current = original;
  }

  /** As it is now. */
  get text(): string {
    return this.current;
  }

  /** `edits` are of the text as it is now, all at once; they must not overlap. */
  apply(edits: readonly TextEdit[]): void {
    // From the end, so that earlier offsets stay right.
    for (const edit of [...edits].sort((a, b) => b.offset - a.offset)) this.replace(edit);
    this.current = applyEdits(this.current, edits);
  }

  private replace({ offset, length, text }: TextEdit): void {
    const next: Piece[] = [];
    let at = 0;
    let isInserted = false;
    const insert = (): void => {
      if (!isInserted && text !== "") next.push({ from: null, text });
      isInserted = true;
    };
    for (const piece of this.pieces) {
      const end = at + lengthOf(piece);
      const [before, rest] = split(piece, Math.min(Math.max(offset - at, 0), lengthOf(piece)));
      const [, after] = split(rest, Math.min(Math.max(offset + length - at, 0), lengthOf(piece)) - lengthOf(before));
      if (lengthOf(before) > 0) next.push(before);
      if (offset <= end) insert();
      if (lengthOf(after) > 0) next.push(after);
      at = end;
    }
    insert();
    this.pieces = next;
  }

  /** The edits of the original that make the text as it is now; none of them changes what stays the same around it. */
  edits(): readonly TextEdit[] {
    const edits: TextEdit[] = [];
    let at = 0;
    let inserted = "";
    const flush = (until: number): void => {
      const edit = trim({ offset: at, length: until - at, text: inserted }, this.original);
      if (edit.length > 0 || edit.text !== "") edits.push(edit);
      inserted = "";
    };
    for (const piece of this.pieces) {
      if (piece.from === null) {
        inserted += piece.text;
        continue;
      }
      flush(piece.from);
      at = piece.from + piece.length;
    }
    flush(this.original.length);
    return edits;
  }
}

/** Without the common beginning and end of what is replaced and what replaces it. */
function trim({ offset, length, text }: TextEdit, original: string): TextEdit {
  let start = 0;
  while (start < length && start < text.length && original[offset + start] === text[start]) start += 1;
  let end = 0;
  while (end < length - start && end < text.length - start && original[offset + length - 1 - end] === text[text.length - 1 - end]) end += 1;
  return { offset: offset + start, length: length - start - end, text: text.slice(start, text.length - end) };
}
