// Owns: how long a scan may hold the event loop before it lets others run.
// Leaves to others: what is done in a slice.

/** A share of the event loop, in slices. Shared by everything that works for one scan, so that slices do not add up. */
export interface Pace {
  /** True when the slice is used up. Cheap enough to ask before every kernel call. */
  isDue(): boolean;
  /**
   * Lets every other task of the event loop run, then begins a new slice.
   * @throws the reason of the signal when it is aborted: nobody waits for the scan any more.
   */
  rest(): Promise<void>;
}

export interface PaceOptions {
  /** Milliseconds of one slice. */
  readonly sliceMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic?: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** The delay that others see is a slice, the call that ended it, and their own timer: 4 ms keep it well below 10 ms. */
export const defaultSliceMs = 4;

export function createPace(options: PaceOptions = {}): Pace {
  const { sliceMs = defaultSliceMs, monotonic = () => performance.now(), signal } = options;
  let start = monotonic();
  return {
    isDue: () => signal?.aborted === true || monotonic() - start >= sliceMs,
    rest: async () => {
      signal?.throwIfAborted();
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      signal?.throwIfAborted();
      start = monotonic();
    },
  };
}
