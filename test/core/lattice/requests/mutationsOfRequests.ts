// Owns: one mistake for each rule of run requests, migrations and the recompile request itself.
import type { RuleId } from "../../../../src/core/systems/lattice/requests/rules.js";
import { list, object, type Fields } from "./documents.js";
import { hex, set, on, extraKey, wrong, change, reversed, bad, migrationOnly, S, M, E0, W, witness, type Mutation } from "./mutationKit.js";

export const runRequestMutations = {
  "run-request.canonical-limits": on("seam", W, "unknowns", [{ kind: "k", ref: "x".repeat(17_000) }]),
  "run-request.exact-keys": extraKey("seam", S),
  "run-request.schema-id": on("seam", S, "schema", "lattice.run_request.v1"),
  "run-request.predecessor-digest-format": on("seam", S, "predecessor_request_digest", "short"),
  "run-request.migration-digest-format": wrong("seam", S, "task_migration_digest", "short"),
  "run-request.request-id-syntax": on("seam", S, "request_id", 7),
  "run-request.repo-exact-keys": extraKey("seam", `${S}/repo`),
  "run-request.base-sha-format": on("seam", `${S}/repo`, "base_sha", "main"),
  "run-request.root-kind-syntax": on("seam", `${S}/repo`, "root_kind", bad),
  "run-request.capacity-exact-keys": extraKey("seam", `${S}/capacity`),
  "run-request.executors-positive": on("seam", `${S}/capacity`, "executors", 0),
  "run-request.todos-bounds": on("seam", S, "todos", "none"),
  "run-request.todo-exact-keys": extraKey("seam", `${S}/todos/0`),
  "run-request.todo-id-syntax": on("seam", `${S}/todos/0`, "todo_id", bad),
  "run-request.todo-id-unique": change("seam", ({ value }) => void list(value, `${S}/todos`).push({ todo_id: "T1" })),
  "run-request.witness-object": on("seam", S, "manual_witness", []),
  "run-request.witness-keys-equal-todos": change("seam", ({ value }) => {
    delete object(value, `${S}/manual_witness`)["T2"];
  }),
  "run-request.witness-exact-keys": witness((found) => void (found["extra"] = 1)),
  "run-request.witness-owns": witness((found) => void (found["owns"] = [{ kind: "folder", target: "x" }])),
  "run-request.witness-reads": witness((found) => void (found["reads"] = ["/absolute"])),
  "run-request.witness-writes": witness((found) => void (found["writes"] = ["a//b"])),
  "run-request.witness-resources": witness((found) => void (found["resources"] = [bad])),
  "run-request.witness-state-effects": witness((found) => void (found["state_effects"] = [{ resource_id: "r", kind: "wish" }])),
  "run-request.witness-affected-tests": witness((found) => void (found["affected_tests"] = ["tests/"])),
  "run-request.witness-unknowns": witness((found) => void (found["unknowns"] = [{ kind: "k", ref: "" }])),
  "run-request.provenance-object": witness((found) => void (found["sensor_provenance"] = []), { dialect: "0.12" }),
  "run-request.provenance-exact-keys": witness((found) => void (found["sensor_provenance"] = {})),
  "run-request.provenance-queries-bounds": witness((found) => void (found["sensor_provenance"] = { queries: {} })),
  "run-request.provenance-entry-exact-keys": witness((found) => void (found["sensor_provenance"] = { queries: [{ query_id: "q" }] })),
  "run-request.provenance-query-id-syntax": witness((found) => void (found["sensor_provenance"] = { queries: [{ query_id: bad, expect: { kind: "path", path: "a" } }] })),
  "run-request.provenance-expect": witness((found) => void (found["sensor_provenance"] = { queries: [{ query_id: "q", expect: { kind: "symbol", path: "a" } }] })),
  "run-request.query-set-object": on("split", S, "sensor_query_set", [], { dialect: "0.12" }),
  "run-request.query-set-exact-keys": on("split", S, "sensor_query_set", {}),
  "run-request.query-set-bounds": on("split", S, "sensor_query_set", { queries: "all" }),
  "run-request.query-exact-keys": on("split", S, "sensor_query_set", { queries: [{ id: "q", operation: "status", extra: 1 }] }),
  "run-request.query-id-syntax": on("split", S, "sensor_query_set", { queries: [{ id: bad, operation: "status" }] }),
  "run-request.query-operation-enum": on("split", S, "sensor_query_set", { queries: [{ id: "q", operation: "guess" }] }),
  "run-request.query-target-nonempty": on("split", S, "sensor_query_set", { queries: [{ id: "q", operation: "query", target: "" }] }),
  "run-request.query-id-unique": on("split", S, "sensor_query_set", { queries: [{ id: "q", operation: "status" }, { id: "q", operation: "query" }] }),
  "run-request.capability-object": on("seam", S, "executor_capability", "all", { dialect: "0.12" }),
  "run-request.capability-exact-keys": on("seam", S, "executor_capability", {}),
  "run-request.capability-adapters": on("seam", S, "executor_capability", { adapters: ["a", "a"] }),
  "run-request.claim-mode": on("seam", S, "claim_mode", "maximum"),
  "run-request.digest-format": wrong("seam", S, "request_digest", "short"),
  "run-request.digest-match": wrong("seam", S, "request_digest"),
  "run-request.more-than-eight-todos": change("seam", ({ value, context }) => {
    const ids = Array.from({ length: 9 }, (_, index) => `N${index}`);
    const blank = { owns: [], reads: [], writes: [], resources: [], state_effects: [], sensor_provenance: { queries: [] }, affected_tests: [], unknowns: [] };
    const bundle = context.predecessorBundle;
    if (bundle === undefined) throw new Error("No bundle.");
    for (const request of [object(value, S), bundle.request as Fields]) {
      request["todos"] = ids.map((id) => ({ todo_id: id }));
      request["manual_witness"] = Object.fromEntries(ids.map((id) => [id, blank]));
    }
    (bundle.plan as { nodes: unknown }).nodes = ids.map((id) => ({ todo_id: id }));
    object(value, M)["entries"] = ids.map((id) => ({ predecessor_task_id: id, disposition: "stay", successor_task_ids: [id], reason: "r", evidence_digests: [] }));
    object(value, "/seam_split")["predecessor_task_ids"] = ids.slice(0, 2);
  }),
} as const satisfies Partial<Record<RuleId, Mutation>>;

