import assert from "node:assert/strict";
import { executeQuarantine } from "../../../src/core/quarantine/executeQuarantine.js";
import type { QuarantinePlan, QuarantineResult } from "../../../src/core/quarantine/quarantineEntry.js";
import { restoreFromQuarantine } from "../../../src/core/quarantine/restoreFromQuarantine.js";
import type { FilePort, OpenFile } from "../../../src/core/storage/filePort.js";
import { Crash, fakeFiles, type Call } from "../../fakes/files.js";
import { interleave, seeded } from "./interleave.js";
import { place, putFile, readText, runtimeDelete, runtimeRename, settleAll, staleLock, liveLock, thirdLock, World } from "./world.js";

type Actor = (port: FilePort) => Promise<void>;

interface Played {
  readonly world: World;
  readonly result: QuarantineResult;
  readonly name: string;
}

async function start(): Promise<{ world: World; plan: QuarantinePlan; calls: readonly Call[] }> {
  const world = await World.withStaleLock();
  const plan = await world.plan();
  const twin = world.copy();
  const fake = fakeFiles(twin.disk.port);
  await executeQuarantine(plan, twin.options({ port: fake.port }));
  return { world, plan, calls: fake.calls };
}

/** Our repair, with others doing something before the given steps of ours. */
async function play(base: World, plan: QuarantinePlan, acts: readonly (readonly [number, Actor])[], crashAt?: number): Promise<Played> {
  const world = base.copy();
  const fake = fakeFiles(world.disk.port, {
    before: async (call) => {
      for (const [at, actor] of acts) if (at === call.index) await actor(world.disk.port);
    },
    faults: crashAt === undefined ? [] : [{ at: crashAt, code: "crash" }],
  });
  const name = `acts at ${acts.map(([at]) => at).join(", ")} of ${fake.calls.length}`;
  const running = executeQuarantine(plan, world.options({ port: fake.port }));
  if (crashAt !== undefined) {
    await assert.rejects(running, Crash);
    return { world, result: { kind: "refused", reason: "cancelled", detail: "crashed", guard: null, warnings: [] }, name: `${name}, crash at ${crashAt}` };
  }
  return { world, result: await running, name };
}

function ignoreMissing(error: unknown): void {
  assert.equal((error as NodeJS.ErrnoException).code, "ENOENT");
}

/** The runtime recovered the stale lock, and a live owner acquired. */
const takeOver: Actor = async (port) => {
  await port.unlink(place).catch(ignoreMissing);
  await putFile(port, place, liveLock);
};

async function mustHold(played: Played, content: string): Promise<void> {
  const { world, name } = played;
  assert.deepEqual(world.pathsOf(content), [place], name);
  assert.equal((await world.disk.port.lstat(place)).linkCount, 1n, name);
}

const indexOf = (calls: readonly Call[], matches: (call: Call) => boolean): number => {
  const found = calls.find(matches);
  assert.ok(found);
  return found.index;
};
const isMove = (call: Call): boolean => call.operation === "rename" && call.path === place;
/** Before the re-check nothing of ours concerns the lock. */
const firstLook = (calls: readonly Call[]): number => indexOf(calls, (call) => call.path === place);

