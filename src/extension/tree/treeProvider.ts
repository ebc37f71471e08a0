// Owns: drawing the tree model in VS Code: rows as TreeItems, changes as the fewest events, tooltips when asked.
// Leaves to others: which rows there are and how they look (treeModel.ts, rows.ts), text of tooltips (evidence/tooltip.ts).
import * as vscode from "vscode";
import type { Translate } from "../../shared/text.js";
import { tooltipOf } from "../evidence/tooltip.js";
import { detailCommand } from "../run/detailCommand.js";
import { rowUri } from "./rowDecorations.js";
import type { TreeChange, TreeModel } from "./treeModel.js";
import type { Row, TreeNode } from "./treeNode.js";

export interface TreeProviderOptions {
  readonly model: TreeModel;
  readonly t: Translate;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export class TreeProvider implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<readonly TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.changes.event as vscode.Event<TreeNode[] | undefined>;

  constructor(private readonly options: TreeProviderOptions) {}

  draw(change: TreeChange): void {
    if (change.kind === "top") this.changes.fire(undefined);
    else if (change.nodes.length > 0) this.changes.fire(change.nodes);
  }

  getChildren(parent?: TreeNode): TreeNode[] {
    return [...this.options.model.children(parent ?? null)];
  }

  getParent(node: TreeNode): TreeNode | null {
    return node.parent;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const { row } = node;
    const item = new vscode.TreeItem(row.label, collapsibleState(row));
    item.id = node.id;
    item.description = row.description;
    item.iconPath = new vscode.ThemeIcon(row.icon.id, row.icon.color === null ? undefined : new vscode.ThemeColor(row.icon.color));
    item.contextValue = row.contextValue;
    item.accessibilityInformation = { label: row.spoken };
    if (row.decoration !== null) item.resourceUri = rowUri(node.id, row.decoration);
    const command = commandOf(node);
    if (command !== null) item.command = command;
    return item;
  }

  /** VS Code asks only for the row under the pointer: thousands of rows never make their tooltips. */
  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    const markdown = new vscode.MarkdownString(tooltipOf(node.subject, { t: this.options.t, now: this.options.now() }));
    markdown.supportHtml = false;
    markdown.isTrusted = false;
    item.tooltip = markdown;
    return item;
  }

  dispose(): void {
    this.changes.dispose();
  }
}

function collapsibleState(row: Row): vscode.TreeItemCollapsibleState {
  switch (row.collapsible) {
    case "none":
      return vscode.TreeItemCollapsibleState.None;
    case "collapsed":
      return vscode.TreeItemCollapsibleState.Collapsed;
    case "expanded":
      return vscode.TreeItemCollapsibleState.Expanded;
  }
}

/** Opening a row reads it: nothing that changes a disk hangs on a click. */
function commandOf(node: TreeNode): vscode.Command | null {
  switch (node.subject.kind) {
    case "claim":
    case "entry":
      return { command: "runState.showEvidence", title: "", arguments: [node.id] };
    case "more":
      return { command: "runState.loadMore", title: "", arguments: [node.id] };
    case "detail":
      return detailCommand(node.subject.item, node.id, node.subject.run);
    case "root":
    case "store":
    case "run":
    case "problem":
    case "quarantine":
      return null;
  }
}
