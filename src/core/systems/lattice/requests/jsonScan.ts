// Owns: one fast pass over the structure of a JSON text: depth, number of values, numbers worth a second look.
// Says nothing about validity (JSON.parse does) and never recurses. Leaves to others: where a pointer is (jsonIndex.ts).

export interface StructureScan {
  /** Deepest container; 1 for a flat list. */
  readonly depth: number;
  /** Offset of the first opening bracket beyond `maxDepth`, or null. The scan ends there. */
  readonly tooDeepAt: number | null;
  /** Values in the text, repeated members counted each time: more than the parsed value has means duplicate keys. */
  readonly values: number;
  /** Offset where `maxValues` was passed, or null. The scan ends there. */
  readonly tooManyAt: number | null;
  /** Offsets of numbers that could be negative zero or beyond exact integers. */
  readonly oddNumbers: readonly number[];
  /** Where the text ends inside a string, the offset of its quote. */
  readonly openString: number | null;
  /** Offsets of brackets that are still open at the end, outermost first. */
  readonly openBrackets: readonly number[];
}

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

/** The offset of the quote that ends the string beginning at `start` (its opening quote), or -1. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text.charCodeAt(at - 1) !== backslash) return at;
    let first = at - 1;
    while (text.charCodeAt(first - 1) === backslash) first -= 1;
    // An even number of backslashes escapes itself only.
    if ((at - first) % 2 === 0 && first > start) return at;
  }
  return -1;
}

/** The offset after a number, literal or anything else that is neither structure, string nor white space. */
export function endOfBareWord(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Space and below, `,` `:` `]` `}` `[` `{` and the quote end a word.
    if (code <= 0x20 || code === 0x2c || code === 0x3a || code === 0x5d || code === 0x7d || code === 0x5b || code === 0x7b || code === quote) break;
  }
  return at;
}

/** Most digits that every integer of so many digits is exact with. */
const exactDigits = 15;

export function scanStructure(text: string, from: number, limits: { readonly maxDepth: number; readonly maxValues: number }): StructureScan {
  const open: number[] = [];
  const oddNumbers: number[] = [];
  let depth = 0;
  let values = 0;
  let tooDeepAt: number | null = null;
  let tooManyAt: number | null = null;
  let openString: number | null = null;
  let at = from;
  scan: while (at < text.length) {
    const code = text.charCodeAt(at);
    switch (code) {
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
      case 0x2c:
        at += 1;
        break;
      case 0x3a:
        // The string before a colon was a key, not a value.
        values -= 1;
        at += 1;
        break;
      case quote: {
        const end = endOfString(text, at);
        if (end < 0) {
          openString = at;
          break scan;
        }
        values += 1;
        at = end + 1;
        break;
      }
      case 0x7b:
      case 0x5b:
        open.push(at);
        values += 1;
        if (open.length > depth) depth = open.length;
        if (depth > limits.maxDepth) {
          tooDeepAt = at;
          break scan;
        }
        at += 1;
        break;
      case 0x7d:
      case 0x5d:
        open.pop();
        at += 1;
        break;
      default: {
        const end = endOfBareWord(text, at);
        values += 1;
        if (code === minus || end - at > exactDigits) oddNumbers.push(at);
        at = end;
      }
    }
    if (values > limits.maxValues) {
      tooManyAt = at;
      break;
    }
  }
  return { depth, tooDeepAt, values, tooManyAt, oddNumbers, openString, openBrackets: open };
}
