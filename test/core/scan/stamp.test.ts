import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { diskOver, localDisk, type DirectoryLook } from "../../../src/core/scan/scanDisk.js";
import { isUnchanged, stampFactsOf, stampOf } from "../../../src/core/scan/stamp.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";

describe("stamps", () => {
  const facts = { device: 1, inode: 2, size: 3, mtimeMs: 1_000_000.5, ctimeMs: 1_000_000.25 };

  it("trust nothing that was written within a tick of the reading, nor from the future", () => {
    const isTrusted = (mtimeMs: number, now: number): boolean => isUnchanged(stampOf({ ...facts, mtimeMs, ctimeMs: mtimeMs }, now), { ...facts, mtimeMs, ctimeMs: mtimeMs });
    assert.ok(isTrusted(1_000_000.5, 1_000_051));
    assert.ok(!isTrusted(1_000_000.5, 1_000_050));
    assert.ok(!isTrusted(1_000_000.5, 999_000));
    // Whole seconds: a file system that knows no more than that.
    assert.ok(!isTrusted(1_000_000, 1_002_499));
    assert.ok(isTrusted(1_000_000, 1_002_500));
  });

  it("see any difference", () => {
    const stamp = stampOf(facts, 2_000_000);
    assert.ok(isUnchanged(stamp, { ...facts }));
    assert.ok(!isUnchanged(null, facts));
    for (const key of Object.keys(facts) as (keyof typeof facts)[]) assert.ok(!isUnchanged(stamp, { ...facts, [key]: facts[key] + 0.25 }), key);
  });
});

describe("scan disks", () => {
  let directory: string;

  before(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-disk-"));
    for (let index = 0; index < 50; index += 1) fs.writeFileSync(path.join(directory, `file-${index}`), String(index));
    fs.symlinkSync(directory, path.join(directory, "link"));
  });

  after(() => fs.rmSync(directory, { recursive: true }));

  it("give the very same stamp of a file, to the last bit, whichever way it was asked for", async () => {
    for (const name of fs.readdirSync(directory)) {
      const file = path.join(directory, name);
      const local = localDisk.stampAt(file);
      assert.deepEqual(await diskOver(nodeFilePort).stampAt(file), local);
      assert.deepEqual(stampFactsOf(await nodeFilePort.lstat(file)), local);
    }
    assert.equal(localDisk.stampAt(path.join(directory, "none")), null);
    assert.equal(await diskOver(nodeFilePort).stampAt(path.join(directory, "none")), null);
  });

  it("look alike at directories, links, files and nothing", async () => {
    const at = (name: string): string => path.join(directory, name);
    for (const place of [directory, at("link"), at("file-1"), at("none"), at("file-1/below")]) {
      const local = localDisk.lookAtDirectory(place, () => false) as DirectoryLook;
      const other = await diskOver(nodeFilePort).lookAtDirectory(place, () => false);
      const sorted = (look: DirectoryLook): unknown => (look.kind === "listed" ? { ...look, names: [...look.names].sort() } : look);
      assert.deepEqual(sorted(other), sorted(local), place);
    }
    assert.deepEqual(localDisk.lookAtDirectory(directory, () => true), { kind: "known" });
  });

  it("read at once only what is a plain small file", () => {
    const plain = localDisk.readPlainFile(path.join(directory, "file-7"), 10);
    assert.equal(Buffer.from(plain?.bytes ?? []).toString(), "7");
    assert.equal(plain?.stat.size, 1n);
    for (const [name, limit] of [["file-7", 0], ["link", 10], ["none", 10], ["", 10]] as const) assert.equal(localDisk.readPlainFile(path.join(directory, name), limit), null, name);
  });
});
