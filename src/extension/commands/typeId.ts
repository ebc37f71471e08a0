// Owns: confirmation by typing the id of a claim, exactly.
// Leaves to others: what is confirmed.
import * as vscode from "vscode";
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import type { Services } from "./command.js";
import { claimTitle } from "./planText.js";

/** The typed id, or null when the person leaves. Compared again after the box closed: a validation is only advice to the box. */
export async function typedId({ t }: Services, claim: ClaimSnapshot): Promise<string | null> {
  const typed = await vscode.window.showInputBox({
    title: t("Move the {0} to quarantine", claimTitle(claim, t)),
    prompt: t("Type the id to confirm: {0}", claim.id),
    placeHolder: claim.id,
    ignoreFocusOut: true,
    validateInput: (text) => (text === "" || text === claim.id ? undefined : t("This is not the id.")),
  });
  if (typed === undefined || typed === "") return null;
  if (typed === claim.id) return typed;
  void vscode.window.showWarningMessage(t("The typed id is not the id of this claim. Nothing was moved."));
  return null;
}
