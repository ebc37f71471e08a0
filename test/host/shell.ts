// Owns: the extension as host tests meet it: its API, its rows, locks made for one test.
// Leaves to others: dialogs (dialogs.ts), the demo (demo.ts).
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import type { RunStateApi } from "../../src/extension/api.js";
import { extensionId, type CommandId } from "../../src/extension/contract.js";
import type { TreeNode } from "../../src/extension/tree/treeNode.js";
import { lockBytes } from "../demo/lockBytes.js";

const patienceMs = 15_000;
const pauseMs = 20;

export async function api(): Promise<RunStateApi> {
  const extension = vscode.extensions.getExtension<RunStateApi>(extensionId);
  if (extension === undefined) throw new Error(`${extensionId} is not installed.`);
  return extension.activate();
}

export async function testing(): Promise<NonNullable<RunStateApi["testing"]>> {
  const { testing: parts } = await api();
  if (parts === undefined) throw new Error("The extension does not know that it is tested.");
  return parts;
}

/** Waits until `condition` gives something. The deadline is a guard, not a measure. */
export async function until<T>(what: string, condition: () => T | Promise<T>): Promise<Exclude<T, undefined | null | false>> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value as Exclude<T, undefined | null | false>;
    if (Date.now() > end) throw new Error(`Not within ${String(patienceMs)} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Every row as VS Code would ask for it, top down. */
export async function allRows(): Promise<readonly TreeNode[]> {
  const { view } = await testing();
  const below = (parent?: TreeNode): readonly TreeNode[] => view.provider.getChildren(parent).flatMap((node) => [node, ...below(node)]);
  return below();
}

export async function rowOfPath(file: string): Promise<TreeNode | undefined> {
  return (await allRows()).find(({ subject }) => {
    switch (subject.kind) {
      case "claim":
        return subject.claim.path === file;
      case "run":
        return subject.run.path === file;
      case "problem":
        return subject.problem.path === file;
      case "entry":
        return subject.entry.record?.original_path === file;
      default:
        return false;
    }
  });
}

/** Looks again, then gives the row. */
export async function freshRow(file: string): Promise<TreeNode> {
  await (await api()).refresh();
  const row = await rowOfPath(file);
  if (row === undefined) throw new Error(`No row for ${file}.`);
  return row;
}

export function command(id: CommandId, ...args: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}

/** A pid that was somebody's and is nobody's. */
export function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

/** A run with nothing but a lock whose owner died. */
export function staleRun(project: string, name: string): { readonly run: string; readonly lock: string; readonly bytes: Buffer } {
  const bytes = lockBytes({ pid: deadPid(), started: "Tue Mar  3 09:14:07 2026" }, { operation: "recompile", requestId: "host-test-r1", acquiredAt: Date.now() - 3_600_000 });
  return runWithLock(project, name, bytes);
}

export function runWithLock(project: string, name: string, bytes: Uint8Array): { readonly run: string; readonly lock: string; readonly bytes: Buffer } {
  const run = path.join(project, ".lattice/runs", name);
  fs.mkdirSync(run, { recursive: true });
  const lock = path.join(run, ".lifecycle.lock");
  fs.writeFileSync(lock, bytes, { mode: 0o600 });
  return { run, lock, bytes: Buffer.from(bytes) };
}
