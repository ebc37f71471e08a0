// Owns: the log: the core's Logger on a LogOutputChannel named like the product.
// Leaves to others: what is worth logging. Nothing is ever sent anywhere.
import * as vscode from "vscode";
import type { Logger } from "../core/ports.js";
import type { Disposable } from "./state/emitter.js";

export interface Log extends Logger, Disposable {
  /** Details that are written only with the setting `runState.trace` or the channel's own level. */
  trace(message: string): void;
  setTracing(isTracing: boolean): void;
  show(): void;
}

export function createLog(): Log {
  const channel = vscode.window.createOutputChannel("Run State", { log: true });
  let isTracing = false;
  return {
    debug: (message) => channel.debug(message),
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message) => channel.error(message),
    // The channel hides its trace level by default; the setting is a person asking for it here and now.
    trace: (message) => (isTracing ? channel.info(message) : channel.trace(message)),
    setTracing: (value) => {
      isTracing = value;
    },
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}

/** One line about any thrown thing, with its stack where it has one. */
export function describeError(error: unknown): string {
  if (error instanceof Error) return error.stack ?? `${error.name}: ${error.message}`;
  return String(error);
}
