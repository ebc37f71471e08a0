// Owns: Settle Interrupted Repair: finishes or undoes what a crash left half done. The core says which of the two is right.
// Leaves to others: the steps (core/quarantine).
import * as vscode from "vscode";
import type { QuarantineEntry, SettleResult } from "../../core/quarantine/quarantineEntry.js";
import { displayText } from "../../shared/displayText.js";
import { treeViewId } from "../contract.js";
import type { Services, TargetCommand } from "./command.js";
import { overGuard } from "./guard.js";
import { wholePath } from "./planText.js";
import { conflictText, entryTitle, refusedText, settleText } from "../../shared/resultText.js";
import type { Target } from "./target.js";

type Unfinished = Extract<QuarantineEntry, { kind: "frozen" | "intended" }>;

/** The unfinished repair that a row stands for: the row of the repair itself, or of the lock that it holds. */
function unfinishedOf({ subject }: Target): Unfinished | null {
  const entry = subject.kind === "entry" ? subject.entry : subject.kind === "claim" ? subject.repair : null;
  return entry !== null && (entry.kind === "frozen" || entry.kind === "intended") ? entry : null;
}

export const settleRepair: TargetCommand = {
  id: "runState.settleRepair",
  kind: "target",
  many: false,
  accepts: (target) => unfinishedOf(target) !== null,
  ask: ({ t }) => t("Interrupted repair to settle"),
  nothing: ({ t }) => t("There is no interrupted repair."),
  run: settle,
};

async function settle(services: Services, targets: readonly Target[]): Promise<void> {
  const { t, core, store, log } = services;
  const [entry] = targets.map(unfinishedOf).filter((found) => found !== null);
  if (entry === undefined) return;
  const { label, effect } = settleText(entry.settle, t);
  const detail = [
    effect,
    "",
    t("Lock: {0}", displayText(entry.record.original_path, wholePath)),
    t("In quarantine: {0}", displayText(entry.path, wholePath)),
    t("Begun: {0}, by {1}", entry.record.planned_at, displayText(entry.record.user)),
  ].join("\n");
  const chosen = await vscode.window.showWarningMessage(t("Settle the interrupted repair of the {0}?", entryTitle(entry, t)), { modal: true, detail }, label);
  if (chosen !== label) return;
  const result = await vscode.window.withProgress({ location: { viewId: treeViewId } }, async () => {
    try {
      return await overGuard(services, entryTitle(entry, t), (typedToken) => core.settle(entry, { typedToken }));
    } finally {
      await store.refresh({ kind: "all" });
    }
  });
  log.info(`settling ${entry.path}: ${result.kind}`);
  for (const warning of result.warnings) log.warn(`settling ${entry.path}: ${warning}`);
  tell(services, entry, result);
}

function tell({ t }: Services, entry: Unfinished, result: SettleResult): void {
  switch (result.kind) {
    case "settled":
      void vscode.window.showInformationMessage(t("Settled: {0}. {1}", entryTitle(entry, t), settleText(result.action, t).effect));
      return;
    case "conflict":
      void vscode.window.showWarningMessage(conflictText(result, t));
      return;
    case "refused":
      void vscode.window.showWarningMessage(refusedText(result, t));
      return;
  }
}
