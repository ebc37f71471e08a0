import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ProcessIdentity, ProcessInspection } from "../../src/core/process/processInspector.js";
import { classifyInspected } from "../../src/core/systems/pi-amq/classifyOwner.js";
import { FormatMemory } from "../../src/core/systems/pi-amq/formatMemory.js";
import { inspectNamespace } from "../../src/core/systems/pi-amq/inspectNamespace.js";
import type { AmqNamespaceSnapshot, GuardRow, LeaseRow } from "../../src/core/systems/pi-amq/namespaceSnapshot.js";
import { nodeFilePort } from "../../src/core/storage/nodeFilePort.js";
import { readOnlySpy } from "../fakes/files.js";
import { FakeProcesses } from "../fakes/processes.js";
import { consumeRundirs, rundirsRoot } from "./vectors.js";

interface Expected {
  readonly path: string;
  readonly resourceId?: string;
  readonly projection?: string;
  readonly pid?: number;
  readonly stage?: string;
  readonly generation?: string;
  readonly sessionPath?: string | null;
  readonly state?: string;
  readonly reason?: string;
  readonly diagnostic_class?: string;
}

interface ExpectedNamespace {
  readonly workspaceId: string;
  readonly supervisor: Omit<Expected, "path">;
  readonly workers: readonly Expected[];
  readonly guards: readonly Expected[];
  readonly quarantine: readonly { readonly path: string; readonly kind: string; readonly stem?: string; readonly generation?: string; readonly moved_at_ms?: number }[];
  readonly leftovers: readonly { readonly path: string; readonly kind: string }[];
  readonly other: readonly string[];
}

interface ProcessTable {
  readonly current: ProcessIdentity;
  readonly inspections: Readonly<Record<string, ProcessInspection>>;
}

class Captured {
  readonly root = fs.mkdtempSync(path.join(os.tmpdir(), "amq-captured-"));
  readonly namespace = path.join(this.root, "namespace");
  readonly processes = new FakeProcesses();
  readonly table: ProcessTable;

  constructor(name: string) {
    const source = path.join(rundirsRoot, "pi-amq", name);
    fs.cpSync(path.join(source, "namespace"), this.namespace, { recursive: true });
    // Git keeps no empty directories, and read-only copies could not be removed again.
    for (const empty of JSON.parse(fs.readFileSync(path.join(source, "empty-directories.json"), "utf8")) as string[]) {
      fs.mkdirSync(path.join(this.namespace, empty), { recursive: true });
    }
    this.table = JSON.parse(fs.readFileSync(path.join(source, "processes.json"), "utf8")) as ProcessTable;
    this.processes.self = this.table.current;
    for (const [pid, inspection] of Object.entries(this.table.inspections)) this.processes.inspections.set(Number(pid), inspection);
  }

  async inspect(): Promise<{ snapshot: AmqNamespaceSnapshot; attempts: readonly string[] }> {
    const { port, attempts } = readOnlySpy(nodeFilePort);
    const snapshot = await inspectNamespace(this.namespace, { port, observer: this.processes, memory: new FormatMemory() });
    return { snapshot, attempts };
  }

  relative(file: string): string {
    return path.relative(this.namespace, file).split(path.sep).join("/");
  }

  /** What pi-amq says about a record, with the table's inspection as its inspector. */
  upstream(record: ProcessIdentity): { state: string; reason?: string } {
    const verdict = classifyInspected(record, this.table.current, this.table.inspections[record.pid] ?? { kind: "absent" });
    return verdict.kind === "stale" ? { state: "stale", reason: verdict.reason } : { state: verdict.kind };
  }

  lease(row: LeaseRow): object {
    const { record, claim } = row;
    if (claim.verdict.kind === "corrupt" || record === null) {
      const { reason } = claim.verdict as { reason: string };
      return { projection: "corrupt", state: "corrupt", diagnostic_class: reason };
    }
    const { pid, stage, generation, sessionPath } = record;
    return { projection: "owned", pid, stage, generation, sessionPath, ...this.upstream(record) };
  }

  guard({ record, claim }: GuardRow): object {
    const at = { path: this.relative(claim.path) };
    if (record === null) return { ...at, state: "corrupt", diagnostic_class: (claim.verdict as { reason: string }).reason };
    return { ...at, pid: record.pid, generation: record.generation, ...this.upstream(record) };
  }

