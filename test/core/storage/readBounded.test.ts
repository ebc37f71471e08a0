import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { readBounded } from "../../../src/core/storage/readBounded.js";
import { Crash } from "../../fakes/files.js";
import { at, bytes, faulty, inTemporaryDirectory, withOptions } from "./storageFixture.js";

describe("readBounded", () => {
  inTemporaryDirectory();

  it("reads a whole file with its facts", async () => {
    fs.writeFileSync(at("a"), bytes);
    const read = await readBounded(nodeFilePort, at("a"), { maxBytes: bytes.byteLength });
    assert.ok(read.kind === "read");
    assert.deepEqual([new Uint8Array(read.bytes), read.stat.size, read.stat.type], [bytes, BigInt(bytes.byteLength), "file"]);
  });

  it("reads nothing of an empty file, a longer one in pieces, and none beyond the limit", async () => {
    fs.writeFileSync(at("empty"), "");
    const empty = await readBounded(nodeFilePort, at("empty"), { maxBytes: 0 });
    assert.ok(empty.kind === "read" && empty.bytes.byteLength === 0);
    const long = Buffer.alloc(100_000, "x");
    fs.writeFileSync(at("long"), long);
    const read = await readBounded(withOptions({ shortRead: 999 }).port, at("long"), { maxBytes: 100_000 });
    assert.ok(read.kind === "read" && Buffer.from(read.bytes).equals(long));
    assert.deepEqual(await readBounded(nodeFilePort, at("long"), { maxBytes: 99_999 }), { kind: "too-large", size: 100_000n });
  });

  it("never opens what is no regular file: a pipe does not hang it, a link is not followed", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    fs.symlinkSync("/etc/passwd", at("link"));
    fs.mkdirSync(at("directory"));
    const server = net.createServer().listen(at("socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    try {
      const fake = faulty();
      const kinds = [];
      for (const name of ["pipe", "link", "directory", "socket"]) {
        const read = await readBounded(fake.port, at(name), { maxBytes: 10 });
        kinds.push(read.kind === "not-regular" ? read.type : read.kind);
      }
      assert.deepEqual(kinds, ["fifo", "symlink", "directory", "socket"]);
      assert.deepEqual(fake.calls.filter((call) => call.operation === "openRead"), []);
    } finally {
      server.close();
    }
  });

  it("a name that becomes a link, a pipe or another file between look and open gives none of its bytes", async () => {
    const swaps: readonly (readonly [string, () => void])[] = [
      ["not-regular", () => fs.symlinkSync("/etc/passwd", at("a"))],
      ["not-regular", () => execFileSync("mkfifo", [at("a")])],
      ["changed-while-read", () => fs.renameSync(at("b"), at("a"))],
      ["missing", () => undefined],
    ];
    for (const [kind, swap] of swaps) {
      fs.writeFileSync(at("a"), bytes);
      // Made while the first file exists, so that the inode is another one for sure.
      fs.writeFileSync(at("b"), bytes);
      const fake = withOptions({
        before: (call) => {
          if (call.operation !== "openRead") return;
          fs.unlinkSync(at("a"));
          swap();
        },
      });
      const read = await readBounded(fake.port, at("a"), { maxBytes: 1_000 });
      assert.equal(read.kind, kind);
      assert.deepEqual(fake.openFiles(), []);
      fs.rmSync(at("a"), { force: true });
    }
  });

  it("a file that grows, shrinks or is rewritten while it is read is of no content", async () => {
    for (const change of ["append", "truncate", "rewrite"]) {
      fs.writeFileSync(at("a"), bytes);
      const fake = withOptions({
        before: (call) => {
          if (call.operation !== "file.read") return;
          if (change === "append") fs.appendFileSync(at("a"), "x");
          else if (change === "truncate") fs.truncateSync(at("a"), 2);
          else {
            fs.writeFileSync(at("a"), "CONTENT\n");
            fs.utimesSync(at("a"), 5, 5);
          }
        },
      });
      assert.deepEqual(await readBounded(fake.port, at("a"), { maxBytes: 1_000 }), { kind: "changed-while-read" }, change);
    }
  });

  it("asks once more after a transient answer, and takes ESTALE for a file that is gone", async () => {
    fs.writeFileSync(at("a"), bytes);
    for (const operation of ["lstat", "openRead", "file.stat", "file.read"] as const) {
      for (const code of ["EINTR", "EAGAIN", "EBUSY"]) {
        assert.equal((await readBounded(faulty({ operation, at: 0, code }).port, at("a"), { maxBytes: 99 })).kind, "read", `${operation} ${code}`);
        const twice = await readBounded(faulty({ operation, at: 0, code, forGood: true }).port, at("a"), { maxBytes: 99 });
        assert.deepEqual(twice, { kind: "unreadable", code }, `${operation} ${code}`);
      }
      for (const code of ["EACCES", "EIO", "EMFILE"]) {
        const fake = faulty({ operation, at: 0, code });
        assert.deepEqual(await readBounded(fake.port, at("a"), { maxBytes: 99 }), { kind: "unreadable", code }, `${operation} ${code}`);
        assert.deepEqual(fake.openFiles(), []);
      }
      assert.deepEqual(await readBounded(faulty({ operation, at: 0, code: "ESTALE" }).port, at("a"), { maxBytes: 99 }), { kind: "missing" }, operation);
    }
    assert.equal((await readBounded(faulty({ operation: "file.close", at: 0, code: "EIO" }).port, at("a"), { maxBytes: 99 })).kind, "read");
  });

  it("lets a bug through", async () => {
    fs.writeFileSync(at("a"), bytes);
    await assert.rejects(readBounded(faulty({ operation: "file.read", at: 0, code: "crash" }).port, at("a"), { maxBytes: 99 }), Crash);
  });
});

