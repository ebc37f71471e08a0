// Owns: what an observer of one platform must answer; createProcessInspector.ts puts caching and joining on top.
// Leaves to others: the observers (linuxObserver.ts, darwinObserver.ts, win32Observer.ts, otherObserver.ts).
import type { ObservationEnvironment, OpenFileEvidence, ProcessIdentity, ProcessInspection, StartInstant } from "./processInspector.js";

export interface FileKey {
  /** Decimal texts. */
  readonly device: string;
  readonly inode: string;
}

/** Every question comes for many at once, and every one gets an answer. Nothing is remembered longer than `longestAgeMs`. */
export interface PlatformObserver {
  inspectMany(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessInspection>>;
  /** For processes that were just seen live; keyed by pid. Null when the process is another by now. */
  startInstants(identities: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, StartInstant | null>>;
  /** Keyed by `keyOf(file)`. */
  whoHasOpen(files: readonly FileKey[]): Promise<ReadonlyMap<string, OpenFileEvidence>>;
  environment(directory: string, pid: number): Promise<ObservationEnvironment>;
  forget(): void;
}

export function keyOf(file: FileKey): string {
  return `${file.device}:${file.inode}`;
}

export const absent = { kind: "absent", why: "no-such-process" } as const;
export const zombie = { kind: "absent", why: "zombie" } as const;

export function unknown(diagnostic: string): ProcessInspection {
  return { kind: "unknown", diagnostic };
}

/** For platforms where nobody tells which process has a file open. */
export function nobodyTells(files: readonly FileKey[]): ReadonlyMap<string, OpenFileEvidence> {
  return new Map(files.map((file) => [keyOf(file), { kind: "unknown", diagnostic: "open_files_not_observable_here" }]));
}
