// Owns: read-only documents about a run under a scheme of our own: its verification, and the request of each epoch.
// Leaves to others: their texts (runReport.ts, core), looking (runDetails.ts).
import * as vscode from "vscode";
import type { RunSnapshot } from "../../core/scan/snapshot.js";
import type { EpochDetail } from "../../core/systems/lattice/store/runDetail.js";
import type { Translate } from "../../shared/text.js";
import type { Services } from "../commands/command.js";
import { runScheme } from "../contract.js";
import { runReport } from "./runReport.js";

/** The path is for the tab, the query says what it is. */
function runUri(title: string, query: Readonly<Record<string, string>>): vscode.Uri {
  return vscode.Uri.from({ scheme: runScheme, path: `/${title.replaceAll(/[/\\?#]/g, "_")}`, query: new URLSearchParams(query).toString() });
}

export function verificationUri(run: RunSnapshot, t: Translate): vscode.Uri {
  return runUri(t("Verification of {0}", run.name), { run: run.path });
}

/** The extension of the name chooses the language. */
export function requestUri(run: RunSnapshot, epoch: EpochDetail, t: Translate): vscode.Uri {
  return runUri(`${t("Request of {0}, epoch {1}", run.name, epoch.epoch ?? epoch.name)}.json`, { run: run.path, epoch: epoch.name });
}

type DocumentServices = Pick<Services, "store" | "details" | "core" | "t">;

export function registerRunDocuments(services: DocumentServices): vscode.Disposable {
  const { details } = services;
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(runScheme, {
    onDidChange: changes.event,
    provideTextDocumentContent: (uri) => textOf(uri, services),
  });
  const watching = details.onDidChange((path) => {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === runScheme && new URLSearchParams(uri.query).get("run") === path) changes.fire(uri);
    }
  });
  return vscode.Disposable.from(registration, changes, new vscode.Disposable(() => watching.dispose()));
}

/** Anybody may make an address: only runs that the tree knows are read, and only the bundles that a look found. */
async function textOf(uri: vscode.Uri, { store, details, core, t }: DocumentServices): Promise<string> {
  const asked = new URLSearchParams(uri.query);
  const path = asked.get("run");
  const isKnown = store.state.snapshot?.roots.some((root) => root.stores.some(({ runs }) => runs.some((run) => run.path === path))) === true;
  if (path === null || !isKnown) return t("This run is no longer there.");
  const look = await details.know(path);
  if (look.kind !== "seen") return t("The run could not be looked at. The log says why.");
  const name = asked.get("epoch");
  if (name === null) return runReport(look.detail, t);
  const epoch = look.detail.epochs.find((one) => one.name === name);
  if (epoch === undefined) return t("This epoch is no longer there.");
  const read = await core.readEpochRequest(epoch);
  return read.kind === "request" ? `${JSON.stringify(read.request, null, 2)}\n` : t("The bundle of this epoch cannot be read.");
}
