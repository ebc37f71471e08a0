// Owns: Purge Quarantine: choose an age, see every item, confirm, delete. The only command that deletes; never by itself.
// Leaves to others: which items may go at all (core/quarantine).
import * as vscode from "vscode";
import type { PurgeOutcome, PurgePlan } from "../../core/quarantine/purgeQuarantine.js";
import { displayText } from "../../shared/displayText.js";
import { treeViewId } from "../contract.js";
import { ageText } from "../tree/age.js";
import type { Services, TargetCommand } from "./command.js";
import { entryTitle } from "../../shared/resultText.js";
import type { Target } from "./target.js";

const dayMs = 86_400_000;

interface AgeItem extends vscode.QuickPickItem {
  /** Milliseconds. */
  readonly olderThan: number;
}

interface PlanItem extends vscode.QuickPickItem {
  readonly item: PurgePlan["items"][number];
}

export const purge: TargetCommand = {
  id: "runState.purge",
  kind: "target",
  many: true,
  accepts: ({ subject }) => subject.kind === "quarantine" || (subject.kind === "entry" && (subject.entry.kind === "quarantined" || subject.entry.kind === "restored")),
  ask: ({ t }) => t("Quarantine to purge"),
  nothing: ({ t }) => t("There is nothing in quarantine."),
  run: choosePurge,
};

async function choosePurge(services: Services, targets: readonly Target[]): Promise<void> {
  const { t, core } = services;
  const groups = targets.flatMap(({ subject }) => (subject.kind === "quarantine" ? [subject.store.path] : []));
  // Single items were chosen one by one: their age is no question.
  const stores = groups.length > 0 ? groups : targets.flatMap(({ subject }) => (subject.kind === "entry" ? [subject.store.path] : []));
  const olderThan = groups.length > 0 ? await chooseAge(services) : 0;
  if (olderThan === null) return;
  const plans = await Promise.all([...new Set(stores)].map((store) => core.planPurge(store, olderThan)));
  const chosen = new Set(targets.flatMap(({ subject }) => (subject.kind === "entry" ? [subject.entry.recordPath] : [])));
  const items = plans.flatMap((plan) => plan.items).filter(({ entry }) => groups.length > 0 || chosen.has(entry.recordPath));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(t("Nothing in quarantine is that old."));
    return;
  }
  const listed = await chooseItems(services, items);
  if (listed.length === 0 || !(await isConfirmed(services, listed))) return;
  await deleteItems(services, { before: services.now(), items: listed });
}

async function chooseAge({ t }: Services): Promise<number | null> {
  const ages: readonly AgeItem[] = [
    { label: t("Older than a day"), olderThan: dayMs },
    { label: t("Older than a week"), olderThan: 7 * dayMs },
    { label: t("Older than 30 days"), olderThan: 30 * dayMs },
    { label: t("Everything"), olderThan: 0 },
  ];
  const picked = await vscode.window.showQuickPick(ages, { placeHolder: t("What to delete for good") });
  return picked?.olderThan ?? null;
}

/** Every item as a line that can be unticked. A single one needs no list: the dialog shows it. */
async function chooseItems(services: Services, items: PurgePlan["items"]): Promise<PurgePlan["items"]> {
  if (items.length === 1) return items;
  const { t } = services;
  const lines = items.map(
    (item): PlanItem => ({ item, picked: true, label: entryTitle(item.entry, t), description: ageOf(services, item.entry.at), detail: displayText(item.entry.path) }),
  );
  const picked = await vscode.window.showQuickPick(lines, { canPickMany: true, placeHolder: t("Items to delete for good"), matchOnDetail: true });
  return (picked ?? []).map(({ item }) => item);
}

async function isConfirmed(services: Services, items: PurgePlan["items"]): Promise<boolean> {
  const { t } = services;
  const lines = items.map(({ entry }) => `• ${[entryTitle(entry, t), ageOf(services, entry.at), displayText(entry.path)].filter((part) => part !== "").join(" · ")}`);
  const question = items.length === 1 ? t("Delete 1 item for good?") : t("Delete {0} items for good?", items.length);
  const button = t("Delete");
  const detail = [...lines, "", t("They cannot be restored afterwards.")].join("\n");
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) === button;
}

function ageOf({ t, now }: Services, at: number | null): string {
  return at === null ? "" : t("{0} ago", ageText(at, now(), t));
}

async function deleteItems({ t, core, store, log }: Services, plan: PurgePlan): Promise<void> {
  const outcomes = await vscode.window.withProgress({ location: { viewId: treeViewId } }, async (): Promise<readonly PurgeOutcome[]> => {
    try {
      return await core.purge(plan, {});
    } finally {
      await store.refresh({ kind: "all" });
    }
  });
  for (const { entry, kind, detail } of outcomes) log.info(`purge of ${entry.path}: ${kind}${detail === null ? "" : `, ${detail}`}`);
  const purged = outcomes.filter(({ kind }) => kind === "purged").length;
  if (purged > 0) void vscode.window.showInformationMessage(purged === 1 ? t("Deleted 1 item.") : t("Deleted {0} items.", purged));
  const kept = outcomes.length - purged;
  if (kept > 0) void vscode.window.showWarningMessage(kept === 1 ? t("1 item was kept: it changed or is in use. The log says more.") : t("{0} items were kept: they changed or are in use. The log says more.", kept));
}
