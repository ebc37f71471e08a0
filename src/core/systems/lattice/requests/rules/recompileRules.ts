// Owns: the rules of the recompile request itself (spec/lattice.md section 5.4, first table).
import { phrases, rulesOf, type Rule } from "./rule.js";

const error = rulesOf("error", "5.4");

export const recompileRules = {
  "recompile.exact-keys": error("The request has exactly its 14 keys", phrases.exactKeys, phrases.removeKeys, { fix: "remove-keys" }),
  "recompile.schema-id": error("The schema is lattice.runtime_recompile_request.v1", phrases.schema, "Write lattice.runtime_recompile_request.v1."),
  "recompile.request-id-syntax": error("request_id is an identifier", `${phrases.identifier} It names the staging directory of the successor epoch.`, phrases.useIdentifier),
  "recompile.run-id-syntax": error("run_id is an identifier", phrases.identifier, "Write the name of the run directory."),
  "recompile.predecessor-epoch": error("predecessor_epoch is a whole number of at least 1", "The epoch that is committed now.", "Write the committed epoch of the run.", { fix: "fill-binding" }),
  "recompile.frozen-digest-format": error("frozen_event_digest is a digest", phrases.digest, "Copy event_digest of the last intake_frozen event.", { fix: "fill-binding" }),
  "recompile.hold-digest-format": error("hold_decision_digest is a digest", phrases.digest, "Copy decision_digest of the last hold_decided event.", { fix: "fill-binding" }),
  "recompile.mode-enum": error("mode is seam_split or intentional_serial", "The mode says which of the two treatments applies.", "Choose one of the two."),
  "recompile.reason-nonempty": error("A request has a reason", phrases.nonEmptyText, phrases.explain),
  "recompile.run-id-binding": error("The successor request has the run's id", "request_id of the successor is the run id: a recompile continues a run, it does not start another.", "Set successor_request.request_id to run_id.", { fix: "copy-value" }),
  "recompile.migration-digest-binding": error("The successor request names this migration", "successor_request.task_migration_digest equals task_migration.migration_digest, so that the two cannot be exchanged separately.", phrases.reseal, { fix: "recompute-digest" }),
  "recompile.digest-format": error("request_digest is a digest", phrases.digest, phrases.reseal, { fix: "recompute-digest" }),
  "recompile.digest-match": error("request_digest is the digest of the request", phrases.selfDigest, phrases.reseal, { fix: "recompute-digest" }),
  "recompile.canonical-limits": error(
    "The request has a canonical form",
    "The whole document is digested: 32 levels, 10 000 values, 256 keys an object, 16 KiB a string, 1 MiB in total, no negative zero; 0.12 also allows no array above 256 items. Beyond that the runtime raises an error instead of an answer.",
    "Make the named part smaller, or replace the number.",
  ),
  "recompile.epoch-binding": error("predecessor_epoch is the committed epoch", "A request for another epoch is out of date.", "Write the committed epoch, and check that the rest still fits it.", { fix: "fill-binding", needs: "predecessorBundle" }),
  "recompile.predecessor-request-binding": error("The successor names the request it replaces", "predecessor_request_digest equals request_digest of the committed bundle's request.", "Copy it.", { fix: "fill-binding", needs: "predecessorBundle" }),
  "recompile.frozen-event-binding": error("frozen_event_digest names the last intake_frozen event", "The request was written for one freeze of the run; after another it is out of date.", "Copy event_digest of the last intake_frozen event.", { fix: "fill-binding", needs: "frozenEvent" }),
  "recompile.hold-decision-binding": error("hold_decision_digest names the last hold decision", "The decision says who is held and who carries on; a request for another decision is out of date.", "Copy decision_digest of the last hold_decided event of the committed epoch.", { fix: "fill-binding", needs: "holdDecision" }),
  "recompile.phase-required-input-change": error(
    "todos, manual_witness and sensor_query_set change only with a phase revision",
    "Without a phase revision these three equal the predecessor request's, order included. repo, capacity and executor_capability may change.",
    "Take the change back, or write the phase revision that justifies it.",
    { fix: "copy-value", needs: "predecessorBundle" },
  ),
  "recompile.phase-required-identity-change": error("Without a phase revision every task is carried or stays", "A task may be replaced, split or retired only together with a revision of the todo plan.", "Choose carry or stay onto the own id, or write the phase revision.", { needs: "predecessorBundle" }),
  "recompile.phase-validator-missing": error("A phase revision needs a validator", "The runtime refuses a revision when nothing can judge it.", "Validate with the built-in phase validator.", { needs: "phaseValidator" }),
  "recompile.phase-invalid": error("The phase revision is valid", "The revision as a whole is refused; the rules phase.* say which of its parts are wrong.", "See the related places.", { needs: "phaseValidator" }),
  "recompile.phase-migration-binding": error("The phase revision carries the same migration", "phase_revision.runtime_task_migration is canonically equal to task_migration.", "Copy task_migration into the revision and reseal.", { fix: "copy-value" }),
  "recompile.mode-exclusive": error("Only the treatment of the mode is present", "seam_split and intentional_serial exclude each other; the other one is null.", "Set the other treatment to null, or change the mode.", { fix: "remove-treatment" }),
} as const satisfies Readonly<Record<`recompile.${string}`, Rule>>;
