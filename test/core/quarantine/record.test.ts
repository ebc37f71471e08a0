import assert from "node:assert/strict";
import fc from "fast-check";
import { selfDigest } from "../../../src/core/artifact/canonical.js";
import type { QuarantinePlan, QuarantineRecord } from "../../../src/core/quarantine/quarantineEntry.js";
import { amendRecord, intendedRecord, parseRecord, recordBytes } from "../../../src/core/quarantine/quarantineRecord.js";
import { place, World } from "./world.js";

const author = { user: "ada", hostname: "host-a", toolVersion: "9.9.9" };
let plan: QuarantinePlan;
let record: QuarantineRecord;

const text = (value: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

describe("the record of a displacement", () => {
  before(async () => {
    plan = await (await World.withStaleLock()).plan();
    record = intendedRecord(plan, "item", false, author);
  });

  it("is read back as it was written, in every state", () => {
    const states = [record, amendRecord(record, { state: "done", outcome: "conflict", completed_at: "2026-12-02T00:00:01.000Z" }), amendRecord(record, { state: "restored" }), amendRecord(record, { state: "purging" })];
    for (const each of states) assert.deepEqual(parseRecord(recordBytes(each)), { kind: "record", record: each });
  });

  it("carries a digest over all of its other members", () => {
    assert.equal(record.record_digest, selfDigest(record, "record_digest"));
    for (const change of [{ user: "eve" }, { forced: true }, { original_path: "/x" }, { state: "done" as const }]) {
      assert.equal(parseRecord(text(sorted({ ...record, ...change }))).kind, "digest", JSON.stringify(change));
    }
  });

  it("is invalid with a member too many, too few or of another kind, even with a right digest", () => {
    const changes: readonly object[] = [
      { extra: 1 },
      { state: "finished" },
      { system: "other" },
      { claim_kind: "anything" },
      { file: { ...record.file, inode: 5 } },
      { file: { ...record.file, more: "1" } },
      { sha256: "ABC" },
      { planned_at: "2026-02-30T00:00:00.000Z" },
      { verdict: { kind: "stale" } },
      { verdict: { kind: "certain" } },
      { checks: [{ id: "x" }] },
      { owner: { pid: "1" } },
      { item_name: null },
      { schema: "run-state.quarantine_record.v2" },
    ];
    for (const change of changes) {
      const changed = { ...record, ...change };
      const sealed = { ...changed, record_digest: selfDigest(changed, "record_digest") };
      assert.equal(parseRecord(text(sorted(sealed))).kind, "invalid", JSON.stringify(change));
    }
    const { user: _user, ...without } = record;
    assert.equal(parseRecord(text(sorted(without))).kind, "invalid");
    assert.ok(_user);
  });

  it("is only accepted in its canonical form: duplicate keys and other spacing are not", () => {
    const canonical = new TextDecoder().decode(recordBytes(record));
    const bytes = (changed: string): Uint8Array => new TextEncoder().encode(changed);
    assert.equal(parseRecord(bytes(canonical.replace("{", '{"user":"eve",'))).kind, "invalid");
    assert.equal(parseRecord(bytes(canonical.trimEnd())).kind, "invalid");
    assert.equal(parseRecord(bytes(JSON.stringify(record, null, 1))).kind, "invalid");
  });

  it("stays inside its limits whatever a claim says", () => {
    const long = "\u0001\ud800".repeat(50_000);
    const claim = {
      ...plan.claim,
      id: long,
      resource: long,
      owner: { pid: 1, started: long, platform: long, hostname: null, bootIdentity: null, executable: long },
      verdict: { kind: "corrupt", reason: "torn", diagnostic: long } as const,
      checks: Array.from({ length: 500 }, () => ({ id: "x", recorded: long, observed: long, outcome: "noted" as const, decides: false })),
    };
    const big = intendedRecord({ ...plan, claim }, "item", true, { ...author, user: long });
    assert.ok(recordBytes(big).byteLength < 1_048_576);
    assert.deepEqual(parseRecord(recordBytes(big)), { kind: "record", record: big });
    assert.equal(big.original_path, place);
  });

  it("never throws for any bytes, and accepts none of them", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => assert.notEqual(parseRecord(bytes).kind, "record")), { numRuns: 500 });
    fc.assert(fc.property(fc.json(), (json) => assert.notEqual(parseRecord(new TextEncoder().encode(json)).kind, "record")), { numRuns: 500 });
  });

  it("with any one bit of it flipped is not accepted", () => {
    const bytes = recordBytes(record);
    for (let index = 0; index < bytes.byteLength; index += 1) {
      const flipped = Uint8Array.from(bytes);
      flipped[index] = (flipped[index] ?? 0) ^ (1 << index % 8);
      assert.notEqual(parseRecord(flipped).kind, "record", `${index}`);
    }
  });
});

/** Canonical order, so that only the change itself is wrong. */
function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
