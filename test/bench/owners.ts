// Owns: what observing and judging owners costs, and that no child process is started for it on Linux.
// Leaves to others: taking figures (measure.ts), printing (main.ts).
import { createHook } from "node:async_hooks";
import { createProcessInspector } from "../../src/core/process/createProcessInspector.js";
import { judgeLifecycleLock, type LifecycleLockFacts } from "../../src/core/systems/lattice/judgeLifecycleLock.js";
import { sealLifecycleLock, sealStartIdentity } from "../../src/core/systems/lattice/lifecycleLock.js";
import { gatherLifecycleLockFacts } from "../../src/core/systems/lattice/lifecycleLockFacts.js";
import type { LifecycleLock } from "../../src/core/systems/lattice/lifecycleLockRecord.js";
import { atLeast, atMost, bestProcessorMs, bestWallMs, ms, perSecond, type Figure } from "./measure.js";

function lockOf(pid: number, startedIdentity: string): LifecycleLock {
  return sealLifecycleLock({
    owner_pid: pid,
    owner_process_start_identity: sealStartIdentity({ platform: process.platform, pid, started_identity: startedIdentity }),
    session_nonce_digest: "a".repeat(64),
    operation: "hold",
    request_id: "r",
    acquired_at: "2026-07-21T00:00:00.000Z",
  }).lock;
}

/** Child processes started while `run` ran, seen by the runtime itself. */
async function childProcessesDuring(run: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === "PROCESSWRAP") count += 1;
    },
  }).enable();
  await run();
  hook.disable();
  return count;
}

export async function measureOwners(): Promise<readonly Figure[]> {
  const directory = process.cwd();
  // Half of them are this very process under many locks, half are gone: both ways of an answer are taken.
  const locks = Array.from({ length: 1_000 }, (_, index) => lockOf(index % 2 === 0 ? process.pid : 3_000_000 + index, "Tue Dec  1 02:00:00 2026"));
  const inspectAll = (): Promise<unknown> => {
    const observer = createProcessInspector();
    return Promise.all(locks.map((lock) => gatherLifecycleLockFacts(observer, lock, directory)));
  };
  const wallMs = await bestWallMs(5, inspectAll);
  const children = await childProcessesDuring(inspectAll);

  const observer = createProcessInspector();
  const absent = lockOf(3_999_999, "Tue Dec  1 02:00:00 2026");
  const present = lockOf(process.pid, "Tue Dec  1 02:00:00 2026");
  const absentFacts = await gatherLifecycleLockFacts(observer, absent, directory);
  const presentFacts = await gatherLifecycleLockFacts(observer, present, directory);
  const figures = [atMost("observe 1,000 owners (process, start, environment), wall time", wallMs, 500, ms)];
  if (process.platform === "linux") figures.push(atMost("child processes started for it", children, 0, String));
  for (const [what, lock, facts] of [
    ["judge, PID absent", absent, absentFacts],
    ["judge, PID in use by another process", present, presentFacts],
  ] as const) {
    figures.push(atLeast(what, await judgementsPerSecond(lock, facts), 200_000, perSecond));
  }
  return figures;
}

async function judgementsPerSecond(lock: LifecycleLock, facts: LifecycleLockFacts): Promise<number> {
  const count = 20_000;
  const run = (): void => {
    for (let index = 0; index < count; index += 1) judgeLifecycleLock(lock, facts);
  };
  run();
  return (count / (await bestProcessorMs(5, run))) * 1_000;
}