  dispose(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

function readExpected(name: string): ExpectedNamespace {
  return JSON.parse(fs.readFileSync(path.join(rundirsRoot, "pi-amq", name, "expected.json"), "utf8")) as ExpectedNamespace;
}

const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);

/** Identities in the captures are plain text such as `start-3010`: a difference of such texts proves nothing to us. */
function ourState(expected: Expected): readonly string[] {
  if (expected.reason === "pid_absent") return ["stale", "pid_absent", "weak"];
  if (expected.reason === "start_identity_changed") return ["unknown", "start_identity_format_not_recognised"];
  // The start text is equal: the process is there, whatever its executable and an uncomparable boot text say.
  if (expected.reason === "executable_changed" || expected.reason === "boot_identity_changed") return ["live"];
  return [expected.state ?? ""];
}

function stateOf({ claim: { verdict } }: LeaseRow | GuardRow): readonly string[] {
  if (verdict.kind === "stale") return [verdict.kind, verdict.reason, verdict.proof];
  return verdict.kind === "unknown" && verdict.reason !== "inspection_unknown" ? [verdict.kind, verdict.reason] : [verdict.kind];
}

describe("rundirs/pi-amq", () => {
  for (const name of consumeRundirs("pi-amq")) {
    const expected = readExpected(name);
    let captured: Captured;
    let snapshot: AmqNamespaceSnapshot;
    let attempts: readonly string[];

    before(async () => {
      captured = new Captured(name);
      ({ snapshot, attempts } = await captured.inspect());
    });
    after(() => {
      captured.dispose();
    });

    it(`${name}: gives the workspace and the supervisor that pi-amq sees`, () => {
      assert.equal(snapshot.workspaceId, expected.workspaceId);
      assert.ok(snapshot.supervisor !== null);
      assert.deepEqual(captured.lease(snapshot.supervisor), expected.supervisor);
    });

    it(`${name}: gives every worker lease as pi-amq projects and classifies it`, () => {
      const workers = snapshot.workers.map((row) => ({ path: captured.relative(row.claim.path), resourceId: row.resourceId, ...captured.lease(row) }));
      assert.deepEqual(workers, expected.workers);
    });

    it(`${name}: gives every guard, also those without a lease`, () => {
      const rows = [...snapshot.workers, ...(snapshot.supervisor === null ? [] : [snapshot.supervisor])].flatMap(({ guard }) => (guard === null ? [] : [guard]));
      const guards = [...rows, ...snapshot.orphanGuards].map((row) => captured.guard(row) as { path: string });
      assert.deepEqual(guards.sort(byPath), [...expected.guards].sort(byPath));
      assert.ok(snapshot.orphanGuards.length > 0);
    });

    it(`${name}: parses what lies in quarantine, and leaves nothing out`, () => {
      const quarantine = snapshot.quarantine.map(({ path: file, parsed }) => {
        const at = { path: captured.relative(file), kind: parsed.kind };
        if (parsed.kind === "unrecognised") return at;
        return { ...at, stem: parsed.stem, generation: parsed.generation, ...(parsed.kind === "lease" ? { moved_at_ms: parsed.movedAtMs } : {}) };
      });
      assert.deepEqual(quarantine, expected.quarantine);
      for (const row of snapshot.quarantine) assert.equal(row.record !== null, row.parsed.kind !== "unrecognised", row.name);
    });

    it(`${name}: lists leftovers and foreign files`, () => {
      assert.deepEqual(snapshot.leftovers.map((row) => ({ path: captured.relative(row.claim.path), kind: row.kind })), expected.leftovers);
      assert.deepEqual(snapshot.foreign.map((row) => captured.relative(row.path)), expected.other);
    });

    it(`${name}: judges by our own rules, and explains each verdict with one deciding check`, () => {
      assert.ok(snapshot.supervisor !== null);
      assert.deepEqual(stateOf(snapshot.supervisor), ourState({ path: "", ...expected.supervisor }));
      for (const [index, row] of snapshot.workers.entries()) {
        assert.deepEqual(stateOf(row), ourState(expected.workers[index] ?? { path: "" }), row.claim.path);
        assert.equal(row.claim.checks.filter(({ decides }) => decides).length, 1, row.claim.path);
      }
    });

    it(`${name}: asks about each process once, and never writes`, () => {
      const asked = captured.processes.asked.filter((question) => question.startsWith("inspect "));
      assert.deepEqual([...new Set(asked)], asked);
      assert.deepEqual(attempts, []);
    });
  }
});
