// Owns: one page for each rule, made from the table, so that code and documentation cannot differ.
// Leaves to others: where pages are put and linked.
import { ruleIds, rules, type RuleId } from "./rules.js";
import type { ContextNeed, FixKind, Rule } from "./rules/rule.js";

export interface RulePage {
  readonly rule: RuleId;
  /** File name, without folder: the rule id and .md. */
  readonly fileName: string;
  readonly markdown: string;
}

const severities: Readonly<Record<Rule["severity"], string>> = {
  error: "error: lattice refuses the document",
  warning: "warning: lattice accepts the document",
  info: "information: lattice is not concerned",
};

const needs: Readonly<Record<ContextNeed, string>> = {
  predecessorBundle: "the bundle of the committed epoch",
  frozenEvent: "the last intake_frozen event",
  holdDecision: "the last hold decision",
  phaseValidator: "a phase validator (one is built in)",
  runDirectory: "the run directory",
  successorTaskIds: "the todos of the successor request, which a recompile request contains",
};

const fixes: Readonly<Record<FixKind, string>> = {
  "recompute-digest": "recomputes the digest, and those that contain it",
  "sort-array": "sorts the list and removes repeated items",
  "remove-duplicate": "removes the repeated item",
  "add-missing-entries": "adds the missing entries",
  "add-treatment": "adds the treatment for the held finding, when the run directory is known",
  "remove-treatment": "sets the treatment to null",
  "fill-binding": "fills the value in from the run directory",
  "copy-value": "copies the value from where it is defined",
  "remove-keys": "removes unknown keys",
  "strip-bom": "removes the byte order mark",
  "remove-duplicate-key": "removes the member that is ignored",
};

function pageOf(id: RuleId): string {
  const rule: Rule = rules[id];
  const facts = [
    `- Severity: ${severities[rule.severity]}`,
    `- Specification: section ${rule.section}`,
    ...(rule.needs === undefined ? [] : [`- Needs: ${needs[rule.needs]}; left out without it`]),
    ...(rule.fix === undefined ? [] : [`- Quick fix: ${fixes[rule.fix]}`]),
  ];
  return [`# ${id}`, `${rule.title}.`, facts.join("\n"), "## Why", rule.meaning, "## What to do", rule.repair, ""].join("\n\n").replace(/\n+$/, "\n");
}

/** A page for every rule, in the order of the table. */
export function renderRulePages(): readonly RulePage[] {
  return ruleIds.map((rule) => ({ rule, fileName: `${rule}.md`, markdown: pageOf(rule) }));
}

/** All rules by family, with links to their pages. */
export function renderRuleIndex(): string {
  const families = new Map<string, RuleId[]>();
  for (const id of ruleIds) {
    const family = id.slice(0, id.indexOf("."));
    families.set(family, [...(families.get(family) ?? []), id]);
  }
  const sections = [...families].map(([family, ids]) => `## ${family}\n\n${ids.map((id) => `- [${id}](${id}.md): ${rules[id].title}`).join("\n")}`);
  return `# Rules\n\n${sections.join("\n\n")}\n`;
}
