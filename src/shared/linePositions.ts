// Owns: from offsets to lines and characters, as editors count: UTF-16 code units, lines ended by CRLF, LF or CR.
// Leaves to others: what is at an offset.

/** Both from 0. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

export interface LineRange {
  readonly start: LinePosition;
  readonly end: LinePosition;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Knows where the lines of one text begin; a question costs the logarithm of their number. */
export class LinePositions {
  private readonly starts: readonly number[];

  constructor(private readonly text: string) {
    const starts = [0];
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1;
      if (code === carriageReturn || code === lineFeed) starts.push(at + 1);
    }
    this.starts = starts;
  }

  /** An offset outside the text is its nearest end. */
  at(offset: number): LinePosition {
    const inside = Math.min(Math.max(offset, 0), this.text.length);
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.starts[middle] ?? 0) <= inside) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: inside - (this.starts[low] ?? 0) };
  }

  range({ offset, length }: { readonly offset: number; readonly length: number }): LineRange {
    return { start: this.at(offset), end: this.at(offset + length) };
  }
}
