import assert from "node:assert/strict";
import { directoriesAbove, freshItemName, guardDirectory, placeOfClaim, placeOfRecord, quarantineRootOf } from "../../../src/core/quarantine/latticeLayout.js";

describe("where things of a lattice store lie", () => {
  it("each claim has a group in the quarantine of its own store, never inside the runs directory", () => {
    const table: readonly (readonly [string, string | null])[] = [
      ["/w/.lattice/runs/run-a/.lifecycle.lock", "/w/.lattice/quarantine/run-a"],
      ["/w/.lattice/runs/run-a/staging/x", "/w/.lattice/quarantine/run-a"],
      ["/w/.lattice/runs/.run-a.tmp-ABC", "/w/.lattice/quarantine/.runs"],
      ["/w/.lattice/runs/.guards/x", "/w/.lattice/quarantine/.runs"],
      ["/w/.lattice/runs/README.md", "/w/.lattice/quarantine/.runs"],
      ["/w/.lattice/runtime/adapter-registry/.registry.lock", "/w/.lattice/quarantine/.runtime"],
      ["/w/.lattice/runs/a/worktrees/t/tree/.lattice/runs/b/.lifecycle.lock", "/w/.lattice/runs/a/worktrees/t/tree/.lattice/quarantine/b"],
      ["/w/.lattice/runs", null],
      ["/w/.lattice/quarantine/run-a/x", null],
      ["/w/runs/run-a/x", null],
      ["/w/.lattice/runs/../../etc/x", null],
      ["/w/.lattice/runs/a//x", null],
    ];
    for (const [path, directory] of table) assert.equal(placeOfClaim(path)?.directory ?? null, directory, path);
  });

  it("a record leads back only from the directory to which it belongs", () => {
    const original = "/w/.lattice/runs/run-a/.lifecycle.lock";
    assert.equal(placeOfRecord(original, "/w/.lattice/quarantine/run-a")?.place, original);
    assert.equal(placeOfRecord(original, "/moved/.lattice/quarantine/run-a")?.place, "/moved/.lattice/runs/run-a/.lifecycle.lock");
    assert.equal(placeOfRecord(original, "/w/.lattice/quarantine/run-b"), null);
    assert.equal(placeOfRecord(original, "/w/somewhere/run-a"), null);
    assert.equal(placeOfRecord("/w/.lattice/runs/run-a", "/w/.lattice/quarantine/run-a"), null);
  });

  it("the guard is the same for every process that sees the store, wherever it is mounted", () => {
    const keyAt = (path: string): string => {
      const place = placeOfClaim(path);
      assert.ok(place);
      return guardDirectory(place).slice(place.root.length);
    };
    assert.equal(keyAt("/w/.lattice/runs/a/.lifecycle.lock"), keyAt("/mnt/other/.lattice/runs/a/.lifecycle.lock"));
    assert.notEqual(keyAt("/w/.lattice/runs/a/.lifecycle.lock"), keyAt("/w/.lattice/runs/b/.lifecycle.lock"));
  });

  it("knows every directory between store and claim", () => {
    const place = placeOfClaim("/w/.lattice/runs/a/b/c");
    assert.ok(place);
    assert.deepEqual(directoriesAbove(place), ["/w/.lattice", "/w/.lattice/runs", "/w/.lattice/runs/a", "/w/.lattice/runs/a/b"]);
  });

  it("finds the quarantine from a folder, a store or itself", () => {
    for (const root of ["/w", "/w/.lattice", "/w/.lattice/quarantine"]) assert.equal(quarantineRootOf(root), "/w/.lattice/quarantine");
  });

  it("gives names without surprises: no leading dot, ASCII, short", () => {
    const uuid = "0000";
    assert.equal(freshItemName("/x/.lifecycle.lock", 0, uuid), "lifecycle.lock.19700101T000000.000Z.0000");
    assert.equal(freshItemName("/x/...", 0, uuid), "item.19700101T000000.000Z.0000");
    assert.equal(freshItemName("/x/a\u202Eb\nc", 0, uuid), "a_b_c.19700101T000000.000Z.0000");
    assert.ok(freshItemName(`/x/${"a".repeat(250)}`, 0, uuid).length < 120);
  });
});
