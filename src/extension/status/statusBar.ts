// Owns: the one status bar item: there only while a claim is stale, opens the view.
// Leaves to others: counting (tree/stateOf.ts).
import * as vscode from "vscode";
import type { Translate } from "../../shared/text.js";
import type { Disposable } from "../state/emitter.js";
import { statusItemId, treeViewId } from "../contract.js";

export interface StaleStatus extends Disposable {
  show(staleClaims: number): void;
}

export function createStaleStatus(t: Translate): StaleStatus {
  let item: vscode.StatusBarItem | null = null;
  return {
    show(staleClaims) {
      if (staleClaims === 0) {
        item?.hide();
        return;
      }
      item ??= create();
      const text = staleClaims === 1 ? t("1 stale claim") : t("{0} stale claims", staleClaims);
      item.text = `$(warning) ${String(staleClaims)} ${t("stale")}`;
      item.tooltip = t("{0} in run state", text);
      item.accessibilityInformation = { label: t("{0} in run state", text), role: "button" };
      item.show();
    },
    dispose: () => item?.dispose(),
  };

  function create(): vscode.StatusBarItem {
    const created = vscode.window.createStatusBarItem(statusItemId, vscode.StatusBarAlignment.Left, 0);
    created.name = "Run State";
    created.command = `${treeViewId}.focus`;
    return created;
  }
}
