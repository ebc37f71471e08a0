import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { nodeFilePort } from "../../../../src/core/storage/nodeFilePort.js";
import { inspectRun } from "../../../../src/core/systems/lattice/store/inspectRun.js";
import { fakeFiles, mutatingOperations } from "../../../fakes/files.js";
import { fixtureRun } from "../artifacts/documents.js";
import { runCopies } from "./runCopies.js";

function filesBelow(directory: string): string[] {
  return fs.readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => fs.lstatSync(path.join(directory, name)).isFile());
}

describe("inspectRun reads", () => {
  const copyOf = runCopies();

  it("without writing anything and without ever opening the session", async () => {
    const run = copyOf("closed-epoch2");
    fs.writeFileSync(run.at("supervisor/session"), "a live nonce");
    const candidate = `supervisor/restart-candidates/${"a".repeat(64)}`;
    fs.mkdirSync(run.at(candidate), { recursive: true });
    fs.writeFileSync(run.at(`${candidate}/session`), "another live nonce");
    const { port, calls, openFiles } = fakeFiles(nodeFilePort);
    await inspectRun(run.directory, { port });
    // Closing a file that was read changes nothing.
    assert.deepEqual(calls.filter(({ operation }) => operation !== "file.close" && mutatingOperations.includes(operation)), []);
    assert.deepEqual(calls.filter(({ path: at, operation }) => at.endsWith("session") && operation !== "lstat"), []);
    assert.deepEqual(openFiles(), []);
  });

  it("no file through a link, not even through a directory that is one", async () => {
    const run = copyOf("closed-epoch2");
    const elsewhere = path.join(run.root, "elsewhere");
    fs.renameSync(run.at("supervisor"), elsewhere);
    fs.symlinkSync(elsewhere, run.at("supervisor"));
    fs.rmSync(run.at("hold-result.json"));
    fs.symlinkSync(run.at("release-epoch.json"), run.at("hold-result.json"));
    const { port, calls } = fakeFiles(nodeFilePort);
    const { problems } = await inspectRun(run.directory, { port });
    assert.deepEqual(calls.filter(({ operation, path: at }) => operation === "openRead" && (at.startsWith(run.at("supervisor")) || at === run.at("hold-result.json"))), []);
    const unreadable = problems.filter(({ code }) => code === "file-unreadable" || code === "directory-unreadable").map(({ path: at }) => path.relative(run.directory, at));
    assert.ok(unreadable.includes("supervisor") && unreadable.includes("hold-result.json"), unreadable.join());
  });

  it("and is not held up by a FIFO in place of a file", async function () {
    if (process.platform === "win32") this.skip();
    const run = copyOf("closed-epoch2");
    fs.rmSync(run.at("events.json"));
    execFileSync("mkfifo", [run.at("events.json")]);
    const { status, problems } = await run.inspect();
    assert.equal(status.word, "damaged");
    assert.ok(problems.some(({ code, evidence }) => code === "file-unreadable" && evidence.some(({ value }) => value === "fifo")));
  });

  it("what is no run at all, and says so", async () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-nothing-"));
    try {
      const missing = await inspectRun(path.join(root, "missing"));
      assert.deepEqual([missing.status.word, missing.runtimeAnswer.kind, missing.epoch], ["damaged", "refused", null]);
      fs.writeFileSync(path.join(root, "file"), "");
      const file = await inspectRun(path.join(root, "file"));
      assert.ok(file.problems.some(({ code }) => code === "run-directory-not-real"));
      fs.symlinkSync(fixtureRun("fresh-0.50"), path.join(root, "link"));
      const link = await inspectRun(path.join(root, "link"));
      assert.equal(link.status.word, "damaged");
      assert.ok(link.problems.some(({ code, evidence }) => code === "run-directory-not-real" && evidence[0]?.value === "symlink"));
    } finally {
      fs.rmSync(root, { recursive: true });
    }
  });

  it("on after every kernel answer, at every call, and throws for none", async () => {
    const run = copyOf("lib-serial-050-5-staged");
    const { port: spy, calls } = fakeFiles(nodeFilePort);
    await inspectRun(run.directory, { port: spy });
    for (const code of ["EACCES", "EIO", "ENOENT"]) {
      for (let at = 0; at < calls.length; at += 5) {
        const { port } = fakeFiles(nodeFilePort, { faults: [{ at, code, forGood: false }] });
        const detail = await inspectRun(run.directory, { port });
        assert.equal(detail.schema, "run-state.lattice_run.v1");
      }
    }
  });

  it("hide nothing that is good when one file is bad, whatever is in it", async () => {
    const source = fixtureRun("closed-epoch2");
    const files = filesBelow(source).filter((name) => !name.includes("jobs") && !name.includes("/receipts/"));
    const damage = fc.oneof(
      fc.record({ how: fc.constant("cut" as const), at: fc.nat() }),
      fc.record({ how: fc.constant("flip" as const), at: fc.nat() }),
      fc.record({ how: fc.constant("put" as const), text: fc.oneof(fc.json(), fc.constantFrom("", "\0\0\0", "\uFEFF{}", "[", "null", "[null]", '{"schema":1}', "[[[[]]]]")) }),
    );
    const run = copyOf("closed-epoch2");
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), damage, async (name, change) => {
        const original = fs.readFileSync(path.join(source, name));
        const bytes = Buffer.from(original);
        if (change.how === "flip") bytes.writeUInt8(bytes.readUInt8(change.at % bytes.length) ^ 1, change.at % bytes.length);
        fs.writeFileSync(run.at(name), change.how === "put" ? change.text : change.how === "cut" ? bytes.subarray(0, change.at % bytes.length) : bytes);
        const detail = await run.inspect();
        fs.writeFileSync(run.at(name), original);
        // One bit more or less in any file is always noticed.
        assert.ok(detail.problems.some(({ severity }) => severity !== "info"), `${name} ${JSON.stringify(change)}`);
        if (!name.includes("events.json")) assert.equal(detail.events.report?.standing, "valid");
        assert.ok(detail.epochs.length > 0 && detail.findings.length > 0);
      }),
      { numRuns: 60 },
    );
  });

  it("until it is told to stop", async () => {
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    await assert.rejects(inspectRun(fixtureRun("closed-epoch2"), { signal: controller.signal }), /enough/);
  });
});

