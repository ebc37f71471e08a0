import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { nodePlatformPort as port } from "../../../src/core/process/nodePlatformPort.js";
import type { CommandRequest } from "../../../src/core/process/platformPort.js";

const isUnix = process.platform !== "win32";

function request(script: string, more: Partial<CommandRequest> = {}): CommandRequest {
  return { file: process.execPath, args: ["-e", script], environment: {}, timeoutMs: 20_000, maxBytes: 65_536, ...more };
}

describe("the real platform port", () => {
  it("gives status and output of a command, whatever the status", async () => {
    assert.deepEqual(await port.execute(request("console.log('out'); console.error('err'); process.exitCode = 3")), { kind: "exited", status: 3, stdout: "out\n" });
  });

  it("gives a command only the variables that are asked for", async function () {
    if (!isUnix) this.skip();
    const result = await port.execute(request("console.log(Object.keys(process.env).sort().join())", { environment: { LC_ALL: "C", TZ: "UTC" } }));
    assert.deepEqual(result, { kind: "exited", status: 0, stdout: "LC_ALL,TZ\n" });
  });

  it("starts no shell: arguments stay what they are", async () => {
    const result = await port.execute(request("", { args: ["-p", "process.argv[1]", "$(id); *"] }));
    assert.deepEqual(result, { kind: "exited", status: 0, stdout: "$(id); *\n" });
  });

  it("names what went wrong: no such command, too slow, too much, killed", async () => {
    assert.deepEqual(await port.execute(request("", { file: path.join(os.tmpdir(), "run-state-no-such-command") })), { kind: "failed", code: "ENOENT" });
    assert.deepEqual(await port.execute(request("setTimeout(() => {}, 60_000)", { timeoutMs: 50 })), { kind: "failed", code: "timeout" });
    assert.deepEqual(await port.execute(request("console.log('x'.repeat(100))", { maxBytes: 99 })), { kind: "failed", code: "overflow" });
    if (isUnix) assert.deepEqual(await port.execute(request("process.kill(process.pid, 'SIGTERM')")), { kind: "failed", code: "signal" });
  });

  it("probes without a signal: ok for us, ESRCH for nobody", () => {
    assert.equal(port.probe(process.pid), "ok");
    assert.equal(port.probe(2_147_483_647), "ESRCH");
  });

  it("reads texts of any size up to the limit, never through a link and never from a FIFO that blocks", function () {
    if (!isUnix) this.skip();
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-port-"));
    try {
      const file = path.join(directory, "file");
      for (const size of [0, 1, 16_384, 16_385, 100_000]) {
        fs.writeFileSync(file, Buffer.alloc(size, 0xe9));
        assert.equal(port.readText(file, 100_000), "\u00e9".repeat(size));
      }
      assert.throws(() => port.readText(file, 99_999), { code: "EFBIG" });
      fs.symlinkSync(file, path.join(directory, "link"));
      assert.throws(() => port.readText(path.join(directory, "link"), 100_000), { code: "ELOOP" });
      if (spawnSync("mkfifo", [path.join(directory, "fifo")]).status === 0) assert.equal(port.readText(path.join(directory, "fifo"), 10), "");
      assert.throws(() => port.readText(directory, 100_000), { code: "EISDIR" });
      assert.throws(() => port.readText(path.join(directory, "missing"), 100_000), { code: "ENOENT" });
    } finally {
      fs.rmSync(directory, { recursive: true });
    }
  });

  it("closes what it opens, also when a read fails", function () {
    if (process.platform !== "linux") this.skip();
    const count = (): number => fs.readdirSync("/proc/self/fd").length;
    const before = count();
    for (let round = 0; round < 50; round++) {
      port.readText("/proc/self/stat", 65_536);
      assert.throws(() => port.readText("/proc/self/status", 10), { code: "EFBIG" });
      assert.throws(() => port.readText("/proc/self", 10));
    }
    assert.equal(count(), before);
  });

  it("keeps the name that the host had at the start, and it is not empty", () => {
    assert.notEqual(port.hostname, "");
    assert.equal(port.hostname, os.hostname() || "localhost");
  });
});
