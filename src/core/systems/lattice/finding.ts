// Owns: what a validator of lattice documents says (design/core-api.md) and how findings are collected and located.
// Leaves to others: the rules (artifacts/, requests/), text ranges of pointers (requests/), wording for people beyond one sentence.
import { ArtifactError, selfDigest, type Dialect } from "../../artifact/canonical.js";
import { hasExactKeys, isDigest, isPlainObject } from "../../artifact/syntax.js";

export type FindingSeverity = "error" | "warning" | "info";

/** One thing that a validator found. A document is accepted exactly when no finding is an `error`. */
export interface Finding {
  /** Stable kebab-case id, e.g. "migration.successor-single-owner". */
  readonly rule: string;
  readonly severity: FindingSeverity;
  /** RFC 6901 pointer to the offending value. */
  readonly pointer: string;
  /** One sentence a person can act on. Never quotes a value that may be a secret. */
  readonly message: string;
  readonly related?: readonly { readonly pointer: string; readonly message: string }[];
  /** Present when text was given. */
  readonly range?: { readonly offset: number; readonly length: number };
}

export function isAccepted(findings: readonly Finding[]): boolean {
  return findings.every(({ severity }) => severity !== "error");
}

/**
 * A place to report to: one rule prefix and one pointer base over a list that nested places share.
 * `rule` and `pointer` of the methods are relative to both.
 */
export class FindingCollector {
  constructor(
    readonly prefix: string,
    readonly base: string = "",
    readonly findings: Finding[] = [],
  ) {}

  /** The same list, deeper in the document; another prefix where another document begins. */
  nested(pointer: string, prefix: string = this.prefix): FindingCollector {
    return new FindingCollector(prefix, this.base + pointer, this.findings);
  }

  report(severity: FindingSeverity, rule: string, pointer: string, message: string, related?: Finding["related"]): void {
    this.findings.push({
      rule: `${this.prefix}.${rule}`,
      severity,
      pointer: this.base + pointer,
      message,
      ...(related === undefined ? {} : { related }),
    });
  }

  error(rule: string, pointer: string, message: string, related?: Finding["related"]): void {
    this.report("error", rule, pointer, message, related);
  }

  /** Reports an error unless `holds`; returns `holds`, so that dependent rules can be left out. */
  require(holds: boolean, rule: string, pointer: string, message: string): boolean {
    if (!holds) this.error(rule, pointer, message);
    return holds;
  }
}

/**
 * Rule `exact-keys`: a plain object with all of `keys` and no other. A caller stops descending when it fails, so that
 * one mistake yields one finding (spec/lattice.md section 5.1).
 */
export function requireExactKeys(
  value: unknown,
  keys: readonly string[],
  at: FindingCollector,
  rule = "exact-keys",
): value is Record<string, unknown> {
  if (hasExactKeys(value, keys)) return true;
  at.error(rule, "", isPlainObject(value) ? keysMessage(value, keys) : `Must be an object with the keys ${keys.join(", ")}.`);
  return false;
}

function keysMessage(value: Record<string, unknown>, keys: readonly string[]): string {
  const missing = keys.filter((key) => !Object.hasOwn(value, key));
  const extra = Object.keys(value).filter((key) => !keys.includes(key));
  const parts = [
    ...(missing.length > 0 ? [`lacks ${missing.join(", ")}`] : []),
    ...(extra.length > 0 ? [`has unknown keys ${extra.map((key) => JSON.stringify(key)).join(", ")}`] : []),
  ];
  return `The object ${parts.join(" and ")}.`;
}

/**
 * Rules `digest-format`, `digest-match` and `canonical-limits` (section 1.2). Returns whether the digest is right.
 * A body without canonical form is reported at its own place instead of a mismatch (section 5.1).
 */
export function requireSelfDigest(record: Record<string, unknown>, field: string, at: FindingCollector, dialect: Dialect): boolean {
  const recorded = record[field];
  try {
    const actual = selfDigest(record, field, { dialect });
    if (!at.require(isDigest(recorded), "digest-format", `/${field}`, "Must be 64 lower-case hexadecimal digits.")) return false;
    return at.require(recorded === actual, "digest-match", `/${field}`, `Does not match the content, whose digest is ${actual}.`);
  } catch (error) {
    if (!ArtifactError.is(error)) throw error;
    at.error("canonical-limits", error.pointer, error.message);
    return false;
  }
}
