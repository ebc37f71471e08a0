// Owns: how checkers of requests report: ids and severities come from the rule table only.
// Leaves to others: ranges (locate.ts), the shape of a finding (../finding.ts).
import { pointerTo } from "../../../artifact/canonical.js";
import type { Finding, FindingSeverity } from "../finding.js";
import { rules, type RuleId } from "./rules.js";

/** A place that explains a finding. With `file`, the pointer is into that file (absolute path), not into the document. */
export interface RelatedPlace {
  readonly pointer: string;
  readonly message: string;
  readonly file?: string;
  /** UTF-16 code units; present when text was given and the place is in it. */
  readonly range?: TextRange;
}

/** Offset and length in UTF-16 code units, as editors count. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

export interface RequestFinding extends Finding {
  readonly rule: RuleId;
  readonly related?: readonly RelatedPlace[];
}

/** Collects findings under one pointer base. Nested reports share the list, so order is the order of judging. */
export class Report {
  private constructor(
    private readonly parent: Report | null,
    private readonly tokens: readonly (string | number)[],
    readonly findings: RequestFinding[],
  ) {}

  static create(): Report {
    return new Report(null, [], []);
  }

  /** Pointers are put together only when something is wrong: a large document has thousands of places and no finding. */
  get base(): string {
    return this.tokens.reduce<string>(pointerTo, this.parent?.base ?? "");
  }

  /** The same list, deeper in the document. `tokens` are unescaped keys and indexes. */
  at(...tokens: readonly (string | number)[]): Report {
    return new Report(this, tokens, this.findings);
  }

  /** `pointer` is relative to the base. */
  add(rule: RuleId, pointer: string, message: string, related: readonly RelatedPlace[] = []): void {
    this.addAs(rules[rule].severity, rule, pointer, message, related);
  }

  /** For details that explain a finding of higher severity. */
  addAs(severity: FindingSeverity, rule: RuleId, pointer: string, message: string, related: readonly RelatedPlace[] = []): void {
    this.findings.push({ rule, severity, pointer: this.base + pointer, message, ...(related.length === 0 ? {} : { related }) });
  }

  /** Adds the finding unless `holds`; returns `holds`, so that what depends on it can be left out. */
  require(holds: boolean, rule: RuleId, pointer: string, message: string): boolean {
    if (!holds) this.add(rule, pointer, message);
    return holds;
  }
}

/** One mistake, one finding: a value that is no text and fails a comparison for that reason needs no second remark. */
export function dropCoveredAdvisories(findings: readonly RequestFinding[]): RequestFinding[] {
  const failed = new Set(findings.filter(({ severity }) => severity === "error").map(({ pointer }) => pointer));
  return findings.filter(({ rule, pointer }) => rule !== "strict.type" || !failed.has(pointer));
}
