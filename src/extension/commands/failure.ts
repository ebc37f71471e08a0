// Owns: what happens when something throws: the log gets the stack, the person one sentence and the way to the log.
// Leaves to others: expected outcomes, which are values (resultText.ts).
import * as vscode from "vscode";
import { displayText } from "../../shared/displayText.js";
import { describeError } from "../log.js";
import type { Services } from "./command.js";

export function showFailure(services: Services, what: string, error: unknown): void {
  if (error instanceof vscode.CancellationError) {
    services.log.debug(`${what} cancelled`);
    return;
  }
  services.log.error(`${what} failed: ${describeError(error)}`);
  const { t, log } = services;
  const reason = displayText(error instanceof Error ? error.message : String(error));
  const showLog = t("Show Log");
  void vscode.window.showErrorMessage(t("Run State: that did not work. {0}", reason), showLog).then((chosen) => {
    if (chosen === showLog) log.show();
  });
}

/** Work that goes on after its command ended, like waiting for the button of a notification: it has nobody else to tell. */
export function detached(services: Services, what: string, work: Thenable<unknown>): void {
  void work.then(undefined, (error: unknown) => showFailure(services, what, error));
}
