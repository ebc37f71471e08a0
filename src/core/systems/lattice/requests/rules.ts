// Owns: the one table of rules. A rule id that is not here does not compile; severity comes from here alone.
// Leaves to others: judging (the checkers), pages for people (rulePages.ts).
import { advisoryRules, applyRules, textRules } from "./rules/advisoryRules.js";
import { migrationRules } from "./rules/migrationRules.js";
import { phaseRules } from "./rules/phaseRules.js";
import { recompileRules } from "./rules/recompileRules.js";
import type { Rule } from "./rules/rule.js";
import { runRequestRules } from "./rules/runRequestRules.js";
import { treatmentRules } from "./rules/treatmentRules.js";

const table = {
  ...recompileRules,
  ...runRequestRules,
  ...migrationRules,
  ...treatmentRules,
  ...phaseRules,
  ...advisoryRules,
  ...applyRules,
  ...textRules,
} as const;

export type RuleId = keyof typeof table;

/** Every rule of requests by its id, in the order of the documentation. */
export const rules: Readonly<Record<RuleId, Rule>> = table;

export function isRuleId(id: string): id is RuleId {
  return Object.hasOwn(rules, id);
}

export const ruleIds: readonly RuleId[] = Object.keys(rules).filter(isRuleId);
