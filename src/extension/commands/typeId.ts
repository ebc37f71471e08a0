// Owns: confirmation by typing a text exactly.
// Leaves to others: what is confirmed.
import * as vscode from "vscode";
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import type { Services } from "./command.js";
import { claimTitle } from "./planText.js";

export interface ExactText {
  readonly title: string;
  readonly expected: string;
  /** What is typed, in a sentence: "the id of the claim". */
  readonly what: string;
}

/**
 * The typed text, or null when the person leaves or typed something else. Compared again after the box closed: its validation is
 * only advice.
 */
export async function typeExactly({ t }: Services, { title, expected, what }: ExactText): Promise<string | null> {
  const typed = await vscode.window.showInputBox({
    title,
    prompt: t("Type to confirm: {0}", expected),
    placeHolder: expected,
    ignoreFocusOut: true,
    validateInput: (text) => (text === "" || text === expected ? undefined : t("This is not {0}. Type exactly: {1}", what, expected)),
  });
  if (typed === undefined || typed === "") return null;
  if (typed === expected) return typed;
  void vscode.window.showWarningMessage(t("What was typed is not {0}. Nothing was changed.", what));
  return null;
}

export function typeClaimId(services: Services, claim: ClaimSnapshot): Promise<string | null> {
  const { t } = services;
  return typeExactly(services, {
    title: t("Move the {0} to quarantine", claimTitle(claim, t)),
    expected: claim.id,
    what: t("the id of the claim"),
  });
}
