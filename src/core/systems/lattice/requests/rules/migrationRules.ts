// Owns: the rules of task migrations (spec/lattice.md section 5.3).
import { phrases, rulesOf, type Rule } from "./rule.js";

const error = rulesOf("error", "5.3");
const warning = rulesOf("warning", "5.6");

export const migrationRules = {
  "migration.exact-keys": error("The migration has exactly schema, entries and migration_digest", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "migration.schema-id": error("The schema is lattice.runtime_task_migration.v1", phrases.schema, "Write lattice.runtime_task_migration.v1."),
  "migration.entries-array": error("entries is a list", "One entry for each task of the predecessor plan.", "Write a list."),
  "migration.entries-limit": error("entries has at most 10 000 items", "In practice the limits of canonical JSON stop earlier: at 256 entries in 0.12, at about 1 400 in 0.50.", "Remove entries."),
  "migration.digest-format": error("migration_digest is a digest", phrases.digest, phrases.reseal, { fix: "recompute-digest" }),
  "migration.digest-match": error("migration_digest is the digest of the migration", phrases.selfDigest, phrases.reseal, { fix: "recompute-digest" }),
  "migration.canonical-limits": error("The migration has a canonical form", "It passes a limit of canonical JSON, so the runtime cannot digest it and raises an error instead of an answer.", "Make the named part smaller. 0.12 allows 256 items in an array."),
  "migration.entry-exact-keys": error("An entry has exactly its five keys", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "migration.predecessor-id-syntax": error("predecessor_task_id is an identifier", phrases.identifier, phrases.useIdentifier),
  "migration.disposition-enum": error("disposition says what becomes of the task", "carry, replace, split, retire or stay.", "Choose one of the five."),
  "migration.reason-nonempty": error("An entry has a reason", phrases.nonEmptyText, phrases.explain),
  "migration.successors-array": error("successor_task_ids is a list", "The tasks of the new epoch that come from this task.", "Write a list of todo ids, [] for none."),
  "migration.successor-id-syntax": error("A successor is an identifier", phrases.identifier, phrases.useIdentifier),
  "migration.successors-order": error("Successors are in order", "0.12 wants the whole list ascending. 0.50 wants the primary successor first and the others ascending.", "Sort the list; under 0.50 keep the primary first.", { fix: "sort-array" }),
  "migration.successors-unique": error("A successor occurs once in an entry", "A task cannot become the same successor twice.", "Remove the repetition.", { fix: "remove-duplicate" }),
  "migration.evidence-array": error("evidence_digests is a list", "The digests of what justifies the disposition; it may be empty.", "Write a list of digests, [] for none."),
  "migration.evidence-digest-format": error("An item of evidence is a digest", phrases.digest, "Copy the digest of the evidence."),
  "migration.evidence-sorted-unique": error("Evidence is ascending and unique", phrases.canonicalOrder, phrases.sort, { fix: "sort-array" }),
  "migration.carry-stay-identity": error("carry and stay keep the task id", "A task that is carried or stays has exactly one successor: itself.", "Set successor_task_ids to the own id, or choose replace."),
  "migration.retire-empty": error("A retired task has no successor", "retire ends a task.", "Empty successor_task_ids, or choose replace."),
  "migration.replace-split-nonempty": error("replace and split name at least one successor", "Otherwise the work of the task would be lost.", "Name the successors, or choose retire."),
  "migration.predecessors-sorted-unique": error("Entries are ascending by predecessor_task_id", `${phrases.canonicalOrder} Each task has one entry.`, "Sort the entries by predecessor_task_id and remove repetitions.", { fix: "sort-array" }),
  "migration.successor-single-owner": error("A successor comes from one task", "Two predecessors with one successor would merge their state, which the runtime cannot do.", "Leave the successor to one of them."),
  "migration.predecessor-coverage": error("Every task of the predecessor plan has an entry", "And no other: the runtime must know what becomes of each task, and only of those.", "Add the missing entries, remove the others.", { fix: "add-missing-entries", needs: "predecessorBundle" }),
  "migration.successor-coverage": error("The successors are exactly the todos of the successor request", "A todo that comes from nowhere, or a successor that is not a todo, is refused.", "Name each todo of the successor request once.", { needs: "successorTaskIds" }),
  "migration.split-single-target": warning("A split has more than one target", "Legal, but a split into one is a replacement; readers will look for the rest.", "Choose replace, or name the other successors."),
  "migration.empty": warning("A migration has entries", "Legal without context, but a plan has at least one task, so it fits no run.", "Add an entry for each task of the predecessor plan."),
} as const satisfies Readonly<Record<`migration.${string}`, Rule>>;
