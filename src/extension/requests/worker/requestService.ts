// Owns: the worker's side of the conversation: which documents it holds, and which part answers which question.
// Leaves to others: the answers (the files beside it), threads (main.ts).
import { fixAll, fixesFor, type Fix, type FixOptions } from "../../../core/systems/lattice/requests/fixes.js";
import type { FindingReference, FromWorker, OperationName, Operations, ToWorker } from "../protocol.js";
import { complete } from "./complete.js";
import { define } from "./define.js";
import { describe } from "./describe.js";
import { judgeAgain, judgeDocument, oversizedReport, reportOf, type Judged } from "./judgeDocument.js";
import { heldRunOf, skeletonOf } from "./newRequest.js";
import { Runs } from "./runs.js";
import { outline } from "./symbols.js";

interface HeldDocument {
  version: number;
  /** Null for one beyond what is looked at. */
  text: string | null;
  length: number;
  pieces: string[];
  judged: Judged | null;
  /** The version that `judged` is of. */
  judgedVersion: number;
  fixes: Map<string, readonly Fix[]>;
  everything: Fix | null | undefined;
}

/** Answers arrive in the order of the questions as long as none waits for a disk. */
export class RequestService {
  private readonly documents = new Map<string, HeldDocument>();
  private readonly runs = new Runs();

  constructor(private readonly answer: (message: FromWorker) => void) {}

  receive(message: ToWorker): void {
    switch (message.kind) {
      case "text":
        this.take(message);
        return;
      case "oversized":
        Object.assign(this.held(message.uri), { version: message.version, text: null, length: message.length, pieces: [], judged: null });
        return;
      case "forget":
        this.documents.delete(message.uri);
        this.retainRuns();
        return;
      case "ask":
        void this.reply(message);
    }
  }

  private async reply(message: Extract<ToWorker, { kind: "ask" }>): Promise<void> {
    try {
      this.answer({ kind: "answer", id: message.id, output: await this.dispatch(message) });
    } catch (error) {
      this.answer({ kind: "failure", id: message.id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }

  private dispatch(message: Extract<ToWorker, { kind: "ask" }>): Promise<Operations[OperationName]["output"]> | Operations[OperationName]["output"] {
    switch (message.name) {
      case "judge":
        return this.judge(message.input);
      case "fixes":
        return this.fixes(message.input.uri, message.input.findings);
      case "fixAll":
        return this.fixAll(message.input.uri);
      case "hover": {
        const known = this.current(message.input.uri);
        return known === null ? null : describe(known, message.input.offset);
      }
      case "definition": {
        const known = this.current(message.input.uri);
        return known === null ? [] : define(known, message.input.offset);
      }
      case "complete":
        return this.complete(message.input);
      case "symbols": {
        const known = this.current(message.input.uri);
        return known === null ? [] : outline(known);
      }
      case "heldRun":
        return heldRunOf(message.input, this.runs);
      case "skeleton":
        return skeletonOf(message.input, this.runs);
    }
  }

  private held(uri: string): HeldDocument {
    const known = this.documents.get(uri);
    if (known !== undefined) return known;
    const made: HeldDocument = { version: -1, text: null, length: 0, pieces: [], judged: null, judgedVersion: -1, fixes: new Map(), everything: undefined };
    this.documents.set(uri, made);
    return made;
  }

  private take({ uri, version, piece, isFirst, isLast }: Extract<ToWorker, { kind: "text" }>): void {
    const document = this.held(uri);
    if (isFirst) document.pieces = [];
    document.pieces.push(piece);
    if (!isLast) return;
    document.text = document.pieces.join("");
    document.length = document.text.length;
    document.version = version;
    document.pieces = [];
  }

  private async judge(input: Operations["judge"]["input"]): Promise<Operations["judge"]["output"]> {
    const document = this.held(input.uri);
    const { version, text, length } = document;
    if (text === null) return input.isForced ? oversizedReport(version, length) : { kind: "other" };
    const outcome = await judgeDocument(text, input, this.runs, document.judged);
    if (outcome === null) {
      document.judged = null;
      return { kind: "other" };
    }
    // A newer text came while the run was read: what was found is still right about the old one.
    this.remember(document, outcome.judged, version);
    this.retainRuns();
    return reportOf(outcome.judged, version, outcome.read);
  }

  private remember(document: HeldDocument, judged: Judged, version: number): void {
    document.judged = judged;
    document.judgedVersion = version;
    document.fixes = new Map();
    document.everything = undefined;
  }

  /** The document's text as it is now, judged under what is known; null when it is none of ours. */
  private current(uri: string): Judged | null {
    const document = this.documents.get(uri);
    if (document === undefined || document.judged === null || document.text === null) return null;
    if (document.judgedVersion !== document.version) this.remember(document, judgeAgain(document.text, document.judged), document.version);
    return document.judged;
  }

  private fixes(uri: string, references: readonly FindingReference[]): readonly Fix[] {
    const known = this.current(uri);
    const document = this.documents.get(uri);
    if (known === null || document === undefined) return [];
    const found = references.flatMap(({ rule, pointer }) => {
      const key = `${rule} ${pointer}`;
      const cached = document.fixes.get(key);
      if (cached !== undefined) return cached;
      const finding = known.findings.find((candidate) => candidate.rule === rule && candidate.pointer === pointer);
      const fixes = finding === undefined ? [] : fixesFor(known.judged, finding, optionsOf(known));
      document.fixes.set(key, fixes);
      return fixes;
    });
    // Several findings may lead to the same repair.
    const unique = new Map(found.map((fix) => [`${fix.code} ${fix.title} ${fix.edits.map(({ offset }) => offset).join()}`, fix]));
    return [...unique.values()];
  }

  private fixAll(uri: string): Fix | null {
    const known = this.current(uri);
    const document = this.documents.get(uri);
    if (known === null || document === undefined) return null;
    if (document.everything === undefined) document.everything = fixAll(known.judged, optionsOf(known));
    return document.everything;
  }

  private complete({ uri, offset, hasSchema }: Operations["complete"]["input"]): Operations["complete"]["output"] {
    const document = this.documents.get(uri);
    if (document === undefined || document.judged === null || document.text === null) return [];
    return complete(document.text, offset, document.judged, hasSchema);
  }

  private retainRuns(): void {
    this.runs.retain(new Set([...this.documents.values()].flatMap(({ judged }) => (judged?.run.kind === "found" ? [judged.run.directory] : []))));
  }
}

function optionsOf({ context, dialect }: Judged): FixOptions {
  return { context, dialect: dialect.dialect };
}
