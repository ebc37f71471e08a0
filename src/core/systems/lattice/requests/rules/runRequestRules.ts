// Owns: the rules of run requests, base and successor (spec/lattice.md sections 2.1 and 5.2).
import { phrases, rulesOf, type Rule } from "./rule.js";

const error = rulesOf("error", "5.2");
const warning = rulesOf("warning", "5.6");

const witnessPaths = "Repository paths are relative, use forward slashes, have no empty, `.` or `..` segment, no control character, and at most 1024 bytes; a list has at most 256 of them.";

export const runRequestRules = {
  "run-request.canonical-limits": error(
    "The request has a canonical form",
    "A request is digested, and only values within the limits can be: 32 levels, 10 000 values, 256 keys an object, 16 KiB a string, 1 MiB in total, no negative zero; 0.12 also allows no array above 256 items.",
    "Make the named part smaller, or replace the number.",
  ),
  "run-request.exact-keys": error("The request has exactly its keys", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "run-request.schema-id": error(
    "The schema is one that this kind of request may have",
    "0.12 knows lattice.run_request.v1; 0.50 knows v1, v3 and v4. The successor inside a recompile request is v2 in both, and v2 is nothing else.",
    "Set the schema of the kind of request you write.",
  ),
  "run-request.predecessor-digest-format": error("predecessor_request_digest is a digest", phrases.digest, "Copy request_digest of the request that is being replaced.", { fix: "fill-binding" }),
  "run-request.migration-digest-format": error("task_migration_digest is a digest", phrases.digest, "Copy migration_digest of the task migration.", { fix: "recompute-digest" }),
  "run-request.request-id-syntax": error("request_id is an identifier", `${phrases.identifier} The request id is also the run id and the name of the run directory.`, phrases.useIdentifier),
  "run-request.repo-exact-keys": error("repo has exactly base_sha and root_kind", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "run-request.base-sha-format": error("repo.base_sha is a full git commit id", "40 lower-case hexadecimal digits; short ids and branch names are refused.", "Write the output of `git rev-parse HEAD`."),
  "run-request.root-kind-syntax": error("repo.root_kind is an identifier", phrases.identifier, phrases.useIdentifier),
  "run-request.capacity-exact-keys": error("capacity has exactly executors", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "run-request.executors-positive": error("capacity.executors is a whole number of at least 1", "It is the number of slots for workers.", "Write 1 or more, without fraction or quotes."),
  "run-request.todos-bounds": error("todos has 1 to 256 items", "A run without todos, or with more than can be keyed in manual_witness, is refused.", "Keep between 1 and 256 todos."),
  "run-request.todo-exact-keys": error("A todo has exactly todo_id", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "run-request.todo-id-syntax": error("todo_id is an identifier", phrases.identifier, phrases.useIdentifier),
  "run-request.todo-id-unique": error("A todo id occurs once", "Todos are addressed by id; two of the same name cannot be told apart.", "Remove the repetition or rename it.", { fix: "remove-duplicate" }),
  "run-request.witness-object": error("manual_witness is an object", "It maps every todo id to what that todo owns, reads and writes.", "Write an object with one member for each todo."),
  "run-request.witness-keys-equal-todos": error("manual_witness has one member for each todo", "The keys must be exactly the todo ids: a todo without a witness has no boundary, a witness without a todo has no meaning.", "Add the missing todo or witness, or remove the other."),
  "run-request.witness-exact-keys": error("A witness has exactly its eight keys", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "run-request.witness-owns": error(
    "owns lists symbols and paths",
    "At most 256 items {kind, target}: kind is symbol or path, target has 1 to 1024 bytes. `creates: true` is allowed on a path only, and only in v3, v4 and the successor of 0.50.",
    "Correct the named item.",
  ),
  "run-request.witness-reads": error("reads lists repository paths", witnessPaths, "Correct the named item."),
  "run-request.witness-writes": error("writes lists repository paths or prefixes", `${witnessPaths} A trailing slash names a prefix.`, "Correct the named item."),
  "run-request.witness-resources": error("resources lists identifiers", `${phrases.identifier} At most 256.`, "Correct the named item."),
  "run-request.witness-state-effects": error("state_effects lists effects on resources", "At most 256 items {resource_id, kind}; kind is state, schema, invariant, effect or external_effect.", "Correct the named item."),
  "run-request.witness-affected-tests": error("affected_tests lists repository paths", witnessPaths, "Correct the named item."),
  "run-request.witness-unknowns": error("unknowns lists what is not known", "At most 256 items {kind, ref}: kind an identifier, ref a text that is not empty.", "Correct the named item."),
  "run-request.provenance-object": error("sensor_provenance is an object (0.12)", "0.12 only asks for an object; 0.50 checks what is in it.", "Write an object."),
  "run-request.provenance-exact-keys": error("sensor_provenance has exactly queries (0.50)", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "run-request.provenance-queries-bounds": error("sensor_provenance.queries has at most 256 items", "It is a list of expectations towards the sensor.", "Write a list of at most 256 items."),
  "run-request.provenance-entry-exact-keys": error("An expectation has exactly query_id and expect", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "run-request.provenance-query-id-syntax": error("query_id is an identifier", phrases.identifier, phrases.useIdentifier),
  "run-request.provenance-expect": error("expect names what the query must find", "Either {kind: symbol, name, path} with a name, or {kind: path or affected, path}; paths are repository paths.", "Write one of the two forms."),
  "run-request.query-set-object": error("sensor_query_set is an object (0.12)", "0.12 only asks for an object; 0.50 checks what is in it.", "Write an object."),
  "run-request.query-set-exact-keys": error("sensor_query_set has exactly queries (0.50)", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "run-request.query-set-bounds": error("sensor_query_set.queries has at most 256 items", "It is the list of questions to the sensor.", "Write a list of at most 256 items."),
  "run-request.query-exact-keys": error("A query has id, operation and perhaps target", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "run-request.query-id-syntax": error("The id of a query is an identifier", phrases.identifier, phrases.useIdentifier),
  "run-request.query-operation-enum": error("operation is one the sensor knows", "status, query, callers, callees, impact or affected.", "Choose one of the six."),
  "run-request.query-target-nonempty": error("target, when present, is a text", phrases.nonEmptyText, "Write the target or leave the key out."),
  "run-request.query-id-unique": error("The id of a query occurs once", "Expectations refer to queries by id.", "Remove the repetition or rename it.", { fix: "remove-duplicate" }),
  "run-request.capability-object": error("executor_capability is an object (0.12)", "0.12 only asks for an object; 0.50 checks what is in it.", "Write an object."),
  "run-request.capability-exact-keys": error("executor_capability has exactly adapters (0.50)", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "run-request.capability-adapters": error("adapters lists 1 to 256 different identifiers", phrases.identifier, "Name each adapter once."),
  "run-request.claim-mode": error("claim_mode is exact_minimum", "The runtime knows no other mode.", "Write exact_minimum."),
  "run-request.digest-format": error("request_digest is a digest", phrases.digest, phrases.reseal, { fix: "recompute-digest" }),
  "run-request.digest-match": error("request_digest is the digest of the request", phrases.selfDigest, phrases.reseal, { fix: "recompute-digest" }),
  "run-request.more-than-eight-todos": warning("A plan holds at most eight todos", "The request is valid, but a runtime plan has 1 to 8 nodes, so it will not compile.", "Split the run, or join todos."),
} as const satisfies Readonly<Record<`run-request.${string}`, Rule>>;
