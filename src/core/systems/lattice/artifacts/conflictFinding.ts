// Owns: schemas of a recorded conflict: finding record, the finding in it, who recorded it, and the candidate given to the CLI
// (spec/lattice.md sections 2.6, 2.9; D8).
// Leaves to others: what a finding leads to (hold/), where records lie (store/).
import type { Dialect } from "../../../artifact/canonical.js";
import type { FindingCollector } from "../finding.js";
import { artifact, type ArtifactOf } from "./artifactDefinition.js";
import { exact, leaf, list, looseLeaves, nullable, oneOf, part, posint, schemaId, selfDigestField, type Shape, type ShapeMode } from "./shapes.js";

const conflictKindsOf = {
  "0.12": ["observed_write_conflict", "semantic_conflict_unknown", "effect_conflict_unknown", "scope_violation", "stale_context"],
  "0.50": ["observed_write_conflict", "semantic_conflict_unknown", "effect_conflict_unknown", "undeclared_write", "stale_context"],
} as const;

/** The five kinds of a dialect, in order (D8). */
export function conflictKinds(dialect: Dialect): readonly string[] {
  return conflictKindsOf[dialect];
}

const resourceKinds: ReadonlySet<string> = new Set(["semantic_conflict_unknown", "effect_conflict_unknown"]);

const nullOrText = (what: string): Shape<string | null> =>
  leaf<string | null>((value) => value === null || (typeof value === "string" && value !== ""), "text", `Must be ${what}, or null.`);

/** Members that a finding and a candidate share. */
const conflictMembers = (mode: ShapeMode) => {
  const { id, dg } = looseLeaves(mode);
  return {
    todo_ids: list(id, { min: 1, order: "ascending" }),
    path: nullOrText("a path"),
    resource_id: nullOrText("a resource"),
    evidence_digests: list(dg, { order: "ascending" }),
  };
};

/** A conflict is about a path or about a resource, as its kind says. */
function requirePathOrResource(kind: string, conflict: { readonly path: string | null; readonly resource_id: string | null }, at: FindingCollector): void {
  const [wanted, unwanted] = resourceKinds.has(kind) ? (["resource_id", "path"] as const) : (["path", "resource_id"] as const);
  const name = (member: string): string => member.replace("_", "-");
  at.require(conflict[wanted] !== null, `${name(wanted)}-of-kind`, `/${wanted}`, `Must be given for a conflict of kind ${kind}.`);
  at.require(conflict[unwanted] === null, `${name(unwanted)}-of-kind`, `/${unwanted}`, `Must be null for a conflict of kind ${kind}.`);
}

export const conflictFinding = artifact({
  prefix: "conflict-finding",
  digestField: "finding_digest",
  loose: true,
  shape: (mode) =>
    exact({
      schema: schemaId("lattice.runtime_conflict_finding.v1"),
      kind: oneOf(...conflictKinds(mode.dialect)),
      ...conflictMembers(mode),
      finding_digest: selfDigestField,
    }),
  relations: (finding, at) => requirePathOrResource(finding.kind, finding, at),
});
export type ConflictFinding = ArtifactOf<typeof conflictFinding>;

const observerIdentity = artifact({
  prefix: "observer-identity",
  digestField: "identity_digest",
  loose: true,
  shape: (mode) => {
    const { id, dg } = looseLeaves(mode);
    return exact({
      schema: schemaId("lattice.runtime_observer_identity.v1"),
      kind: oneOf("supervisor", "controller", "executor"),
      controller_registration_digest: nullable(dg),
      executor_handle: nullable(id),
      identity_digest: selfDigestField,
    });
  },
});

const findingIdPattern = /^finding-[0-9a-f]{24}$/;

/** `findings/<finding_digest>.json` */
export const findingRecord = artifact({
  prefix: "finding-record",
  digestField: "finding_digest",
  loose: true,
  shape: (mode) => {
    const { id, dg } = looseLeaves(mode);
    return exact({
      schema: schemaId("lattice.runtime_finding_record.v1"),
      finding_id: leaf<string>((value) => typeof value === "string" && findingIdPattern.test(value), "syntax", "Must be `finding-` and 24 hexadecimal digits."),
      run_id: id,
      plan_epoch: posint,
      source_checkpoint_digest: dg,
      observed_event_digest: dg,
      finding: part(conflictFinding),
      recorded_by: part(observerIdentity),
      finding_digest: selfDigestField,
    });
  },
});
export type FindingRecord = ArtifactOf<typeof findingRecord>;

/** What a person gives to the CLI. */
export const findingCandidate = artifact({
  prefix: "finding-candidate",
  digestField: "candidate_digest",
  loose: true,
  shape: (mode) =>
    exact({
      schema: schemaId("lattice.runtime_finding_candidate.v1"),
      proposed_kind: oneOf(...conflictKinds(mode.dialect)),
      ...conflictMembers(mode),
      candidate_digest: selfDigestField,
    }),
  relations: (candidate, at) => requirePathOrResource(candidate.proposed_kind, candidate, at),
});
export type FindingCandidate = ArtifactOf<typeof findingCandidate>;
