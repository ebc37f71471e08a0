// Owns: what taking and giving back a lock costs, against proper-lockfile and against bare create + fsync + unlink in the same run.
// Leaves to others: taking figures (measure.ts), printing (main.ts).
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import lockfile from "proper-lockfile";
import { createProcessInspector } from "../../src/core/process/createProcessInspector.js";
import { acquireLifecycleLock, ownStartIdentity } from "../../src/core/systems/lattice/acquireLifecycleLock.js";
import { atLeast, atMost, ms, percentile, perSecond, reported, times, type Figure } from "./measure.js";

const rounds = 300;

/** Milliseconds of each round; waiting for the disk is part of it, so this is wall time. */
async function samples(run: () => Promise<unknown>): Promise<readonly number[]> {
  for (let round = 0; round < 20; round += 1) await run();
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await run();
    durations.push(performance.now() - start);
  }
  return durations;
}

const rateOf = (durations: readonly number[]): number => 1_000 / percentile(durations, 0.5);

export async function measureLocks(): Promise<readonly Figure[]> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-bench-"));
  try {
    const processObserver = createProcessInspector();
    const ownIdentity = await ownStartIdentity(processObserver);
    const lockPath = path.join(directory, ".lifecycle.lock");
    const options = { lockPath, sessionNonceDigest: "a".repeat(64), operation: "hold", requestId: "bench", timeoutMs: 0, ownIdentity, processObserver };
    const ours = await samples(async () => (await acquireLifecycleLock(options)).release());

    const peerTarget = path.join(directory, "peer");
    fs.writeFileSync(peerTarget, "");
    const peer = await samples(async () => (await lockfile.lock(peerTarget))());

    const bytes = fs.readFileSync(new URL(import.meta.url));
    const bare = await samples(async () => {
      const file = await fs.promises.open(lockPath, "wx", 0o600);
      await file.writeFile(bytes.subarray(0, 600));
      await file.sync();
      await file.close();
      await fs.promises.unlink(lockPath);
    });
    return [
      atLeast("lock acquire + release, durable / proper-lockfile (which never syncs)", rateOf(ours) / rateOf(peer), 0.55, times),
      reported("lock acquire + release / bare create + fsync + unlink", times(rateOf(ours) / rateOf(bare))),
      reported("lock acquire + release, ours · proper-lockfile · bare", `${perSecond(rateOf(ours))} · ${perSecond(rateOf(peer))} · ${perSecond(rateOf(bare))}`),
      atMost("lock acquire + release, p99", percentile(ours, 0.99), 2, ms),
    ];
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}
