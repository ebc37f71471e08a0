// Owns: what is known of the inside of runs: looked at when somebody asks, kept until it may have changed. No `vscode`.
// Leaves to others: looking (core/systems/lattice/store/inspectRun.ts), what changed (watch/, state/), drawing (tree/).
import type { RunSnapshot, RunStateSnapshot } from "../../core/scan/snapshot.js";
import type { RunDetail } from "../../core/systems/lattice/store/runDetail.js";
import { Emitter, type Disposable } from "../state/emitter.js";
import type { RefreshRequest } from "../state/refreshScheduler.js";
import { isInside } from "../roots.js";
import type { RunLook } from "./detailItem.js";

export interface RunDetailsOptions {
  readonly inspect: (directory: string, signal: AbortSignal) => Promise<RunDetail>;
  /** Called once per failed look. */
  readonly onFailure: (error: unknown) => void;
}

interface Entry {
  look: RunLook;
  /** Something may have changed since the look began. */
  isDirty: boolean;
  /** Whether a view shows it: only then a change is looked at by itself. */
  isShown: boolean;
  running: Promise<RunLook> | null;
}

const unseen: RunLook = { kind: "unseen" };

/** Runs that nobody shows any more are kept up to this many. */
const mostKept = 32;

/**
 * Promises: one run is looked at at a time; what is shown stays until the next look is done; a change during a look leads to another
 * one, so that the last one saw everything. Nothing here rejects.
 */
export class RunDetails implements Disposable {
  private readonly changes = new Emitter<string>();
  private readonly entries = new Map<string, Entry>();
  private readonly aborter = new AbortController();
  private last: Promise<unknown> = Promise.resolve();

  /** Fires with the path of a run whose look changed. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly options: RunDetailsOptions) {}

  /** What is known; asks for nothing. */
  lookOf(run: Pick<RunSnapshot, "path">): RunLook {
    return this.entries.get(run.path)?.look ?? unseen;
  }

  /** Looks unless it is known, and keeps it up to date until `rest`. */
  show(path: string): Promise<RunLook> {
    const entry = this.entryOf(path);
    entry.isShown = true;
    return this.upToDate(path, entry);
  }

  /** Looks unless it is known. */
  know(path: string): Promise<RunLook> {
    return this.upToDate(path, this.entryOf(path));
  }

  /** Looks now, whatever is known. */
  again(path: string): Promise<RunLook> {
    const entry = this.entryOf(path);
    entry.isDirty = true;
    return this.upToDate(path, entry);
  }

  /** Nobody shows it any more. */
  rest(path: string): void {
    const entry = this.entries.get(path);
    if (entry === undefined) return;
    entry.isShown = false;
    const resting = [...this.entries].filter(([, one]) => !one.isShown && one.running === null);
    for (const [oldest] of resting.slice(0, Math.max(0, resting.length - mostKept))) this.forget(oldest);
  }

  /** The store looked at something: what it covers may have changed inside of runs too. Runs that are gone are forgotten. */
  looked(request: RefreshRequest, snapshot: RunStateSnapshot): void {
    if (this.entries.size === 0) return;
    const there = new Set(snapshot.roots.flatMap(({ stores }) => stores.flatMap(({ runs }) => runs.map(({ path }) => path))));
    for (const [path, entry] of [...this.entries]) {
      if (!there.has(path)) this.forget(path);
      else if (covers(request, path)) {
        entry.isDirty = true;
        if (entry.isShown) void this.upToDate(path, entry);
      }
    }
  }

  dispose(): void {
    this.aborter.abort();
    this.entries.clear();
    this.changes.dispose();
  }

  private entryOf(path: string): Entry {
    const known = this.entries.get(path);
    if (known !== undefined) return known;
    const entry: Entry = { look: unseen, isDirty: true, isShown: false, running: null };
    this.entries.set(path, entry);
    return entry;
  }

  private forget(path: string): void {
    if (this.entries.delete(path)) this.changes.fire(path);
  }

  private upToDate(path: string, entry: Entry): Promise<RunLook> {
    if (entry.running !== null) return entry.running;
    if (!entry.isDirty) return Promise.resolve(entry.look);
    if (entry.look.kind !== "seen") this.become(path, entry, { kind: "looking" });
    const running = this.last.then(() => this.look(path, entry));
    this.last = running;
    entry.running = running;
    return running;
  }

  private async look(path: string, entry: Entry): Promise<RunLook> {
    const { signal } = this.aborter;
    const hasEnded = (): boolean => signal.aborted;
    while (entry.isDirty && !hasEnded() && this.entries.get(path) === entry) {
      entry.isDirty = false;
      let look: RunLook;
      try {
        look = { kind: "seen", detail: await this.options.inspect(path, signal) };
      } catch (error) {
        if (hasEnded()) break;
        this.options.onFailure(error);
        look = { kind: "failed", message: error instanceof Error ? error.message : String(error) };
      }
      this.become(path, entry, look);
    }
    entry.running = null;
    return entry.look;
  }

  private become(path: string, entry: Entry, look: RunLook): void {
    entry.look = look;
    if (this.entries.get(path) === entry) this.changes.fire(path);
  }
}

function covers(request: RefreshRequest, run: string): boolean {
  return request.kind !== "paths" || request.paths.some((path) => isInside(path, run) || isInside(run, path));
}
