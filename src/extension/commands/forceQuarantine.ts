// Owns: Force Quarantine: for a person who knows what the machine cannot prove. Shows what force means, then asks for the id.
// Leaves to others: carrying out (repair.ts), what may be forced at all (core/quarantine).
import * as vscode from "vscode";
import { repairOf } from "../tree/stateOf.js";
import type { Services, TargetCommand } from "./command.js";
import { cautionLines, claimTitle, planDetail, refusalText } from "./planText.js";
import { makePlans } from "./plans.js";
import { announce, carryOut } from "./repair.js";
import type { Target } from "./target.js";
import { typeClaimId } from "./typeId.js";

const forcible: ReadonlySet<string> = new Set(["unknown", "remote", "corrupt"]);

export const forceQuarantine: TargetCommand = {
  id: "runState.forceQuarantine",
  kind: "target",
  // One at a time: each is a decision of its own.
  many: false,
  accepts: ({ subject }) => subject.kind === "claim" && forcible.has(subject.claim.verdict.kind) && repairOf(subject.store, subject.claim) === null,
  ask: ({ t }) => t("Claim to move to quarantine by force"),
  nothing: ({ t }) => t("There is nothing to force: a stale lock is recovered, a live one is never moved."),
  run: force,
};

async function force(services: Services, targets: readonly Target[]): Promise<void> {
  const { t } = services;
  const [plan] = await makePlans(services, targets);
  if (plan === undefined) {
    void vscode.window.showInformationMessage(t("It is no longer there."));
    return;
  }
  const title = claimTitle(plan.claim, t);
  if (plan.permission === "never") {
    void vscode.window.showWarningMessage(t("Not moved, not even by force: {0}. {1}", title, refusalText(plan, t)));
    return;
  }
  if (plan.permission === "normal") {
    void vscode.window.showInformationMessage(t("Force is not needed: the {0} is proved stale. Use Recover Stale Lock.", title));
    return;
  }
  const go = t("Continue…");
  const chosen = await vscode.window.showWarningMessage(
    t("Force the {0} into quarantine?", title),
    {
      modal: true,
      detail: [
        planDetail(plan, { t, now: services.now() }),
        "",
        cautionLines(plan, t),
        "",
        t("If its owner still works, two processes may believe that they own this run. Next you type the id of the claim."),
      ].join("\n"),
    },
    go,
  );
  if (chosen !== go) return;
  const typed = await typeClaimId(services, plan.claim);
  if (typed === null) return;
  announce(services, 1, await carryOut(services, [plan], typed));
}
