// Owns: computing every derived member of a recompile request in the order of dependency (spec/lattice.md section 5.4).
// Leaves to others: writing them into a text (fixes/), which digests ought to change (fixes/).
import { ArtifactError, defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { CanonicalMemo } from "./canonicalMemo.js";
import { planVersion, reconciliationDigests, topologyDigest } from "./phaseSeal.js";

type Fields = Record<string, unknown>;

/** A derived member: the pointer of its object, its name, and what it has to be. */
export interface SealedMember {
  readonly pointer: string;
  readonly value: string;
}

/**
 * Writes every derived member of `request` in place, as far as its object exists, and returns what was written in order.
 * A part without canonical form, and all that contains it, is left as it is.
 */
export function sealInPlace(request: Fields, dialect: Dialect = defaultDialect): readonly SealedMember[] {
  const sealed: SealedMember[] = [];
  const write = (holder: Fields, base: string, field: string, compute: (memo: CanonicalMemo) => string): void => {
    try {
      // Values change between the steps, so each has a memo of its own.
      const value = compute(new CanonicalMemo(dialect));
      holder[field] = value;
      sealed.push({ pointer: `${base}/${field}`, value });
    } catch (error) {
      if (!ArtifactError.is(error)) throw error;
    }
  };
  const self = (holder: Fields, base: string, field: string): void => write(holder, base, field, (memo) => memo.selfDigest(holder, field));
  const part = (holder: Fields, name: string, use: (value: Fields) => void): void => {
    const value = holder[name];
    if (isPlainObject(value)) use(value);
  };

  part(request, "task_migration", (migration) => self(migration, "/task_migration", "migration_digest"));
  const bindMigration = (holder: Fields, base: string): void => {
    const migration = request["task_migration"];
    const digest = isPlainObject(migration) ? migration["migration_digest"] : undefined;
    if (typeof digest === "string") write(holder, base, "task_migration_digest", () => digest);
  };
  part(request, "successor_request", (successor) => {
    bindMigration(successor, "/successor_request");
    self(successor, "/successor_request", "request_digest");
  });
  part(request, "seam_split", (seam) => {
    part(seam, "ownership_diff", (diff) => self(diff, "/seam_split/ownership_diff", "diff_digest"));
    part(seam, "edge_diff", (diff) => self(diff, "/seam_split/edge_diff", "diff_digest"));
    bindMigration(seam, "/seam_split");
    self(seam, "/seam_split", "split_digest");
  });
  part(request, "intentional_serial", (serial) => self(serial, "/intentional_serial", "serial_digest"));
  part(request, "phase_revision", (revision) => sealPhase(revision, write, part));
  self(request, "", "request_digest");
  return sealed;
}

type Write = (holder: Fields, base: string, field: string, compute: (memo: CanonicalMemo) => string) => void;
type Part = (holder: Fields, name: string, use: (value: Fields) => void) => void;

function sealPhase(revision: Fields, write: Write, part: Part): void {
  const base = "/phase_revision";
  const self = (holder: Fields, name: string, field: string): void => write(holder, `${base}${name}`, field, (memo) => memo.todoSelfDigest(holder, field));
  part(revision, "desired_plan", (plan) => {
    write(plan, `${base}/desired_plan`, "plan_version", (memo) => planVersion(revision, plan, memo));
    write(plan, `${base}/desired_plan`, "topology_digest", (memo) => topologyDigest(plan, memo));
    self(plan, "/desired_plan", "plan_digest");
  });
  part(revision, "runtime_task_migration", (migration) => self(migration, "/runtime_task_migration", "migration_digest"));
  part(revision, "source_cutover_batch", (batch) => self(batch, "/source_cutover_batch", "batch_digest"));
  part(revision, "reconciliation", (reconciliation) => {
    for (const member of Object.keys(reconciliationDigests(revision, new CanonicalMemo("0.50")))) {
      const { digest } = reconciliationDigests(revision, new CanonicalMemo("0.50"))[member] ?? { digest: null };
      if (digest !== null) write(reconciliation, `${base}/reconciliation`, member, () => digest);
    }
    self(reconciliation, "/reconciliation", "reconciliation_digest");
  });
  self(revision, "", "revision_digest");
}