export const migrationMutations = {
  "migration.exact-keys": extraKey("seam", M),
  "migration.schema-id": on("seam", M, "schema", "lattice.other.v1"),
  "migration.entries-array": on("seam", M, "entries", {}),
  "migration.entries-limit": migrationOnly(({ value }) => void (object(value, M)["entries"] = Array.from({ length: 10_001 }, (_, index) => index))),
  "migration.digest-format": { ...migrationOnly(set(M, "migration_digest", "short")), keep: `${M}/migration_digest` },
  "migration.digest-match": wrong("seam", M, "migration_digest"),
  "migration.canonical-limits": change("seam", ({ value }) => void (object(value, E0)["evidence_digests"] = Array.from({ length: 257 }, (_, index) => index.toString(16).padStart(64, "0"))), { dialect: "0.12" }),
  "migration.entry-exact-keys": extraKey("seam", E0),
  "migration.predecessor-id-syntax": migrationOnly(set(E0, "predecessor_task_id", bad), "split"),
  "migration.disposition-enum": on("seam", E0, "disposition", "forget"),
  "migration.reason-nonempty": on("seam", E0, "reason", ""),
  "migration.successors-array": on("seam", E0, "successor_task_ids", "T1"),
  "migration.successor-id-syntax": on("seam", E0, "successor_task_ids", [bad]),
  "migration.successors-order": migrationOnly(set(E0, "successor_task_ids", ["P", "Z", "A"]), "split"),
  "migration.successors-unique": on("seam", E0, "successor_task_ids", ["T1", "T1"]),
  "migration.evidence-array": on("seam", E0, "evidence_digests", {}),
  "migration.evidence-digest-format": on("seam", E0, "evidence_digests", ["short"]),
  "migration.evidence-sorted-unique": change("seam", reversed(`${E0}/evidence_digests`)),
  "migration.carry-stay-identity": migrationOnly(set(E0, "successor_task_ids", ["T9"])),
  "migration.retire-empty": migrationOnly(set(E0, "disposition", "retire")),
  "migration.replace-split-nonempty": migrationOnly(set(E0, "successor_task_ids", []), "split"),
  "migration.predecessors-sorted-unique": change("seam", reversed(`${M}/entries`)),
  "migration.successor-single-owner": migrationOnly(set(`${M}/entries/1`, "successor_task_ids", ["T1a"]), "split"),
  "migration.predecessor-coverage": change("seam", ({ context }) => void (context.predecessorBundle?.plan.nodes as { todo_id: string }[]).push({ todo_id: "T9" })),
  "migration.successor-coverage": migrationOnly(set(E0, "successor_task_ids", ["T1a", "T1z"]), "split"),
  "migration.split-single-target": migrationOnly(set(E0, "disposition", "split")),
  "migration.empty": migrationOnly(set(M, "entries", []), "primary"),
} as const satisfies Partial<Record<RuleId, Mutation | string>>;

