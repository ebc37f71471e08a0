// Owns: evidence as plain text for an editor: aligned, never wider than its values, one line a fact.
// Leaves to others: what it says (evidence.ts). Pure.
import { displayText } from "../../shared/displayText.js";
import type { Translate } from "../../shared/text.js";
import { widthOf } from "./width.js";
import type { Evidence, Fact, Section, WordedCheck } from "./evidence.js";

/** Values stay whole in a document, up to what could hide the rest. */
const value = { maxLength: 4_096 };
const indent = "  ";

export function evidencePlainText(evidence: Evidence, t: Translate): string {
  const parts = [
    [evidence.title, "=".repeat(widthOf(evidence.title)), "", evidence.headline, evidence.sentence].join("\n"),
    factLines(evidence.facts),
    ...evidence.sections.map((section) => [section.title, "-".repeat(widthOf(section.title)), "", sectionBody(section, t)].join("\n")),
  ];
  return `${parts.join("\n\n")}\n`;
}

function sectionBody(section: Section, t: Translate): string {
  switch (section.kind) {
    case "facts":
      return factLines(section.facts);
    case "list":
      return section.lines.map((line) => `${indent}• ${line}`).join("\n");
    case "checks":
      return section.checks.map((check) => checkLines(check, t)).join("\n\n");
  }
}

/** The one that decided is marked in the margin, so that the eye finds it first. */
function checkLines({ name, outcome, recorded, observed, decides }: WordedCheck, t: Translate): string {
  const result = decides ? t("{0}, this decided", outcome) : outcome;
  const values = [
    ...(recorded === null ? [] : [{ name: t("recorded"), value: recorded }]),
    ...(observed === null ? [] : [{ name: t("observed"), value: observed }]),
  ];
  return [`${decides ? "▸ " : indent}${name}: ${result}`, ...(values.length === 0 ? [] : [factLines(values, indent + indent)])].join("\n");
}

function factLines(facts: readonly Fact[], margin = indent): string {
  const width = Math.max(0, ...facts.map(({ name }) => widthOf(name)));
  return facts.map((fact) => `${margin}${fact.name}${" ".repeat(width - widthOf(fact.name))}  ${displayText(fact.value, value) || "–"}`).join("\n");
}
