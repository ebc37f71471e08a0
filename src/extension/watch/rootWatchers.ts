// Owns: hearing from VS Code what changes below the roots, and knowing which roots nobody reports on.
// Leaves to others: what to do with a change (state/refreshScheduler.ts).
import * as vscode from "vscode";
import type { Root } from "../roots.js";

export interface RootWatchersOptions {
  readonly onChange: (path: string) => void;
  /** A root that cannot be watched is looked at from time to time instead; this is where the reason goes. */
  readonly onUnwatched: (root: string, reason: string) => void;
}

/** What the runtimes and our own quarantine write; the rest of a project is none of our business. */
const watched = [".lattice", ".lattice/{runs,runtime,quarantine}/**"];

export class RootWatchers implements vscode.Disposable {
  private watchers: vscode.Disposable[] = [];

  constructor(private readonly options: RootWatchersOptions) {}

  /** Watches exactly these; returns those that cannot be. */
  watch(roots: readonly Root[]): readonly string[] {
    this.dispose();
    return roots.filter((root) => !this.watchOne(root)).map((root) => root.path);
  }

  dispose(): void {
    for (const watcher of this.watchers) watcher.dispose();
    this.watchers = [];
  }

  private watchOne(root: Root): boolean {
    // Outside the workspace VS Code starts a recursive watcher of its own per pattern, which may be unavailable without saying so.
    if (!root.isInWorkspace) return false;
    if (isExcluded()) {
      this.options.onUnwatched(root.path, "files.watcherExclude covers .lattice");
      return false;
    }
    try {
      for (const pattern of watched) this.watchers.push(this.watcher(root, pattern));
      return true;
    } catch (error) {
      this.options.onUnwatched(root.path, error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  private watcher(root: Root, pattern: string): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(root.path), pattern));
    const changed = (uri: vscode.Uri): void => this.options.onChange(uri.fsPath);
    return vscode.Disposable.from(watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed), watcher.onDidDelete(changed));
  }
}

/** Whether the person excluded our directory from watching by name; a pattern that merely happens to match is not understood. */
function isExcluded(): boolean {
  const excluded = vscode.workspace.getConfiguration("files").get<Record<string, unknown>>("watcherExclude") ?? {};
  return Object.entries(excluded).some(([glob, isOn]) => isOn === true && /(^|\/)\.lattice(\/|$)/.test(glob));
}
