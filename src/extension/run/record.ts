// Owns: which file, and which value in it, a row inside a run shows. Pure.
// Leaves to others: opening it (openRecord.ts).
import type { DetailItem } from "./detailItem.js";

export interface RecordPlace {
  /** Absolute path. */
  readonly path: string;
  /** RFC 6901; null for the whole file. */
  readonly pointer: string | null;
}

/** Null for rows that stand for no file, and for files that are no records: nobody knows what a left-over or a missing one is. */
export function recordOf(item: DetailItem): RecordPlace | null {
  switch (item.kind) {
    case "epoch":
      return { path: item.epoch.bundlePath, pointer: null };
    case "event":
      return { path: item.path, pointer: `/${String(item.event.index)}` };
    case "finding":
      return { path: item.finding.path, pointer: null };
    case "supervisor":
      return { path: item.supervisor.descriptorPath, pointer: null };
    case "controller":
      return { path: item.controller.descriptorPath, pointer: null };
    case "runProblem":
      return { path: item.problem.path, pointer: item.problem.pointer };
    default:
      return null;
  }
}
