// Owns: the host's side of the conversation with the worker thread: starting it when needed, sending texts in pieces, matching
// answers to questions, living on when it dies. No `vscode`. Leaves to others: what is asked (requestDocuments.ts, providers.ts).
import type { SetTimer } from "../state/refreshScheduler.js";
import type { FromWorker, OperationName, Operations, ToWorker } from "./protocol.js";

export interface WorkerPort {
  post(message: ToWorker): void;
  /** Ends the thread; `onEnd` is not called any more. */
  terminate(): void;
}

export interface WorkerListener {
  readonly onMessage: (message: FromWorker) => void;
  /** The thread ended by itself. */
  readonly onEnd: (reason: string) => void;
}

export type StartWorker = (listener: WorkerListener) => WorkerPort;

/** A text that may change while it is sent. */
export interface TextSource {
  readonly uri: string;
  /** Of the text as it is now. */
  readonly version: number;
  /** UTF-16 code units. */
  readonly length: number;
  /** Together the whole text, as long as the version stays the same. */
  pieces(): Iterable<string>;
}

export class WorkerGoneError extends Error {
  readonly code = "worker-gone";
  static is(error: unknown): error is WorkerGoneError {
    return error instanceof WorkerGoneError;
  }
}

/** Longer than any honest answer takes, so that a bug never leaves a person waiting for ever. */
const answerDeadlineMs = 60_000;
/** A thread that nobody needs gives its memory back. */
const idleMs = 60_000;

interface Pending {
  readonly settle: (output: unknown) => void;
  readonly fail: (error: Error) => void;
  readonly stopDeadline: () => void;
}

export interface WorkerClientOptions {
  readonly start: StartWorker;
  readonly setTimer: SetTimer;
  /** Lets the host do other work between two pieces. */
  readonly pause: () => Promise<void>;
  /** UTF-16 code units of the longest text that is sent at all. */
  readonly maxLength: number;
  readonly onEnd?: (reason: string) => void;
}

export class WorkerClient {
  private port: WorkerPort | null = null;
  private readonly pending = new Map<number, Pending>();
  /** Version of each document that the worker has. */
  private readonly sent = new Map<string, number>();
  private readonly sending = new Map<string, Promise<boolean>>();
  private lastId = 0;
  private stopIdling: (() => void) | null = null;
  private isDisposed = false;

  constructor(private readonly options: WorkerClientOptions) {}

  get isRunning(): boolean {
    return this.port !== null;
  }

  /**
   * Makes the worker hold the text as it is now. False when the text changed meanwhile: ask again when it has come to rest.
   * A text beyond the limit is announced, not sent.
   */
  async sync(source: TextSource): Promise<boolean> {
    for (let earlier = this.sending.get(source.uri); earlier !== undefined; earlier = this.sending.get(source.uri)) await earlier;
    if (this.sent.get(source.uri) === source.version) return true;
    const sending = this.send(source);
    this.sending.set(source.uri, sending);
    try {
      return await sending;
    } finally {
      this.sending.delete(source.uri);
    }
  }

  /** Rejects with WorkerGoneError when the thread ends before it answers; it is started again by the next question. */
  ask<Name extends OperationName>(name: Name, input: Operations[Name]["input"]): Promise<Operations[Name]["output"]> {
    const port = this.started();
    const id = (this.lastId += 1);
    return new Promise<Operations[Name]["output"]>((resolve, reject) => {
      const stopDeadline = this.options.setTimer(answerDeadlineMs, () => this.end(`no answer to "${name}" within ${answerDeadlineMs / 1000} s`));
      this.pending.set(id, { settle: (output) => resolve(output as Operations[Name]["output"]), fail: reject, stopDeadline });
      port.post({ kind: "ask", id, name, input } as ToWorker);
    });
  }

  forget(uri: string): void {
    if (!this.sent.delete(uri)) return;
    this.port?.post({ kind: "forget", uri });
    this.idle();
  }

  dispose(): void {
    this.isDisposed = true;
    this.end("disposed");
  }

  private async send(source: TextSource): Promise<boolean> {
    const { uri, version, length } = source;
    const port = this.started();
    if (length > this.options.maxLength) {
      port.post({ kind: "oversized", uri, version, length });
      this.sent.set(uri, version);
      return true;
    }
    let last: string | null = null;
    let isFirst = true;
    const post = (piece: string, isLast: boolean): void => {
      port.post({ kind: "text", uri, version, piece, isFirst, isLast });
      isFirst = false;
    };
    for (const piece of source.pieces()) {
      if (last !== null) {
        post(last, false);
        await this.options.pause();
        if (source.version !== version || this.port !== port) return false;
      }
      last = piece;
    }
    post(last ?? "", true);
    this.sent.set(uri, version);
    return true;
  }

  private started(): WorkerPort {
    if (this.isDisposed) throw new WorkerGoneError("The extension is shutting down.");
    this.stopIdling?.();
    this.stopIdling = null;
    if (this.port !== null) return this.port;
    const port: WorkerPort = this.options.start({
      onMessage: (message) => this.receive(message),
      // A thread that was ended by us may still say so.
      onEnd: (reason) => {
        if (this.port === port) this.lose(reason);
      },
    });
    this.port = port;
    return port;
  }

  private receive(message: FromWorker): void {
    const waiting = this.pending.get(message.id);
    if (waiting === undefined) return;
    this.pending.delete(message.id);
    waiting.stopDeadline();
    if (message.kind === "answer") waiting.settle(message.output);
    else waiting.fail(new Error(message.message));
    this.idle();
  }

  private idle(): void {
    if (this.port === null || this.sent.size > 0 || this.pending.size > 0) return;
    this.stopIdling?.();
    this.stopIdling = this.options.setTimer(idleMs, () => this.end("idle"));
  }

  private end(reason: string): void {
    const { port } = this;
    this.lose(reason);
    port?.terminate();
  }

  private lose(reason: string): void {
    this.port = null;
    this.sent.clear();
    this.stopIdling?.();
    this.stopIdling = null;
    const waiting = [...this.pending.values()];
    this.pending.clear();
    for (const { fail, stopDeadline } of waiting) {
      stopDeadline();
      fail(new WorkerGoneError(`The worker ended: ${reason}`));
    }
    this.options.onEnd?.(reason);
  }
}
