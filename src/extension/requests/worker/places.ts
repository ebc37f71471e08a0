// Owns: what the values of a recompile request refer to, by their place. One table for hover, definition and completion.
// Leaves to others: looking it up. Pure.
import { accessKinds, dispositions, edgeKinds, modes, schemaIds } from "../../../core/systems/lattice/requests/documentKeys.js";
import type { DigestMeaning } from "../protocol.js";

export type ReferenceSide = "predecessor" | "successor";

export type PlaceKind =
  | { readonly kind: "todo"; readonly side: ReferenceSide; /** The ids of one list do not repeat. */ readonly isListed: boolean }
  | { readonly kind: "digest"; readonly meaning: DigestMeaning }
  /** A value that the run fixes, other than a digest. */
  | { readonly kind: "binding" }
  | { readonly kind: "word"; readonly field: "disposition" | "access_kind" | "kind" | "mode"; readonly words: readonly string[] }
  | { readonly kind: "constant"; readonly value: string };

const self = (of: Extract<DigestMeaning, { kind: "self" }>["of"]): PlaceKind => ({ kind: "digest", meaning: { kind: "self", of } });
const digest = (kind: Exclude<DigestMeaning["kind"], "self">): PlaceKind => ({ kind: "digest", meaning: { kind } });
const todo = (side: ReferenceSide, isListed = false): PlaceKind => ({ kind: "todo", side, isListed });
const constant = (value: string): PlaceKind => ({ kind: "constant", value });

/** First match wins. `#` stands for one index or key. */
const table: readonly (readonly [pattern: string, kind: PlaceKind])[] = [
  ["/schema", constant(schemaIds.recompileRequest)],
  ["/run_id", { kind: "binding" }],
  ["/predecessor_epoch", { kind: "binding" }],
  ["/mode", { kind: "word", field: "mode", words: modes }],
  ["/frozen_event_digest", digest("frozen-event")],
  ["/hold_decision_digest", digest("hold-decision")],
  ["/request_digest", self("request")],

  ["/successor_request/schema", constant(schemaIds.successorRequest)],
  ["/successor_request/request_id", { kind: "binding" }],
  ["/successor_request/claim_mode", constant("exact_minimum")],
  ["/successor_request/todos/#/todo_id", todo("successor")],
  ["/successor_request/manual_witness/#", todo("successor")],
  ["/successor_request/predecessor_request_digest", digest("predecessor-request")],
  ["/successor_request/task_migration_digest", digest("migration-binding")],
  ["/successor_request/request_digest", self("successor")],

  ["/task_migration/schema", constant(schemaIds.taskMigration)],
  ["/task_migration/entries/#/predecessor_task_id", todo("predecessor", true)],
  ["/task_migration/entries/#/disposition", { kind: "word", field: "disposition", words: dispositions }],
  ["/task_migration/entries/#/successor_task_ids/#", todo("successor", true)],
  ["/task_migration/entries/#/evidence_digests/#", digest("evidence")],
  ["/task_migration/migration_digest", self("migration")],

  ["/seam_split/schema", constant(schemaIds.seamSplit)],
  ["/seam_split/finding_digest", digest("finding")],
  ["/seam_split/predecessor_task_ids/#", todo("predecessor", true)],
  ["/seam_split/task_migration_digest", digest("migration-binding")],
  ["/seam_split/ownership_diff/schema", constant(schemaIds.ownershipDiff)],
  ["/seam_split/ownership_diff/added/#/owner_todo_id", todo("successor")],
  ["/seam_split/ownership_diff/removed/#/owner_todo_id", todo("predecessor")],
  ["/seam_split/ownership_diff/#/#/access_kind", { kind: "word", field: "access_kind", words: accessKinds }],
  ["/seam_split/ownership_diff/diff_digest", self("ownership")],
  ["/seam_split/edge_diff/schema", constant(schemaIds.edgeDiff)],
  ["/seam_split/edge_diff/added/#/from_todo_id", todo("successor")],
  ["/seam_split/edge_diff/added/#/to_todo_id", todo("successor")],
  ["/seam_split/edge_diff/removed/#/from_todo_id", todo("predecessor")],
  ["/seam_split/edge_diff/removed/#/to_todo_id", todo("predecessor")],
  ["/seam_split/edge_diff/#/#/kind", { kind: "word", field: "kind", words: edgeKinds }],
  ["/seam_split/edge_diff/diff_digest", self("edges")],
  ["/seam_split/split_digest", self("seam")],

  ["/intentional_serial/schema", constant(schemaIds.intentionalSerial)],
  ["/intentional_serial/finding_digest", digest("finding")],
  ["/intentional_serial/todo_ids/#", todo("predecessor", true)],
  ["/intentional_serial/stay_todo_id", todo("predecessor")],
  ["/intentional_serial/resource_id", { kind: "binding" }],
  ["/intentional_serial/serial_digest", self("serial")],

  ["/phase_revision/runtime_task_migration/entries/#/predecessor_task_id", todo("predecessor", true)],
  ["/phase_revision/runtime_task_migration/entries/#/disposition", { kind: "word", field: "disposition", words: dispositions }],
  ["/phase_revision/runtime_task_migration/entries/#/successor_task_ids/#", todo("successor", true)],
  ["/phase_revision/runtime_task_migration/migration_digest", self("migration")],
  ["/phase_revision/task_migration/#/from_task_id", todo("predecessor", true)],
  ["/phase_revision/task_migration/#/to_task_id", todo("successor")],
  ["/phase_revision/revision_digest", self("phase")],
];

const compiled = table.map(([pattern, kind]) => [new RegExp(`^${pattern.replaceAll("#", "[^/]+")}$`), kind] as const);

/** Null for what refers to nothing. */
export function placeKindOf(pointer: string): PlaceKind | null {
  const found = compiled.find(([pattern]) => pattern.test(pointer));
  if (found !== undefined) return found[1];
  return /_digest$/.test(pointer) ? digest("other") : null;
}
