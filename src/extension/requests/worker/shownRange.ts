// Owns: where to point for a value that is too large to be underlined as a whole.
import type { TextRange } from "../../../core/systems/lattice/requests/report.js";

/** A line under a whole object hides more than it shows: over several lines its bracket stands for it. */
export function shownRange(range: TextRange, text: string): TextRange {
  const first = text[range.offset];
  const isContainer = first === "{" || first === "[";
  return isContainer && text.slice(range.offset, range.offset + range.length).includes("\n") ? { offset: range.offset, length: 1 } : range;
}
