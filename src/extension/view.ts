// Owns: the view: shows the store's state as rows, badge, message, status bar item and context keys.
// Leaves to others: each of these parts (tree/, status/), looking (state/).
import * as vscode from "vscode";
import { displayText } from "../shared/displayText.js";
import type { Translate } from "../shared/text.js";
import type { View } from "./commands/command.js";
import { setContextKey } from "./contextKeys.js";
import { treeViewId, type Settings } from "./contract.js";
import type { Disposable } from "./state/emitter.js";
import type { RunDetails } from "./run/runDetails.js";
import type { RunStateStore } from "./state/runStateStore.js";
import { createStaleStatus, type StaleStatus } from "./status/statusBar.js";
import { viewMessage } from "./status/viewMessage.js";
import type { Filter } from "./tree/children.js";
import { registerRowDecorations } from "./tree/rowDecorations.js";
import { staleCount } from "./tree/stateOf.js";
import { TreeModel, type TreeChange } from "./tree/treeModel.js";
import type { TreeNode } from "./tree/treeNode.js";
import { TreeProvider } from "./tree/treeProvider.js";

export interface ViewOptions {
  readonly store: RunStateStore;
  readonly details: RunDetails;
  readonly t: Translate;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly settings: Settings;
}

/** How the roots are looked at, as far as the message must say it. */
export interface Watching {
  readonly unwatched: readonly string[];
  readonly rejectedRoots: readonly string[];
}

export class RunStateView implements View, Disposable {
  readonly model: TreeModel;
  readonly provider: TreeProvider;
  private readonly tree: vscode.TreeView<TreeNode>;
  private readonly status: StaleStatus;
  private readonly disposables: readonly Disposable[];
  private shownFilter: Filter = null;
  private settings: Settings;
  private watching: Watching = { unwatched: [], rejectedRoots: [] };

  constructor(private readonly options: ViewOptions) {
    const { store, details, t, now } = options;
    this.settings = options.settings;
    this.model = new TreeModel({ t, now, inside: (run) => details.lookOf(run) }, options.settings.maxChildren);
    this.provider = new TreeProvider({ model: this.model, t, now });
    this.tree = vscode.window.createTreeView(treeViewId, {
      treeDataProvider: this.provider,
      canSelectMany: true,
      showCollapseAll: true,
    });
    this.status = createStaleStatus(t);
    this.disposables = [
      this.tree,
      this.provider,
      this.status,
      registerRowDecorations(),
      store.onDidChange(() => this.update()),
      details.onDidChange(() => this.draw(this.model.show(store.state.snapshot))),
      // A run that is open from the start shows its locks; looking into it is a step of its own, or a thousand runs would be read at once.
      this.tree.onDidExpandElement(({ element }) => {
        if (element.subject.kind === "run") void details.show(element.subject.run.path);
      }),
      this.tree.onDidCollapseElement(({ element }) => {
        if (element.subject.kind === "run") details.rest(element.subject.run.path);
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.say()),
    ];
    this.update();
  }

  get isVisible(): boolean {
    return this.tree.visible;
  }

  get onDidChangeVisibility(): vscode.Event<vscode.TreeViewVisibilityChangeEvent> {
    return this.tree.onDidChangeVisibility;
  }

  get selection(): readonly TreeNode[] {
    return this.tree.selection;
  }

  get filter(): Filter {
    return this.shownFilter;
  }

  get message(): string | undefined {
    return this.tree.message;
  }

  get badge(): vscode.ViewBadge | undefined {
    return this.tree.badge;
  }

  setFilter(filter: Filter): void {
    this.shownFilter = filter;
    setContextKey("runState.filtered", filter !== null);
    this.draw(this.model.showOnly(filter));
    this.say();
  }

  loadMore(id: string): void {
    const more = this.model.find(id);
    if (more !== undefined) this.draw(this.model.loadMore(more));
  }

  find(id: string): TreeNode | undefined {
    return this.model.find(id);
  }

  async expand(id: string): Promise<void> {
    // VS Code rejects when it redraws the row in the same moment. The second time it has it; what cannot be shown even then is no failure
    // of what was asked for.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const node = this.model.find(id);
      if (node === undefined || (await this.reveal(node))) return;
    }
  }

  configure(settings: Settings, watching: Watching): void {
    if (settings.maxChildren !== this.settings.maxChildren) this.draw(this.model.setPageSize(settings.maxChildren));
    this.settings = settings;
    this.watching = watching;
    this.say();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private update(): void {
    const { phase, snapshot } = this.options.store.state;
    setContextKey("runState.phase", phase);
    this.draw(this.model.show(snapshot));
    const stale = snapshot === null ? 0 : staleCount(snapshot);
    this.status.show(stale);
    // An empty badge object would keep a zero in the activity bar.
    this.tree.badge = stale === 0 ? undefined : { value: stale, tooltip: this.staleText(stale) };
    this.say();
  }

  private staleText(stale: number): string {
    const { t } = this.options;
    return stale === 1 ? t("1 stale claim") : t("{0} stale claims", stale);
  }

  private async reveal(node: TreeNode): Promise<boolean> {
    try {
      await this.tree.reveal(node, { expand: true, select: true, focus: false });
      return true;
    } catch {
      return false;
    }
  }

  private draw(change: TreeChange): void {
    this.provider.draw(change);
  }

  private say(): void {
    const { phase, snapshot, failure } = this.options.store.state;
    const message = viewMessage(
      {
        refresh: this.settings.refresh,
        pollInterval: this.settings.pollInterval,
        isTrusted: vscode.workspace.isTrusted,
        filter: this.shownFilter,
        failure: failure === null ? null : displayText(failure),
        unwatched: this.watching.unwatched.map((root) => displayText(root)),
        rejectedRoots: this.watching.rejectedRoots.map((root) => displayText(root)),
        lookedAt: phase === "found" && snapshot !== null ? timeText(snapshot.takenAt) : null,
      },
      this.options.t,
    );
    // The typings of 1.90 forbid undefined here, the API documents it as "no message".
    if (message !== this.tree.message) this.tree.message = message ?? "";
  }
}

function timeText(milliseconds: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { timeStyle: "medium" }).format(milliseconds);
}
