// Owns: Restore: puts quarantined items back where they came from, if that place is free; says who took it if it is not.
// Leaves to others: the steps (core/quarantine).
import * as vscode from "vscode";
import type { QuarantineEntry, RestoreResult } from "../../core/quarantine/quarantineEntry.js";
import { displayText } from "../../shared/displayText.js";
import { treeViewId } from "../contract.js";
import { rowOf } from "../tree/rows.js";
import type { Services, TargetCommand } from "./command.js";
import { overGuard } from "./guard.js";
import { wholePath } from "./planText.js";
import { changedText, entryTitle, refusedText } from "../../shared/resultText.js";
import { allTargets, type Target } from "./target.js";

export const restore: TargetCommand = {
  id: "runState.restore",
  kind: "target",
  many: true,
  accepts: ({ subject }) => subject.kind === "entry" && subject.entry.kind === "quarantined",
  ask: ({ t }) => t("Item to restore"),
  nothing: ({ t }) => t("There is nothing in quarantine to restore."),
  run: confirmAndRestore,
};

async function confirmAndRestore(services: Services, targets: readonly Target[], skipped: readonly Target[]): Promise<void> {
  const { t } = services;
  const entries = targets.flatMap(({ subject }) => (subject.kind === "entry" ? [subject.entry] : []));
  const [first] = entries;
  if (first === undefined) return;
  const question = entries.length === 1 ? t("Restore the {0}?", entryTitle(first, t)) : t("Restore {0} items?", entries.length);
  const left = skipped.length === 0 ? [] : ["", t("{0} selected rows are left alone: they cannot be restored.", skipped.length)];
  const detail = [
    ...entries.map((entry) => placeLine(services, entry)),
    ...left,
    "",
    t("It goes back byte for byte, if its place is free. A runtime that finds it there will see it as held again."),
  ];
  const button = t("Restore");
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail: detail.join("\n") }, button);
  if (chosen === button) await restoreEntries(services, entries);
}

function placeLine({ t }: Services, entry: QuarantineEntry): string {
  const place = entry.kind === "unreadable" ? entry.path : entry.record.original_path;
  return t("Back to: {0}", displayText(place, wholePath));
}

/** Restores without asking: the button of a notification, or the dialog above, was the question. */
export async function restoreEntries(services: Services, entries: readonly QuarantineEntry[]): Promise<void> {
  const { t, core, store, log } = services;
  const restored: string[] = [];
  const failed: string[] = [];
  await vscode.window.withProgress({ location: { viewId: treeViewId } }, async () => {
    try {
      for (const entry of entries) {
        const result = await overGuard(services, entryTitle(entry, t), (typedToken) => core.restore(entry, { typedToken }));
        log.info(`restore of ${entry.path}: ${result.kind}${"reason" in result ? `, ${result.reason}` : ""}`);
        if (result.kind === "restored") {
          restored.push(displayText(result.path, wholePath));
          for (const warning of result.warnings) log.warn(`restore of ${entry.path}: ${warning}`);
          continue;
        }
        // Who took the place is only known after looking there.
        if (result.kind === "occupied") await store.refresh({ kind: "paths", paths: [result.path] });
        failed.push(t("{0} was not restored. {1}", entryTitle(entry, t), failureText(services, result)));
      }
    } finally {
      await store.refresh({ kind: "all" });
    }
  });
  if (restored.length === 1) void vscode.window.showInformationMessage(t("Restored: {0}", restored[0] ?? ""));
  if (restored.length > 1) void vscode.window.showInformationMessage(t("Restored {0} items.", restored.length));
  if (failed.length > 0) void vscode.window.showWarningMessage(failed.join(" "));
}

function failureText(services: Services, result: Exclude<RestoreResult, { kind: "restored" }>): string {
  const { t } = services;
  switch (result.kind) {
    case "occupied":
      return t("Its place is taken: {0}", occupant(services, result.path));
    case "changed":
      return changedText(result, t);
    case "refused":
      return refusedText(result, t);
  }
}

/** What stands in the place, in the words of its row. */
function occupant({ t, store, now }: Services, path: string): string {
  const { snapshot } = store.state;
  const targets = snapshot === null ? [] : [...allTargets(snapshot).values()];
  const there = targets.find(({ subject }) => subject.kind === "claim" && subject.claim.path === path);
  if (there === undefined) return displayText(path, wholePath);
  const row = rowOf(there.subject, { t, now: now() });
  return `${row.label}, ${row.description}`;
}
