import assert from "node:assert/strict";
import fs from "node:fs";
import { fileIdentityOf, isSameFile } from "../../../src/core/storage/fileIdentity.js";
import { linkNoClobber, moveToFreshName, renameWithRetry, unlinkIfSame } from "../../../src/core/storage/moveSteps.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { fakeFiles, type Fault } from "../../fakes/files.js";
import { StillClock } from "../quarantine/world.js";
import { putBackNoClobber } from "../../../src/core/storage/putBack.js";
import { at, codeOf, faulty, inTemporaryDirectory, names, text, withOptions } from "./storageFixture.js";

describe("moving without clobbering", () => {
  inTemporaryDirectory();

  it("links, and says occupied, missing or no hard links", async () => {
    fs.writeFileSync(at("a"), "a");
    assert.deepEqual(await linkNoClobber(nodeFilePort, at("a"), at("b")), { kind: "linked" });
    fs.writeFileSync(at("c"), "c");
    assert.deepEqual(await linkNoClobber(nodeFilePort, at("a"), at("c")), { kind: "occupied" });
    assert.deepEqual(await linkNoClobber(nodeFilePort, at("none"), at("d")), { kind: "missing" });
    assert.deepEqual(await linkNoClobber(faulty({ operation: "link", at: 0, code: "EMLINK" }).port, at("a"), at("d")), { kind: "no-hard-links", code: "EMLINK" });
    assert.deepEqual(await linkNoClobber(faulty({ operation: "link", at: 0, code: "EIO", when: "after" }).port, at("a"), at("e")), { kind: "linked" });
    assert.equal(await codeOf(linkNoClobber(faulty({ operation: "link", at: 0, code: "EIO" }).port, at("a"), at("f"))), "EIO");
    assert.equal(text("c"), "c");
  });

  it("links a symbolic link itself, not what it points to", async function () {
    if (process.platform !== "linux") this.skip();
    fs.writeFileSync(at("target"), "x");
    fs.symlinkSync("target", at("a"));
    await linkNoClobber(nodeFilePort, at("a"), at("b"));
    assert.equal(fs.readlinkSync(at("b")), "target");
    assert.equal(fs.statSync(at("target")).nlink, 1);
  });

  it("moves to a fresh name, never onto a taken one, and believes the disk about what happened", async () => {
    fs.writeFileSync(at("a"), "a");
    fs.writeFileSync(at("taken"), "t");
    assert.deepEqual(await moveToFreshName(nodeFilePort, at("a"), at("taken")), { kind: "occupied" });
    assert.deepEqual(await moveToFreshName(nodeFilePort, at("none"), at("x")), { kind: "missing" });
    const moved = await moveToFreshName(faulty({ operation: "rename", at: 0, code: "EIO", when: "after" }).port, at("a"), at("b"));
    assert.ok(moved.kind === "moved" && moved.stat.size === 1n);
    assert.equal(await codeOf(moveToFreshName(faulty({ operation: "rename", at: 0, code: "EIO" }).port, at("b"), at("c"))), "EIO");
    const doubt = await moveToFreshName(faulty({ operation: "lstat", at: 1, code: "EIO", forGood: true }).port, at("b"), at("c"));
    assert.deepEqual([doubt, text("c"), text("taken")], [{ kind: "in-doubt", code: "EIO" }, "a", "t"]);
  });

  it("puts a file back as the very same inode, or leaves it when the place is taken", async () => {
    fs.writeFileSync(at("item"), "mine");
    const before = fileIdentityOf(await nodeFilePort.lstat(at("item")));
    fs.writeFileSync(at("place"), "theirs");
    assert.deepEqual(await putBackNoClobber(nodeFilePort, at("item"), at("place")), { kind: "occupied" });
    assert.deepEqual([text("item"), text("place")], ["mine", "theirs"]);
    fs.unlinkSync(at("place"));
    assert.deepEqual(await putBackNoClobber(nodeFilePort, at("item"), at("place")), { kind: "put-back", warnings: [] });
    assert.ok(isSameFile(before, fileIdentityOf(await nodeFilePort.lstat(at("place")))));
    assert.deepEqual(names(), ["place"]);
    assert.deepEqual(await putBackNoClobber(nodeFilePort, at("item"), at("place")), { kind: "missing" });
  });

  it("puts back without hard links too: same inode, no clobber, no placeholder left", async () => {
    const noLinks: Fault = { operation: "link", at: 0, code: "EPERM", forGood: true };
    fs.writeFileSync(at("item"), "mine");
    const before = fileIdentityOf(await nodeFilePort.lstat(at("item")));
    fs.writeFileSync(at("place"), "theirs");
    assert.deepEqual(await putBackNoClobber(faulty(noLinks).port, at("item"), at("place")), { kind: "occupied" });
    assert.equal(text("place"), "theirs");
    fs.unlinkSync(at("place"));
    assert.equal(await codeOf(putBackNoClobber(faulty(noLinks, { operation: "rename", at: 0, code: "EIO" }).port, at("item"), at("place"))), "EIO");
    assert.deepEqual(names(), ["item"]);
    assert.deepEqual(await putBackNoClobber(faulty(noLinks).port, at("item"), at("place")), { kind: "put-back", warnings: [] });
    assert.ok(isSameFile(before, fileIdentityOf(await nodeFilePort.lstat(at("place")))));
  });

  it("puts a directory back, but never over another one, empty or not", async () => {
    fs.mkdirSync(at("item/inner"), { recursive: true });
    fs.mkdirSync(at("place"));
    assert.deepEqual(await putBackNoClobber(nodeFilePort, at("item"), at("place")), { kind: "occupied" });
    fs.rmdirSync(at("place"));
    assert.deepEqual(await putBackNoClobber(nodeFilePort, at("item"), at("place")), { kind: "put-back", warnings: [] });
    assert.ok(fs.existsSync(at("place/inner")));
    fs.renameSync(at("place"), at("item"));
    const fake = withOptions({
      before: (call) => {
        if (call.operation === "rename") fs.writeFileSync(at("place/theirs"), "");
      },
    });
    assert.deepEqual(await putBackNoClobber(fake.port, at("item"), at("place")), { kind: "occupied" });
    assert.deepEqual([fs.readdirSync(at("place")), fs.readdirSync(at("item"))], [["theirs"], ["inner"]]);
  });

  it("unlinks only the very inode", async () => {
    fs.writeFileSync(at("a"), "a");
    const identity = fileIdentityOf(await nodeFilePort.lstat(at("a")));
    assert.equal(await unlinkIfSame(nodeFilePort, at("a"), { ...identity, inode: "1" }), "different");
    assert.equal(await codeOf(unlinkIfSame(faulty({ operation: "unlink", at: 0, code: "EIO" }).port, at("a"), identity)), "EIO");
    assert.equal(await unlinkIfSame(faulty({ operation: "unlink", at: 0, code: "EIO", when: "after" }).port, at("a"), identity), "removed");
    assert.equal(await unlinkIfSame(nodeFilePort, at("a"), identity), "missing");
  });
});

