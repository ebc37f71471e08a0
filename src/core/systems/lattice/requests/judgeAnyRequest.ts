// Owns: judging a text as the request document that its schema says it is, for readers of a known version or of either.
// Leaves to others: the rules, the version (dialects.ts), where texts come from.
import type { Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { leftOutRules, type RecompileContext } from "./context.js";
import { maxFileBytes } from "./decode.js";
import { judgeUnderBoth, type JudgedUnderBoth } from "./dialects.js";
import { schemaIds } from "./documentKeys.js";
import { judgeRequestText } from "./fixes.js";
import { dropCoveredAdvisories, Report } from "./report.js";
import type { RuleId } from "./rules.js";
import { inspectRunRequest } from "./runRequest.js";
import { schemaOfText } from "./schemaOfText.js";
import { inspectTaskMigration } from "./taskMigration.js";
import { judgeText, type JudgedText, type ValueJudge } from "./text.js";

export type RequestKind = "recompile-request" | "run-request" | "successor-request" | "task-migration";

const kinds: ReadonlyMap<string | null, RequestKind> = new Map<string | null, RequestKind>([
  [schemaIds.runRequestV1, "run-request"],
  [schemaIds.runRequestV3, "run-request"],
  [schemaIds.runRequestV4, "run-request"],
  [schemaIds.successorRequest, "successor-request"],
  [schemaIds.taskMigration, "task-migration"],
]);

export interface JudgedRequest extends JudgedUnderBoth {
  readonly kind: RequestKind;
  /** Rules that could not be judged for want of context. */
  readonly leftOut: readonly RuleId[];
}

/**
 * Judges the text or the bytes of a request document; what names no known schema is judged as a recompile request. `context`
 * concerns recompile requests only. Null as dialect: both, see judgeUnderBoth. Never throws.
 */
export function judgeAnyRequest(input: string | Uint8Array, context: RecompileContext, dialect: Dialect | null): JudgedRequest {
  const kind = kinds.get(schemaOf(input)) ?? "recompile-request";
  const judge = (version: Dialect): JudgedText => judgeAs(kind, input, context, version);
  const outcome = dialect === null ? judgeUnderBoth(judge) : judgeUnder(judge(dialect));
  return { kind, ...outcome, leftOut: kind === "recompile-request" ? leftOutOf(outcome.judged, context) : [] };
}

function schemaOf(input: string | Uint8Array): string | null {
  if (input.length > maxFileBytes) return null;
  return schemaOfText(typeof input === "string" ? input : new TextDecoder("utf-8").decode(input));
}

function judgeUnder(judged: JudgedText): JudgedUnderBoth {
  return { judged, findings: judged.findings };
}

function judgeAs(kind: RequestKind, input: string | Uint8Array, context: RecompileContext, dialect: Dialect): JudgedText {
  switch (kind) {
    case "recompile-request":
      return judgeRequestText(input, { context, dialect });
    case "run-request":
      return judgeText(input, alone((value, memo, report) => inspectRunRequest(value, "base", memo, report)), { dialect });
    case "successor-request":
      return judgeText(input, alone((value, memo, report) => inspectRunRequest(value, "successor", memo, report)), { dialect });
    case "task-migration":
      return judgeText(input, alone((value, memo, report) => inspectTaskMigration(value, {}, memo, report)), { dialect });
  }
}

function alone(inspect: (value: unknown, memo: Parameters<ValueJudge>[1], report: Report) => unknown): ValueJudge {
  return (value, memo) => {
    const report = Report.create();
    inspect(value, memo, report);
    return dropCoveredAdvisories(report.findings);
  };
}

/** Rules that were left out of a judged recompile request: none when no rule was judged at all, or when it has nothing for the rule. */
export function leftOutOf({ value }: JudgedText, context: RecompileContext): readonly RuleId[] {
  if (!isPlainObject(value)) return [];
  const hasRevision = value["phase_revision"] !== null;
  return leftOutRules(context).filter((rule) => hasRevision || rule !== "apply.phase-commit");
}
