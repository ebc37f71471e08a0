// Owns: Markdown that reads well as plain text too: padded tables, raw values as code spans that nothing can break out of.
// Leaves to others: what is written (evidenceText.ts, tooltip.ts). Pure.
import { displayText } from "../../shared/displayText.js";

/** Values stay whole in a document, up to what could hide the rest. */
const valueLength = { maxLength: 4_096 };

/**
 * A raw text as a code span: sanitized, and fenced by more backticks than it holds, so that it is shown literally. An empty
 * text is a dash, because an empty code span is not one.
 */
export function code(raw: string, options: { readonly maxLength: number } = valueLength): string {
  const text = displayText(raw, options);
  if (text === "") return "–";
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** A table whose columns line up in the source, so that it reads without being rendered. Cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => width(line[column] ?? ""))));
  const drawn = lines.map((line) => `| ${widths.map((most, column) => padded(line[column] ?? "", most)).join(" | ")} |`);
  const rule = `| ${widths.map((most) => "-".repeat(most)).join(" | ")} |`;
  return [drawn[0] ?? "", rule, ...drawn.slice(1)].join("\n");
}

function padded(cell: string, most: number): string {
  return cell + " ".repeat(most - width(cell));
}

/** Characters as a fixed-width font draws them, near enough: code points. */
function width(text: string): number {
  return [...text].length;
}
