// Owns: activation: wires the parts together, reports how long that took, shows a failure once. Decides nothing.
// Leaves to others: everything; no disk is touched before activate returns.
import * as vscode from "vscode";
import { createApi, type RunStateApi } from "./api.js";
import { commands } from "./commands/all.js";
import type { Services } from "./commands/command.js";
import { registerCommands } from "./commands/registry.js";
import { clearContextKeys } from "./contextKeys.js";
import type { Settings } from "./contract.js";
import { createCore } from "./core.js";
import { registerEvidenceDocuments } from "./evidence/evidenceDocuments.js";
import { createLog, describeError } from "./log.js";
import { Requests } from "./requests/requests.js";
import { Session } from "./session.js";
import { readSettings } from "./settings.js";
import { RunDetails } from "./run/runDetails.js";
import { registerRunDocuments } from "./run/runDocuments.js";
import { RunStateStore } from "./state/runStateStore.js";
import { RunStateView } from "./view.js";

export function activate(context: vscode.ExtensionContext): RunStateApi {
  const started = performance.now();
  const log = createLog();
  context.subscriptions.push(log);
  try {
    const t = vscode.l10n.t;
    const now = Date.now;
    const core = createCore(log);
    const details = new RunDetails({
      inspect: (directory, signal) => core.inspectRun(directory, signal),
      onFailure: (error) => log.error(`look into a run failed: ${describeError(error)}`),
    });
    const store = new RunStateStore({
      scanner: core.scanner,
      monotonic: () => performance.now(),
      onFailure: (error) => log.error(`look failed: ${describeError(error)}`),
      onLooked: (request, snapshot) => details.looked(request, snapshot),
    });
    const view = new RunStateView({ store, details, t, now, settings: readSettings() });
    const session = new Session({ store, view, log });
    const settings = (): Settings => session.settings;
    const requests = new Requests({ t, log, store, settings, memory: context.workspaceState, extensionPath: context.extensionPath });
    const services: Services = { t, now, log, store, details, core, view, settings, extension: context.extension, requests };
    context.subscriptions.push(
      store,
      details,
      view,
      session,
      requests,
      registerEvidenceDocuments(services),
      registerRunDocuments(services),
      registerCommands(services, commands),
      { dispose: clearContextKeys },
    );
    session.start();
    requests.start();
    const activationDuration = performance.now() - started;
    log.info(`activated in ${activationDuration.toFixed(1)} ms`);
    return createApi({ activationDuration, store, view, session, details, isTesting: context.extensionMode === vscode.ExtensionMode.Test });
  } catch (error) {
    // VS Code itself shows nothing when an activation fails.
    log.error(`activation failed: ${describeError(error)}`);
    void vscode.window.showErrorMessage(vscode.l10n.t("Run State could not start. {0}", error instanceof Error ? error.message : String(error)));
    throw error;
  }
}
