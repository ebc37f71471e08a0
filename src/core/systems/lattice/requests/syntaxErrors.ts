// Owns: all syntax errors of a text that JSON.parse refuses, in sentences. Leaves to others: everything about texts that parse.
import { printParseErrorCode, visit, type ParseErrorCode } from "jsonc-parser";
import type { RuleId } from "./rules.js";
import type { StructureScan } from "./jsonScan.js";

export interface SyntaxProblem {
  readonly rule: RuleId;
  readonly message: string;
  readonly offset: number;
  readonly length: number;
}

const maxProblems = 50;
/** Recovering costs about 50 ms a MiB; beyond this only the first error is told. */
const maxRecoveredLength = 1_572_864;

/** By the names of printParseErrorCode: the codes themselves are an ambient enum, which isolated modules cannot read. */
const sentences: Readonly<Record<string, string>> = {
  InvalidSymbol: "This is no JSON value; texts need double quotes.",
  InvalidNumberFormat: "This number is not written as JSON wants it.",
  PropertyNameExpected: "Expected a key in double quotes (JSON allows no comma before a closing brace).",
  ValueExpected: "Expected a value (JSON allows no comma before a closing bracket).",
  ColonExpected: "Expected a colon after the key.",
  CommaExpected: "Expected a comma.",
  CloseBraceExpected: "Expected a closing brace.",
  CloseBracketExpected: "Expected a closing bracket.",
  EndOfFileExpected: "Nothing may follow the document.",
  InvalidCommentToken: "JSON has no comments.",
  UnexpectedEndOfComment: "JSON has no comments, and this one does not end.",
  UnexpectedEndOfString: "This text has no closing quote on its line.",
  UnexpectedEndOfNumber: "This number has no end.",
  InvalidUnicode: "\\u needs four hexadecimal digits.",
  InvalidEscapeCharacter: "JSON does not know this escape.",
  InvalidCharacter: "Control characters in a text must be escaped.",
};

/**
 * At least one problem, in order of position, 50 at most. `failure`: what JSON.parse threw. A text that is only cut off gives one.
 * Nesting must be bounded already: the recovering parser recurses.
 */
export function syntaxProblems(text: string, from: number, scan: StructureScan, failure: SyntaxError): readonly SyntaxProblem[] {
  const recovered = text.length <= maxRecoveredLength ? recover(text, from) : [];
  const isCut = scan.openString !== null || scan.openBrackets.length > 0;
  const contentEnd = text.trimEnd().length;
  // What a cut leaves behind is found at the end, in the last token or at the string that has no end.
  const cutFrom = Math.min(scan.openString ?? contentEnd, lastTokenStart(text, contentEnd));
  const others = isCut ? recovered.filter(({ offset, length }) => offset < cutFrom && offset + length < contentEnd) : recovered;
  if (others.length > 0) return others;
  // Only now: a missing quote or bracket in the middle leaves something open at the end as well.
  if (isCut) return [cutProblem(scan, contentEnd)];
  const position = Number(/at position (\d+)/.exec(failure.message)?.[1] ?? Number.NaN);
  const offset = Number.isNaN(position) ? from : Math.min(position + from, Math.max(text.length - 1, 0));
  return [{ rule: "json.syntax", message: "JSON.parse stops here.", offset, length: 1 }];
}

function recover(text: string, from: number): readonly SyntaxProblem[] {
  const problems: SyntaxProblem[] = [];
  const onError = (code: ParseErrorCode, offset: number, length: number): void => {
    // One place gives one error: what follows from it at the same offset is no other mistake.
    if (problems.at(-1)?.offset === Math.min(offset + from, text.length - 1)) return;
    // What is missing at the end is told at the last character: there is nothing to point at beyond it.
    const at = Math.min(offset + from, Math.max(text.length - 1, 0));
    problems.push({ rule: "json.syntax", message: sentences[printParseErrorCode(code)] ?? "This is no JSON.", offset: at, length: Math.min(Math.max(length, 1), text.length - at) });
    if (problems.length === maxProblems) throw new EnoughProblems();
  };
  try {
    visit(from === 0 ? text : text.slice(from), { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof EnoughProblems)) throw error;
  }
  return problems;
}

/** The only way to stop `visit`. */
class EnoughProblems extends Error {}

function lastTokenStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && !/[\s,:[\]{}]/.test(text.charAt(start - 1))) start -= 1;
  return start === end && end > 0 ? end - 1 : start;
}

function cutProblem(scan: StructureScan, end: number): SyntaxProblem {
  const open = scan.openBrackets.length;
  const inside = scan.openString !== null ? "a text" : "a value";
  const brackets = open === 0 ? "" : `; ${open} bracket${open === 1 ? " is" : "s are"} still open`;
  return { rule: "json.truncated", message: `The file ends inside ${inside}${brackets}: a write was cut off, or closing brackets are missing.`, offset: Math.max(end - 1, 0), length: 1 };
}
