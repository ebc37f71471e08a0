// Owns: relations that several artifacts state: equal members, maps keyed by the todos of a plan, findings of another family.
// Leaves to others: which members (planning.ts, epochs.ts, supervisor.ts, …).
import { pointerTo } from "../../../artifact/canonical.js";
import type { Finding, FindingCollector } from "../finding.js";

/** Rule `<rule>`: the member at `pointer` must equal what it refers to. */
export function requireEqual(actual: unknown, expected: unknown, at: FindingCollector, rule: string, pointer: string, of: string): void {
  at.require(actual === expected, rule, pointer, `Must equal ${of}.`);
}

/** The keys of a map must be exactly `keys`: each extra one and each missing one is a finding of its own. */
export function requireSameKeys(map: Readonly<Record<string, unknown>>, keys: ReadonlySet<string>, at: FindingCollector, rule: string, pointer: string): void {
  for (const key of Object.keys(map)) at.require(keys.has(key), rule, pointerTo(pointer, key), "Names no node of the plan.");
  for (const key of keys) at.require(Object.hasOwn(map, key), rule, pointer, `Lacks the todo ${JSON.stringify(key)}.`);
}

/** Findings that another family of validators made of the member at `pointer`. */
export function adopt(findings: readonly Finding[], at: FindingCollector, pointer: string): void {
  for (const finding of findings) {
    at.findings.push({
      ...finding,
      pointer: at.base + pointer + finding.pointer,
      ...(finding.related === undefined
        ? {}
        : { related: finding.related.map((other) => ({ ...other, pointer: at.base + pointer + other.pointer })) }),
    });
  }
}
