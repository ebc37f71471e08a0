// Owns: what a scan costs against the floor of the same directory and file reads in the same run.
// Leaves to others: taking figures (measure.ts), printing (main.ts).
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createScanIndex } from "../../src/core/scan/scanIndex.js";
import { sealLifecycleLock, sealStartIdentity } from "../../src/core/systems/lattice/lifecycleLock.js";
import { atMost, bestProcessorMs, bestWallMs, loopDelayP99, ms, reported, times, type Figure } from "./measure.js";

const files = ["request.json", "events.json", "run-meta.json", "plan-compile-result.json"];

function lockBytes(pid: number): Uint8Array {
  return sealLifecycleLock({
    owner_pid: pid,
    owner_process_start_identity: sealStartIdentity({ platform: process.platform, pid, started_identity: "Tue Dec  1 02:00:00 2026" }),
    session_nonce_digest: "a".repeat(64),
    operation: "recompile",
    request_id: "request-a",
    acquired_at: "2026-07-21T00:00:00.000Z",
  }).bytes;
}

/** Every tenth run has a lock, each of another owner. */
function makeRuns(root: string, count: number): string {
  const runs = path.join(root, ".lattice/runs");
  for (let index = 0; index < count; index += 1) {
    const run = path.join(runs, `run-${index}`);
    fs.mkdirSync(run, { recursive: true });
    for (const file of files) fs.writeFileSync(path.join(run, file), "{}");
    if (index % 10 === 0) fs.writeFileSync(path.join(run, ".lifecycle.lock"), lockBytes(100_000 + index), { mode: 0o600 });
  }
  return runs;
}

/** The least that anybody must do to know the locks: list every run, open and read every lock, and nothing with them. */
function floor(runs: string): void {
  for (const { name } of fs.readdirSync(runs, { withFileTypes: true })) {
    for (const file of fs.readdirSync(path.join(runs, name), { withFileTypes: true })) {
      if (file.name !== ".lifecycle.lock") continue;
      const descriptor = fs.openSync(path.join(runs, name, file.name), "r");
      fs.readSync(descriptor, Buffer.alloc(1_024), 0, 1_024, 0);
      fs.closeSync(descriptor);
    }
  }
}

export async function measureScan(count: number): Promise<readonly Figure[]> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-bench-"));
  try {
    const runs = makeRuns(root, count);
    const name = count.toLocaleString("en");
    const rounds = 5;
    const floorMs = await bestProcessorMs(rounds, () => floor(runs));
    const firstMs = await bestProcessorMs(rounds, () => createScanIndex([root]).refresh());
    const index = createScanIndex([root]);
    const firstPaintMs = await bestWallMs(1, () => index.refresh());
    const refreshMs = await bestProcessorMs(rounds, () => index.refresh());
    const oneMs = await bestProcessorMs(rounds, () => index.refresh([path.join(runs, "run-10/.lifecycle.lock")]));
    const delayMs = await loopDelayP99(() => createScanIndex([root]).refresh());
    const idleMs = await loopDelayP99(() => new Promise((resolve) => setTimeout(resolve, 300)));
    return [
      atMost(`scan of ${name} runs, first / floor`, firstMs / floorMs, 1.5, times),
      atMost(`scan of ${name} runs, no-change refresh / first`, refreshMs / firstMs, 0.25, times),
      reported(`scan of ${name} runs, refresh of one changed path`, ms(oneMs)),
      reported(`scan of ${name} runs, first scan, wall time`, ms(firstPaintMs)),
      atMost(`scan of ${name} runs, event loop delay p99`, delayMs, 10, ms),
      reported("the same with an idle loop", ms(idleMs)),
    ];
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
