// Owns: evidence as Markdown for an issue or a chat, and Markdown that raw values cannot break out of.
// Leaves to others: what it says (evidence.ts). Pure.
import { displayText } from "../../shared/displayText.js";
import type { Translate } from "../../shared/text.js";
import { widthOf } from "./width.js";
import type { Evidence, Fact, Section } from "./evidence.js";

/** Values stay whole in a document, up to what could hide the rest. */
const wholeValue = 4_096;

export function evidenceMarkdown(evidence: Evidence, t: Translate): string {
  const parts = [
    `### ${prose(evidence.title)}`,
    `**${prose(evidence.headline)}**: ${prose(evidence.sentence)}`,
    factTable(evidence.facts, t),
    ...evidence.sections.flatMap((section) => [`#### ${section.title}`, sectionBody(section, t)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function sectionBody(section: Section, t: Translate): string {
  switch (section.kind) {
    case "facts":
      return factTable(section.facts, t);
    case "list":
      return section.lines.map((line) => `- ${prose(line)}`).join("\n");
    case "checks":
      return table(
        [t("Check"), t("Recorded"), t("Observed"), t("Result")],
        section.checks.map(({ name, recorded, observed, outcome, decides }) => [
          name,
          recorded === null ? "–" : code(recorded),
          observed === null ? "–" : code(observed),
          decides ? `**${t("{0}, this decided", outcome)}**` : outcome,
        ]),
      );
  }
}

function factTable(facts: readonly Fact[], t: Translate): string {
  return table([t("Fact"), t("Value")], facts.map(({ name, value }) => [name, code(value)]));
}

/**
 * A raw text as a code span: sanitized, and fenced by more backticks than it holds, so that it is shown literally. An empty
 * text is a dash, because an empty code span is not one.
 */
export function code(raw: string, maxLength = wholeValue): string {
  const text = displayText(raw, { maxLength });
  if (text === "") return "–";
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Shown text that may hold a name: what Markdown or HTML would take for its own is escaped. */
export function prose(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#|~&$]/g, "\\$&");
}

/** A table whose columns line up in the source, so that it reads without being rendered. Cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => widthOf(line[column] ?? ""))));
  const drawn = lines.map((line) => `| ${widths.map((most, column) => padded(line[column] ?? "", most)).join(" | ")} |`);
  const rule = `| ${widths.map((most) => "-".repeat(most)).join(" | ")} |`;
  return [drawn[0] ?? "", rule, ...drawn.slice(1)].join("\n");
}

function padded(cell: string, most: number): string {
  return cell + " ".repeat(most - widthOf(cell));
}
