// Owns: the rules of the two treatments and the diffs of a seam split (spec/lattice.md section 5.4).
import { phrases, rulesOf, type Rule } from "./rule.js";

const error = rulesOf("error", "5.4");
const warning = rulesOf("warning", "5.6");

const finding = "The treatment answers one finding of the run, and names it by the digest of its record in findings/.";

export const treatmentRules = {
  "seam.exact-keys": error("A seam split has exactly its eight keys", phrases.exactKeys, "Write the treatment of the mode: with mode seam_split it is required.", { fix: "add-treatment" }),
  "seam.schema-id": error("The schema is lattice.runtime_seam_split.v1", phrases.schema, "Write lattice.runtime_seam_split.v1."),
  "seam.finding-digest-format": error("finding_digest is a digest", `${phrases.digest} ${finding}`, "Copy finding_digest of the hold decision.", { fix: "fill-binding" }),
  "seam.predecessors-array": error("predecessor_task_ids is a list", "The tasks that the finding is about.", "Write a list of todo ids."),
  "seam.predecessor-id-syntax": error("A predecessor is an identifier", phrases.identifier, phrases.useIdentifier),
  "seam.predecessors-sorted-unique": error("predecessor_task_ids is ascending and unique", phrases.canonicalOrder, phrases.sort, { fix: "sort-array" }),
  "seam.migration-digest-binding": error("The seam split names this migration", "task_migration_digest equals task_migration.migration_digest.", phrases.reseal, { fix: "recompute-digest" }),
  "seam.verifier-refs-array": error("verifier_refs is a list", "What proves that the seam holds; it may be empty.", "Write a list of texts."),
  "seam.verifier-ref-nonempty": error("A verifier is a text", phrases.nonEmptyText, "Write the command or reference, or remove the item."),
  "seam.verifier-refs-sorted-unique": error(
    "verifier_refs is in canonical order",
    "Items are compared by their JSON text, closing quote included: \"a b\" comes before \"a\", and a line break sorts as a backslash. The runtime's own builder sorts plainly and then fails here.",
    phrases.sort,
    { fix: "sort-array" },
  ),
  "seam.digest-format": error("split_digest is a digest", phrases.digest, phrases.reseal, { fix: "recompute-digest" }),
  "seam.digest-match": error("split_digest is the digest of the seam split", phrases.selfDigest, phrases.reseal, { fix: "recompute-digest" }),
  "seam.phase-required-diff": error("Ownership and edges change only with a phase revision", "Without one all four lists of the two diffs are empty.", "Empty the list, or write the phase revision."),
  "seam.predecessor-unknown": warning("predecessor_task_ids are tasks of the migration", "The validator accepts others, but the supervisor compares them with the finding, whose tasks are all in the plan.", "Name tasks that the migration has."),
  "seam.finding-unknown": warning("The finding exists", "No record of that digest is in findings/ of the run, so the supervisor cannot resolve it.", "Copy finding_digest of the hold decision.", { fix: "fill-binding", needs: "runDirectory" }),

  "ownership.exact-keys": error("An ownership diff has exactly its four keys", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "ownership.schema-id": error("The schema is lattice.runtime_ownership_diff.v1", phrases.schema, "Write lattice.runtime_ownership_diff.v1."),
  "ownership.entries-array": error("added and removed are lists", "What is owned, read or written afterwards and was not before, and the reverse.", "Write a list, [] for none."),
  "ownership.entry-exact-keys": error("An entry has exactly resource_id, owner_todo_id and access_kind", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "ownership.resource-id-syntax": error("resource_id is an identifier", `${phrases.identifier} A path or symbol has the id own-<kind>-<first 16 digits of its SHA-256>.`, phrases.useIdentifier),
  "ownership.owner-id-syntax": error("owner_todo_id is an identifier", phrases.identifier, phrases.useIdentifier),
  "ownership.access-kind-enum": error("access_kind is read, write or own", "The runtime knows no other access.", "Choose one of the three."),
  "ownership.sorted-unique": error("Entries are in canonical order", `${phrases.canonicalOrder} That is by access_kind, then owner_todo_id, then resource_id.`, phrases.sort, { fix: "sort-array" }),
  "ownership.digest-format": error("diff_digest is a digest", phrases.digest, phrases.reseal, { fix: "recompute-digest" }),
  "ownership.digest-match": error("diff_digest is the digest of the ownership diff", phrases.selfDigest, phrases.reseal, { fix: "recompute-digest" }),
  "ownership.contradiction": warning("Nothing is both added and removed", "The validator accepts it, but no difference between two plans contains it.", "Remove the entry from one of the lists."),
  "ownership.multiple-owners": warning("A resource gets one owner", "Two added entries of access own for one resource: the seam then still has two owners, which the supervisor refuses.", "Leave the resource to one todo."),

  "edge.exact-keys": error("An edge diff has exactly its four keys", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "edge.schema-id": error("The schema is lattice.runtime_edge_diff.v1", phrases.schema, "Write lattice.runtime_edge_diff.v1."),
  "edge.entries-array": error("added and removed are lists", "Edges of the plan that are new, and that are gone.", "Write a list, [] for none."),
  "edge.entry-exact-keys": error("An edge has exactly from_todo_id, to_todo_id and kind", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "edge.from-id-syntax": error("from_todo_id is an identifier", phrases.identifier, phrases.useIdentifier),
  "edge.to-id-syntax": error("to_todo_id is an identifier", phrases.identifier, phrases.useIdentifier),
  "edge.kind-enum": error("kind is hard_dependency or conflict", "The runtime knows no other edge.", "Choose one of the two."),
  "edge.sorted-unique": error("Edges are in canonical order", `${phrases.canonicalOrder} That is by from_todo_id, then kind, then to_todo_id.`, phrases.sort, { fix: "sort-array" }),
  "edge.digest-format": error("diff_digest is a digest", phrases.digest, phrases.reseal, { fix: "recompute-digest" }),
  "edge.digest-match": error("diff_digest is the digest of the edge diff", phrases.selfDigest, phrases.reseal, { fix: "recompute-digest" }),
  "edge.self-loop": warning("An edge joins two todos", "An edge from a todo to itself is accepted by the validator and means nothing in a plan.", "Remove the edge."),
  "edge.todo-unknown": warning("An edge joins todos that exist", "An added edge names a todo that the successor request does not have, or a removed edge one that the migration does not have.", "Correct the id or remove the edge."),

  "serial.exact-keys": error("An intentional serial has exactly its seven keys", phrases.exactKeys, "Write the treatment of the mode: with mode intentional_serial it is required.", { fix: "add-treatment" }),
  "serial.schema-id": error("The schema is lattice.runtime_intentional_serial.v1", phrases.schema, "Write lattice.runtime_intentional_serial.v1."),
  "serial.finding-digest-format": error("finding_digest is a digest", `${phrases.digest} ${finding}`, "Copy finding_digest of the hold decision.", { fix: "fill-binding" }),
  "serial.todo-ids-array": error("todo_ids is a list", "The todos that must not run at the same time.", "Write a list of todo ids."),
  "serial.todo-id-syntax": error("A todo id is an identifier", phrases.identifier, phrases.useIdentifier),
  "serial.todo-ids-sorted-unique": error("todo_ids is ascending and unique", phrases.canonicalOrder, phrases.sort, { fix: "sort-array" }),
  "serial.todo-ids-min-two": error("todo_ids has at least two items", "One todo alone conflicts with nothing.", "Name the todos of the finding."),
  "serial.resource-id-syntax": error("resource_id is an identifier", phrases.identifier, phrases.useIdentifier),
  "serial.stay-member": error("stay_todo_id is one of todo_ids", "It is the one that keeps its place while the others wait.", "Choose one of todo_ids."),
  "serial.reason-nonempty": error("An intentional serial has a reason", phrases.nonEmptyText, phrases.explain),
  "serial.digest-format": error("serial_digest is a digest", phrases.digest, phrases.reseal, { fix: "recompute-digest" }),
  "serial.digest-match": error("serial_digest is the digest of the intentional serial", phrases.selfDigest, phrases.reseal, { fix: "recompute-digest" }),
  "serial.todos-in-migration": error("Every todo is a task of the migration", "todo_ids are ids of the predecessor plan.", "Name tasks that the migration has."),
  "serial.stay-disposition": error("The todo that stays has the disposition stay", "Its entry in the migration must say so; the others may have any disposition.", "Set the disposition of that entry to stay."),
  "serial.more-than-two": warning("An intentional serial joins two todos", "The validator accepts three and more, but a conflict of a plan has exactly two ends, so the recompile fails later.", "Treat the finding in pairs, or split the seam."),
} as const satisfies Readonly<Record<`${"seam" | "ownership" | "edge" | "serial"}.${string}`, Rule>>;
