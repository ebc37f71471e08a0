// Owns: one mistake for each rule of the treatments and their diffs.
import type { RuleId } from "../../../../src/core/systems/lattice/requests/rules.js";
import { list, object, type Fields } from "./documents.js";
import { on, extraKey, wrong, change, reversed, bad, M, type Mutation } from "./mutationKit.js";

const Q = "/seam_split";
const O = `${Q}/ownership_diff`;
const D = `${Q}/edge_diff`;
const I = "/intentional_serial";
const entryAt = (pointer: string, member: string, value: unknown): Mutation => change("split", ({ value: document }) => void (object(document, `${pointer}/added/0`)[member] = value));

export const treatmentsMutations = {
  "seam.exact-keys": extraKey("seam", Q),
  "seam.schema-id": on("seam", Q, "schema", "lattice.other.v1"),
  "seam.finding-digest-format": on("seam", Q, "finding_digest", "short"),
  "seam.predecessors-array": on("seam", Q, "predecessor_task_ids", {}),
  "seam.predecessor-id-syntax": on("seam", Q, "predecessor_task_ids", [bad]),
  "seam.predecessors-sorted-unique": on("seam", Q, "predecessor_task_ids", ["T2", "T1"]),
  "seam.migration-digest-binding": wrong("seam", Q, "task_migration_digest"),
  "seam.verifier-refs-array": on("seam", Q, "verifier_refs", "all"),
  "seam.verifier-ref-nonempty": on("seam", Q, "verifier_refs", [""]),
  "seam.verifier-refs-sorted-unique": on("seam", Q, "verifier_refs", ["a", "a b"]),
  "seam.digest-format": wrong("seam", Q, "split_digest", "short"),
  "seam.digest-match": wrong("seam", Q, "split_digest"),
  "seam.phase-required-diff": on("seam", D, "added", [{ from_todo_id: "T1", kind: "conflict", to_todo_id: "T2" }]),
  "seam.predecessor-unknown": on("seam", Q, "predecessor_task_ids", ["T1", "T77"]),
  "ownership.exact-keys": extraKey("seam", O),
  "ownership.schema-id": on("seam", O, "schema", "lattice.other.v1"),
  "ownership.entries-array": on("seam", O, "added", {}),
  "ownership.entry-exact-keys": extraKey("split", `${O}/added/0`),
  "ownership.resource-id-syntax": entryAt(O, "resource_id", bad),
  "ownership.owner-id-syntax": entryAt(O, "owner_todo_id", bad),
  "ownership.access-kind-enum": entryAt(O, "access_kind", "look"),
  "ownership.sorted-unique": change("split", reversed(`${O}/added`)),
  "ownership.digest-format": wrong("seam", O, "diff_digest", "short"),
  "ownership.digest-match": wrong("seam", O, "diff_digest"),
  "ownership.contradiction": change("split", ({ value }) => {
    const diff = object(value, O);
    diff["removed"] = [structuredClone((diff["added"] as unknown[])[0])];
  }),
  "ownership.multiple-owners": on("split", O, "added", [
    { access_kind: "own", owner_todo_id: "T1a", resource_id: "r" },
    { access_kind: "own", owner_todo_id: "T1b", resource_id: "r" },
  ]),
  "edge.exact-keys": extraKey("seam", D),
  "edge.schema-id": on("seam", D, "schema", "lattice.other.v1"),
  "edge.entries-array": on("seam", D, "removed", {}),
  "edge.entry-exact-keys": extraKey("split", `${D}/added/0`),
  "edge.from-id-syntax": entryAt(D, "from_todo_id", bad),
  "edge.to-id-syntax": entryAt(D, "to_todo_id", bad),
  "edge.kind-enum": entryAt(D, "kind", "wish"),
  "edge.sorted-unique": change("split", reversed(`${D}/added`)),
  "edge.digest-format": wrong("seam", D, "diff_digest", "short"),
  "edge.digest-match": wrong("seam", D, "diff_digest"),
  "edge.self-loop": on("split", D, "added", [{ from_todo_id: "T1a", kind: "conflict", to_todo_id: "T1a" }]),
  "edge.todo-unknown": on("split", D, "added", [{ from_todo_id: "T1a", kind: "conflict", to_todo_id: "T77" }]),
  "serial.exact-keys": extraKey("serial", I),
  "serial.schema-id": on("serial", I, "schema", "lattice.other.v1"),
  "serial.finding-digest-format": on("serial", I, "finding_digest", "short"),
  "serial.todo-ids-array": on("serial", I, "todo_ids", "T1"),
  "serial.todo-id-syntax": change("serial", ({ value }) => {
    const serial = object(value, I);
    serial["todo_ids"] = [serial["stay_todo_id"], bad];
  }),
  "serial.todo-ids-sorted-unique": change("serial", reversed(`${I}/todo_ids`)),
  "serial.todo-ids-min-two": change("serial", ({ value }) => void (object(value, I)["todo_ids"] = [object(value, I)["stay_todo_id"]])),
  "serial.resource-id-syntax": on("serial", I, "resource_id", bad),
  "serial.stay-member": on("serial", I, "stay_todo_id", "T77"),
  "serial.reason-nonempty": on("serial", I, "reason", ""),
  "serial.digest-format": wrong("serial", I, "serial_digest", "short"),
  "serial.digest-match": wrong("serial", I, "serial_digest"),
  "serial.todos-in-migration": change("serial", ({ value }) => {
    const serial = object(value, I);
    serial["todo_ids"] = [serial["stay_todo_id"], "T77"];
  }),
  "serial.stay-disposition": change("serial", ({ value }) => {
    for (const entry of list(value, `${M}/entries`) as Fields[]) entry["disposition"] = "carry";
  }),
  "serial.more-than-two": on("serial", I, "todo_ids", ["T1", "T2", "T3"]),
} as const satisfies Partial<Record<RuleId, Mutation | string>>;
