// Owns: the "sorted unique" rule of the recompile validators: canonical order, strict (spec/lattice.md section 1.5).
import { isIdentifier } from "../../../artifact/syntax.js";
import type { CanonicalMemo } from "./canonicalMemo.js";
import type { Report } from "./report.js";
import type { RuleId } from "./rules.js";

/** Negative, zero or positive as `a` comes before, is, or comes after `b` in canonical order. */
export function compareCanonically(a: unknown, b: unknown, memo: CanonicalMemo): number {
  // Identifiers hold nothing that is escaped or sorts before the closing quote, so their plain order is the canonical one.
  const [left, right] = isIdentifier(a) && isIdentifier(b) ? [a, b] : [memo.text(a), memo.text(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

export type OrderProblem = { readonly index: number; readonly kind: "not-ascending" } | { readonly index: number; readonly kind: "repeated"; readonly first: number };

/** Items that do not come after the item before them, or repeat an earlier one; in order of position. */
export function orderProblems(items: readonly unknown[], memo: CanonicalMemo): OrderProblem[] {
  let isSorted = true;
  for (let index = 1; index < items.length && isSorted; index += 1) isSorted = compareCanonically(items[index - 1], items[index], memo) < 0;
  if (isSorted) return [];
  const problems: OrderProblem[] = [];
  const firsts = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = memo.text(item);
    const first = firsts.get(text);
    if (first !== undefined) problems.push({ index, kind: "repeated", first });
    else {
      firsts.set(text, index);
      if (index > 0 && compareCanonically(items[index - 1], item, memo) >= 0) problems.push({ index, kind: "not-ascending" });
    }
  }
  return problems;
}

/** What is out of order in one list is one mistake: reported once, at the first repetition or else the first item that is too early. */
export function requireOrder(rule: RuleId, items: readonly unknown[], list: OrderedList, memo: CanonicalMemo, report: Report): boolean {
  const problems = orderProblems(items, memo);
  return problems.length === 0 || reportOrder(rule, problems, list, report);
}

export interface OrderedList {
  /** Relative to the report. */
  readonly pointer: string;
  /** From an item to what is compared, e.g. "/predecessor_task_id". */
  readonly member?: string;
  /** Names the items in a sentence. */
  readonly what: string;
  /** Where a list is wrong at several places: lists of ids name a repetition first, lists of entries the first place. */
  readonly leads?: "repetition" | "first-place";
}

/** Always false, for the caller's convenience. `problems` is not empty. */
export function reportOrder(rule: RuleId, problems: readonly OrderProblem[], { pointer, member = "", what, leads = "repetition" }: OrderedList, report: Report): false {
  const isLeading = ({ index, kind }: OrderProblem): boolean => (leads === "repetition" ? kind === "repeated" : index === problems[0]?.index);
  const [main, ...others] = [...problems.filter(isLeading), ...problems.filter((problem) => !isLeading(problem))];
  if (main === undefined) return false;
  const place = ({ index }: OrderProblem): string => `${pointer}/${index}${member}`;
  const message = main.kind === "repeated" ? `Repeats item ${main.first + 1}: ${what} must be ascending and unique.` : `Must come after the item before it: ${what} must be ascending and unique.`;
  const related = others.slice(0, 20).map((other) => ({ pointer: report.base + place(other), message: other.kind === "repeated" ? `Repeats item ${other.first + 1}.` : "Also too early." }));
  report.add(rule, place(main), message, related);
  return false;
}
