// Owns: schema ids and key sets of request documents (spec/lattice.md sections 2.1 and 2.7), and the rule of exact keys.
import type { Dialect } from "../../../artifact/canonical.js";
import { hasExactKeys, isPlainObject } from "../../../artifact/syntax.js";
import { pointerTo } from "../../../artifact/canonical.js";
import type { Report } from "./report.js";
import type { RuleId } from "./rules.js";

export const schemaIds = {
  recompileRequest: "lattice.runtime_recompile_request.v1",
  taskMigration: "lattice.runtime_task_migration.v1",
  seamSplit: "lattice.runtime_seam_split.v1",
  ownershipDiff: "lattice.runtime_ownership_diff.v1",
  edgeDiff: "lattice.runtime_edge_diff.v1",
  intentionalSerial: "lattice.runtime_intentional_serial.v1",
  runRequestV1: "lattice.run_request.v1",
  successorRequest: "lattice.run_request.v2",
  runRequestV3: "lattice.run_request.v3",
  runRequestV4: "lattice.run_request.v4",
  phaseRevision: "lattice.phase_todo_revision.v3",
  todoPlanV5: "lattice.todo_plan.v5",
  todoPlanV7: "lattice.todo_plan.v7",
} as const;

const baseRequestKeys = ["schema", "request_id", "repo", "capacity", "todos", "manual_witness", "sensor_query_set", "executor_capability", "claim_mode", "request_digest"] as const;

export const keysOf = {
  recompileRequest: [
    "schema", "request_id", "run_id", "predecessor_epoch", "frozen_event_digest", "hold_decision_digest", "mode", "reason",
    "successor_request", "task_migration", "phase_revision", "seam_split", "intentional_serial", "request_digest",
  ],
  taskMigration: ["schema", "entries", "migration_digest"],
  migrationEntry: ["predecessor_task_id", "disposition", "successor_task_ids", "reason", "evidence_digests"],
  seamSplit: ["schema", "finding_digest", "predecessor_task_ids", "task_migration_digest", "ownership_diff", "edge_diff", "verifier_refs", "split_digest"],
  diff: ["schema", "added", "removed", "diff_digest"],
  ownershipEntry: ["resource_id", "owner_todo_id", "access_kind"],
  edgeEntry: ["from_todo_id", "to_todo_id", "kind"],
  intentionalSerial: ["schema", "finding_digest", "todo_ids", "resource_id", "stay_todo_id", "reason", "serial_digest"],
  baseRequest: baseRequestKeys,
  successorRequest: [...baseRequestKeys, "predecessor_request_digest", "task_migration_digest"],
  witness: ["owns", "reads", "writes", "resources", "state_effects", "sensor_provenance", "affected_tests", "unknowns"],
} as const;

export const dispositions = ["carry", "replace", "retire", "split", "stay"] as const;
export type Disposition = (typeof dispositions)[number];
export const accessKinds = ["own", "read", "write"] as const;
export const edgeKinds = ["conflict", "hard_dependency"] as const;
export const modes = ["seam_split", "intentional_serial"] as const;
export const stateEffectKinds = ["effect", "external_effect", "invariant", "schema", "state"] as const;
export const queryOperations = ["affected", "callees", "callers", "impact", "query", "status"] as const;

/** Base request schemas by dialect (D3). */
export function baseRequestSchemas(dialect: Dialect): readonly string[] {
  return dialect === "0.12" ? [schemaIds.runRequestV1] : [schemaIds.runRequestV1, schemaIds.runRequestV3, schemaIds.runRequestV4];
}

export function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return typeof value === "string" && (words as readonly string[]).includes(value);
}

export function isNonEmptyText(value: unknown): value is string {
  return typeof value === "string" && value.length > 0;
}

/** A plain object with all of `keys` and no other; unknown keys are given as related places. A caller stops descending when it fails (5.1). */
export function requireKeys(value: unknown, keys: readonly string[], rule: RuleId, report: Report): value is Record<string, unknown> {
  if (hasExactKeys(value, keys)) return true;
  if (!isPlainObject(value)) {
    report.add(rule, "", `Must be an object with ${keys.length === 1 ? "the key" : "the keys"} ${keys.join(", ")}.`);
    return false;
  }
  const missing = keys.filter((key) => !Object.hasOwn(value, key));
  const unknown = Object.keys(value).filter((key) => !keys.includes(key));
  const parts = [...(missing.length > 0 ? [`lacks ${missing.join(", ")}`] : []), ...(unknown.length > 0 ? [`has ${countOf(unknown.length, "unknown key")}`] : [])];
  const related = unknown.map((key) => ({ pointer: report.base + pointerTo("", key), message: "Unknown key." }));
  report.add(rule, "", `The object ${parts.join(" and ")}.`, related);
  return false;
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
