import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { assertSafeDirectory, ensureDirectory, syncDirectory } from "../../../src/core/storage/directorySteps.js";
import { errnoOf } from "../../../src/core/storage/errno.js";
import { fileIdentityOf, isSameInode } from "../../../src/core/storage/fileIdentity.js";
import type { FileStat } from "../../../src/core/storage/filePort.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { removeTree } from "../../../src/core/storage/removeTree.js";
import { Crash, errnoError } from "../../fakes/files.js";
import { memoryDisk } from "../quarantine/memoryDisk.js";
import { at, codeOf, faulty, inTemporaryDirectory, names, withOptions } from "./storageFixture.js";

describe("directories", () => {
  inTemporaryDirectory();

  it("fsync tolerates file systems that cannot, and Windows, and nothing else", async () => {
    for (const code of ["EINVAL", "ENOTSUP", "EISDIR"]) await syncDirectory(faulty({ operation: "syncDirectory", at: 0, code }).port, at(""), { platform: "linux" });
    for (const code of ["EPERM", "EACCES"]) {
      await syncDirectory(faulty({ operation: "syncDirectory", at: 0, code }).port, at(""), { platform: "win32" });
      assert.equal(await codeOf(syncDirectory(faulty({ operation: "syncDirectory", at: 0, code }).port, at(""), { platform: "linux" })), code);
    }
    assert.equal(await codeOf(syncDirectory(faulty({ operation: "syncDirectory", at: 0, code: "EIO" }).port, at(""), { platform: "win32" })), "EIO");
    await syncDirectory(nodeFilePort, at(""));
  });

  it("only a real directory is safe", async () => {
    fs.mkdirSync(at("real"));
    fs.symlinkSync(at("real"), at("link"));
    fs.writeFileSync(at("file"), "");
    const kinds: string[] = [];
    for (const name of ["real", "link", "file", "none"]) {
      const check = await assertSafeDirectory(nodeFilePort, at(name));
      kinds.push(check.kind === "unsafe" ? check.type : check.kind);
    }
    assert.deepEqual(kinds, ["safe", "symlink", "file", "missing"]);
    assert.deepEqual(await assertSafeDirectory(faulty({ operation: "lstat", at: 0, code: "EACCES" }).port, at("real")), { kind: "unreadable", code: "EACCES" });
  });

  it("are made once, also when another one makes them in the same moment", async () => {
    const made = await ensureDirectory(nodeFilePort, at(""), at("d"), { mode: 0o700 });
    assert.ok(made.kind === "safe" && made.created);
    const again = await ensureDirectory(nodeFilePort, at(""), at("d"), { mode: 0o700 });
    assert.ok(again.kind === "safe" && !again.created);
    const racing = withOptions({
      before: (call) => {
        if (call.operation === "mkdir") fs.mkdirSync(at("e"));
      },
    });
    const raced = await ensureDirectory(racing.port, at(""), at("e"), { mode: 0o700 });
    assert.ok(raced.kind === "safe" && !raced.created);
  });

  it("are removed whole without following links", async () => {
    fs.mkdirSync(at("outside"));
    fs.writeFileSync(at("outside/kept"), "");
    fs.mkdirSync(at("tree/a/b"), { recursive: true });
    fs.symlinkSync(at("outside"), at("tree/a/link"));
    await removeTree(nodeFilePort, at("tree"));
    await removeTree(nodeFilePort, at("tree"));
    assert.deepEqual([names(), fs.readdirSync(at("outside"))], [["outside"], ["kept"]]);
  });
});

