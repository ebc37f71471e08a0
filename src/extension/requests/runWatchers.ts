// Owns: hearing when a run directory changes that an open request is judged against.
// Leaves to others: judging again (requests.ts).
import path from "node:path";
import * as vscode from "vscode";
import type { Disposable } from "../state/emitter.js";
import type { SetTimer } from "../state/refreshScheduler.js";

/** A recompile writes many files in a row. */
const restMs = 250;

/** What a judgement reads: the run itself, and the commit that its repository has checked out. */
const watched = (run: string): readonly (readonly [directory: string, glob: string])[] => [
  [run, "{committed-epoch.json,events.json,queued-events.json,epochs/**,findings/**,staging/**}"],
  [path.resolve(run, "../../../.git"), "{HEAD,packed-refs,refs/heads/**}"],
];

export class RunWatchers implements Disposable {
  private readonly watchers = new Map<string, Disposable>();
  private readonly waiting = new Map<string, () => void>();

  constructor(
    private readonly setTimer: SetTimer,
    private readonly onChange: (run: string) => void,
  ) {}

  /** Watches exactly these; absolute paths. */
  watch(runs: ReadonlySet<string>): void {
    for (const [run, watcher] of this.watchers) {
      if (runs.has(run)) continue;
      watcher.dispose();
      this.watchers.delete(run);
    }
    for (const run of runs) if (!this.watchers.has(run)) this.watchers.set(run, this.watchOne(run));
  }

  dispose(): void {
    this.watch(new Set());
    for (const stop of this.waiting.values()) stop();
    this.waiting.clear();
  }

  private watchOne(run: string): Disposable {
    const changed = (): void => {
      this.waiting.get(run)?.();
      this.waiting.set(run, this.setTimer(restMs, () => this.onChange(run)));
    };
    const watchers = watched(run).map(([directory, glob]) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(directory), glob));
      return vscode.Disposable.from(watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed), watcher.onDidDelete(changed));
    });
    return vscode.Disposable.from(...watchers);
  }
}
