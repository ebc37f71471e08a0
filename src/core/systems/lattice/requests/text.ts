// Owns: judging a recompile request as text: what parsing hides or refuses, then the rules, all with ranges.
// Leaves to others: the rules (recompileRequest.ts), finding places (jsonIndex.ts), repairs (fixes/).
// A call takes a few milliseconds for a usual file and under 100 ms for a hostile one; editors run it in a worker thread
// (it needs nothing but its arguments, and findings are plain data) so that not even those are felt.
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { CanonicalMemo } from "./canonicalMemo.js";
import { givenContext, type RecompileContext } from "./context.js";
import { decodeRequestBytes, maxFileBytes, tooLargeMessage } from "./decode.js";
import { indexText, type Place, type TextIndex } from "./jsonIndex.js";
import { scanStructure, type StructureScan } from "./jsonScan.js";
import { inspectRecompileRequest } from "./recompileRequest.js";
import type { RelatedPlace, RequestFinding, TextRange } from "./report.js";
import { rules, type RuleId } from "./rules.js";
import { syntaxProblems } from "./syntaxErrors.js";

/** Beyond these nothing but the fact is told. Far above what is valid, so that a mistake just above the limit gets the exact rule. */
const scanLimits = { maxDepth: 64, maxValues: 50_000 } as const;

export interface LocatedFinding extends RequestFinding {
  readonly range: TextRange;
}

export interface JudgedText {
  readonly findings: readonly LocatedFinding[];
  /** As decoded; ranges are offsets into it. A leading byte order mark counts as one code unit. */
  readonly text: string;
  /** The parsed document, undefined when the text is not usable. */
  readonly value: unknown;
  /** Where the document begins: 1 after a byte order mark. */
  readonly start: number;
}

/** How a parsed value is judged; `memo` knows the value. */
export type ValueJudge = (value: unknown, memo: CanonicalMemo) => readonly RequestFinding[];

/**
 * Judges the text or the bytes of a recompile request. With syntax errors no rule is judged; every finding has a range.
 * Without any context there is no phase validator (see checkRecompileRequest). Never throws.
 */
export function checkRecompileRequestText(input: string | Uint8Array, context?: RecompileContext | null, options: { readonly dialect?: Dialect } = {}): LocatedFinding[] {
  return [...judgeText(input, (value, memo) => inspectRecompileRequest(value, givenContext(context), memo), options).findings];
}

/** The same with everything that fixes and views go on with. */
export function judgeText(input: string | Uint8Array, judge: ValueJudge, options: { readonly dialect?: Dialect } = {}): JudgedText {
  const { text, problems } = typeof input === "string" ? { text: input, problems: [] } : decodeRequestBytes(input);
  if (problems.length > 0) return unusable(text, problems);
  const refused = refuseWhole(text);
  if (refused !== null) return unusable(text, [refused]);
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const bom = start === 0 ? [] : [finding("json.bom", "", "The file starts with a byte order mark, which readers that do not strip it refuse.", { offset: 0, length: 1 })];
  const scan = scanStructure(text, start, scanLimits);
  const beyond = refuseBeyond(scan);
  if (beyond !== null) return unusable(text, [beyond], bom);
  let value: unknown;
  try {
    value = JSON.parse(start === 0 ? text : text.slice(start));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unusable(text, syntaxProblems(text, start, scan, error), bom);
  }
  const memo = new CanonicalMemo(options.dialect ?? defaultDialect, true);
  const told = judge(value, memo);
  const hidden = findHidden(text, start, scan, memo.countValues(value, "request_digest"));
  const isNegativeZero = memo.problem(value, "request_digest")?.code === "negative-zero";
  const covered = isNegativeZero ? told.filter(({ rule }) => !rule.endsWith(".canonical-limits")) : told;
  const failed = new Set(covered.flatMap(({ severity, pointer }) => (severity === "error" ? [pointer] : [])));
  const kept = hidden.filter(({ rule, pointer }) => rule !== "json.unsafe-integer" || !failed.has(pointer));
  return { findings: [...bom, ...kept, ...locate(covered, text, start)], text, value, start };
}

type Problem = TextRange & { readonly rule: RuleId; readonly message: string };

function finding(rule: RuleId, pointer: string, message: string, range: TextRange, related: readonly RelatedPlace[] = []): LocatedFinding {
  return { rule, severity: rules[rule].severity, pointer, message, range, ...(related.length === 0 ? {} : { related }) };
}

function unusable(text: string, problems: readonly Problem[], before: readonly LocatedFinding[] = []): JudgedText {
  const findings = problems.map(({ rule, message, offset, length }) => finding(rule, "", message, { offset, length }));
  return { findings: [...before, ...findings], text, value: undefined, start: 0 };
}

