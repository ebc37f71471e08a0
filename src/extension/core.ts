// Owns: what the shell asks of the core, as one narrow port with the real functions behind it.
// Leaves to others: everything the core decides.
import type { ClaimSnapshot } from "../core/claims/claim.js";
import type { Logger } from "../core/ports.js";
import { createProcessInspector } from "../core/process/createProcessInspector.js";
import { executeQuarantine } from "../core/quarantine/executeQuarantine.js";
import { planQuarantine } from "../core/quarantine/planQuarantine.js";
import { planPurge, purgeQuarantine, type PurgeOutcome, type PurgePlan } from "../core/quarantine/purgeQuarantine.js";
import type { QuarantineEntry, QuarantinePlan, QuarantineResult, RestoreResult, SettleResult } from "../core/quarantine/quarantineEntry.js";
import { restoreFromQuarantine } from "../core/quarantine/restoreFromQuarantine.js";
import type { QuarantineOptions } from "../core/quarantine/session.js";
import { settleFrozen } from "../core/quarantine/settleFrozen.js";
import { createScanIndex, type ScanIndex } from "../core/scan/scanIndex.js";
import type { RunStateSnapshot } from "../core/scan/snapshot.js";
import type { EpochRequest } from "../core/systems/lattice/store/epochRequest.js";
import type { EpochDetail, RunDetail } from "../core/systems/lattice/store/runDetail.js";
import type { Scanner } from "./state/runStateStore.js";

/** What a person may add to a repair. */
export interface RepairOptions {
  readonly signal?: AbortSignal;
  /** Typed to displace what is not proved stale. */
  readonly typedId?: string | null;
  /** Typed to override the guard of another instance that cannot be judged. */
  readonly typedToken?: string | null;
}

export interface Core {
  readonly scanner: Scanner;
  /** One look into a run, with its processes judged. */
  inspectRun(directory: string, signal: AbortSignal): Promise<RunDetail>;
  readEpochRequest(epoch: EpochDetail): Promise<EpochRequest>;
  plan(claim: ClaimSnapshot): Promise<QuarantinePlan>;
  execute(plan: QuarantinePlan, options: RepairOptions): Promise<QuarantineResult>;
  restore(entry: QuarantineEntry, options: RepairOptions): Promise<RestoreResult>;
  settle(entry: QuarantineEntry, options: RepairOptions): Promise<SettleResult>;
  /** `store` is a `.lattice` directory. */
  planPurge(store: string, olderThanMs: number): Promise<PurgePlan>;
  purge(plan: PurgePlan, options: RepairOptions): Promise<readonly PurgeOutcome[]>;
}

/** Every schema of a run is set up when this is loaded, which must not be paid at activation. */
async function loadRunReader() {
  const [{ inspectRun }, { readEpochRequest }, { HeartbeatMemory }] = await Promise.all([
    import("../core/systems/lattice/store/inspectRun.js"),
    import("../core/systems/lattice/store/epochRequest.js"),
    import("../core/systems/lattice/store/supervisorDetail.js"),
  ]);
  return { inspectRun, readEpochRequest, heartbeats: new HeartbeatMemory() };
}

type RunReader = Awaited<ReturnType<typeof loadRunReader>>;

export function createCore(logger: Logger): Core {
  const observer = createProcessInspector();
  const optionsOf = ({ signal, typedId, typedToken }: RepairOptions): QuarantineOptions => ({
    logger,
    observer,
    signal,
    force: typedId === undefined || typedId === null ? undefined : { typedId },
    breakGuard: typedToken === undefined || typedToken === null ? undefined : { typedId: typedToken },
  });
  let loading: Promise<RunReader> | null = null;
  const runs = (): Promise<RunReader> => (loading ??= loadRunReader());
  return {
    inspectRun: async (directory, signal) => {
      const { inspectRun, heartbeats } = await runs();
      return await inspectRun(directory, { observer, heartbeats, signal });
    },
    readEpochRequest: async (epoch) => (await runs()).readEpochRequest(epoch),
    scanner: createScanner((roots) => createScanIndex(roots, { observer })),
    plan: (claim) => planQuarantine(claim, { logger, observer }),
    execute: (plan, options) => executeQuarantine(plan, optionsOf(options)),
    restore: (entry, options) => restoreFromQuarantine(entry, optionsOf(options)),
    settle: (entry, options) => settleFrozen(entry, optionsOf(options)),
    planPurge: (store, olderThanMs) => planPurge(store, { olderThanMs }, { logger, observer }),
    purge: (plan, options) => purgeQuarantine(plan, optionsOf(options)),
  };
}

/** One index as long as the roots are the same: it knows what it read last. */
function createScanner(createIndex: (roots: readonly string[]) => ScanIndex): Scanner {
  let indexed: readonly string[] | null = null;
  let index = createIndex([]);
  const look = (paths?: readonly string[]): Promise<RunStateSnapshot> => index.refresh(paths);
  return {
    lookEverywhere: (roots) => {
      if (roots !== indexed) {
        index = createIndex(roots);
        indexed = roots;
      }
      return look();
    },
    lookAt: look,
    // A watcher may have missed something without saying so: the poll looks at everything, and reads only what changed.
    lookAtOwners: () => look(),
  };
}
