// Owns: the last good snapshot, one look at a time, what is known about the last look. No `vscode`.
// Leaves to others: when to look (refreshScheduler.ts), how (core/scan), drawing (tree/, status/).
import type { RunStateSnapshot } from "../../core/scan/snapshot.js";
import type { Phase } from "../contract.js";
import { hasAnything } from "../tree/stateOf.js";
import { Emitter, type Disposable } from "./emitter.js";
import type { RefreshOutcome, RefreshRequest } from "./refreshScheduler.js";
import { isSameState } from "./sameState.js";

/** What the core must offer for looking; every method gives the whole snapshot, with unchanged parts as the same objects. */
export interface Scanner {
  readonly lookEverywhere: (roots: readonly string[]) => Promise<RunStateSnapshot>;
  /** Looks again only at what lies at, below or just above the paths. */
  readonly lookAt: (paths: readonly string[]) => Promise<RunStateSnapshot>;
  /** Judges every owner again, and looks again at what could have changed without anybody reporting it. */
  readonly lookAtOwners: () => Promise<RunStateSnapshot>;
}

export interface StoreState {
  readonly phase: Phase;
  /** The last good one: a failed look never empties the view. */
  readonly snapshot: RunStateSnapshot | null;
  /** Why the last look failed; null when it did not. */
  readonly failure: string | null;
}

export interface StoreOptions {
  readonly scanner: Scanner;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
  /** Called once per failed look. */
  readonly onFailure: (error: unknown) => void;
  /** Called after each look that was good, before the change is told: what else was read there may be old now. */
  readonly onLooked?: (request: RefreshRequest, snapshot: RunStateSnapshot) => void;
}

interface Waiting {
  request: RefreshRequest;
  readonly promise: Promise<RefreshOutcome>;
  readonly settle: (outcome: RefreshOutcome) => void;
}

/** Promises: looks never overlap, a request made during a look is served by the next one, `refresh` never rejects. */
export class RunStateStore implements Disposable {
  private readonly changes = new Emitter<StoreState>();
  private current: StoreState = { phase: "no-roots", snapshot: null, failure: null };
  private roots: readonly string[] = [];
  private isLooking = false;
  private waiting: Waiting | null = null;

  readonly onDidChange = this.changes.event;

  constructor(private readonly options: StoreOptions) {}

  get state(): StoreState {
    return this.current;
  }

  /** The next look sees the new ones; what was seen of the old ones stays until then. */
  setRoots(roots: readonly string[]): void {
    if (roots.length === this.roots.length && roots.every((root, index) => root === this.roots[index])) return;
    this.roots = roots;
    this.become(roots.length === 0 ? { snapshot: null, failure: null } : this.current);
  }

  refresh(request: RefreshRequest): Promise<RefreshOutcome> {
    if (this.waiting !== null) {
      this.waiting.request = merged(this.waiting.request, request);
      return this.waiting.promise;
    }
    let settle: (outcome: RefreshOutcome) => void = () => {};
    const promise = new Promise<RefreshOutcome>((resolve) => {
      settle = resolve;
    });
    this.waiting = { request, promise, settle };
    if (!this.isLooking) void this.drain();
    return promise;
  }

  dispose(): void {
    this.changes.dispose();
  }

  private async drain(): Promise<void> {
    this.isLooking = true;
    // A look begins in a turn of its own: activation and event handlers return first, and may add to the request until then.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    for (let next = this.waiting; next !== null; next = this.waiting) {
      this.waiting = null;
      next.settle(await this.look(next.request));
    }
    this.isLooking = false;
  }

  private async look(request: RefreshRequest): Promise<RefreshOutcome> {
    const started = this.options.monotonic();
    const before = this.current.snapshot;
    const roots = this.roots;
    if (roots.length === 0) return { changed: false, duration: 0 };
    try {
      const snapshot = await this.lookAs(before === null ? { kind: "all" } : request, roots);
      // Roots changed meanwhile: the look that their change asked for is already waiting.
      if (roots === this.roots) {
        this.options.onLooked?.(request, snapshot);
        this.become({ snapshot, failure: null });
      }
      return { changed: before === null || !isSameState(before, snapshot), duration: this.options.monotonic() - started };
    } catch (error) {
      this.options.onFailure(error);
      if (roots === this.roots) this.become({ snapshot: before, failure: messageOf(error) });
      return { changed: false, duration: this.options.monotonic() - started };
    }
  }

  private lookAs(request: RefreshRequest, roots: readonly string[]): Promise<RunStateSnapshot> {
    const { scanner } = this.options;
    switch (request.kind) {
      case "all":
        return scanner.lookEverywhere(roots);
      case "owners":
        return scanner.lookAtOwners();
      case "paths":
        return scanner.lookAt(request.paths);
    }
  }

  private become(state: Omit<StoreState, "phase">): void {
    this.current = { ...state, phase: this.phaseOf(state) };
    this.changes.fire(this.current);
  }

  private phaseOf({ snapshot, failure }: Omit<StoreState, "phase">): Phase {
    if (this.roots.length === 0) return "no-roots";
    if (snapshot === null) return failure === null ? "scanning" : "failed";
    if (hasAnything(snapshot)) return "found";
    return failure === null ? "empty" : "failed";
  }
}

function merged(a: RefreshRequest, b: RefreshRequest): RefreshRequest {
  if (a.kind === "paths" && b.kind === "paths") return { kind: "paths", paths: [...new Set([...a.paths, ...b.paths])] };
  return a.kind === b.kind ? a : { kind: "all" };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
