// Owns: timers that fire when a test says so, in order of their time.
import type { SetTimer } from "../../src/extension/state/refreshScheduler.js";

export class FakeTimers {
  private at = 0;
  private waiting: { readonly due: number; readonly action: () => void }[] = [];

  readonly setTimer: SetTimer = (ms, action) => {
    const timer = { due: this.at + ms, action };
    this.waiting.push(timer);
    return () => {
      this.waiting = this.waiting.filter((one) => one !== timer);
    };
  };

  get count(): number {
    return this.waiting.length;
  }

  /** Lets `ms` pass; what becomes due runs, also when it was set meanwhile. Promises settle in between. */
  async pass(ms: number): Promise<void> {
    const end = this.at + ms;
    for (;;) {
      const next = this.waiting.filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.waiting = this.waiting.filter((timer) => timer !== next);
      this.at = next.due;
      next.action();
      await settled();
    }
    this.at = end;
  }
}

/** Lets everything that waits for a settled promise run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