export const recompileMutations = {
  "recompile.exact-keys": extraKey("seam", ""),
  "recompile.schema-id": on("seam", "", "schema", "lattice.other.v1"),
  "recompile.request-id-syntax": on("seam", "", "request_id", bad),
  "recompile.run-id-syntax": "a run id that is none is not the successor's request id either; see the vectors",
  "recompile.predecessor-epoch": on("seam", "", "predecessor_epoch", 1.5),
  "recompile.frozen-digest-format": on("seam", "", "frozen_event_digest", "short"),
  "recompile.hold-digest-format": on("seam", "", "hold_decision_digest", "short"),
  "recompile.mode-enum": on("seam", "", "mode", "hope"),
  "recompile.reason-nonempty": on("seam", "", "reason", ""),
  "recompile.run-id-binding": on("seam", S, "request_id", "another-run-than-any"),
  "recompile.migration-digest-binding": wrong("seam", S, "task_migration_digest"),
  "recompile.digest-format": wrong("seam", "", "request_digest", "short"),
  "recompile.digest-match": wrong("seam", "", "request_digest"),
  "recompile.canonical-limits": on("seam", "", "reason", "x".repeat(17_000)),
  "recompile.epoch-binding": on("seam", "", "predecessor_epoch", 99),
  "recompile.predecessor-request-binding": on("seam", S, "predecessor_request_digest", hex("e")),
  "recompile.frozen-event-binding": on("seam", "", "frozen_event_digest", hex("e")),
  "recompile.hold-decision-binding": on("seam", "", "hold_decision_digest", hex("e")),
  "recompile.phase-required-input-change": change("seam", ({ value }) => void list(value, `${W}/reads`).push("one/more")),
  "recompile.phase-required-identity-change": on("seam", `${M}/entries/2`, "disposition", "replace"),
  "recompile.phase-validator-missing": change("split", (document) => void (document.context = { ...document.context, phaseValidator: "none" })),
  "recompile.phase-invalid": change("split", (document) => void (document.context = { ...document.context, phaseValidator: () => false })),
  "recompile.phase-migration-binding": change("split", (document) => {
    document.context = { ...document.context, phaseValidator: () => true };
    object(document.value, E0)["reason"] = "Another reason than before.";
  }, {}),
  "recompile.mode-exclusive": on("seam", "", "intentional_serial", {}),
} as const satisfies Partial<Record<RuleId, Mutation | string>>;
