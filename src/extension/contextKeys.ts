// Owns: writing the context keys of contract.ts, only when a value changes.
// Leaves to others: what they mean (package.json `when` clauses).
import * as vscode from "vscode";
import type { ContextKeys } from "./contract.js";

const written = new Map<keyof ContextKeys, unknown>();

export function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  if (written.get(key) === value) return;
  written.set(key, value);
  void vscode.commands.executeCommand("setContext", key, value);
}

/** Leaves nothing behind: a key would outlive a deactivated extension. */
export function clearContextKeys(): void {
  for (const key of written.keys()) void vscode.commands.executeCommand("setContext", key, undefined);
  written.clear();
}
