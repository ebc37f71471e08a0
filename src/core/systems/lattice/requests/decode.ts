// Owns: from the bytes of a request file to its text, or to what is wrong with the bytes.
// Leaves to others: the text itself (text.ts).
import type { RuleId } from "./rules.js";

/** What the runtime reads at most (spec/lattice.md section 3.2). */
export const maxFileBytes = 8_388_608;

export interface ByteProblem {
  readonly rule: RuleId;
  readonly message: string;
  /** UTF-16 code units into `text`. */
  readonly offset: number;
  readonly length: number;
}

/** `text` keeps a byte order mark, so that offsets are those of the file; undecodable bytes are U+FFFD in it. */
export interface DecodedText {
  readonly text: string;
  readonly problems: readonly ByteProblem[];
}

const maxProblems = 20;

/** Decodes UTF-8 strictly. With a problem the text is only good for showing. Does not copy more than the limit. */
export function decodeRequestBytes(bytes: Uint8Array): DecodedText {
  const whole = (rule: RuleId, message: string): DecodedText => ({ text: "", problems: [{ rule, message, offset: 0, length: 0 }] });
  if (bytes.byteLength > maxFileBytes) return whole("json.too-large", tooLargeMessage(bytes.byteLength));
  const encoding = wideEncoding(bytes);
  if (encoding !== null) return whole("json.utf16", `This file is ${encoding}; save it as UTF-8.`);
  if (bytes.byteLength > 0 && bytes.every((byte) => byte === 0)) return whole("json.nul-filled", `All ${bytes.byteLength} bytes are zero: the content was never written.`);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), problems: [] };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return locateInvalid(bytes);
  }
}

export function tooLargeMessage(bytes: number): string {
  return `The file has ${(bytes / 1_048_576).toFixed(1)} MiB; the runtime reads at most 8 MiB. Nothing else was checked.`;
}

/** The name of an encoding with two or four bytes a character, by its mark or by the zero bytes around the first character. */
function wideEncoding(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && bytes.byteLength >= 4 ? "UTF-32 LE" : "UTF-16 LE";
  if (a === 0xfe && b === 0xff) return "UTF-16 BE";
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "UTF-32 BE";
  if (a === undefined || b === undefined) return null;
  // JSON begins with an ASCII character, so its other byte is zero; a third zero byte in a row is a file of zeros.
  if (a !== 0 && b === 0 && c !== 0 && c !== undefined) return "UTF-16 LE without byte order mark";
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return "UTF-16 BE without byte order mark";
  return null;
}

/** Length of the well-formed sequence at `at`, 0 when there is none, -1 when the bytes end inside a good beginning. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  if (length === 0) return 0;
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return -1;
    // Overlong forms, surrogates and what is beyond U+10FFFF show in the second byte (RFC 3629).
    const low = index > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = index > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (byte < low || byte > high) return 0;
  }
  return length;
}

function locateInvalid(bytes: Uint8Array): DecodedText {
  const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
  const text = lenient.decode(bytes);
  const problems: ByteProblem[] = [];
  for (let at = 0; at < bytes.byteLength && problems.length < maxProblems; ) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    const offset = lenient.decode(bytes.subarray(0, at)).length;
    if (length < 0) {
      problems.push({ rule: "json.truncated", message: "The file ends inside a character: a write was cut off.", offset, length: text.length - offset });
      break;
    }
    problems.push({ rule: "json.invalid-utf8", message: `Byte ${at} (0x${(bytes[at] ?? 0).toString(16).padStart(2, "0")}) is not UTF-8.`, offset, length: 1 });
    at += 1;
  }
  return { text, problems };
}
