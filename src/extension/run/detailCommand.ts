// Owns: what a click on a row inside a run does: it reads, it never changes a disk.
// Leaves to others: doing it (openRecord.ts, showRunStatus.ts).
import type * as vscode from "vscode";
import type { RunSnapshot } from "../../core/scan/snapshot.js";
import type { DetailItem } from "./detailItem.js";
import { recordOf } from "./record.js";

export function detailCommand(item: DetailItem, id: string, run: RunSnapshot): vscode.Command | null {
  if (item.kind === "unseen" || item.kind === "failed") return { command: "runState.showRunStatus", title: "", arguments: [`run:${run.key}`] };
  return recordOf(item) === null ? null : { command: "runState.openRecord", title: "", arguments: [id] };
}
