import assert from "node:assert/strict";
import fs from "node:fs";
import { createExclusiveDurable, publishExclusive, replaceDurable } from "../../../src/core/storage/createSteps.js";
import { fileIdentityOf, isSameFile } from "../../../src/core/storage/fileIdentity.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { at, bytes, codeOf, faulty, inTemporaryDirectory, names, text, withOptions } from "./storageFixture.js";

describe("createExclusiveDurable", () => {
  inTemporaryDirectory();

  it("writes, fsyncs the file, then the directory, in this order", async () => {
    const fake = faulty();
    const created = await createExclusiveDurable(fake.port, at("a"), bytes, { mode: 0o600 });
    assert.ok(created.kind === "created" && isSameFile(created.identity, fileIdentityOf(await nodeFilePort.lstat(at("a")))));
    assert.deepEqual([text("a"), fs.statSync(at("a")).mode & 0o777], ["content\n", 0o600]);
    const order = fake.calls.map((call) => call.operation).filter((operation) => !operation.endsWith("stat"));
    assert.deepEqual(order, ["createExclusive", "file.write", "file.sync", "file.close", "syncDirectory"]);
  });

  it("never touches what is there already", async () => {
    fs.writeFileSync(at("a"), "theirs");
    assert.deepEqual(await createExclusiveDurable(nodeFilePort, at("a"), bytes, { mode: 0o600 }), { kind: "exists" });
    assert.equal(text("a"), "theirs");
  });

  it("loops over short writes, and gives up on a disk that takes nothing", async () => {
    await createExclusiveDurable(withOptions({ shortWrite: 3 }).port, at("a"), bytes, { mode: 0o600 });
    assert.equal(text("a"), "content\n");
    assert.equal(await codeOf(createExclusiveDurable(withOptions({ shortWrite: 0 }).port, at("b"), bytes, { mode: 0o600 })), "ENOSPC");
    assert.deepEqual(names(), ["a"]);
  });

  it("leaves nothing behind after a failure at any step, before or after it", async () => {
    for (const operation of ["file.stat", "file.write", "file.sync", "file.close", "syncDirectory"] as const) {
      for (const when of ["before", "after"] as const) {
        const fake = faulty({ operation, at: 0, code: "EIO", when });
        assert.equal(await codeOf(createExclusiveDurable(fake.port, at("a"), bytes, { mode: 0o600 })), "EIO", operation);
        assert.deepEqual([names(), fake.openFiles()], [[], []], `${operation} ${when}`);
      }
    }
  });

  it("after a failure removes its own file only, not the one that has taken the name meanwhile", async () => {
    const fake = withOptions({
      faults: [{ operation: "file.sync", at: 0, code: "EIO" }],
      before: (call) => {
        if (call.operation !== "file.sync") return;
        fs.renameSync(at("a"), at("moved"));
        fs.writeFileSync(at("a"), "theirs");
      },
    });
    assert.equal(await codeOf(createExclusiveDurable(fake.port, at("a"), bytes, { mode: 0o600 })), "EIO");
    assert.equal(text("a"), "theirs");
  });
});

describe("publishExclusive", () => {
  inTemporaryDirectory();

  const options = (): { mode: number; temporary: string } => ({ mode: 0o600, temporary: at("a.tmp") });

  it("shows the file complete or not at all", async () => {
    const seen: string[] = [];
    const fake = withOptions({ shortWrite: 1, after: () => {
        if (fs.existsSync(at("a"))) seen.push(text("a"));
      },
    });
    const published = await publishExclusive(fake.port, at("a"), bytes, options());
    assert.ok(published.kind === "published" && published.warnings.length === 0);
    assert.ok(seen.length > 0 && seen.every((content) => content === "content\n"));
    assert.deepEqual([names(), fs.statSync(at("a")).nlink], [["a"], 1]);
  });

  it("never replaces what is there, and says when there are no hard links", async () => {
    fs.writeFileSync(at("a"), "theirs");
    assert.deepEqual(await publishExclusive(nodeFilePort, at("a"), bytes, options()), { kind: "exists" });
    assert.deepEqual([text("a"), names()], ["theirs", ["a"]]);
    const none = await publishExclusive(faulty({ operation: "link", at: 0, code: "ENOTSUP" }).port, at("b"), bytes, options());
    assert.deepEqual([none, names()], [{ kind: "no-hard-links", code: "ENOTSUP" }, ["a"]]);
  });

  it("believes the disk, not a repeated answer: EEXIST after its own link is success", async () => {
    const published = await publishExclusive(faulty({ operation: "link", at: 0, code: "EEXIST", when: "after" }).port, at("a"), bytes, options());
    assert.ok(published.kind === "published");
    assert.deepEqual([text("a"), names()], ["content\n", ["a"]]);
  });

  it("leaves no file, or the warning of a temporary one, after a failure at any step", async () => {
    for (const operation of ["createExclusive", "file.stat", "file.write", "file.sync", "file.close", "link", "syncDirectory"] as const) {
      for (const when of ["before", "after"] as const) {
        const code = await codeOf(publishExclusive(faulty({ operation, at: 0, code: "EIO", when }).port, at("a"), bytes, options()));
        if (code === "none") assert.deepEqual([operation, when, text("a")], ["link", "after", "content\n"]);
        else assert.deepEqual([code, names()], ["EIO", []], `${operation} ${when}`);
        fs.rmSync(at("a"), { force: true });
      }
    }
    const left = await publishExclusive(faulty({ operation: "unlink", at: 0, code: "EIO" }).port, at("a"), bytes, options());
    assert.ok(left.kind === "published");
    assert.deepEqual([left.warnings, names()], [["temporary-left"], ["a", "a.tmp"]]);
  });
});

describe("replaceDurable", () => {
  inTemporaryDirectory();

  const options = (): { mode: number; temporary: string } => ({ mode: 0o600, temporary: at("a.tmp") });

  it("replaces by rename, fsync before and after, and creates what is missing", async () => {
    fs.writeFileSync(at("a"), "old");
    const fake = faulty();
    assert.equal((await replaceDurable(fake.port, at("a"), bytes, options())).kind, "replaced");
    assert.deepEqual([text("a"), names()], ["content\n", ["a"]]);
    const order = fake.calls.map((call) => call.operation).filter((operation) => !operation.endsWith("stat"));
    assert.deepEqual(order, ["createExclusive", "file.write", "file.sync", "file.close", "rename", "syncDirectory"]);
    assert.equal((await replaceDurable(nodeFilePort, at("b"), bytes, options())).kind, "replaced");
  });

  it("holds old or new after a failure at any step, never neither and never a part", async () => {
    for (const operation of ["lstat", "createExclusive", "file.stat", "file.write", "file.sync", "file.close", "rename", "syncDirectory"] as const) {
      for (const when of ["before", "after"] as const) {
        fs.writeFileSync(at("a"), "old");
        const code = await codeOf(replaceDurable(faulty({ operation, at: 0, code: "EIO", when }).port, at("a"), bytes, options()));
        const isNew = code === "none" || operation === "syncDirectory";
        assert.deepEqual([text("a"), names()], [isNew ? "content\n" : "old", ["a"]], `${operation} ${when}`);
      }
    }
  });

  it("does not destroy a symbolic link that somebody set up", async () => {
    fs.writeFileSync(at("target"), "old");
    fs.symlinkSync(at("target"), at("a"));
    assert.deepEqual(await replaceDurable(nodeFilePort, at("a"), bytes, options()), { kind: "not-regular" });
    assert.deepEqual([fs.readlinkSync(at("a")), text("target")], [at("target"), "old"]);
  });
});

