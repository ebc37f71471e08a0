// Owns: the shape of everything that --json prints, as zod schemas, from which `run-state schema` makes JSON Schema.
// Leaves to others: the values (the core's own snapshots and results, printed as they are).
import * as z from "zod/mini";

const nullableText = z.nullable(z.string());
const fileIdentity = z.strictObject({ device: z.string(), inode: z.string(), size: z.string(), mtimeNs: z.string() });

const check = z.strictObject({
  id: z.string(),
  recorded: nullableText,
  observed: nullableText,
  outcome: z.enum(["same", "different", "not-observed", "noted"]),
  decides: z.boolean(),
});

const proof = z.enum(["strong", "weak"]);

const verdict = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("live"), notes: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("stale"), reason: z.string(), proof, assumptions: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("remote"), reason: z.string() }),
  z.strictObject({ kind: z.literal("unknown"), reason: z.string(), settles: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("corrupt"), reason: z.string(), diagnostic: z.string() }),
  z.strictObject({ kind: z.literal("empty") }),
]);

const system = z.enum(["lattice", "pi-amq", "pi-actors"]);

const owner = z.strictObject({
  pid: z.number(),
  started: nullableText,
  platform: nullableText,
  hostname: nullableText,
  bootIdentity: nullableText,
  executable: nullableText,
});

const claim = z.strictObject({
  id: z.string(),
  key: z.string(),
  system,
  kind: z.string(),
  path: z.string(),
  resource: z.string(),
  owner: z.nullable(owner),
  verdict,
  checks: z.array(check),
  file: z.nullable(fileIdentity),
  sha256: nullableText,
  linkCount: z.nullable(z.number()),
  facts: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  observedAt: z.number(),
});

const problem = z.strictObject({ code: z.string(), path: z.string(), detail: nullableText });

/** Loose where the record is written by other versions: a reader must not break on a member that it does not know. */
const record = z.looseObject({
  schema: z.literal("run-state.quarantine_record.v1"),
  state: z.string(),
  claim_id: z.string(),
  original_path: z.string(),
  item_name: z.string(),
  verdict,
  forced: z.boolean(),
});

const entry = z.looseObject({
  kind: z.enum(["quarantined", "intended", "frozen", "restored", "unreadable"]),
  path: z.string(),
  recordPath: z.string(),
  name: z.string(),
  size: z.nullable(z.number()),
  at: z.nullable(z.number()),
  record: z.optional(record),
});

const run = z.looseObject({ key: z.string(), system, name: z.string(), path: z.string(), claims: z.array(claim), problems: z.array(problem) });

const store = z.looseObject({
  key: z.string(),
  path: z.string(),
  runs: z.array(run),
  claims: z.array(claim),
  quarantine: z.array(entry),
  problems: z.array(problem),
});

const root = z.looseObject({ key: z.string(), path: z.string(), stores: z.array(store), problems: z.array(problem) });

export const inspectOutput = z.strictObject({
  schema: z.literal("run-state.inspect.v1"),
  /** How many claims and problems need attention; 0 exactly when the exit code is 0. */
  attention: z.number(),
  snapshot: z.strictObject({ schema: z.literal("run-state.snapshot.v1"), takenAt: z.number(), roots: z.array(root) }),
});

export const listOutput = z.strictObject({ schema: z.literal("run-state.quarantine_list.v1"), entries: z.array(entry) });

/** What quarantine, restore, settle and purge print: the core's result under `result`. */
export const resultOutput = z.strictObject({
  schema: z.literal("run-state.result.v1"),
  operation: z.enum(["quarantine", "restore", "settle", "purge"]),
  results: z.array(z.looseObject({ kind: z.string() })),
});

const position = z.strictObject({ line: z.number(), character: z.number() });
const range = z.strictObject({ start: position, end: position });

const finding = z.strictObject({
  rule: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  pointer: z.string(),
  message: z.string(),
  /** Lines and characters from 0, UTF-16 code units. */
  range,
  related: z.array(z.strictObject({ message: z.string(), pointer: z.string(), file: nullableText, range: z.nullable(range) })),
});

const fileName = { name: z.string(), path: z.string() };

/** What `validate --format json` prints. A file is valid when it was judged and none of its findings is an error. */
export const validationOutput = z.strictObject({
  schema: z.literal("run-state.validation.v1"),
  /** Null: judged for both versions. */
  dialect: z.nullable(z.enum(["0.12", "0.50"])),
  run: nullableText,
  files: z.array(
    z.discriminatedUnion("kind", [
      z.strictObject({ ...fileName, kind: z.literal("judged"), document: z.enum(["recompile-request", "run-request", "successor-request", "task-migration"]), findings: z.array(finding), leftOut: z.array(z.string()) }),
      z.strictObject({ ...fileName, kind: z.literal("unreadable"), reason: z.string() }),
      z.strictObject({ ...fileName, kind: z.literal("other-run"), runId: z.string() }),
    ]),
  ),
});

export type ValidationOutput = z.infer<typeof validationOutput>;
export type InspectOutput = z.infer<typeof inspectOutput>;

/** One JSON Schema (draft 2020-12) for any output of this program. */
export function outputJsonSchema(): unknown {
  return z.toJSONSchema(z.union([inspectOutput, listOutput, resultOutput, validationOutput]));
}
