// Owns: Recover Stale Lock: plan, show, confirm (twice when the proof is weak), move. Only what is proved stale.
// Leaves to others: carrying out (repair.ts), words (planText.ts), what is allowed (core/quarantine).
import * as vscode from "vscode";
import type { QuarantinePlan } from "../../core/quarantine/quarantineEntry.js";
import { repairOf } from "../tree/stateOf.js";
import type { Services, TargetCommand } from "./command.js";
import { cautionLines, claimTitle, planDetail, planLine, refusalText, type PlanTextContext } from "./planText.js";
import { makePlans } from "./plans.js";
import { announce, carryOut } from "./repair.js";
import type { Target } from "./target.js";
import { typeClaimId } from "./typeId.js";

export const recoverStaleLock: TargetCommand = {
  id: "runState.recoverStaleLock",
  kind: "target",
  many: true,
  accepts: ({ subject }) => subject.kind === "claim" && subject.claim.verdict.kind === "stale" && repairOf(subject.store, subject.claim) === null,
  ask: ({ t }) => t("Stale lock to move to quarantine"),
  nothing: ({ t }) => t("There is no stale lock: nothing to recover."),
  run: recover,
};

async function recover(services: Services, targets: readonly Target[], skipped: readonly Target[]): Promise<void> {
  const { t } = services;
  const plans = await makePlans(services, targets);
  const allowed = plans.filter((plan) => plan.permission === "normal");
  const refused = plans.filter((plan) => plan.permission !== "normal");
  const context: PlanTextContext = { t, now: services.now() };
  const notes = [
    ...refused.map((plan) => `• ${claimTitle(plan.claim, t)}: ${refusalText(plan, t)}`),
    ...skipped.map((target) => `• ${skippedText(services, target)}`),
  ];
  const [first] = allowed;
  if (first === undefined) {
    const [only] = refused;
    const text = only === undefined ? t("There is no stale lock: nothing to recover.") : t("Not moved: {0}. {1}", claimTitle(only.claim, t), refusalText(only, t));
    await vscode.window.showWarningMessage(refused.length > 1 ? [t("Nothing can be moved."), ...notes].join("\n") : text);
    return;
  }
  if (!(await isConfirmed(services, allowed, notes, context))) return;
  if (services.settings().confirmation === "typeId") {
    for (const plan of allowed) if ((await typeClaimId(services, plan.claim)) === null) return;
  }
  announce(services, allowed.length, await carryOut(services, allowed, null));
}

async function isConfirmed(services: Services, plans: readonly QuarantinePlan[], notes: readonly string[], context: PlanTextContext): Promise<boolean> {
  const { t } = services;
  const [first] = plans;
  const isSingle = plans.length === 1 && first !== undefined;
  const question = isSingle ? t("Move the stale {0} to quarantine?", claimTitle(first.claim, t)) : t("Move {0} stale claims to quarantine?", plans.length);
  const list = isSingle ? planDetail(first, context) : plans.map((plan) => planLine(plan, context)).join("\n");
  const left = notes.length === 0 ? [] : [t("Left alone:"), ...notes, ""];
  const promise = t("It is checked once more before it moves, and can be restored.");
  const move = t("Move to Quarantine");
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail: [list, "", ...left, promise].join("\n") }, move);
  if (chosen !== move) return false;

  const weak = plans.filter((plan) => plan.proof === "weak");
  const [firstWeak] = weak;
  if (firstWeak === undefined) return true;
  // The assumptions of several are those of the first: they come from what this kind of record does not say.
  const assumed = [...new Set(weak.flatMap((plan) => cautionLines(plan, t).split("\n")))].join("\n");
  const anyway = t("Move Anyway");
  const again = await vscode.window.showWarningMessage(
    t("The proof is weak. Are you sure?"),
    { modal: true, detail: [t("What the record does not say had to be assumed:"), assumed].join("\n") },
    anyway,
  );
  return again === anyway;
}

function skippedText({ t }: Services, target: Target): string {
  const { subject } = target;
  return subject.kind === "claim" ? t("{0}: not stale", claimTitle(subject.claim, t)) : t("{0}: not a claim", target.id);
}
