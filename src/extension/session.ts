// Owns: keeping the store up to date with the world: roots, settings, watchers, visibility, focus.
// Leaves to others: when to look (refreshScheduler.ts), looking (runStateStore.ts), showing (view.ts).
import * as vscode from "vscode";
import { settingsSection, type Settings } from "./contract.js";
import type { Log } from "./log.js";
import { chooseRoots } from "./roots.js";
import { readSettings } from "./settings.js";
import type { Disposable } from "./state/emitter.js";
import { RefreshScheduler, type RefreshOutcome, type RefreshRequest } from "./state/refreshScheduler.js";
import type { RunStateStore } from "./state/runStateStore.js";
import type { RunStateView } from "./view.js";
import { RootWatchers } from "./watch/rootWatchers.js";

export interface SessionOptions {
  readonly store: RunStateStore;
  readonly view: RunStateView;
  readonly log: Log;
}

export class Session implements Disposable {
  readonly scheduler: RefreshScheduler;
  private readonly watchers: RootWatchers;
  private readonly disposables: readonly Disposable[];
  private current: Settings = readSettings();

  constructor(private readonly options: SessionOptions) {
    const { view, log } = options;
    this.scheduler = new RefreshScheduler({ setTimer, look: (request) => this.look(request) });
    this.watchers = new RootWatchers({
      onChange: (path) => this.scheduler.changed(path),
      onUnwatched: (root, reason) => log.warn(`not watched: ${root}: ${reason}`),
    });
    this.disposables = [
      this.scheduler,
      this.watchers,
      view.onDidChangeVisibility(({ visible }) => this.scheduler.setVisible(visible)),
      vscode.window.onDidChangeWindowState(({ focused }) => this.scheduler.setFocused(focused)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.apply()),
      // Workspace settings that were held back take effect with trust, and VS Code reports that as a change of configuration.
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(settingsSection) || event.affectsConfiguration("files.watcherExclude")) this.apply();
      }),
    ];
  }

  get settings(): Settings {
    return this.current;
  }

  /** Starts looking. Returns at once; the first look runs after activation. */
  start(): void {
    this.scheduler.setFocused(vscode.window.state.focused);
    this.scheduler.setVisible(this.options.view.isVisible);
    this.apply();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private apply(): void {
    const { store, view, log } = this.options;
    this.current = readSettings();
    log.setTracing(this.current.trace);
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
    const { roots, rejected } = chooseRoots(
      folders.map((folder) => folder.uri.fsPath),
      this.current.roots,
    );
    const automatic = this.current.refresh === "auto";
    const unwatched = automatic ? this.watchers.watch(roots) : [];
    if (!automatic) this.watchers.dispose();
    store.setRoots(roots.map((root) => root.path));
    this.scheduler.configure({ automatic, intervalMs: this.current.pollInterval * 1_000 });
    view.configure(this.current, { unwatched, rejectedRoots: rejected });
    void store.refresh({ kind: "all" });
  }

  private async look(request: RefreshRequest): Promise<RefreshOutcome> {
    const outcome = await this.options.store.refresh(request);
    const what = request.kind === "paths" ? `${String(request.paths.length)} paths` : request.kind;
    this.options.log.trace(`looked at ${what} in ${outcome.duration.toFixed(0)} ms${outcome.changed ? ", changed" : ""}`);
    return outcome;
  }
}

export function setTimer(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}
