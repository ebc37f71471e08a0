// Owns: snapshots, claims, entries and plans as plain data for tests of the shell, with everything that a test does not care about filled in.
import path from "node:path";
import type { ClaimSnapshot } from "../../src/core/claims/claim.js";
import type { Verdict } from "../../src/core/claims/verdict.js";
import type { QuarantineEntry, QuarantineRecord } from "../../src/core/quarantine/quarantineEntry.js";
import type { LatticeStoreSnapshot, RootSnapshot, RunSnapshot, RunStateSnapshot, ScanProblem } from "../../src/core/scan/snapshot.js";

/** The moment at which the rows of tests are drawn. */
export const now = Date.parse("2026-03-01T12:00:00.000Z");

const hour = 3_600_000;

export const stale: Extract<Verdict, { kind: "stale" }> = { kind: "stale", reason: "pid_absent", proof: "weak", assumptions: ["host_not_recorded", "boot_not_recorded"] };
export const live: Verdict = { kind: "live", notes: [] };
export const unknown: Verdict = { kind: "unknown", reason: "pid_namespace_nested", settles: ["run_in_owning_namespace"] };
export const remote: Verdict = { kind: "remote", reason: "platform_differs" };
export const corrupt: Verdict = { kind: "corrupt", reason: "cut_json", diagnostic: "Unexpected end of JSON input" };

export function claim(verdict: Verdict, about: Partial<ClaimSnapshot> & { readonly path: string }): ClaimSnapshot {
  return {
    id: `id-of-${about.path}`,
    key: about.path,
    system: "lattice",
    kind: "lifecycle-lock",
    resource: path.basename(path.dirname(about.path)),
    owner: { pid: 4312, started: "Sun Mar  1 08:00:00 2026", platform: "linux", hostname: null, bootIdentity: null, executable: null },
    verdict,
    checks: [{ id: "pid-exists", recorded: "4312", observed: "no-such-process", outcome: "different", decides: true }],
    file: { device: "1", inode: "2", size: "300", mtimeNs: `${String(now - 3 * hour)}000000` },
    sha256: "0".repeat(64),
    linkCount: 1,
    facts: [{ name: "operation", value: "recompile" }],
    observedAt: now,
    ...about,
  };
}

export function run(store: string, name: string, verdicts: readonly Verdict[] = [], problems: readonly ScanProblem[] = []): RunSnapshot {
  const directory = path.join(store, "runs", name);
  const names = [".lifecycle.lock", ".cli-lifecycle.lock"];
  return {
    key: directory,
    system: "lattice",
    name,
    path: directory,
    claims: verdicts.map((verdict, index) =>
      claim(verdict, { path: path.join(directory, names[index] ?? `extra-${String(index)}`), kind: index === 0 ? "lifecycle-lock" : "cli-lock" }),
    ),
    problems,
  };
}

export function store(directory: string, parts: Partial<LatticeStoreSnapshot> = {}): LatticeStoreSnapshot {
  return { key: directory, path: directory, runs: [], claims: [], quarantine: [], problems: [], ...parts };
}

export function root(directory: string, stores: readonly LatticeStoreSnapshot[], problems: readonly ScanProblem[] = []): RootSnapshot {
  return { key: directory, path: directory, stores, problems };
}

export function snapshot(roots: readonly RootSnapshot[]): RunStateSnapshot {
  return { schema: "run-state.snapshot.v1", takenAt: now, roots };
}

export function record(of: ClaimSnapshot, about: Partial<QuarantineRecord> = {}): QuarantineRecord {
  return {
    schema: "run-state.quarantine_record.v1",
    state: "done",
    outcome: "displaced",
    system: of.system,
    claim_kind: of.kind,
    claim_id: of.id,
    resource: of.resource,
    original_path: of.path,
    item_name: "lifecycle.lock.1",
    item_type: "file",
    file: of.file ?? { device: "1", inode: "2", size: "3", mtimeNs: "4" },
    sha256: of.sha256,
    owner: of.owner,
    verdict: of.verdict,
    proof: "weak",
    checks: of.checks,
    forced: false,
    user: "kim",
    hostname: "desk",
    planned_at: new Date(now - 2 * hour).toISOString(),
    completed_at: new Date(now - 2 * hour).toISOString(),
    restored_at: null,
    tool_version: "0.1.0",
    record_digest: "0".repeat(64),
    ...about,
  };
}

type EntryKind = "quarantined" | "restored" | "intended" | "frozen" | "unreadable";

export function entry(kind: EntryKind, of: ClaimSnapshot, name = "lifecycle.lock.1"): QuarantineEntry {
  const directory = path.join("/q", of.resource);
  const common = { path: path.join(directory, name), recordPath: path.join(directory, `${name}.record.json`), name, size: 300, at: now - 2 * hour };
  switch (kind) {
    case "quarantined":
      return { ...common, kind, record: record(of) };
    case "restored":
      return { ...common, kind, record: record(of, { state: "restored" }) };
    case "intended":
      return { ...common, kind, record: record(of, { state: "intended", outcome: null }), settle: "forget" };
    case "frozen":
      return { ...common, kind, record: record(of, { state: "intended", outcome: null }), settle: "undo" };
    case "unreadable":
      return { ...common, kind, reason: "record-torn", detail: null };
  }
}
