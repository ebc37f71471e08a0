// Owns: which lane a conflict takes (spec/lattice.md section 6.2).
// Leaves to others: making the treatment itself (requests/).
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { hasExactKeys, isPlainObject } from "../../../artifact/syntax.js";
import { stringsOf, type JsonObject } from "./documents.js";
import { RecompileError } from "./recompileError.js";

export interface RouteConflictOptions {
  readonly finding: unknown;
  readonly predeclaredTreatments: unknown;
}

export interface ConflictRoute {
  readonly lane: "seam_transform" | "intentional_serial";
  /** A copy of the first treatment that covers the path; null for the serial lane. */
  readonly treatment: JsonObject | null;
  /** 0.50 only (D14). */
  readonly severability?: "code_seam" | "serial";
  /** 0.50 only (D14). */
  readonly transform_attemptable?: boolean;
}

/**
 * An observed write conflict on exactly a covered path takes the seam lane; everything else is serialised. A directory
 * prefix does not cover.
 * @throws RecompileError `options-shape`, `finding-shape`, `treatments-array`
 */
export function routeConflictTreatment(options: RouteConflictOptions, { dialect = defaultDialect }: { readonly dialect?: Dialect } = {}): ConflictRoute {
  if (!hasExactKeys(options, ["finding", "predeclaredTreatments"])) {
    throw new RecompileError("options-shape", "Exactly finding and predeclaredTreatments are expected.");
  }
  const { finding, predeclaredTreatments } = options;
  if (!isPlainObject(finding) || typeof finding["kind"] !== "string") throw new RecompileError("finding-shape", "The finding has no kind.");
  if (!Array.isArray(predeclaredTreatments)) throw new RecompileError("treatments-array", "The predeclared treatments are no list.");
  const { kind, path } = finding;
  const covering =
    kind === "observed_write_conflict" && typeof path === "string"
      ? predeclaredTreatments.filter(isPlainObject).find((treatment) => stringsOf(treatment["covered_paths"]).includes(path))
      : undefined;
  const isSeverable = typeof path === "string";
  return {
    lane: covering === undefined ? "intentional_serial" : "seam_transform",
    treatment: covering === undefined ? null : structuredClone(covering),
    ...(dialect === "0.12" ? {} : { severability: isSeverable ? "code_seam" : "serial", transform_attemptable: isSeverable }),
  };
}
