// Owns: the ports through which the core meets time and chance. Real ones are the defaults; tests inject others.
// Leaves to others: files (storage/filePort.ts) and processes (process/processInspector.ts).
import { randomUUID } from "node:crypto";

/** Wall clock and waiting. Wall time is only ever recorded or shown; no verdict depends on it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that never goes back; for deadlines. */
  monotonic(): number;
  /** Resolves after `ms`, or earlier when `signal` aborts (it then still resolves: the caller looks at the signal). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Fresh names. */
export interface Random {
  /** A v4 UUID, lower case. */
  uuid(): string;
}

/** Core events for whoever listens; never printed by the core itself. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
};

export const systemRandom: Random = { uuid: () => randomUUID() };

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
