// Owns: the open recompile requests: when each is judged, what was found last, and that nothing stays behind when one goes.
// Leaves to others: recognising (requestFiles.ts), judging (worker), the form of what is shown (diagnostics.ts, the providers).
import * as vscode from "vscode";
import type { Settings } from "../contract.js";
import type { Disposable } from "../state/emitter.js";
import type { SetTimer } from "../state/refreshScheduler.js";
import { describeError, type Log } from "../log.js";
import { diagnosticsOf, type FindingDiagnostic } from "./diagnostics.js";
import { sourceOf } from "./documentText.js";
import type { JudgeOutput } from "./protocol.js";
import { isCandidate, isNamed, namesSchema } from "./requestFiles.js";
import type { WorkerClient } from "./workerClient.js";

export type Report = Extract<JudgeOutput, { kind: "judged" }>;

/** An open request as far as it is known. */
export interface RequestState {
  readonly document: vscode.TextDocument;
  /** Null when it could not be judged. */
  readonly report: Report | null;
  readonly failure: string | null;
  /** As shown; none while the setting is off. */
  readonly shown: readonly FindingDiagnostic[];
}

interface Wanted {
  /** Read run and file again. */
  readonly isFresh: boolean;
}

/** A document that is, or may be, a request. */
interface Entry {
  readonly document: vscode.TextDocument;
  state: RequestState | null;
  isJudging: boolean;
  again: Wanted | null;
  stopWaiting: () => void;
}

export interface RequestDocumentsOptions {
  readonly client: WorkerClient;
  readonly settings: () => Settings;
  readonly log: Log;
  readonly setTimer: SetTimer;
  /** Lets the host do other work. */
  readonly pause: () => Promise<void>;
  /** `.lattice` directories of the workspace. */
  readonly stores: () => readonly string[];
  readonly chosenRun: (uri: vscode.Uri) => string | null;
}

/** Rest after the last key before a text is judged. */
const typingRestMs = 250;
const nothing = (): void => {};

export class RequestDocuments implements Disposable {
  private readonly entries = new Map<string, Entry>();
  private readonly collection = vscode.languages.createDiagnosticCollection("run-state");
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly disposables: readonly Disposable[];