describe("another owner takes the lock while we repair it", () => {
  it("before any step of ours: his lock is in its place at the end, with one name", async () => {
    const { world, plan, calls } = await start();
    const move = indexOf(calls, isMove);
    for (const { index } of calls) {
      const played = await play(world, plan, [[index, takeOver]]);
      await mustHold(played, liveLock);
      assert.equal(played.result.kind, index <= move ? "changed" : "quarantined", `${played.name}: ${JSON.stringify(played.result)}`);
      await settleAll(played.world.options());
      await mustHold(played, liveLock);
    }
  });

  it("and has written only half of it yet: what he writes later arrives in his lock", async () => {
    const { world, plan, calls } = await start();
    const half = liveLock.length / 2;
    const bytes = new TextEncoder().encode(liveLock);
    const move = indexOf(calls, isMove);
    for (let begins = firstLook(calls); begins < calls.length; begins += 1) {
      for (let ends = begins; ends <= calls.length; ends += begins === move ? 1 : 7) {
        let file: OpenFile | null = null;
        const begin: Actor = async (port) => {
          await port.unlink(place).catch(ignoreMissing);
          file = await port.createExclusive(place, 0o600);
          await file.write(bytes.subarray(0, half), 0);
        };
        const end: Actor = async () => {
          await file?.write(bytes.subarray(half), half);
          file = null;
        };
        const played = await play(world, plan, [[begins, begin], [ends, end]]);
        await end(played.world.disk.port);
        await mustHold(played, liveLock);
      }
    }
  });

  it("right before our move, and a third contender acquires before we can put his lock back: both are kept", async () => {
    const { world, plan, calls } = await start();
    const move = indexOf(calls, isMove);
    const undisturbed = await play(world, plan, [[move, takeOver]]);
    assert.deepEqual(undisturbed.result.kind === "changed" && undisturbed.result.reason, "recovered-by-runtime");
    let conflicts = 0;
    for (let third = move + 1; third < move + 40; third += 1) {
      const acquire: Actor = (port) => putFile(port, place, thirdLock).catch((error: unknown) => assert.equal((error as NodeJS.ErrnoException).code, "EEXIST"));
      const played = await play(world, plan, [[move, takeOver], [third, acquire]]);
      if (played.world.pathsOf(thirdLock).length > 0) {
        conflicts += 1;
        assert.ok(played.result.kind === "conflict", played.name);
        const { paths, entry } = played.result;
        assert.deepEqual([paths[1], played.world.pathsOf(thirdLock), played.world.pathsOf(liveLock)], [place, [place], [paths[0]]], played.name);
        assert.ok(entry?.kind === "quarantined" && entry.record.outcome === "conflict", played.name);
        // The one that we had frozen is kept as well, as an item of its own.
        assert.equal(played.world.pathsOf(staleLock).length, 1, played.name);
        await settleAll(played.world.options());
        // Once the third is done, the displaced owner gets his lock back.
        await played.world.disk.port.unlink(place);
        assert.equal((await restoreFromQuarantine(entry, played.world.options())).kind, "restored");
        await mustHold(played, liveLock);
      } else {
        await mustHold(played, liveLock);
      }
    }
    assert.ok(conflicts > 5);
  });

  it("right before our move, and we die at any step after it: settling gives it back to him", async () => {
    const { world, plan, calls } = await start();
    const move = indexOf(calls, isMove);
    for (let crash = move + 1; crash < move + 30; crash += 1) {
      const played = await play(world, plan, [[move, takeOver]], crash).catch(() => null);
      // Fewer steps than that follow.
      if (played === null) break;
      await settleAll(played.world.afterCrash());
      await mustHold(played, liveLock);
    }
  });

  it("right before our move, on a disk without hard links: he gets the very file back", async () => {
    const { world, plan } = await start();
    world.disk.hasHardLinks = false;
    const twin = world.copy();
    const fake = fakeFiles(twin.disk.port);
    await executeQuarantine(plan, twin.options({ port: fake.port }));
    const move = indexOf(fake.calls, isMove);
    const played = await play(world, plan, [[move, takeOver]]);
    assert.deepEqual([played.result.kind, played.result.warnings], ["changed", ["no-hard-links"]]);
    await mustHold(played, liveLock);
    const third = await play(world, plan, [[move, takeOver], [move + 2, (port) => putFile(port, place, thirdLock)]]);
    assert.equal(third.result.kind, "conflict");
    assert.deepEqual(third.world.pathsOf(thirdLock), [place]);
    assert.equal(third.world.pathsOf(liveLock).length, 1);
  });
});

