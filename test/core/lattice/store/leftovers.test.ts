import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { nodeFilePort } from "../../../../src/core/storage/nodeFilePort.js";
import { listStoreLeftovers } from "../../../../src/core/systems/lattice/store/leftovers.js";
import { leftoverOf } from "../../../../src/core/systems/lattice/store/runLayout.js";
import { runCopies } from "./runCopies.js";

const uuid = "0f9d2c1e-6b7a-4c3d-8e5f-1a2b3c4d5e6f";

describe("leftovers", () => {
  const copyOf = runCopies();

  it("are told from their names: kind, process, time and what was to be written", () => {
    const table: readonly (readonly [name: string, kind: string, pid: number | null, writtenAt: number | null, target: string])[] = [
      [`..lifecycle.lock.4242.${uuid}.stale`, "stale-lock", 4242, null, ".lifecycle.lock"],
      [".events-77-1780000000000.tmp", "temporary-file", 77, 1_780_000_000_000, "events"],
      [`.write-gate.json-77-${uuid}.tmp`, "temporary-file", 77, null, "write-gate.json"],
      [`..run-meta.json.${uuid}.tmp`, "temporary-file", null, null, ".run-meta.json"],
      [".epoch-1-77-1780000000000.tmp", "temporary-epoch", 77, 1_780_000_000_000, "epoch-1"],
      [".something.tmp", "temporary-file", null, null, "something"],
    ];
    for (const [name, kind, pid, writtenAt, target] of table) assert.deepEqual(leftoverOf(name), { kind, pid, writtenAt, target }, name);
    for (const name of ["events.json", ".lifecycle.lock", ".cli-lifecycle.lock", "a.tmp", `..lifecycle.lock.x.${uuid}.stale`]) assert.equal(leftoverOf(name), null, name);
  });

  it("are listed with age and cause, wherever a step of the runtime can crash", async () => {
    const run = copyOf("closed-epoch2");
    const now = 1_800_000_000_000;
    const put = (file: string, ageMs: number): void => {
      fs.mkdirSync(path.dirname(run.at(file)), { recursive: true });
      fs.writeFileSync(run.at(file), "x");
      fs.utimesSync(run.at(file), new Date(now - ageMs), new Date(now - ageMs));
    };
    put(`..lifecycle.lock.4242.${uuid}.stale`, 60_000);
    put("supervisor/.write-gate.json-77-1780000000000.tmp", 5_000);
    put("findings/README.md", 1_000);
    put("notes.txt", -5_000);
    fs.mkdirSync(run.at(".epoch-1-77-1780000000000.tmp"));
    const { leftovers } = await run.inspect({ clock: { now: () => now, monotonic: () => 0, sleep: () => Promise.resolve() } });
    assert.deepEqual(
      leftovers.map(({ kind, path: at, type, cause, size, ageMs, pid }) => [path.relative(run.directory, at), kind, type, cause, size, type === "directory" ? null : ageMs, pid]).sort(),
      [
        [`..lifecycle.lock.4242.${uuid}.stale`, "stale-lock", "file", "lock-recovery-crashed", 1, 60_000, 4242],
        [".epoch-1-77-1780000000000.tmp", "temporary-epoch", "directory", "activation-crashed", null, null, 77],
        ["findings/README.md", "stray-entry", "file", "not-of-the-runtime", 1, 1_000, null],
        ["notes.txt", "stray-entry", "file", "not-of-the-runtime", 1, null, null],
        ["supervisor/.write-gate.json-77-1780000000000.tmp", "temporary-file", "file", "write-crashed", 1, 5_000, 77],
      ].sort(),
    );
  });

  it("of a whole store are the entries that make the runtime's own listing fail", async () => {
    const run = copyOf("fresh-0.50");
    const runs = path.dirname(run.directory);
    fs.writeFileSync(path.join(runs, "README.md"), "");
    fs.mkdirSync(path.join(runs, ".run-a.tmp-Ab3dE9"));
    fs.symlinkSync("/nowhere", path.join(runs, "linked"));
    const leftovers = await listStoreLeftovers(nodeFilePort, runs, Date.now());
    assert.deepEqual(leftovers.map(({ name, type, cause }) => [name, type, cause]), [
      [".run-a.tmp-Ab3dE9", "directory", "run-start-crashed"],
      ["README.md", "file", "not-of-the-runtime"],
      ["linked", "symlink", "not-of-the-runtime"],
    ]);
    assert.deepEqual(await listStoreLeftovers(nodeFilePort, path.join(runs, "missing"), 0), []);
  });
});
