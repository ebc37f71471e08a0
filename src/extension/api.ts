// Owns: what other extensions and tests get from `activate`: read only, version 1.
// Leaves to others: everything else stays private.
import * as vscode from "vscode";
import type { RunStateSnapshot } from "../core/scan/snapshot.js";
import type { RunDetails } from "./run/runDetails.js";
import type { Session } from "./session.js";
import type { RunStateStore } from "./state/runStateStore.js";
import type { RunStateView } from "./view.js";

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
  /** Only inside extension tests: the view and the session themselves. */
  readonly testing: { readonly view: RunStateView; readonly session: Session; readonly store: RunStateStore; readonly details: RunDetails } | undefined;
}

export interface ApiParts {
  /** Milliseconds. */
  readonly activationDuration: number;
  readonly store: RunStateStore;
  readonly view: RunStateView;
  readonly session: Session;
  readonly details: RunDetails;
  readonly isTesting: boolean;
}

export function createApi({ activationDuration, store, view, session, details, isTesting }: ApiParts): RunStateApi {
  return Object.freeze({
    version: 1 as const,
    activationDuration,
    get snapshot(): RunStateSnapshot | null {
      return store.state.snapshot;
    },
    onDidLook: (listener: (event: undefined) => unknown, thisArgs?: unknown, disposables?: vscode.Disposable[]) => {
      const registration = store.onDidChange(() => listener.call(thisArgs, undefined));
      const disposable = new vscode.Disposable(() => registration.dispose());
      disposables?.push(disposable);
      return disposable;
    },
    refresh: async () => {
      await store.refresh({ kind: "all" });
    },
    testing: isTesting ? { view, session, store, details } : undefined,
  });
}