describe("the real port", () => {
  inTemporaryDirectory();

  it("tells what lies under a name", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    fs.symlinkSync("nowhere", at("link"));
    fs.mkdirSync(at("directory"));
    fs.writeFileSync(at("file"), "12345", { mode: 0o640 });
    fs.linkSync(at("file"), at("second"));
    const types: Record<string, FileStat["type"]> = {};
    for (const { name, type } of await nodeFilePort.readdir(at(""))) types[name] = type;
    assert.deepEqual(types, { pipe: "fifo", link: "symlink", directory: "directory", file: "file", second: "file" });
    const stat = await nodeFilePort.lstat(at("file"));
    assert.deepEqual([stat.size, stat.linkCount, stat.mode], [5n, 2n, 0o640]);
    assert.ok(isSameInode(fileIdentityOf(stat), fileIdentityOf(await nodeFilePort.lstat(at("second")))));
    assert.equal(await nodeFilePort.readlink(at("link")), "nowhere");
  });

  it("never hangs on a pipe and never follows a link", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    fs.symlinkSync("/etc/passwd", at("link"));
    const pipe = await nodeFilePort.openRead(at("pipe"));
    assert.equal((await pipe.stat()).type, "fifo");
    await pipe.close();
    assert.equal(await codeOf(nodeFilePort.openRead(at("link"))), "ELOOP");
    assert.equal(await codeOf(nodeFilePort.createExclusive(at("link"), 0o600)), "EEXIST");
  });

  it("answers like the disk in memory, error for error", async () => {
    const disk = memoryDisk();
    const outcomes = async (port: typeof nodeFilePort, base: string): Promise<readonly string[]> => {
      const p = (name: string): string => `${base}/${name}`;
      const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
        ["mkdir", () => port.mkdir(p("d"), 0o700)],
        ["mkdir again", () => port.mkdir(p("d"), 0o700)],
        ["mkdir without parent", () => port.mkdir(p("x/y"), 0o700)],
        ["create", async () => await (await port.createExclusive(p("f"), 0o600)).close()],
        ["create again", () => port.createExclusive(p("f"), 0o600)],
        ["create below a file", () => port.createExclusive(p("f/g"), 0o600)],
        ["lstat missing", () => port.lstat(p("none"))],
        ["lstat below a file", () => port.lstat(p("f/g"))],
        ["link", () => port.link(p("f"), p("g"))],
        ["link onto", () => port.link(p("f"), p("g"))],
        ["link missing", () => port.link(p("none"), p("h"))],
        ["link directory", () => port.link(p("d"), p("h"))],
        ["rename onto the same inode", () => port.rename(p("f"), p("g"))],
        ["still there", () => port.lstat(p("f"))],
        ["rename file onto directory", () => port.rename(p("f"), p("d"))],
        ["rename directory onto file", () => port.rename(p("d"), p("f"))],
        ["rename missing", () => port.rename(p("none"), p("h"))],
        ["unlink directory", () => port.unlink(p("d"))],
        ["rmdir file", () => port.rmdir(p("f"))],
        ["fill", async () => await (await port.createExclusive(p("d/inner"), 0o600)).close()],
        ["rmdir full", () => port.rmdir(p("d"))],
        ["mkdir e", () => port.mkdir(p("e"), 0o700)],
        ["rename onto full directory", () => port.rename(p("e"), p("d"))],
        ["rename onto empty directory", () => port.rename(p("d"), p("e"))],
        ["moved", () => port.lstat(p("e/inner"))],
        ["readdir file", () => port.readdir(p("f"))],
        ["readdir missing", () => port.readdir(p("none"))],
        ["unlink", () => port.unlink(p("g"))],
        ["unlink again", () => port.unlink(p("g"))],
        ["sync", () => port.syncDirectory(p("e"))],
        ["sync missing", () => port.syncDirectory(p("none"))],
      ];
      const all: string[] = [];
      for (const [name, step] of steps) all.push(`${name}: ${await codeOf(step())}`);
      return all;
    };
    await disk.port.mkdir("/base", 0o700);
    assert.deepEqual(await outcomes(disk.port, "/base"), await outcomes(nodeFilePort, at("")));
  });
});

describe("errnoOf", () => {
  it("tells answers of the kernel from everything else", () => {
    assert.equal(errnoOf(errnoError("EIO", "x", "y")), "EIO");
    for (const other of [new Error("EIO"), new Crash("x"), Object.assign(new Error("x"), { code: "ERR_INVALID_ARG_TYPE" }), Object.assign(new Error("x"), { code: 5 }), { code: "EIO" }, null, "EIO"]) {
      assert.equal(errnoOf(other), null);
    }
  });
});
