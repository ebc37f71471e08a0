// Owns: the schema of a boundary manifest: what one todo may touch (spec/lattice.md section 2.2; D5, D7).
// Leaves to others: the same members in a request (requests/runRequestWitness.ts), whose item rules are used here.
import { isOwnership, isStateEffect, isUnknown } from "../requests/runRequestWitness.js";
import { isRepoPath } from "../../../artifact/syntax.js";
import { artifact, type ArtifactOf } from "./artifactDefinition.js";
import { byKey, exact, id, leaf, list, oneOf, plain, repoPath, schemaId, selfDigestField } from "./shapes.js";

export interface Ownership {
  readonly kind: "symbol" | "path";
  readonly target: string;
  readonly creates?: true;
}

export interface StateEffect {
  readonly resource_id: string;
  readonly kind: "state" | "schema" | "invariant" | "effect" | "external_effect";
}

const schemas = { "0.12": ["lattice.boundary_manifest.v2"], "0.50": ["lattice.boundary_manifest.v2", "lattice.boundary_manifest.v3"] } as const;

export const boundaryManifest = artifact({
  prefix: "boundary-manifest",
  digestField: "manifest_digest",
  shape: ({ dialect }) =>
    exact({
      schema: schemaId(...schemas[dialect]),
      todo_id: id,
      owns: list(leaf<Ownership>((item) => isOwnership(item, true), "ownership", "Must be {kind: symbol or path, target}; creates may only be true, on a path.")),
      reads: list(repoPath),
      writes: list(leaf<string>((item) => isRepoPath(item, { prefixAllowed: true }), "path", "Must be a path inside the repository; a trailing slash names a prefix.")),
      resources: list(id),
      state_effects: list(leaf<StateEffect>(isStateEffect, "state-effect", "Must be {resource_id, kind: state, schema, invariant, effect or external_effect}.")),
      unknowns: list(leaf<{ readonly kind: string; readonly ref: string }>(isUnknown, "unknown", "Must be {kind, ref}, an identifier and a text.")),
      affected_tests: list(repoPath),
      graph_evidence: list(plain),
      witness_provenance: byKey(oneOf("sensor", "manual_candidate_spec", "manual_state_effect")),
      manifest_digest: selfDigestField,
    }),
  relations(manifest, at) {
    if (manifest.schema === "lattice.boundary_manifest.v3") return;
    for (const [index, entry] of manifest.owns.entries()) {
      at.require(!("creates" in entry), "owns-creates", `/owns/${index}/creates`, "Needs lattice.boundary_manifest.v3.");
    }
  },
});
export type BoundaryManifest = ArtifactOf<typeof boundaryManifest>;
