import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createPace } from "../../../src/core/scan/pace.js";
import { slicedReadPort } from "../../../src/core/scan/slicedReadPort.js";
import { errnoOf } from "../../../src/core/storage/errno.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { readBounded } from "../../../src/core/storage/readBounded.js";

describe("createPace", () => {
  it("is due when the slice is used up, and not again right after a rest", async () => {
    let now = 100;
    const pace = createPace({ sliceMs: 5, monotonic: () => now });
    now += 4.9;
    assert.ok(!pace.isDue());
    now += 0.1;
    assert.ok(pace.isDue());
    await pace.rest();
    assert.ok(!pace.isDue());
  });

  it("lets timers and I/O of others run during a rest", async () => {
    const pace = createPace();
    let ran = false;
    setImmediate(() => (ran = true));
    await pace.rest();
    assert.ok(ran);
  });

  it("is due at once when nobody waits any more, and rest then throws the reason", async () => {
    const abort = new AbortController();
    const pace = createPace({ signal: abort.signal });
    assert.ok(!pace.isDue());
    const reason = new Error("closed");
    abort.abort(reason);
    assert.ok(pace.isDue());
    await assert.rejects(pace.rest(), reason);
  });
});

describe("slicedReadPort", () => {
  let directory: string;

  before(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-sliced-"));
    fs.writeFileSync(path.join(directory, "file"), "content");
    fs.mkdirSync(path.join(directory, "sub"));
    fs.symlinkSync("file", path.join(directory, "link"));
  });

  after(() => fs.rmSync(directory, { recursive: true }));

  it("answers as the asynchronous port does, errors included", async () => {
    const sliced = slicedReadPort(createPace());
    const codeOf = async (run: Promise<unknown>): Promise<unknown> => run.then(() => null, errnoOf);
    for (const name of ["file", "sub", "link", "."]) assert.deepEqual(await sliced.lstat(path.join(directory, name)), await nodeFilePort.lstat(path.join(directory, name)));
    assert.deepEqual(await sliced.readdir(directory), await nodeFilePort.readdir(directory));
    assert.equal(await sliced.readlink(path.join(directory, "link")), "file");
    assert.equal(await sliced.realpath(path.join(directory, "link")), await nodeFilePort.realpath(path.join(directory, "file")));
    assert.equal(await codeOf(sliced.lstat(path.join(directory, "none"))), "ENOENT");
    assert.equal(await codeOf(sliced.openRead(path.join(directory, "link"))), "ELOOP");
    assert.equal(await codeOf(sliced.readdir(path.join(directory, "file"))), "ENOTDIR");
    const read = await readBounded(sliced, path.join(directory, "file"), { maxBytes: 10 });
    assert.ok(read.kind === "read");
    assert.equal(Buffer.from(read.bytes).toString(), "content");
    assert.deepEqual(await readBounded(sliced, path.join(directory, "file"), { maxBytes: 3 }), { kind: "too-large", size: 7n });
  });

  it("refuses to write, so that inspection cannot", async () => {
    const file = await slicedReadPort(createPace()).openRead(path.join(directory, "file"));
    await assert.rejects(file.write(new Uint8Array(1), 0), { code: "EBADF" });
    await assert.rejects(file.sync(), { code: "EBADF" });
    await file.close();
    assert.equal(fs.readFileSync(path.join(directory, "file"), "utf8"), "content");
  });

  // How long that delay is on a quiet machine is measured by the bench; here time is counted in calls, so that no load disturbs it.
  it("gives the event loop back at the first call after a slice is used up, however many files are read", async () => {
    let calls = 0;
    let turns = 0;
    let most = 0;
    let sinceTurn = 0;
    const port = slicedReadPort(createPace({ sliceMs: 5, monotonic: () => calls }));
    const counted = { ...port, lstat: (file: string) => ((calls += 1), (sinceTurn += 1), (most = Math.max(most, sinceTurn)), port.lstat(file)) };
    let isReading = true;
    const turn = (): void => {
      turns += 1;
      sinceTurn = 0;
      if (isReading) setImmediate(turn);
    };
    setImmediate(turn);
    for (let index = 0; index < 100; index += 1) await readBounded(counted, path.join(directory, "file"), { maxBytes: 10 });
    isReading = false;
    assert.ok(turns >= 100 / 6, `${turns} turns`);
    assert.ok(most <= 6, `${most} calls in a row`);
  });
});
