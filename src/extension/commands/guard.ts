// Owns: what to do when another Run State holds the guard of a claim and nobody can tell whether it still works: ask, by its token.
// Leaves to others: judging the holder (core/quarantine); one that is alive is never overridden.
import * as vscode from "vscode";
import type { GuardHolder } from "../../core/quarantine/quarantineEntry.js";
import { displayText } from "../../shared/displayText.js";
import type { Services } from "./command.js";
import { typeExactly } from "./typeId.js";

interface Outcome {
  readonly kind: string;
  readonly reason?: string;
  readonly guard?: GuardHolder | null;
}

/** Tries; when only an unjudgeable guard is in the way, and the person types its token, tries once more over it. */
export async function overGuard<R extends Outcome>(services: Services, title: string, attempt: (typedToken: string | null) => Promise<R>): Promise<R> {
  const result = await attempt(null);
  const { guard } = result;
  if (result.kind !== "refused" || result.reason !== "busy" || guard === undefined || guard === null || guard.verdict === "live") return result;
  const token = await askToken(services, title, guard);
  return token === null ? result : attempt(token);
}

async function askToken(services: Services, title: string, guard: GuardHolder): Promise<string | null> {
  const { t } = services;
  const override = t("Override…");
  const detail = [
    guard.pid === null ? t("Holder: not readable") : t("Holder: pid {0} on {1}", guard.pid, displayText(guard.hostname ?? "?")),
    guard.acquiredAt === null ? null : t("Since: {0}", displayText(guard.acquiredAt)),
    "",
    t("It cannot be told from here whether it still works. If it does, wait. If you know that it is gone, override it: next you type its token."),
  ].filter((line) => line !== null);
  const chosen = await vscode.window.showWarningMessage(t("Another Run State works on the {0}.", title), { modal: true, detail: detail.join("\n") }, override);
  if (chosen !== override) return null;
  return typeExactly(services, { title: t("Override the guard of the {0}", title), expected: guard.token, what: t("the token") });
}