/** What a look at the whole text settles. */
function refuseWhole(text: string): Problem | null {
  // A code unit is at least one byte, so a longer text is a larger file.
  if (text.length > maxFileBytes) return { rule: "json.too-large", message: tooLargeMessage(text.length), offset: 0, length: 0 };
  const zero = text.indexOf("\u0000");
  if (zero >= 0) {
    // Read as single bytes, UTF-16 shows as every other character being zero.
    if (/^\uFEFF?(?:[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/.test(text)) return { rule: "json.utf16", message: "This text is UTF-16 that was read as single bytes; save it as UTF-8.", offset: 0, length: 0 };
    const isTail = /^[\s\0]*$/.test(text.slice(zero));
    if (isTail || text.startsWith("\u0000".repeat(8), zero)) {
      const message = zero === 0 && isTail ? "The file is filled with zero bytes: the content was never written." : `Zero bytes begin here${isTail ? " and go on to the end" : ""}: part of the content was never written.`;
      return { rule: "json.nul-filled", message, offset: zero, length: text.length - zero };
    }
  }
  if (/^[\uFEFF\s]*$/.test(text)) return { rule: "json.empty", message: "The file is empty: a write was cut off before it began.", offset: 0, length: text.length };
  return null;
}

function refuseBeyond({ tooDeepAt, tooManyAt }: StructureScan): Problem | null {
  if (tooDeepAt !== null) return { rule: "json.too-deep", message: `Nested deeper than ${scanLimits.maxDepth} levels here; 32 are allowed. Nothing else was checked.`, offset: tooDeepAt, length: 1 };
  if (tooManyAt !== null) return { rule: "json.too-many-values", message: "The file has more than 50 000 values; 10 000 are allowed. Nothing else was checked.", offset: tooManyAt - 1, length: 1 };
  return null;
}

/** What JSON.parse takes without a word. `parsedValues`: values in the parsed document. */
function findHidden(text: string, start: number, scan: StructureScan, parsedValues: number): LocatedFinding[] {
  const odd = scan.oddNumbers.map((offset) => ({ offset, token: /^[-+.\w]+/.exec(text.slice(offset, offset + 400))?.[0] ?? "" })).filter(({ token }) => isNegativeZero(token) || isInexact(token));
  const hasRepeated = scan.values > parsedValues;
  const mayBeIllFormed = /[\uD800-\uDFFF]|\\u[dD][89a-fA-F]/.test(text);
  if (odd.length === 0 && !hasRepeated && !mayBeIllFormed) return [];
  const index = indexText(text, start, { offsets: odd.map(({ offset }) => offset), repeatedKeys: hasRepeated, illFormedStrings: mayBeIllFormed });
  return [
    ...index.repeatedKeys.flatMap(repeatedFindings),
    ...odd.map(({ offset, token }) => {
      const pointer = index.pointersAt.get(offset) ?? "";
      const range = { offset, length: token.length };
      return isNegativeZero(token)
        ? finding("json.negative-zero", pointer, "Is read as negative zero, which has no canonical form; write 0.", range)
        : finding("json.unsafe-integer", pointer, `Is read as ${BigInt(Number(token)).toString()}: JavaScript cannot hold this integer exactly.`, range);
    }),
    ...index.illFormedStrings.map(({ pointer, range }) => finding("json.lone-surrogate", pointer, "Holds half of a surrogate pair, which is no character.", range)),
  ];
}

function repeatedFindings({ pointer, first, again }: TextIndex["repeatedKeys"][number]): LocatedFinding[] {
  const at = (place: Place): TextRange => place.key ?? place.value;
  return [
    finding("json.duplicate-key", pointer, "This key occurs again below; the runtime takes the last one and ignores this value.", at(first), [{ pointer, message: "The one that counts.", range: at(again) }]),
    finding("json.duplicate-key", pointer, "This key occurs above already; the runtime takes this one.", at(again), [{ pointer, message: "The one that is ignored.", range: at(first) }]),
  ];
}

function isNegativeZero(token: string): boolean {
  return token.startsWith("-") && Object.is(Number(token), -0);
}

function isInexact(token: string): boolean {
  return /^-?\d+$/.test(token) && BigInt(Number(token)) !== BigInt(token);
}

/** One pass over the text for all pointers together. */
function locate(findings: readonly RequestFinding[], text: string, start: number): LocatedFinding[] {
  if (findings.length === 0) return [];
  const pointers = new Set<string>();
  for (const { pointer, related = [] } of findings) {
    pointers.add(pointer);
    for (const place of related) if (place.file === undefined) pointers.add(place.pointer);
  }
  const { places } = indexText(text, start, { pointers });
  const rangeAt = (pointer: string): TextRange => nearest(places, pointer) ?? { offset: start, length: text.length - start };
  return findings.map((told) => {
    // A limit concerns the whole document, but what breaks it is in one place.
    const place = told.rule.endsWith(".canonical-limits") ? (told.related?.[0]?.pointer ?? told.pointer) : told.pointer;
    const related = told.related?.map((other) => (other.file === undefined ? { ...other, range: rangeAt(other.pointer) } : other));
    return { ...told, range: rangeAt(place), ...(related === undefined ? {} : { related }) };
  });
}

/** The place of the pointer, or of the nearest container that exists. */
function nearest(places: ReadonlyMap<string, Place>, pointer: string): TextRange | undefined {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
    const place = places.get(at);
    if (place !== undefined || at === "") return place?.value;
  }
}
