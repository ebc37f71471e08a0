// Owns: when to look again: a quiet moment after changes, a slow poll while someone looks, nothing while nobody does.
// Leaves to others: where changes come from (watch/), what a look is (runStateStore.ts).
import type { Disposable } from "./emitter.js";

/** What to look at. `owners` re-judges and looks at roots that cannot be watched; `paths` looks at what changed only. */
export type RefreshRequest =
  | { readonly kind: "all" }
  | { readonly kind: "owners" }
  | { readonly kind: "paths"; readonly paths: readonly string[] };

export interface RefreshOutcome {
  readonly changed: boolean;
  /** Milliseconds. */
  readonly duration: number;
}

/** Calls `action` once after `ms`; the result cancels. */
export type SetTimer = (ms: number, action: () => void) => () => void;

export interface SchedulerOptions {
  readonly setTimer: SetTimer;
  /** Must not reject: a timer has nobody to tell. */
  readonly look: (request: RefreshRequest) => Promise<RefreshOutcome>;
}

/** Milliseconds of quiet before changes are looked at. */
export const quietPeriod = 250;
/** Milliseconds after which changes are looked at even when they do not stop. */
export const longestWait = 1_000;
/** Beyond this many changed paths one full look is cheaper. */
export const mostPaths = 500;
/** Milliseconds from coming back to the first poll: an owner may have died meanwhile without a file changing. */
export const comeBackDelay = 1_000;
/** A poll that finds nothing waits longer next time, up to this factor. */
export const mostBackOff = 4;
/** Polling may take at most this part of the time. */
const dutyCycle = 0.05;

/**
 * Promises: at most one look at a time; none in manual mode, none while the window is not focused, no poll while the view is
 * hidden; changes seen meanwhile are not forgotten but looked at on return.
 */
export class RefreshScheduler implements Disposable {
  private readonly pending = new Set<string>();
  private everything = false;
  private cancelQuiet: (() => void) | null = null;
  private cancelLongest: (() => void) | null = null;
  private cancelPoll: (() => void) | null = null;
  private isVisible = false;
  private isFocused = true;
  private isAutomatic = true;
  private isLooking = false;
  private isDisposed = false;
  /** Milliseconds. */
  private interval = 15_000;
  private backOff = 1;
  private lastDuration = 0;

  constructor(private readonly options: SchedulerOptions) {}

  configure(settings: { readonly automatic: boolean; readonly intervalMs: number }): void {
    this.isAutomatic = settings.automatic;
    this.interval = settings.intervalMs;
    this.backOff = 1;
    if (!settings.automatic) this.stopTimers();
    else this.resume();
  }

  setVisible(isVisible: boolean): void {
    if (this.isVisible === isVisible) return;
    this.isVisible = isVisible;
    if (isVisible) this.resume();
    else this.stopPoll();
  }

  setFocused(isFocused: boolean): void {
    if (this.isFocused === isFocused) return;
    this.isFocused = isFocused;
    if (isFocused) this.resume();
    else this.stopTimers();
  }

  /** Something below `path` changed. */
  changed(path: string): void {
    if (!this.isAutomatic || this.isDisposed) return;
    if (this.pending.size >= mostPaths) this.everything = true;
    else this.pending.add(path);
    this.awaitQuiet();
  }

  /** What changed cannot be said in paths. */
  changedEverywhere(): void {
    if (!this.isAutomatic || this.isDisposed) return;
    this.everything = true;
    this.awaitQuiet();
  }

  dispose(): void {
    this.isDisposed = true;
    this.stopTimers();
  }

  private get isPolling(): boolean {
    return this.isAutomatic && this.isVisible && this.isFocused && !this.isDisposed;
  }

  private get hasPending(): boolean {
    return this.everything || this.pending.size > 0;
  }

  /** Somebody looks again: what was missed first, then the poll from a short distance. */
  private resume(): void {
    this.backOff = 1;
    if (this.hasPending) this.awaitQuiet();
    this.schedulePoll(Math.min(comeBackDelay, this.interval));
  }

  private stopTimers(): void {
    this.stopQuiet();
    this.stopPoll();
  }

  private stopQuiet(): void {
    this.cancelQuiet?.();
    this.cancelLongest?.();
    this.cancelQuiet = null;
    this.cancelLongest = null;
  }

  private stopPoll(): void {
    this.cancelPoll?.();
    this.cancelPoll = null;
  }

  private awaitQuiet(): void {
    if (!this.isFocused || !this.isAutomatic || this.isDisposed || this.isLooking) return;
    this.cancelQuiet?.();
    const flush = (): void => this.flush();
    this.cancelQuiet = this.options.setTimer(quietPeriod, flush);
    this.cancelLongest ??= this.options.setTimer(longestWait, flush);
  }

  private flush(): void {
    this.stopQuiet();
    if (!this.hasPending) return;
    const request: RefreshRequest = this.everything ? { kind: "all" } : { kind: "paths", paths: [...this.pending] };
    this.pending.clear();
    this.everything = false;
    void this.look(request);
  }

  private schedulePoll(wait = this.interval * this.backOff): void {
    this.stopPoll();
    if (!this.isPolling || this.isLooking) return;
    const delay = Math.max(wait, this.lastDuration / dutyCycle);
    this.cancelPoll = this.options.setTimer(delay, () => {
      this.cancelPoll = null;
      void this.look({ kind: "owners" });
    });
  }

  private async look(request: RefreshRequest): Promise<void> {
    this.isLooking = true;
    this.stopPoll();
    const outcome = await this.options.look(request);
    this.isLooking = false;
    this.lastDuration = outcome.duration;
    if (request.kind === "owners") this.backOff = outcome.changed ? 1 : Math.min(this.backOff * 1.5, mostBackOff);
    else this.backOff = 1;
    if (this.hasPending) this.awaitQuiet();
    this.schedulePoll();
  }
}
