// Owns: the smallest event that pure code needs, so that it runs without `vscode`.
// Leaves to others: everything.

export interface Disposable {
  dispose(): void;
}

/** Listeners are called in order of registration; one may remove itself while being called. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  /** Registers; the result takes the listener off again. */
  readonly event = (listener: (value: T) => void): Disposable => {
    // A wrapper, so that one function registered twice is two registrations.
    const entry = (value: T): void => listener(value);
    this.listeners.add(entry);
    return { dispose: () => this.listeners.delete(entry) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