describe("renameWithRetry", () => {
  inTemporaryDirectory();

  it("on Windows waits for a scanner to let go, for a bounded time, and only for that", async () => {
    for (const code of ["EPERM", "EACCES", "EBUSY"]) {
      fs.writeFileSync(at("a"), "a");
      const clock = new StillClock();
      const held = fakeFiles(nodeFilePort, { faults: [0, 1, 2].map((index): Fault => ({ where: (call) => call.operation === "rename" && call.index === index, at: 0, code })) });
      await renameWithRetry(held.port, at("a"), at("b"), { platform: "win32", clock });
      assert.deepEqual([clock.slept, names()], [[10, 20, 40], ["b"]], code);
      fs.unlinkSync(at("b"));
    }
    fs.writeFileSync(at("a"), "a");
    const clock = new StillClock();
    const forGood = faulty({ operation: "rename", at: 0, code: "EBUSY", forGood: true });
    assert.equal(await codeOf(renameWithRetry(forGood.port, at("a"), at("b"), { platform: "win32", clock })), "EBUSY");
    const total = clock.slept.reduce((sum, ms) => sum + ms, 0);
    assert.ok(total > 9_000 && total <= 10_000, `${total}`);
    for (const [platform, code] of [["linux", "EBUSY"], ["win32", "ENOENT"], ["win32", "EXDEV"]] as const) {
      const still = new StillClock();
      assert.equal(await codeOf(renameWithRetry(faulty({ operation: "rename", at: 0, code }).port, at("a"), at("b"), { platform, clock: still })), code);
      assert.deepEqual(still.slept, [], `${platform} ${code}`);
    }
  });

  it("gives up when the name no longer holds what was to be moved", async () => {
    fs.writeFileSync(at("a"), "a");
    const fake = faulty({ operation: "rename", at: 0, code: "EBUSY" });
    const verify = (): Promise<boolean> => Promise.resolve(false);
    assert.equal(await codeOf(renameWithRetry(fake.port, at("a"), at("b"), { platform: "win32", clock: new StillClock(), verify })), "EBUSY");
    assert.deepEqual(names(), ["a"]);
  });
});

