// Owns: the types of processGroup.mjs, which must run before npm ci and hence is plain JavaScript.
import type { ChildProcess } from "node:child_process";

export interface GroupOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly withoutEnv?: readonly string[];
  readonly stdout?: "inherit" | "pipe" | "ignore";
  readonly stderr?: "inherit" | "pipe" | "ignore";
}

export interface GroupExit {
  /** 128 + n after a signal, 127 when the program could not be started. */
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
  readonly error: Error | null;
}

export interface ProcessGroup {
  readonly child: ChildProcess;
  readonly hasExited: boolean;
  readonly exited: Promise<GroupExit>;
  /** SIGTERM to the group, SIGKILL to what is left of it after `graceMs` (default 6000). Resolves when that is done. */
  stop(graceMs?: number): Promise<void>;
}

export function startNode(args: readonly string[], options?: GroupOptions): ProcessGroup;
export function startProgram(file: string, args: readonly string[], options?: GroupOptions): ProcessGroup;
export function onEnd(cleanup: () => unknown): () => void;
export function isEnding(): boolean;
export function endProcess(code: number): Promise<void>;
export function endOnSignals(): void;
/** Absolute path of the checkout. */
export const repositoryRoot: string;
