// Owns: what other extensions and tests get from `activate`: read only, version 1.
// Leaves to others: everything else stays private.
import type * as vscode from "vscode";
import type { RunStateSnapshot } from "../core/scan/snapshot.js";
import type { Testing } from "./testing.js";

export interface RunStateApi {
  readonly version: 1;
  /** Milliseconds that `activate` took. */
  readonly activationDuration: number;
  /** The last good look at the disk; null before the first. Immutable. */
  readonly snapshot: RunStateSnapshot | null;
  /** Fires after every look, also when nothing changed. */
  readonly onDidLook: vscode.Event<void>;
  /** Looks at everything again; resolves when done, also when it failed. */
  refresh(): Promise<void>;
  /** Only inside extension tests. */
  readonly testing: Testing | undefined;
}
