// Owns: the rules that all parts of a phase revision share: plain order (code units, strict; spec/lattice.md section 1.5) and
// self digests by the second canonicaliser (1.4).
import { isDigest } from "../../../artifact/syntax.js";
import type { CanonicalMemo } from "./canonicalMemo.js";
import { reportOrder, type OrderedList, type OrderProblem } from "./order.js";
import type { Report } from "./report.js";
import type { RuleId } from "./rules.js";

export function requirePlainOrder(rule: RuleId, texts: readonly string[], list: OrderedList, report: Report): boolean {
  const firsts = new Map<string, number>();
  const problems: OrderProblem[] = [];
  for (const [index, text] of texts.entries()) {
    const first = firsts.get(text);
    if (first !== undefined) problems.push({ index, kind: "repeated", first });
    else {
      firsts.set(text, index);
      if (index > 0 && (texts[index - 1] ?? "") > text) problems.push({ index, kind: "not-ascending" });
    }
  }
  return problems.length === 0 || reportOrder(rule, problems, list, report);
}

/** Format and match are one rule: the todo artifacts give one reason for both. */
export function requireTodoDigest(value: Readonly<Record<string, unknown>>, field: string, rule: RuleId, memo: CanonicalMemo, report: Report): void {
  const digest = memo.todoSelfDigest(value, field);
  report.require(value[field] === digest, rule, `/${field}`, isDigest(value[field]) ? `Does not match the content, whose digest is ${digest}.` : "Must be 64 lower-case hexadecimal digits.");
}
