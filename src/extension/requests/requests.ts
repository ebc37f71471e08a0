// Owns: everything about recompile requests in the editor, as one part that the shell starts: wires the files beside it.
// Leaves to others: each of them.
import fs from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { maxFileBytes } from "../../core/systems/lattice/requests/decode.js";
import type { Translate } from "../../shared/text.js";
import { settingsSection, type Settings } from "../contract.js";
import { describeError, type Log } from "../log.js";
import type { Disposable } from "../state/emitter.js";
import { setTimer } from "../session.js";
import type { RunStateStore } from "../state/runStateStore.js";
import { registerCodeActions } from "./codeActions.js";
import { RequestCodeLenses } from "./codeLens.js";
import type { OperationName, Operations } from "./protocol.js";
import { registerProviders } from "./providers.js";
import { RequestDocuments, type Report } from "./requestDocuments.js";
import { RunChoice } from "./runChoice.js";
import { RunWatchers } from "./runWatchers.js";
import { RequestStatus } from "./statusItem.js";
import { threadOf } from "./thread.js";
import { WorkerClient } from "./workerClient.js";

export interface RequestsOptions {
  readonly t: Translate;
  readonly log: Log;
  readonly store: RunStateStore;
  readonly settings: () => Settings;
  /** Of the workspace. */
  readonly memory: vscode.Memento;
  readonly extensionPath: string;
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class Requests implements Disposable {
  private readonly client: WorkerClient;
  private readonly documents: RequestDocuments;
  private readonly choice: RunChoice;
  private readonly watchers: RunWatchers;
  private readonly disposables: readonly Disposable[];
  private knownRuns = "";

  constructor(private readonly options: RequestsOptions) {
    const { t, log, store, settings, memory, extensionPath } = options;
    this.client = new WorkerClient({
      start: threadOf(path.join(extensionPath, "dist/validateWorker.cjs")),
      setTimer,
      pause,
      maxLength: maxFileBytes,
      onEnd: (reason) => log.debug(`request worker ended: ${reason}`),
    });
    this.choice = new RunChoice(memory, t);
    this.documents = new RequestDocuments({ client: this.client, settings, log, setTimer, pause, stores: () => this.stores(), chosenRun: (uri) => this.choice.chosenFor(uri) });
    this.watchers = new RunWatchers(setTimer, (run) => this.documents.judgeAgain(({ report }) => report?.run.kind === "found" && report.run.directory === run));
    const { client, documents } = this;
    const lenses = new RequestCodeLenses({ documents, settings, t });
    this.disposables = [
      this.watchers,
      documents,
      client,
      lenses,
      new RequestStatus(documents, t),
      registerProviders({ client, documents, t, log }),
      registerCodeActions({ client, documents, t, log }),
      documents.onDidChange((uri) => this.changed(uri)),
      store.onDidChange(() => this.runsChanged()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(settingsSection)) return;
        documents.start();
        lenses.refresh();
      }),
    ];
  }

  /** Looks at what is open. Returns at once. */
  start(): void {
    this.documents.start();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  ask<Name extends OperationName>(name: Name, input: Operations[Name]["input"]): Promise<Operations[Name]["output"]> {
    return this.client.ask(name, input);
  }

  /** The request of that address, or in the active editor; null when it is none. */
  documentOf(address: unknown): vscode.TextDocument | null {
    const document =
      typeof address === "string" ? vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === address) : vscode.window.activeTextEditor?.document;
    return document !== undefined && this.documents.stateOf(document) !== undefined ? document : null;
  }

  reportOf(document: vscode.TextDocument): Report | null {
    return this.documents.stateOf(document)?.report ?? null;
  }

  /** Of the request in the active editor. */
  activeReport(): Report | null {
    const document = this.documentOf(undefined);
    return document === null ? null : this.reportOf(document);
  }

  judgeAgain(document: vscode.TextDocument): void {
    this.documents.judgeAgain((state) => state.document === document);
  }

  /** Absolute paths of the runs of that name, with `known` first. */
  async runsCalled(runId: string, known: string | null): Promise<readonly string[]> {
    const candidates = [...new Set([...(known === null ? [] : [known]), ...this.stores().map((store) => path.join(store, "runs", runId))])];
    const checked = await Promise.all(candidates.map(async (candidate) => ((await isDirectory(candidate)) ? [candidate] : [])));
    return checked.flat();
  }

  /** Asks which, remembers it, judges again. */
  async chooseRun(document: vscode.TextDocument, directories: readonly string[]): Promise<void> {
    if (await this.choice.pick(document.uri, directories)) this.judgeAgain(document);
  }

  private stores(): readonly string[] {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ uri }) => path.join(uri.fsPath, ".lattice"));
    const seen = this.options.store.state.snapshot?.roots.flatMap((root) => root.stores.map((store) => store.path)) ?? [];
    return [...new Set([...folders, ...seen])];
  }

  private changed(uri: vscode.Uri): void {
    const runs = this.documents.states.flatMap(({ report }) => (report?.run.kind === "found" ? [report.run.directory] : []));
    this.watchers.watch(new Set(runs));
    const state = this.documents.states.find(({ document }) => document.uri.toString() === uri.toString());
    if (state?.report?.run.kind !== "several" || this.options.settings().validate === "off") return;
    this.choice.askOnce(uri, state.report.run).then(
      (isChosen) => {
        if (isChosen) this.judgeAgain(state.document);
      },
      (error: unknown) => this.options.log.error(`the run could not be chosen: ${describeError(error)}`),
    );
  }

  /** A run that a request waits for may have come, or a second one of its name. */
  private runsChanged(): void {
    const waits = this.documents.states.filter(({ report }) => report !== null && report.run.kind !== "found");
    if (waits.length === 0) return;
    const runs = this.options.store.state.snapshot?.roots.flatMap((root) => root.stores.flatMap((store) => store.runs.map((run) => run.path))).join("\n") ?? "";
    if (runs === this.knownRuns) return;
    this.knownRuns = runs;
    this.documents.judgeAgain((state) => waits.includes(state));
  }
}

async function isDirectory(candidate: string): Promise<boolean> {
  return fs.lstat(candidate).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
}