  /** A request was judged, or is one no longer. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly options: RequestDocumentsOptions) {
    const { workspace } = vscode;
    const files = workspace.createFileSystemWatcher("**/*", false, true, false);
    this.disposables = [
      this.collection,
      this.changes,
      workspace.onDidOpenTextDocument((document) => this.consider(document, { isFresh: true })),
      workspace.onDidSaveTextDocument((document) => this.consider(document, { isFresh: true })),
      workspace.onDidChangeTextDocument((event) => this.changed(event)),
      workspace.onDidCloseTextDocument(({ uri }) => this.drop(uri)),
      // VS Code keeps what was said about a name that is gone.
      workspace.onDidRenameFiles((event) => event.files.forEach(({ oldUri }) => this.dropBelow(oldUri))),
      workspace.onDidDeleteFiles((event) => event.files.forEach((uri) => this.dropBelow(uri))),
      files,
      files.onDidCreate((uri) => this.appeared(uri)),
      files.onDidDelete((uri) => void this.disappeared(uri)),
    ];
  }

  /** Looks at what is open; after a change of settings again, since everything may be recognised or shown differently. */
  start(): void {
    const { recompileRequests } = this.options.settings();
    for (const { document } of [...this.entries.values()]) if (!isCandidate(document, recompileRequests)) this.drop(document.uri);
    for (const document of vscode.workspace.textDocuments) this.consider(document, { isFresh: true });
  }

  /** Judges again the requests that `concerns` chooses. */
  judgeAgain(concerns: (state: RequestState) => boolean): void {
    for (const state of this.states) if (concerns(state)) this.consider(state.document, { isFresh: true });
  }

  get states(): readonly RequestState[] {
    return [...this.entries.values()].flatMap(({ state }) => state ?? []);
  }

  /** Undefined for a document that is no request, as far as known. */
  stateOf(document: vscode.TextDocument): RequestState | undefined {
    return this.entries.get(document.uri.toString())?.state ?? undefined;
  }

  dispose(): void {
    for (const { stopWaiting } of this.entries.values()) stopWaiting();
    this.entries.clear();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const { validate, recompileRequests } = this.options.settings();
    // Reverted, or changed on disk: the text is that of the file, so that the moment is as good as a save.
    const isAsOnDisk = !document.isDirty && document.uri.scheme === "file";
    // A document that is no file yet has no save to wait for.
    const isFollowed = isAsOnDisk || validate === "onType" || (validate === "onSave" && document.isUntitled);
    if (contentChanges.length === 0 || !isFollowed || !isCandidate(document, recompileRequests)) return;
    const entry = this.entryOf(document);
    entry.stopWaiting();
    const stop = this.options.setTimer(typingRestMs, () => this.consider(document, { isFresh: isAsOnDisk }));
    entry.stopWaiting = stop;
  }

  private entryOf(document: vscode.TextDocument): Entry {
    const key = document.uri.toString();
    const known = this.entries.get(key);
    // A document that was closed and opened again is another object under the same name.
    if (known?.document === document) return known;
    if (known !== undefined) this.drop(document.uri);
    const made: Entry = { document, state: null, isJudging: false, again: null, stopWaiting: nothing };
    this.entries.set(key, made);
    return made;
  }

  private consider(document: vscode.TextDocument, wanted: Wanted): void {
    if (document.isClosed || !isCandidate(document, this.options.settings().recompileRequests)) return;
    const entry = this.entryOf(document);
    entry.stopWaiting();
    if (entry.isJudging) entry.again = { isFresh: wanted.isFresh || entry.again?.isFresh === true };
    else void this.judgeUntilAtRest(entry, wanted);
  }

  /** Never rejects: what fails is logged and shown. */
  private async judgeUntilAtRest(entry: Entry, wanted: Wanted): Promise<void> {
    entry.isJudging = true;
    for (let next: Wanted | null = wanted; next !== null && this.isCurrent(entry); next = entry.again) {
      entry.again = null;
      try {
        await this.judge(entry, next);
      } catch (error) {
        this.options.log.error(`${entry.document.uri.toString()} could not be judged: ${describeError(error)}`);
        if (this.isCurrent(entry)) this.become(entry, { document: entry.document, report: null, failure: error instanceof Error ? error.message : String(error), shown: [] });
      }
    }
    entry.isJudging = false;
  }

  private isCurrent(entry: Entry): boolean {
    return !entry.document.isClosed && this.entries.get(entry.document.uri.toString()) === entry;
  }

  private async judge(entry: Entry, { isFresh }: Wanted): Promise<void> {
    const { document } = entry;
    const { client, settings, pause, stores, chosenRun } = this.options;
    const { recompileRequests, dialect, validate } = settings();
    const isForced = isNamed(document, recompileRequests);
    const { version } = document;
    const isRequest = isForced || (await namesSchema(document, pause));
    if (!this.isCurrent(entry)) return;
    if (!isRequest && document.version === version) {
      this.drop(document.uri);
      return;
    }
    if (!isRequest || !(await client.sync(sourceOf(document)))) {
      entry.again ??= { isFresh };
      return;
    }
    const path = document.uri.scheme === "file" ? document.uri.fsPath : null;
    const output = await client.ask("judge", { uri: document.uri.toString(), path, isDirty: document.isDirty, isForced, dialect, stores: stores(), chosenRun: chosenRun(document.uri), isFresh });
    if (!this.isCurrent(entry)) return;
    if (output.kind === "other") this.drop(document.uri);
    // Places of an older text would point at something else.
    else if (output.version !== document.version) entry.again ??= { isFresh: false };
    else this.become(entry, { document, report: output, failure: null, shown: validate === "off" ? [] : diagnosticsOf(output.findings, document) });
  }

  private become(entry: Entry, state: RequestState): void {
    entry.state = state;
    this.collection.set(
      state.document.uri,
      state.shown.map(({ diagnostic }) => diagnostic),
    );
    this.changes.fire(state.document.uri);
  }

  private appeared(uri: vscode.Uri): void {
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
    if (document !== undefined && !this.entries.has(uri.toString())) this.consider(document, { isFresh: true });
  }

  private async disappeared(uri: vscode.Uri): Promise<void> {
    if (![...this.entries.values()].some(({ document }) => isBelow(document.uri, uri))) return;
    // Writers that replace a file let its name vanish for a moment.
    const isBack = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (!isBack) this.dropBelow(uri);
  }

  private dropBelow(uri: vscode.Uri): void {
    for (const { document } of [...this.entries.values()]) if (isBelow(document.uri, uri)) this.drop(document.uri);
  }

  private drop(uri: vscode.Uri): void {
    const key = uri.toString();
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    entry.stopWaiting();
    this.entries.delete(key);
    this.collection.delete(uri);
    this.options.client.forget(key);
    if (entry.state !== null) this.changes.fire(uri);
  }
}

function isBelow(uri: vscode.Uri, directory: vscode.Uri): boolean {
  return uri.scheme === directory.scheme && (uri.path === directory.path || uri.path.startsWith(`${directory.path}/`));
}
