// Owns: the incremental index over some roots: what was read last, and a refresh that reads only what changed.
// Leaves to others: reading (readStore.ts), judging (judgeReadings.ts), the form of the result (buildSnapshot.ts).
import { resolve } from "node:path";
import { systemClock, type Clock } from "../ports.js";
import { createProcessInspector } from "../process/createProcessInspector.js";
import type { ProcessObserver } from "../process/processInspector.js";
import { ownTimeZone } from "../process/timeZone.js";
import { listQuarantine } from "../quarantine/listQuarantine.js";
import type { ReadPort } from "../storage/filePort.js";
import { nodeFilePort } from "../storage/nodeFilePort.js";
import { secondLookMs } from "../systems/lattice/inspectLifecycleLock.js";
import { isFrozenByQuarantine } from "../systems/lattice/lifecycleLockFrozen.js";
import { ownUid, type WeakLockContext } from "../systems/lattice/weakLocks.js";
import { buildSnapshot, type RootReading } from "./buildSnapshot.js";
import { allDirty, dirtyPartsOf } from "./dirtyPaths.js";
import { judgeReadings } from "./judgeReadings.js";
import { createPace, type Pace } from "./pace.js";
import type { DirectoryReading } from "./readDirectory.js";
import { readOnlyPort } from "./readOnlyPort.js";
import { readStore, type StoreContext, type StoreReading } from "./readStore.js";
import { resolveRoots, type ResolvedRoot } from "./rootTarget.js";
import { diskOver, localDisk } from "./scanDisk.js";
import { slicedReadPort } from "./slicedReadPort.js";
import type { RunStateSnapshot } from "./snapshot.js";

export interface ScanOptions {
  /** Default: the real one of this platform. */
  readonly observer?: ProcessObserver;
  /** Default: synchronous slices on local disks, the asynchronous port elsewhere. */
  readonly port?: ReadPort;
  readonly clock?: Clock;
  /** Milliseconds that the scan holds the event loop at a time. */
  readonly sliceMs?: number;
  /** Numeric user id of the observer. Default: that of this process. */
  readonly uid?: number | null;
}

export interface RefreshOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ScanIndex {
  /**
   * Looks again and gives a new snapshot. Without `changedPaths` every run is looked at by lstat and re-read when its times, size
   * or inode changed; with them only what they touch. Verdicts are of now in any case. Refreshes run one after the other; parts
   * that did not change are the same objects as in the snapshot before. @throws the reason of the signal when aborted: the index
   * then stands as before.
   */
  refresh(changedPaths?: readonly string[], options?: RefreshOptions): Promise<RunStateSnapshot>;
}

/** Directories on a server that are read at the same time: each waits for an answer, not for the disk. */
const serverConcurrency = 16;

/** @param roots workspace folders, `.lattice` directories, their `runs`, or single runs. Nothing is read until the first refresh. */
export function createScanIndex(roots: readonly string[], options: ScanOptions = {}): ScanIndex {
  return new Index([...new Set(roots.map((root) => resolve(root)))], options);
}

class Index implements ScanIndex {
  readonly #roots: readonly string[];
  readonly #options: ScanOptions;
  readonly #observer: ProcessObserver;
  readonly #clock: Clock;
  /** By root. Replaced as a whole when a refresh has succeeded, so that an aborted one leaves no half state. */
  #known: ReadonlyMap<string, StoreReading> = new Map();
  #last: Promise<unknown> = Promise.resolve();

  constructor(roots: readonly string[], options: ScanOptions) {
    this.#roots = roots;
    this.#options = options;
    this.#observer = options.observer ?? createProcessInspector();
    this.#clock = options.clock ?? systemClock;
  }

  refresh(changedPaths?: readonly string[], options: RefreshOptions = {}): Promise<RunStateSnapshot> {
    const refreshed = this.#last.then(() => this.#refresh(changedPaths ?? null, options.signal));
    // A refresh that failed must not keep the next one from running.
    this.#last = refreshed.catch(() => undefined);
    return refreshed;
  }

  async #refresh(changedPaths: readonly string[] | null, signal: AbortSignal | undefined): Promise<RunStateSnapshot> {
    signal?.throwIfAborted();
    this.#observer.forget();
    const { sliceMs, uid = ownUid() } = this.#options;
    const pace = createPace({ signal, ...(sliceMs === undefined ? {} : { sliceMs }) });
    const known = new Map<string, StoreReading>();
    const roots: RootReading[] = [];
    for (const { root, target, storeNames, problems } of await this.#resolveRoots(signal)) {
      let store: StoreReading | null = null;
      if (target !== null) {
        const dirty = changedPaths === null ? allDirty : dirtyPartsOf(storeNames, changedPaths);
        store = await readStore(await this.#contextFor(target.store, pace, signal), target, this.#known.get(root) ?? null, dirty);
        if (store !== null) known.set(root, store);
      }
      roots.push({ root, store, problems });
    }
    const context = { observer: this.#observer, clock: this.#clock, timeZone: ownTimeZone(), uid, isFrozen: isFrozenIn(this.#options.port ?? nodeFilePort) };
    const claims = await judgeReadings(roots.flatMap(({ store }) => readingsOf(store)), context, pace);
    signal?.throwIfAborted();
    this.#known = known;
    return buildSnapshot(roots, claims, this.#clock.now());
  }

  /** A root that was good and suddenly cannot be looked at is looked at twice. */
  async #resolveRoots(signal: AbortSignal | undefined): Promise<readonly ResolvedRoot[]> {
    const port = this.#options.port ?? nodeFilePort;
    const first = await resolveRoots(port, this.#roots);
    const isDoubtful = first.some(({ root, problems }) => this.#known.has(root) && problems.some(({ code }) => code === "unreadable"));
    if (!isDoubtful) return first;
    await this.#clock.sleep(secondLookMs, signal);
    return await resolveRoots(port, this.#roots);
  }

  async #contextFor(store: string, pace: Pace, signal: AbortSignal | undefined): Promise<StoreContext> {
    // Our own pid stands for any: only the disk is asked about.
    const { localFilesystem } = await this.#observer.environment(store, process.pid);
    const isSliced = localFilesystem && this.#options.port === undefined;
    const port = this.#options.port ?? (isSliced ? slicedReadPort(pace) : nodeFilePort);
    return {
      port,
      disk: isSliced ? localDisk : diskOver(port),
      pace,
      clock: this.#clock,
      now: () => this.#clock.now(),
      concurrency: localFilesystem ? 1 : serverConcurrency,
      signal,
      listQuarantine: (root) => listQuarantine(root, { port: readOnlyPort(port), clock: this.#clock, observer: this.#observer }),
    };
  }
}

function isFrozenIn(port: ReadPort): WeakLockContext["isFrozen"] {
  return (path, file) => isFrozenByQuarantine(port, path, file);
}

function readingsOf(store: StoreReading | null): readonly DirectoryReading[] {
  if (store === null) return [];
  return [...store.runs, store.registry].filter((reading) => reading !== null);
}
