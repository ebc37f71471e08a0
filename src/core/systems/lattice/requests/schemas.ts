// Owns: the shape of request documents as zod definitions, and the JSON schemas made from them for editors.
// Shapes only, and only what every version refuses: a document that a schema rejects is rejected by the validators as well (a
// test proves it on every vector), not the reverse. Leaves to others: the rules. Needed at build time; no validator imports it.
import * as z from "zod";
import { accessKinds, dispositions, edgeKinds, modes, schemaIds, stateEffectKinds } from "./documentKeys.js";
import { rules, type RuleId } from "./rules.js";

const identifierPattern = /^[0-9A-Za-z](?:[0-9A-Za-z._-]{0,127})$/;
const digestPattern = /^[0-9a-f]{64}$/;
const shaPattern = /^[0-9a-f]{40}$/;
const pathPattern = /^(?!\/)(?!(?:[^]*\/)?\.{1,2}(?:\/|$))(?![^]*\/\/)[^\u0000-\u001F\u007F\\]*[^\u0000-\u001F\u007F\\/]$/;
const prefixPattern = /^(?!\/)(?!(?:[^]*\/)?\.{1,2}(?:\/|$))(?![^]*\/\/)[^\u0000-\u001F\u007F\\]+$/;

function told<Schema extends z.ZodType>(schema: Schema, rule: RuleId): Schema {
  const { title, meaning } = rules[rule];
  return schema.describe(`${title}. ${meaning}`);
}

/** The recompile validators match patterns against the value turned into text (spec/lattice.md section 1.6). */
function asText(pattern: RegExp): z.ZodType {
  return z.union([z.string().regex(pattern), z.number(), z.boolean(), z.array(z.unknown())]);
}

const looseIdentifier = asText(identifierPattern);
const looseDigest = asText(digestPattern);
/** Items of lists of identifiers: there null is the text "null". */
const looseItem = z.union([looseIdentifier, z.null()]);
const identifier = z.string().regex(identifierPattern);
const nonEmpty = z.string().min(1);
const repoPath = z.string().max(1024).regex(pathPattern);
const list = <Item extends z.ZodType>(item: Item): z.ZodArray<Item> => z.array(item).max(256);
const anyObject = z.record(z.string(), z.unknown());

const ownership = z.strictObject({ kind: z.enum(["symbol", "path"]), target: nonEmpty.max(1024), creates: z.literal(true).optional() });

const witness = z.strictObject({
  owns: told(list(ownership), "run-request.witness-owns"),
  reads: told(list(repoPath), "run-request.witness-reads"),
  writes: told(list(z.string().max(1024).regex(prefixPattern)), "run-request.witness-writes"),
  resources: told(list(identifier), "run-request.witness-resources"),
  state_effects: told(list(z.strictObject({ resource_id: identifier, kind: z.enum(stateEffectKinds) })), "run-request.witness-state-effects"),
  sensor_provenance: anyObject,
  affected_tests: told(list(repoPath), "run-request.witness-affected-tests"),
  unknowns: told(list(z.strictObject({ kind: identifier, ref: nonEmpty })), "run-request.witness-unknowns"),
});

const requestMembers = {
  request_id: told(identifier, "run-request.request-id-syntax"),
  repo: z.strictObject({ base_sha: told(z.string().regex(shaPattern), "run-request.base-sha-format"), root_kind: identifier }),
  capacity: z.strictObject({ executors: told(z.int().min(1), "run-request.executors-positive") }),
  todos: told(z.array(z.strictObject({ todo_id: identifier })).min(1).max(256), "run-request.todos-bounds"),
  manual_witness: told(z.record(z.string(), witness), "run-request.witness-keys-equal-todos"),
  // 0.12 takes any object for these two.
  sensor_query_set: anyObject,
  executor_capability: anyObject,
  claim_mode: told(z.literal("exact_minimum"), "run-request.claim-mode"),
  request_digest: told(looseDigest, "run-request.digest-match"),
};

const successorSchema = z.strictObject({
  schema: z.literal(schemaIds.successorRequest),
  ...requestMembers,
  predecessor_request_digest: told(looseDigest, "recompile.predecessor-request-binding"),
  task_migration_digest: told(looseDigest, "recompile.migration-digest-binding"),
});

const baseSchema = z.strictObject({ schema: told(z.enum([schemaIds.runRequestV1, schemaIds.runRequestV3, schemaIds.runRequestV4]), "run-request.schema-id"), ...requestMembers });

