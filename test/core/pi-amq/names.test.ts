import assert from "node:assert/strict";
import path from "node:path";
import fc from "fast-check";
import { NamespaceLayout, generationInName, parseQuarantineName, recogniseEntry, sessionHash } from "../../../src/core/systems/pi-amq/namespaceLayout.js";

const layout = new NamespaceLayout("/ns");
const uuid = "12345678-1234-4234-8234-123456789abc";

describe("names in a namespace", () => {
  it("hashes a session path after resolving it textually, keeping case", () => {
    assert.equal(sessionHash("/s/x/../a/"), sessionHash("/s/a"));
    assert.notEqual(sessionHash("/s/A"), sessionHash("/s/a"));
    assert.match(sessionHash("/s/é"), /^[0-9a-f]{64}$/);
  });

  it("never makes a name that a file system refuses, and keeps over-long generations apart", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: "grapheme" }), (generation) => {
        const name = path.basename(layout.displacedLease(layout.worker("f".repeat(64)).stem, generation, 1767323045000, uuid));
        assert.ok(Buffer.byteLength(name) <= 255 && /^[A-Za-z0-9._-]+$/.test(name), name);
      }),
    );
    assert.notEqual(generationInName(`${"g".repeat(300)}a`), generationInName(`${"g".repeat(300)}b`));
    assert.equal(generationInName("g".repeat(80)), "g".repeat(80));
  });

  it("reads back the names it makes, for any generation", () => {
    const generation = fc.stringMatching(/^[A-Za-z0-9._-]{1,80}$/);
    fc.assert(
      fc.property(generation, fc.constantFrom("supervisor", `worker-session.${"a".repeat(64)}`), (text, stem) => {
        assert.deepEqual(parseQuarantineName(path.basename(layout.displacedLease(stem, text, 12, uuid))), { kind: "lease", stem, generation: text, movedAtMs: 12 });
        assert.deepEqual(parseQuarantineName(path.basename(layout.displacedGuard(stem, text, uuid))), { kind: "guard", stem, generation: text });
      }),
    );
  });

  it("does not take a foreign name for one of its own", () => {
    for (const name of ["stray.txt", "supervisor", "supervisor.g.x.u", "guard.other.g.u.json", "worker-session.abc.g.1.u", "supervisor.g.1.u.record.json.tmp"]) {
      assert.equal(parseQuarantineName(name).kind === "guard", false, name);
    }
    assert.equal(parseQuarantineName("supervisor.g.x.u").kind, "unrecognised");
  });

  it("tells leftovers from leases as pi-amq's own listing does", () => {
    const kinds = (name: string): string => recogniseEntry(name).kind;
    assert.deepEqual([".lease.prepare-Ab12Cd", ".lease.prepare-Ab12C", ".hidden.lock", "a.lock", "a.lifecycle.guard.json", "README"].map(kinds), ["prepare", "other", "other", "lock", "guard", "other"]);
    assert.equal(kinds(`.supervisor.lifecycle.guard.json.${uuid}.tmp`), "temporary_file");
    assert.equal(kinds(path.basename(layout.released("supervisor", "g", uuid))), "released");
    assert.equal(kinds(path.basename(layout.sweepMarker("supervisor"))), "sweep_marker");
  });

  it("refuses a namespace that is not absolute", () => {
    assert.throws(() => new NamespaceLayout("ns"), TypeError);
  });
});