describe("a runtime that had judged the lock before we froze it", () => {
  it("renames and deletes it at any two moments: nothing of ours is left in the way, the frozen bytes are kept", async () => {
    const { world, plan, calls } = await start();
    const frozen = indexOf(calls, (call) => call.operation === "link");
    const move = indexOf(calls, isMove);
    for (let renames = firstLook(calls); renames <= move + 1; renames += 1) {
      // At once, soon, and at some later moments.
      for (let deletes = renames; deletes <= calls.length; deletes += deletes < renames + 4 ? 1 : 9) {
        let aside: string | null = null;
        const rename: Actor = async (port) => void (aside = await runtimeRename(port));
        const remove: Actor = async (port) => {
          await runtimeDelete(port, aside);
          aside = null;
        };
        const played = await play(world, plan, [[renames, rename], [deletes, remove]]);
        await remove(played.world.disk.port);
        const { result, name } = played;
        assert.equal(await played.world.read(place), null, name);
        if (renames > move) assert.equal(result.kind, "quarantined", name);
        else assert.equal(result.kind, "changed", `${name}: ${JSON.stringify(result)}`);
        if (renames > frozen) {
          assert.equal(played.world.pathsOf(staleLock).length, 1, name);
          if (renames <= move) assert.ok(result.kind === "changed" && result.reason === "recovered-by-runtime" && result.entry?.kind === "quarantined", name);
        }
        await settleAll(played.world.options());
      }
    }
  });

  it("recovers it during the drain: its bytes are kept and the result says so", async () => {
    const { world, plan } = await start();
    world.clock.duringSleep = async () => await runtimeDelete(world.disk.port, await runtimeRename(world.disk.port));
    const result = await executeQuarantine(plan, world.options());
    assert.ok(result.kind === "changed" && result.reason === "recovered-by-runtime");
    assert.ok(result.entry?.kind === "quarantined" && result.entry.record.outcome === "vanished");
    assert.deepEqual(world.pathsOf(staleLock), [result.entry.path]);
  });

  it("recovers it during the drain and acquires: the new lock is not touched", async () => {
    const { world, plan } = await start();
    world.clock.duringSleep = () => takeOver(world.disk.port);
    const fake = fakeFiles(world.disk.port);
    const result = await executeQuarantine(plan, world.options({ port: fake.port }));
    assert.ok(result.kind === "changed" && result.reason === "recovered-by-runtime");
    // Not even for a moment: to move it and put it back would let a third one in.
    assert.ok(!fake.calls.some(isMove));
    await mustHold({ world, result, name: "drain" }, liveLock);
  });
});

describe("an owner that lives after all", () => {
  it("releases before any step of ours: the place is free at the end, and nothing unfinished is left", async () => {
    const { world, plan, calls } = await start();
    const move = indexOf(calls, isMove);
    for (const { index } of calls) {
      const played = await play(world, plan, [[index, (port) => port.unlink(place).catch(ignoreMissing)]]);
      assert.equal(played.result.kind, index <= move ? "changed" : "quarantined", played.name);
      assert.equal(await played.world.read(place), null);
      await settleAll(played.world.options());
    }
  });

  it("writes other bytes of the same length and sets the time back, before any step up to our move: it is noticed", async () => {
    const { world, plan, calls } = await start();
    const other = staleLock.replace("recompile", "RECOMPILE");
    for (let index = firstLook(calls); index <= indexOf(calls, isMove); index += 1) {
      const base = world.copy();
      const fake = fakeFiles(base.disk.port, {
        before: (call) => {
          if (call.index === index) base.disk.rewriteSilently(place, other);
        },
      });
      const result = await executeQuarantine(plan, base.options({ port: fake.port }));
      assert.equal(result.kind, "changed", `${index}: ${JSON.stringify(result)}`);
      await mustHold({ world: base, result, name: `${index}` }, other);
    }
  });

  it("writes on into his lock before any step of ours: no byte of it is lost, and before the move it ends the repair", async () => {
    const { world, plan, calls } = await start();
    const move = indexOf(calls, isMove);
    const longer = `${staleLock}more`;
    for (const { index } of calls) {
      const base = world.copy();
      const file = await base.disk.port.openRead(place);
      const played = await (async () => {
        const fake = fakeFiles(base.disk.port, { before: async (call) => { if (call.index === index) await file.write(new TextEncoder().encode("more"), staleLock.length); } });
        return { world: base, result: await executeQuarantine(plan, base.options({ port: fake.port })), name: `writes at ${index}` };
      })();
      if (index <= move) assert.equal(played.result.kind, "changed", played.name);
      if (played.result.kind === "changed") await mustHold(played, longer);
      assert.equal(played.world.pathsOf(longer).length, 1, played.name);
    }
  });
});