/** Base requests of every version, and the successor. */
export const runRequestSchema = z.discriminatedUnion("schema", [baseSchema, successorSchema]);

export const taskMigrationSchema = z.strictObject({
  schema: z.literal(schemaIds.taskMigration),
  entries: told(
    z.array(
      z.strictObject({
        predecessor_task_id: told(looseIdentifier, "migration.predecessor-id-syntax"),
        disposition: told(z.enum(dispositions), "migration.disposition-enum"),
        successor_task_ids: told(z.array(looseItem), "migration.successors-order"),
        reason: told(nonEmpty, "migration.reason-nonempty"),
        evidence_digests: told(z.array(looseDigest), "migration.evidence-sorted-unique"),
      }),
    ).max(10_000),
    "migration.predecessor-coverage",
  ),
  migration_digest: told(looseDigest, "migration.digest-match"),
});

function diffSchema(schema: string, entry: z.ZodType): z.ZodType {
  return z.strictObject({ schema: z.literal(schema), added: z.array(entry), removed: z.array(entry), diff_digest: looseDigest });
}

const seamSplitSchema = z.strictObject({
  schema: z.literal(schemaIds.seamSplit),
  finding_digest: told(looseDigest, "seam.finding-digest-format"),
  predecessor_task_ids: told(z.array(looseItem), "seam.predecessors-sorted-unique"),
  task_migration_digest: told(z.unknown(), "seam.migration-digest-binding"),
  ownership_diff: told(
    diffSchema(schemaIds.ownershipDiff, z.strictObject({ resource_id: looseIdentifier, owner_todo_id: looseIdentifier, access_kind: z.enum(accessKinds) })),
    "ownership.sorted-unique",
  ),
  edge_diff: told(diffSchema(schemaIds.edgeDiff, z.strictObject({ from_todo_id: looseIdentifier, to_todo_id: looseIdentifier, kind: z.enum(edgeKinds) })), "edge.sorted-unique"),
  verifier_refs: told(z.array(nonEmpty), "seam.verifier-refs-sorted-unique"),
  split_digest: told(looseDigest, "seam.digest-match"),
});

const intentionalSerialSchema = z.strictObject({
  schema: z.literal(schemaIds.intentionalSerial),
  finding_digest: told(looseDigest, "serial.finding-digest-format"),
  todo_ids: told(z.array(looseItem).min(2), "serial.todo-ids-sorted-unique"),
  resource_id: told(looseIdentifier, "serial.resource-id-syntax"),
  stay_todo_id: told(looseItem, "serial.stay-member"),
  reason: told(nonEmpty, "serial.reason-nonempty"),
  serial_digest: told(looseDigest, "serial.digest-match"),
});

export const recompileRequestSchema = z.strictObject({
  schema: z.literal(schemaIds.recompileRequest),
  request_id: told(looseIdentifier, "recompile.request-id-syntax"),
  run_id: told(looseIdentifier, "recompile.run-id-syntax"),
  predecessor_epoch: told(z.int().min(1), "recompile.epoch-binding"),
  frozen_event_digest: told(looseDigest, "recompile.frozen-event-binding"),
  hold_decision_digest: told(looseDigest, "recompile.hold-decision-binding"),
  mode: told(z.enum(modes), "recompile.mode-enum"),
  reason: told(nonEmpty, "recompile.reason-nonempty"),
  successor_request: successorSchema,
  task_migration: taskMigrationSchema,
  // Judged by its own validator, which a tool may replace.
  phase_revision: told(z.union([z.null(), anyObject]), "recompile.phase-invalid"),
  seam_split: z.union([z.null(), seamSplitSchema]),
  intentional_serial: z.union([z.null(), intentionalSerialSchema]),
  request_digest: told(looseDigest, "recompile.digest-match"),
});

export interface GeneratedSchema {
  /** File name, without folder. */
  readonly fileName: string;
  readonly title: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Draft-07, which VS Code understands whole; the same text on every call. */
export function toJsonSchemas(): readonly GeneratedSchema[] {
  const generate = (fileName: string, title: string, definition: z.ZodType): GeneratedSchema => {
    const { $schema, ...schema } = z.toJSONSchema(definition, { target: "draft-7", unrepresentable: "any" });
    return { fileName, title, schema: { $schema, title, ...schema } };
  };
  return [
    generate("recompile-request.schema.json", "Lattice recompile request", recompileRequestSchema),
    generate("run-request.schema.json", "Lattice run request", runRequestSchema),
    generate("task-migration.schema.json", "Lattice task migration", taskMigrationSchema),
  ];
}
