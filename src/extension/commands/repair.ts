// Owns: carrying out confirmed plans one by one, with progress, and telling what came of each.
// Leaves to others: planning and asking (recoverStaleLock.ts, forceQuarantine.ts), the move itself (core/quarantine).
import * as vscode from "vscode";
import type { QuarantineEntry, QuarantinePlan, QuarantineResult } from "../../core/quarantine/quarantineEntry.js";
import { warningSentence } from "../../shared/explain.js";
import { treeViewId } from "../contract.js";
import type { Services } from "./command.js";
import { detached } from "./failure.js";
import { overGuard } from "./guard.js";
import { claimTitle } from "./planText.js";
import { restoreEntries } from "./restore.js";
import { changedText, conflictText, refusedText } from "../../shared/resultText.js";

export interface RepairOutcome {
  readonly plan: QuarantinePlan;
  readonly result: QuarantineResult;
}

/**
 * Moves what was confirmed. Cancelling stops before the next item; an item that is being moved is completed. The view looks
 * again afterwards, whatever happened.
 */
export async function carryOut(
  services: Services,
  plans: readonly QuarantinePlan[],
  typedId: string | null,
): Promise<readonly RepairOutcome[]> {
  const { t, core, store } = services;
  const outcomes: RepairOutcome[] = [];
  try {
    await withProgress(t("Moving to quarantine"), plans.length > 1, async (report, signal) => {
      for (const plan of plans) {
        if (signal.aborted) break;
        const title = claimTitle(plan.claim, t);
        report(title, 100 / plans.length);
        const result = await overGuard(services, title, (typedToken) => core.execute(plan, { signal, typedId, typedToken }));
        outcomes.push({ plan, result });
      }
    });
  } finally {
    await store.refresh({ kind: "all" });
  }
  return outcomes;
}

type Work = (report: (message: string, increment: number) => void, signal: AbortSignal) => Promise<void>;

/** One item takes a second or two: a bar in the view is enough. Several can be cancelled, which only a notification offers. */
function withProgress(title: string, isLong: boolean, work: Work): Thenable<void> {
  const options: vscode.ProgressOptions = isLong
    ? { location: vscode.ProgressLocation.Notification, title, cancellable: true }
    : { location: { viewId: treeViewId }, title };
  return vscode.window.withProgress(options, async (progress, token) => {
    const controller = new AbortController();
    const registration = token.onCancellationRequested(() => controller.abort());
    try {
      await work((message, increment) => progress.report({ message, increment }), controller.signal);
    } finally {
      registration.dispose();
    }
  });
}

/** Tells what happened and offers the way back. Does not wait for the answer: the command is over. */
export function announce(services: Services, planned: number, outcomes: readonly RepairOutcome[]): void {
  const moved: QuarantineEntry[] = [];
  const others: string[] = [];
  for (const { plan, result } of outcomes) {
    log(services, plan, result);
    if (result.kind === "quarantined") moved.push(result.entry);
    else others.push(`${claimTitle(plan.claim, services.t)}: ${failureText(services, result)}`);
  }
  const notTried = planned - outcomes.length;
  if (others.length > 0) detached(services, "warning", warn(services, others));
  if (moved.length > 0) detached(services, "offer to restore", offerRestore(services, moved, outcomes, notTried));
}

function failureText({ t }: Services, result: Exclude<QuarantineResult, { kind: "quarantined" }>): string {
  switch (result.kind) {
    case "changed":
      return changedText(result, t);
    case "conflict":
      return conflictText(result, t);
    case "refused":
      return refusedText(result, t);
  }
}

async function warn({ t, log }: Services, lines: readonly string[]): Promise<void> {
  const showLog = t("Show Log");
  const text = lines.length === 1 ? (lines[0] ?? "") : t("{0} were left alone. {1}", lines.length, lines.join(" "));
  const chosen = await vscode.window.showWarningMessage(text, showLog);
  if (chosen === showLog) log.show();
}

async function offerRestore(
  services: Services,
  moved: readonly QuarantineEntry[],
  outcomes: readonly RepairOutcome[],
  notTried: number,
): Promise<void> {
  const { t } = services;
  const [first] = outcomes.filter(({ result }) => result.kind === "quarantined");
  const what =
    moved.length === 1 && first !== undefined
      ? t("Moved to quarantine: {0}.", claimTitle(first.plan.claim, t))
      : t("Moved {0} claims to quarantine.", moved.length);
  const warnings = new Set(outcomes.flatMap(({ result }) => (result.kind === "quarantined" ? result.warnings : [])));
  const sentences = [
    what,
    ...(notTried > 0 ? [t("Cancelled before {0} more.", notTried)] : []),
    ...[...warnings].map((warning) => warningSentence(warning, t)),
  ];
  const restore = moved.length === 1 ? t("Restore") : t("Restore All");
  const chosen = await vscode.window.showInformationMessage(sentences.join(" "), restore);
  if (chosen === restore) await restoreEntries(services, moved);
}

function log({ log }: Services, plan: QuarantinePlan, result: QuarantineResult): void {
  const text = `quarantine of ${plan.claim.path}: ${result.kind}${"reason" in result ? `, ${result.reason}` : ""}`;
  if (result.kind === "quarantined") log.info(`${text} as ${result.entry.path}`);
  else log.warn(text);
  for (const warning of result.warnings) log.warn(`quarantine of ${plan.claim.path}: ${warning}`);
}
