// Owns: every derived member of a recompile request, computed in the order of dependency (spec/lattice.md section 5.4).
// Leaves to others: writing them into a text, and which of them ought to change (fixes/).
import { ArtifactError, defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { CanonicalMemo } from "./canonicalMemo.js";
import { planVersion, reconciliationDigests, topologyDigest } from "./phaseSeal.js";

type Fields = Record<string, unknown>;

/** A member whose value follows from others: a self digest, a binding to one, or the version of a plan. */
export interface DerivedMember {
  readonly holder: Fields;
  readonly field: string;
  readonly pointer: string;
  /** What it has to be, as things are when it is visited. */
  readonly value: string;
}

/**
 * Calls `visit` for every derived member whose object exists, inner ones first. What `visit` writes into `holder` is what
 * the later ones are computed from. Parts without canonical form, and what contains them, are not visited.
 */
export function visitDerivedMembers(request: Fields, dialect: Dialect, visit: (member: DerivedMember) => void): void {
  new Visitor(request, dialect, visit).run();
}

/** Writes every derived member in place; returns the pointers of those that were another value before. */
export function sealInPlace(request: Fields, dialect: Dialect = defaultDialect): readonly string[] {
  const changed: string[] = [];
  visitDerivedMembers(request, dialect, ({ holder, field, pointer, value }) => {
    if (holder[field] !== value) changed.push(pointer);
    holder[field] = value;
  });
  return changed;
}

class Visitor {
  constructor(
    private readonly request: Fields,
    private readonly dialect: Dialect,
    private readonly visit: (member: DerivedMember) => void,
  ) {}

  run(): void {
    const { request } = this;
    this.part(request, "", "task_migration", (migration, base) => this.self(migration, base, "migration_digest"));
    this.part(request, "", "successor_request", (successor, base) => {
      this.bindMigration(successor, base);
      this.self(successor, base, "request_digest");
    });
    this.part(request, "", "seam_split", (seam, base) => {
      for (const name of ["ownership_diff", "edge_diff"]) this.part(seam, base, name, (diff, inner) => this.self(diff, inner, "diff_digest"));
      this.bindMigration(seam, base);
      this.self(seam, base, "split_digest");
    });
    this.part(request, "", "intentional_serial", (serial, base) => this.self(serial, base, "serial_digest"));
    this.part(request, "", "phase_revision", (revision, base) => this.phase(revision, base));
    this.self(request, "", "request_digest");
  }

  private phase(revision: Fields, base: string): void {
    this.part(revision, base, "desired_plan", (plan, inner) => {
      this.derive(plan, inner, "plan_version", (memo) => planVersion(revision, plan, memo));
      this.derive(plan, inner, "topology_digest", (memo) => topologyDigest(plan, memo));
      this.todo(plan, inner, "plan_digest");
    });
    this.part(revision, base, "runtime_task_migration", (migration, inner) => this.todo(migration, inner, "migration_digest"));
    this.part(revision, base, "source_cutover_batch", (batch, inner) => this.todo(batch, inner, "batch_digest"));
    this.part(revision, base, "reconciliation", (reconciliation, inner) => {
      for (const [field, { digest }] of this.reconciliationDigests(revision)) if (digest !== null) this.derive(reconciliation, inner, field, () => digest);
      this.todo(reconciliation, inner, "reconciliation_digest");
    });
    this.todo(revision, base, "revision_digest");
  }

  private reconciliationDigests(revision: Fields): readonly (readonly [string, { readonly digest: string | null }])[] {
    try {
      return Object.entries(reconciliationDigests(revision, new CanonicalMemo(this.dialect)));
    } catch (error) {
      if (ArtifactError.is(error)) return [];
      throw error;
    }
  }

  private part(holder: Fields, base: string, name: string, use: (value: Fields, base: string) => void): void {
    const value = holder[name];
    if (isPlainObject(value)) use(value, `${base}/${name}`);
  }

  private bindMigration(holder: Fields, base: string): void {
    const migration = this.request["task_migration"];
    const digest = isPlainObject(migration) ? migration["migration_digest"] : undefined;
    if (typeof digest === "string") this.derive(holder, base, "task_migration_digest", () => digest);
  }

  private self(holder: Fields, base: string, field: string): void {
    this.derive(holder, base, field, (memo) => memo.selfDigest(holder, field));
  }

  private todo(holder: Fields, base: string, field: string): void {
    this.derive(holder, base, field, (memo) => memo.todoSelfDigest(holder, field));
  }

  /** Values change between the steps, so each has a memo of its own. */
  private derive(holder: Fields, base: string, field: string, compute: (memo: CanonicalMemo) => string): void {
    if (!Object.hasOwn(holder, field)) return;
    let value: string;
    try {
      value = compute(new CanonicalMemo(this.dialect));
    } catch (error) {
      if (ArtifactError.is(error)) return;
      throw error;
    }
    this.visit({ holder, field, pointer: `${base}/${field}`, value });
  }
}