describe("two instances of ours", () => {
  it("the second one comes in whole before any step of the first: exactly one quarantines", async () => {
    const { world, plan, calls } = await start();
    const seen = new Set<string>();
    for (const { index } of calls) {
      const base = world.copy();
      let second: QuarantineResult | null = null;
      const fake = fakeFiles(base.disk.port, {
        before: async (call) => {
          if (call.index === index) second = await executeQuarantine(plan, base.other());
        },
      });
      const first = await executeQuarantine(plan, base.options({ port: fake.port }));
      const kinds = [first, second].map((result: QuarantineResult | null) => (result?.kind === "refused" ? result.reason : (result?.kind ?? "none")));
      assert.equal(kinds.filter((kind) => kind === "quarantined").length, 1, `${index}: ${kinds.join(" ")}`);
      seen.add(kinds.join(" "));
      assert.equal(base.pathsOf(staleLock).length, 1);
      await settleAll(base.options());
    }
    assert.ok(seen.has("quarantined busy") && seen.has("changed quarantined"), [...seen].join(", "));
  });

  it("in any mixture of their steps: never both, and nothing unfinished is left", async () => {
    const { world, plan } = await start();
    for (let seed = 1; seed <= 150; seed += 1) {
      const base = world.copy();
      const results = await interleave<readonly [QuarantineResult, QuarantineResult]>(
        base.disk.port,
        [(port) => executeQuarantine(plan, base.options({ port })), (port) => executeQuarantine(plan, base.other({ port }))],
        seeded(seed),
      );
      const moved = results.filter((result) => result.kind === "quarantined").length;
      assert.ok(moved <= 1, `seed ${seed}`);
      assert.equal(base.pathsOf(staleLock).length, 1, `seed ${seed}`);
      await settleAll(base.options());
      assert.equal(base.pathsOf(staleLock).includes(place), moved === 0, `seed ${seed}: ${JSON.stringify(results)}`);
    }
  });

  it("and a runtime that recovers and acquires by its own rules: the live lock survives every mixture", async () => {
    const { world, plan } = await start();
    for (let seed = 1; seed <= 150; seed += 1) {
      const base = world.copy();
      await interleave<readonly [QuarantineResult, QuarantineResult, unknown]>(
        base.disk.port,
        [(port) => executeQuarantine(plan, base.options({ port })), (port) => executeQuarantine(plan, base.other({ port })), (port) => runtimeAcquire(port)],
        seeded(seed),
      );
      await settleAll(base.options());
      const holders = base.pathsOf(liveLock);
      // The runtime either got the lock, and then has it, or was told that it is busy.
      if (holders.length > 0) assert.deepEqual(holders, [place], `seed ${seed}`);
    }
  });
});

/** Acquire by spec/lattice.md 4.1 to 4.3: one attempt to recover a stale lock with one link, then one more to create. */
async function runtimeAcquire(port: FilePort): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await putFile(port, place, liveLock);
      return;
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "EEXIST");
    }
    const stat = await port.lstat(place).catch(() => null);
    if (stat === null) continue;
    if (stat.linkCount !== 1n || (await readText(port, place)) !== staleLock) return;
    const aside = await runtimeRename(port);
    if (aside === null) continue;
    const moved = await port.lstat(aside);
    const content = await readText(port, aside);
    // Link count and content are read again after the rename; whatever is wrong, the file is deleted (weakness W4).
    await port.unlink(aside);
    if (moved.linkCount !== 1n || content !== staleLock) return;
  }
}
