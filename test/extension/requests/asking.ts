// Owns: the worker's service without a thread: texts in, answers out; a project with a held run; a valid request for it.
// Leaves to others: what to expect (the tests beside it).
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readRecompileContext } from "../../../src/core/systems/lattice/requests/runContext.js";
import { buildRecompileSkeleton, type RecompileMode } from "../../../src/core/systems/lattice/requests/skeleton.js";
import type { FromWorker, JudgeInput, JudgeOutput, OperationName, Operations, ToWorker } from "../../../src/extension/requests/protocol.js";
import { RequestService } from "../../../src/extension/requests/worker/requestService.js";
import { copyRunDirectory } from "../../demo/runDirectories.js";

export type Fields = Record<string, unknown>;
export type JudgedOutput = Extract<JudgeOutput, { kind: "judged" }>;

export class Asking {
  private readonly waiting = new Map<number, { readonly resolve: (output: unknown) => void; readonly reject: (error: Error) => void }>();
  private readonly service = new RequestService((message) => this.take(message));
  private lastId = 0;
  private version = 0;

  constructor(readonly uri = "file:///request.json") {}

  /** Holds the text; gives its version. */
  hold(text: string): number {
    this.version += 1;
    this.service.receive({ kind: "text", uri: this.uri, version: this.version, piece: text, isFirst: true, isLast: true });
    return this.version;
  }

  send(message: ToWorker): void {
    this.service.receive(message);
  }

  ask<Name extends OperationName>(name: Name, input: Operations[Name]["input"]): Promise<Operations[Name]["output"]> {
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (output: unknown) => void, reject });
      this.service.receive({ kind: "ask", id, name, input } as ToWorker);
    });
  }

  judge(options: Partial<JudgeInput> = {}): Promise<JudgeOutput> {
    return this.ask("judge", { uri: this.uri, path: null, isDirty: false, isForced: false, dialect: "auto", stores: [], chosenRun: null, isFresh: true, ...options });
  }

  /** Holds and judges; fails for a text that is no request. */
  async judged(text: string, options: Partial<JudgeInput> = {}): Promise<JudgedOutput> {
    this.hold(text);
    const output = await this.judge(options);
    if (output.kind !== "judged") throw new Error("The text was not taken for a request.");
    return output;
  }

  private take(message: FromWorker): void {
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.kind === "answer") waiting?.resolve(message.output);
    else waiting?.reject(new Error(message.message));
  }
}

export interface Project {
  readonly directory: string;
  readonly store: string;
  readonly run: string;
}

const made: string[] = [];

/** A directory of its own with a copy of the fixture's run in it. */
export function project(fixture = "held-epoch1-serial"): Project {
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "run-state-requests-")));
  made.push(directory);
  const run = copyRunDirectory(fixture, directory);
  return { directory, store: path.join(directory, ".lattice"), run };
}

/** Takes away what `project` made; for an `after` hook. */
export function removeProjects(): void {
  for (const directory of made.splice(0)) fs.rmSync(directory, { recursive: true, force: true });
}

/** A request that is valid for the run, as the skeleton command writes it. */
export async function validRequest({ run }: Project, mode: RecompileMode = "intentional_serial"): Promise<string> {
  const { context } = await readRecompileContext(run);
  const outcome = buildRecompileSkeleton(context, { mode, reason: "Both todos write the same file." });
  if (outcome.kind === "refused") throw new Error(outcome.reason);
  return outcome.text;
}

/** The text with one change of the document, laid out as the skeleton is. */
export function changed(text: string, change: (document: Fields) => void): string {
  const document = JSON.parse(text) as Fields;
  change(document);
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** The offset of the first `part` after the first `after`, moved into it by `into` characters. */
export function offsetOf(text: string, after: string, part: string, into = 1): number {
  const from = text.indexOf(after);
  const at = from < 0 ? -1 : text.indexOf(part, from);
  if (at < 0) throw new Error(`The text has no ${part} after ${after}.`);
  return at + into;
}

/** The text that a range covers. */
export function covered(text: string, { offset, length }: { readonly offset: number; readonly length: number }): string {
  return text.slice(offset, offset + length);
}
