// Owns: repairs of a recompile request as text edits that are known to help: each is tried before it is offered.
// Leaves to others: candidates (fixes/repairs.ts), edits (fixes/), the editor's side of it.
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { givenContext, type RecompileContext } from "./context.js";
import { editsOfChange } from "./fixes/changes.js";
import { repairsFor, valueAt, type Repair } from "./fixes/repairs.js";
import { applyEdits, TextChanges, type TextEdit } from "./fixes/textChanges.js";
import { inspectRecompileRequest } from "./recompileRequest.js";
import type { RuleId } from "./rules.js";
import { sealInPlace, visitDerivedMembers } from "./seal.js";
import type { FixKind } from "./rules/rule.js";
import { judgeText, type JudgedText, type LocatedFinding } from "./text.js";

export interface Fix {
  readonly code: FixKind | "reseal-all" | "fix-all";
  /** What it does, for a menu. */
  readonly title: string;
  /** The rule of the finding it answers; null for those that answer many. */
  readonly rule: RuleId | null;
  /** Of the judged text, all at once: one undo step. They do not overlap. */
  readonly edits: readonly TextEdit[];
  readonly isPreferred: boolean;
}

export interface FixOptions {
  readonly context?: RecompileContext | null;
  readonly dialect?: Dialect;
}

/** Rounds of fixing everything: each round repairs at least one finding, and no document has more to repair by rote. */
const maxRounds = 100;

/** A request as text with its findings; the start of every fix. */
export function judgeRequestText(input: string | Uint8Array, options: FixOptions = {}): JudgedText {
  const context = givenContext(options.context);
  return judgeText(input, (value, memo) => inspectRecompileRequest(value, context, memo), { dialect: options.dialect ?? defaultDialect });
}

/**
 * Fixes for one finding of `judged` (from judgeRequestText with the same options), best first. Each leaves fewer findings and
 * brings none of a rule that was not there; formatting outside of what changes stays. Takes as long as judging, a few times.
 */
export function fixesFor(judged: JudgedText, finding: LocatedFinding, options: FixOptions = {}): readonly Fix[] {
  const fixes = repairsFor(inputOf(judged, finding, options)).flatMap((repair) => {
    const edits = editsOfRepair(judged, repair, options);
    return edits === null || !helps(judged, edits, options) ? [] : [{ code: repair.code, title: repair.title, rule: finding.rule, edits, isPreferred: repair.isPreferred }];
  });
  const reseal = isDigestRule(finding.rule) ? resealAll(judged, options) : null;
  return reseal === null ? fixes : [...fixes, reseal];
}

/** Writes every digest in the order of dependency; null when that would not help. */
export function resealAll(judged: JudgedText, options: FixOptions = {}): Fix | null {
  const { value } = judged;
  if (!isPlainObject(value)) return null;
  const sealed = structuredClone(value);
  const changed = sealInPlace(sealed, options.dialect ?? defaultDialect);
  const changes = new TextChanges(judged.text);
  for (const pointer of changed) changes.apply(editsOfChange({ kind: "replace", pointer, value: valueAt(sealed, pointer) }, changes.text, judged.start));
  const edits = changes.edits();
  if (edits.length === 0 || !helps(judged, edits, options)) return null;
  return { code: "reseal-all", title: "Reseal all digests", rule: null, edits, isPreferred: false };
}

/** All preferred fixes, one after the other until none helps, as one; null when there is none. */
export function fixAll(judged: JudgedText, options: FixOptions = {}): Fix | null {
  const changes = new TextChanges(judged.text);
  let current = judged;
  for (let round = 0; round < maxRounds; round += 1) {
    const edits = nextStep(current, options);
    if (edits === null) break;
    changes.apply(edits);
    current = judgeRequestText(changes.text, options);
  }
  const edits = changes.edits();
  return edits.length === 0 ? null : { code: "fix-all", title: "Fix everything that can be fixed", rule: null, edits, isPreferred: false };
}

/** The first preferred fix that helps. Content comes before digests, which content changes. */
function nextStep(judged: JudgedText, options: FixOptions): readonly TextEdit[] | null {
  const byRank = [...judged.findings].sort((a, b) => Number(isDigestRule(a.rule)) - Number(isDigestRule(b.rule)));
  for (const finding of byRank) {
    for (const repair of repairsFor(inputOf(judged, finding, options))) {
      const edits = repair.isPreferred ? editsOfRepair(judged, repair, options) : null;
      if (edits !== null && helps(judged, edits, options)) return edits;
    }
  }
  return null;
}

function isDigestRule(rule: RuleId): boolean {
  return /(?:digest-match|digest-format|digest-binding|-digest|plan-version|reconciliation-binding)$/.test(rule);
}

function inputOf(judged: JudgedText, finding: LocatedFinding, { context, dialect }: FixOptions): Parameters<typeof repairsFor>[0] {
  return { finding, text: judged.text, start: judged.start, value: judged.value, context: context ?? {}, dialect: dialect ?? defaultDialect };
}

/** Null when the repair has no place in the text. */
function editsOfRepair(judged: JudgedText, repair: Repair, { dialect = defaultDialect }: FixOptions): readonly TextEdit[] | null {
  const changes = new TextChanges(judged.text);
  let { start } = judged;
  for (const change of repair.changes) {
    const edits = editsOfChange(change, changes.text, start);
    if (edits.length === 0) return null;
    changes.apply(edits);
    start = changes.text.startsWith("\uFEFF") ? 1 : 0;
  }
  if (judged.value !== undefined) followDigests(judged.value, repair.recompute, changes, start, dialect);
  const edits = changes.edits();
  return edits.length === 0 ? null : edits;
}

/** Derived members that were right stay right; those that were wrong stay as they are, but the ones to recompute. */
function followDigests(before: unknown, recompute: readonly string[], changes: TextChanges, start: number, dialect: Dialect): void {
  const after: unknown = JSON.parse(changes.text.slice(start));
  if (!isPlainObject(before) || !isPlainObject(after)) return;
  const due = new Set(recompute);
  visitDerivedMembers(structuredClone(before), dialect, ({ holder, field, pointer, value }) => {
    if (holder[field] === value) due.add(pointer);
  });
  const changed = new Map<string, string>();
  visitDerivedMembers(after, dialect, ({ holder, field, pointer, value }) => {
    if (!due.has(pointer) || holder[field] === value) return;
    holder[field] = value;
    changed.set(pointer, value);
  });
  for (const [pointer, value] of changed) changes.apply(editsOfChange({ kind: "replace", pointer, value }, changes.text, start));
}

/** Fewer findings, and of no rule more than before (but the advisory that an order had hidden). */
function helps(judged: JudgedText, edits: readonly TextEdit[], options: FixOptions): boolean {
  const after = judgeRequestText(applyEdits(judged.text, edits), options).findings;
  if (after.length >= judged.findings.length) return false;
  const before = countByRule(judged.findings);
  // Whether an order suits every version is only asked of a list that is in order.
  return [...countByRule(after)].every(([rule, count]) => count <= (before.get(rule) ?? 0) || (rule === "dialect.order" && before.has("migration.successors-order")));
}

function countByRule(findings: readonly LocatedFinding[]): ReadonlyMap<RuleId, number> {
  const counts = new Map<RuleId, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}