describe("inspectRun tells", () => {
  it("todos, epochs, events and findings of a run that went through a recompile", async () => {
    const detail = await inspectRun(fixtureRun("lib-seam-split-050-7-epoch2-active"));
    assert.deepEqual(detail.todos.map(({ todoId, state, overlay, isInPlan }) => [todoId, state, overlay, isInPlan]), [
      ["T1a", "ready", null, true],
      ["T1b", "ready", null, true],
      ["T2n", "waiting", null, true],
      ["T3", "running", "carry_over", true],
      ["T1", "ended", "redispatch", false],
      ["T2", "ended", "redispatch", false],
    ]);
    assert.deepEqual(detail.epochs.map(({ epoch, state, todoIds }) => [epoch, state, todoIds.length]), [[1, "superseded", 3], [2, "committed", 4]]);
    assert.deepEqual(detail.events.entries.slice(-2).map(({ index, sequence, kind, todoId, planEpoch, isSound }) => [index, sequence, kind, todoId, planEpoch, isSound]), [
      [16, 16, "epoch_rebound", "T3", 2, true],
      [17, 17, "intake_resumed", null, 2, true],
    ]);
    assert.deepEqual(detail.findings.map(({ kind, todoIds, isHeldFor, isSound }) => [kind, todoIds, isHeldFor, isSound]), [["observed_write_conflict", ["T1", "T2"], true, true]]);
  });

  it("since when a run is frozen and what is staged for it", async () => {
    const { status, held, carriedOver, epochs } = await inspectRun(fixtureRun("lib-seam-split-012-5-staged"));
    assert.deepEqual([status.word, status.isStaged, status.frozenSince?.sequence, held, carriedOver], ["held", true, 8, ["T1", "T2"], ["T3"]]);
    assert.match(status.frozenSince?.recordedAt ?? "", /^\d{4}-/);
    assert.deepEqual(epochs.map(({ name, state }) => [name, state]), [["00000001", "committed"], ["rc-1", "staged"]]);
  });

  it("what the records claim when they cannot be trusted", async () => {
    const { status, epoch } = await inspectRun(fixtureRun("corrupt-pointer-missing"));
    assert.deepEqual([status.word, status.claimedWord, epoch], ["damaged", "running", null]);
  });
});
