// Owns: how figures are taken: processor time where the work is ours alone, wall time where waiting is part of it; best of some rounds.
// Leaves to others: what is measured (the other files of this directory).
import { monitorEventLoopDelay } from "node:perf_hooks";

/** One line of the table. `goal` is null where there is only a figure to report. */
export interface Figure {
  readonly what: string;
  /** Formatted with its unit. */
  readonly value: string;
  readonly goal: string | null;
  readonly isReached: boolean | null;
}

/** Milliseconds of processor time (user and system) of this process. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export async function bestProcessorMs(rounds: number, run: () => unknown): Promise<number> {
  return await best(rounds, run, processorMs);
}

export async function bestWallMs(rounds: number, run: () => unknown): Promise<number> {
  return await best(rounds, run, () => performance.now());
}

async function best(rounds: number, run: () => unknown, now: () => number): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = now();
    await run();
    fastest = Math.min(fastest, now() - start);
  }
  return fastest;
}

/** Milliseconds that the event loop was late, 99th percentile, while `run` ran. */
export async function loopDelayP99(run: () => Promise<unknown>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  await run();
  // The last delay is recorded by the next turn of the loop.
  await new Promise((resolve) => setImmediate(resolve));
  monitor.disable();
  // The monitor's own timer of one millisecond is part of every sample.
  return Math.max(0, monitor.percentile(99) / 1e6 - 1);
}

export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

export function times(value: number): string {
  return `${value.toFixed(2)} ×`;
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString("en")} /s`;
}

export function atMost(what: string, value: number, goal: number, format: (value: number) => string): Figure {
  return { what, value: format(value), goal: `≤ ${format(goal)}`, isReached: value <= goal };
}

export function atLeast(what: string, value: number, goal: number, format: (value: number) => string): Figure {
  return { what, value: format(value), goal: `≥ ${format(goal)}`, isReached: value >= goal };
}

export function reported(what: string, value: string): Figure {
  return { what, value, goal: null, isReached: null };
}
