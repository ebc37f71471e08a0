// Owns: what is known about one rule, and how a family of rules is written down.
// Leaves to others: the families (the other files here), the table of all (../rules.ts).
import type { FindingSeverity } from "../../finding.js";

/** Which repair in ../fixes/ answers a finding of the rule. */
export type FixKind =
  | "recompute-digest"
  | "sort-array"
  | "remove-duplicate"
  | "add-missing-entries"
  | "add-treatment"
  | "remove-treatment"
  | "fill-binding"
  | "copy-value"
  | "remove-keys"
  | "strip-bom"
  | "remove-duplicate-key";

/** What a rule needs beside the document: predecessor bundle, frozen event, hold decision, phase validator, the run directory, the successor's todo ids. */
export type ContextNeed = "predecessorBundle" | "frozenEvent" | "holdDecision" | "phaseValidator" | "runDirectory" | "successorTaskIds";

export interface Rule {
  readonly severity: FindingSeverity;
  /** Section of spec/lattice.md. */
  readonly section: string;
  /** What must hold, as a statement. */
  readonly title: string;
  /** Why, and what the runtime does with it. */
  readonly meaning: string;
  /** What a person does about it. */
  readonly repair: string;
  readonly fix?: FixKind;
  readonly needs?: ContextNeed;
}

interface Extra {
  readonly fix?: FixKind;
  readonly needs?: ContextNeed;
}

/** Constructors for one family: severity and section are said once. */
export function rulesOf(severity: FindingSeverity, section: string): (title: string, meaning: string, repair: string, extra?: Extra) => Rule {
  return (title, meaning, repair, extra = {}) => ({ severity, section, title, meaning, repair, ...extra });
}

/** Sentences that many rules share. */
export const phrases = {
  exactKeys: "Every key is required and no other is allowed: the runtime compares the set of keys and refuses the whole document otherwise.",
  removeKeys: "Add the missing keys, remove the unknown ones.",
  schema: "The schema value selects the rules of the document; another value is another document.",
  identifier: "Identifiers have 1 to 128 characters: ASCII letters, digits, dot, underscore and hyphen, the first a letter or digit.",
  useIdentifier: "Use an identifier of that form.",
  digest: "Digests are 64 lower-case hexadecimal digits (SHA-256).",
  selfDigest: "The digest is SHA-256 over the canonical text of the object without this field. After any change it has to be computed again.",
  reseal: "Recompute it. If several digests are wrong, reseal all: the order matters, because outer objects contain inner digests.",
  canonicalOrder: "The list is compared by the canonical text of its items, strictly ascending, so equal neighbours are refused too.",
  sort: "Sort the list in canonical order and remove repeated items.",
  nonEmptyText: "An empty text, or a value that is not text, is refused.",
  explain: "Write why, in one sentence.",
} as const;
