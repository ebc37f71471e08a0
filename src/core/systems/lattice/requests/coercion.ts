// Owns: the pattern tests of the recompile validators, which match against the value turned into text (spec/lattice.md 1.6),
// and the advisory that goes with it. Leaves to others: the strict syntaxes (artifact/syntax.ts).
import { isDigest, isIdentifier } from "../../../artifact/syntax.js";
import type { Report } from "./report.js";
import type { RuleId } from "./rules.js";

/** Matches no pattern; stands for whatever turns into text with brackets or spaces, or not at all. */
const noMatch = " ";

/** String(value), but total: an object's toString may come from the document. */
export function asText(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null) return "null";
  if (!Array.isArray(value) || depth > 32) return noMatch;
  return value.map((item) => (item === null || item === undefined ? "" : asText(item, depth + 1))).join(",");
}

function requireForm(matches: (text: string) => boolean, value: unknown, rule: RuleId, report: Report, pointer: string, message: string): boolean {
  if (!report.require(matches(asText(value)), rule, pointer, message)) return false;
  if (typeof value !== "string") report.add("strict.type", pointer, "The runtime takes this for a text, but it is none: write it in quotes.");
  return true;
}

/** A member that must be an identifier; absent and null are none. */
export function requireIdentifier(value: unknown, rule: RuleId, report: Report, pointer: string): boolean {
  return requireIdentifierItem(value ?? "", rule, report, pointer);
}

/** An item of a list of identifiers: there the runtime takes null for the text "null". */
export function requireIdentifierItem(value: unknown, rule: RuleId, report: Report, pointer: string): boolean {
  return requireForm(isIdentifier, value, rule, report, pointer, "Must be an identifier: 1 to 128 letters, digits, dots, underscores or hyphens.");
}

/** A self digest: like any digest, but a value that is no text never equals the recomputation, so no advisory is needed. */
export function looksLikeDigest(value: unknown): boolean {
  return isDigest(asText(value));
}

export function requireDigest(value: unknown, rule: RuleId, report: Report, pointer: string): boolean {
  return requireForm(isDigest, value, rule, report, pointer, "Must be 64 lower-case hexadecimal digits.");
}
