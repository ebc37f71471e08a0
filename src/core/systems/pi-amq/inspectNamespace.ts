// Owns: one immutable look at a whole pi-amq namespace: everything that lies there, judged, explained, nothing touched (spec/pi-amq.md 15).
// Leaves to others: names (namespaceListing.ts), claims (amqClaims.ts), verdicts (leaseFacts.ts), finding namespaces (discoverNamespaces.ts).
import type { Judgement } from "../../claims/verdict.js";
import { systemClock, type Clock } from "../../ports.js";
import { createProcessInspector } from "../../process/createProcessInspector.js";
import type { ProcessIdentity, ProcessObserver } from "../../process/processInspector.js";
import type { ReadPort } from "../../storage/filePort.js";
import { nodeFilePort } from "../../storage/nodeFilePort.js";
import { claimOf, corruptJudgement, emptyJudgement, judgeLeftover, wrongTypeJudgement, type Place } from "./amqClaims.js";
import { sharedFormatMemory, type FormatMemory } from "./formatMemory.js";
import { LeaseFacts, type UpstreamView } from "./leaseFacts.js";
import type { WorkflowLeaseOwner } from "./leaseRecord.js";
import { changedBetween, listNamespace, type ListedEntry, type NamespaceListing } from "./namespaceListing.js";
import { NamespaceLayout, parseQuarantineName, recogniseEntry, type LeaseResource } from "./namespaceLayout.js";
import type { AmqNamespaceSnapshot, GuardRow, LeaseRow, LeftoverKind, LeftoverRow, QuarantineRow } from "./namespaceSnapshot.js";
import { findForeignRecord, readGuardFile, readOwnerFile, type RecordRead } from "./readRecord.js";

export interface InspectNamespaceOptions {
  /** What the leases must name. Default: what they agree on. */
  readonly workspaceId?: string | undefined;
  readonly hostAliases?: readonly string[] | undefined;
  readonly observer?: ProcessObserver | undefined;
  readonly port?: ReadPort | undefined;
  readonly clock?: Clock | undefined;
  readonly memory?: FormatMemory | undefined;
  readonly timeZone?: string | undefined;
}

type Read<Value> = RecordRead<Value> | null;

interface LeaseReading {
  readonly resource: LeaseResource;
  readonly lock: ListedEntry | null;
  readonly guard: ListedEntry | null;
  readonly owner: Read<WorkflowLeaseOwner>;
  readonly guardRecord: Awaited<ReturnType<typeof readGuardFile>> | null;
}

const valueOf = <Value>(read: Read<Value>): Value | null => (read?.kind === "read" ? read.value : null);
const bytesOf = (read: Read<unknown>): Uint8Array | null => (read === null || read.kind === "missing" ? null : read.bytes);
const statOf = (read: Read<unknown>): ListedEntry["stat"] | null => (read === null || read.kind === "missing" ? null : read.stat);

class Inspection {
  readonly #layout: NamespaceLayout;
  readonly #read: { readonly port: ReadPort; readonly clock: Clock };
  readonly #facts: LeaseFacts;

  constructor(
    namespace: string,
    private readonly options: InspectNamespaceOptions,
  ) {
    this.#layout = new NamespaceLayout(namespace);
    this.#read = { port: options.port ?? nodeFilePort, clock: options.clock ?? systemClock };
    this.#facts = new LeaseFacts({
      observer: options.observer ?? createProcessInspector(),
      memory: options.memory ?? sharedFormatMemory,
      hostAliases: options.hostAliases ?? [],
      namespace: this.#layout.root,
      timeZone: options.timeZone,
    });
  }

  async run(): Promise<AmqNamespaceSnapshot> {
    const takenAt = this.#read.clock.now();
    const listing = await listNamespace(this.#read.port, this.#layout);
    const supervisor = await this.#readSupervisor(listing.root);
    const workers = await this.#readWorkers(listing.workers);
    const leftovers = await this.#readLeftovers(listing);
    await this.#facts.learnFrom([...recordsOf([supervisor, ...workers]), ...leftovers.flatMap(({ record }) => (record === null ? [] : [record]))]);
    const workspaceId = this.options.workspaceId ?? agreedWorkspace([supervisor, ...workers]);
    const changed = changedBetween(listing, await listNamespace(this.#read.port, this.#layout));
    const rows = await Promise.all(workers.map((reading) => this.#leaseRow(reading, workspaceId, changed, takenAt)));
    const supervisorRow = supervisor.lock === null && supervisor.guard === null ? null : await this.#leaseRow(supervisor, workspaceId, changed, takenAt);
    return {
      key: this.#layout.root,
      path: this.#layout.root,
      workspaceId,
      takenAt,
      changing: changed.size > 0,
      supervisor: supervisorRow,
      workers: rows.filter(({ claim }) => claim.verdict.kind !== "empty"),
      orphanGuards: rows.flatMap(({ claim, guard }) => (claim.verdict.kind === "empty" && guard !== null ? [guard] : [])),
      leftovers: await Promise.all(leftovers.map((leftover) => this.#leftoverRow(leftover, changed, takenAt))),
      quarantine: await this.#quarantineRows(listing.quarantine, changed),
      foreign: this.#foreignRows(listing, changed),
      problems: listing.problems,
    };
  }

  async #readLease(resource: LeaseResource, entries: ReadonlyMap<string, ListedEntry>): Promise<LeaseReading> {
    const lock = entries.get(resource.lockPath) ?? null;
    const guard = entries.get(resource.guardPath) ?? null;
    return {
      resource,
      lock,
      guard,
      owner: lock === null || lock.stat.type === "symlink" ? null : await readOwnerFile(this.#read, resource.ownerPath),
      guardRecord: guard === null || guard.stat.type === "symlink" ? null : await readGuardFile(this.#read, resource.guardPath),
    };
  }

  #readSupervisor(root: readonly ListedEntry[]): Promise<LeaseReading> {
    // The resource id is the workspace's, which only the record may tell; it is compared in the row.
    return this.#readLease(this.#layout.supervisor(this.options.workspaceId ?? ""), byPath(root));
  }

  async #readWorkers(entries: readonly ListedEntry[]): Promise<readonly LeaseReading[]> {
    const names = new Set<string>();
    for (const { name } of entries) {
      const entry = recogniseEntry(name);
      if (entry.kind === "lock" || entry.kind === "guard") names.add(entry.name);
    }
    const paths = byPath(entries);
    const readings: LeaseReading[] = [];
    for (const name of [...names].sort()) readings.push(await this.#readLease(this.#layout.worker(name), paths));
    return readings;
  }

  async #readLeftovers({ root, workers }: NamespaceListing): Promise<readonly { entry: ListedEntry; kind: LeftoverKind; record: WorkflowLeaseOwner | null; read: Read<WorkflowLeaseOwner> }[]> {
    const leftovers = [];
    for (const entry of [...root, ...workers]) {
      const { kind } = recogniseEntry(entry.name);
      if (kind !== "prepare" && kind !== "released" && kind !== "temporary_file" && kind !== "sweep_marker") continue;
      const read = entry.stat.type === "directory" ? await readOwnerFile(this.#read, `${entry.path}/owner.json`) : null;
      leftovers.push({ entry, kind, read, record: valueOf(read) });
    }
    return leftovers;
  }

  async #assess(record: ProcessIdentity): Promise<Judgement & { readonly upstream: UpstreamView }> {
    return await this.#facts.assess(record);
  }

  async #leaseRow(reading: LeaseReading, workspaceId: string | null, changed: ReadonlySet<string>, observedAt: number): Promise<LeaseRow> {
    const { lock, owner } = reading;
    const resource = reading.resource.kind === "supervisor" && workspaceId !== null ? this.#layout.supervisor(workspaceId) : reading.resource;
    const record = valueOf(owner);
    const { judgement, upstream } = await this.#judgeLease(reading, resource, workspaceId);
    const place: Place = {
      kind: resource.kind === "supervisor" ? "supervisor-lease" : "worker-session-lease",
      path: resource.lockPath,
      resource: record?.sessionPath ?? resource.resourceId,
      stat: lock?.stat ?? null,
      bytes: bytesOf(owner),
      observedAt,
    };
    return {
      key: resource.lockPath,
      changing: changed.has(resource.lockPath),
      resourceId: resource.resourceId,
      claim: claimOf(place, judgement, { owner: record, guard: null }, statOf(owner)),
      record,
      upstream,
      guard: reading.guard === null ? null : await this.#guardRow(reading, reading.guard, changed, observedAt),
    };
  }

  async #judgeLease(reading: LeaseReading, resource: LeaseResource, workspaceId: string | null): Promise<{ judgement: Judgement; upstream: UpstreamView | null }> {
    const { lock, owner } = reading;
    if (lock === null) return { judgement: emptyJudgement, upstream: null };
    if (owner === null) return { judgement: wrongTypeJudgement(lock.stat.type, "directory"), upstream: null };
    if (owner.kind === "missing") {
      return { judgement: corruptJudgement({ code: "owner_file_missing", message: "The lease has no owner file." }), upstream: null };
    }
    if (owner.kind === "corrupt") return { judgement: corruptJudgement(owner.diagnostic), upstream: null };
    const foreign = findForeignRecord(owner.value, resource, workspaceId);
    if (foreign !== null) return { judgement: corruptJudgement(foreign), upstream: null };
    const { upstream, ...judgement } = await this.#assess(owner.value);
    return { judgement, upstream };
  }

  async #guardRow(reading: LeaseReading, entry: ListedEntry, changed: ReadonlySet<string>, observedAt: number): Promise<GuardRow> {
    const read = reading.guardRecord;
    const record = valueOf(read);
    const place: Place = { kind: "lifecycle-guard", path: entry.path, resource: reading.resource.stem, stat: entry.stat, bytes: bytesOf(read), observedAt };
    const row = { key: entry.path, changing: changed.has(entry.path), record };
    const withJudgement = (judgement: Judgement, upstream: UpstreamView | null): GuardRow => ({
      ...row,
      upstream,
      claim: claimOf(place, judgement, { owner: null, guard: record }, statOf(read)),
    });
    if (read === null) return withJudgement(wrongTypeJudgement(entry.stat.type, "file"), null);
    if (read.kind === "missing") return withJudgement(emptyJudgement, null);
    if (read.kind === "corrupt") return withJudgement(corruptJudgement(read.diagnostic), null);
    const { upstream, ...judgement } = await this.#assess(read.value);
    return withJudgement(judgement, upstream);
  }

  async #leftoverRow(
    { entry, kind, record, read }: { entry: ListedEntry; kind: LeftoverKind; record: WorkflowLeaseOwner | null; read: Read<WorkflowLeaseOwner> },
    changed: ReadonlySet<string>,
    observedAt: number,
  ): Promise<LeftoverRow> {
    const owner = record === null ? (read?.kind === "corrupt" ? corruptJudgement(read.diagnostic).verdict : null) : (await this.#assess(record)).verdict;
    const place: Place = { kind: "leftover", path: entry.path, resource: entry.name, stat: entry.stat, bytes: bytesOf(read), observedAt };
    const judgement = judgeLeftover(entry.stat, owner, observedAt);
    return { key: entry.path, changing: changed.has(entry.path), kind, record, claim: claimOf(place, judgement, { owner: record, guard: null }, entry.stat) };
  }

  async #quarantineRows(entries: readonly ListedEntry[], changed: ReadonlySet<string>): Promise<readonly QuarantineRow[]> {
    const names = new Set(entries.map(({ name }) => name));
    const rows: QuarantineRow[] = [];
    for (const entry of entries) {
      // Records of ours belong to the item beside them.
      if (entry.name.endsWith(recordSuffix) && names.has(entry.name.slice(0, -recordSuffix.length))) continue;
      rows.push(await this.#quarantineRow(entry, names, changed));
    }
    return rows;
  }

  async #quarantineRow({ name, path, stat }: ListedEntry, names: ReadonlySet<string>, changed: ReadonlySet<string>): Promise<QuarantineRow> {
    const parsed = parseQuarantineName(name);
    const record =
      parsed.kind === "guard"
        ? valueOf(await readGuardFile(this.#read, path))
        : stat.type === "directory"
          ? valueOf(await readOwnerFile(this.#read, `${path}/owner.json`))
          : null;
    return {
      key: path,
      changing: changed.has(path),
      name,
      path,
      parsed,
      type: stat.type,
      record,
      at: parsed.kind === "lease" ? parsed.movedAtMs : Number(stat.mtimeNs / 1_000_000n),
      hasRecord: names.has(`${name}${recordSuffix}`),
    };
  }

  #foreignRows({ root, workers }: NamespaceListing, changed: ReadonlySet<string>): AmqNamespaceSnapshot["foreign"] {
    const supervisor = this.#layout.supervisor("");
    const known = new Set([supervisor.lockPath, supervisor.guardPath, this.#layout.workersDirectory, this.#layout.quarantineDirectory]);
    const inRoot = root.filter(({ name, path }) => !known.has(path) && ["other", "lock", "guard"].includes(recogniseEntry(name).kind));
    const inWorkers = workers.filter(({ name }) => recogniseEntry(name).kind === "other");
    return [...inRoot, ...inWorkers].map(({ path, stat }) => ({ key: path, changing: changed.has(path), path, type: stat.type }));
  }
}

const recordSuffix = ".record.json";

function byPath(entries: readonly ListedEntry[]): ReadonlyMap<string, ListedEntry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

function recordsOf(readings: readonly LeaseReading[]): readonly ProcessIdentity[] {
  return readings.flatMap(({ owner, guardRecord }) => [valueOf(owner), valueOf(guardRecord)].filter((record) => record !== null));
}

/** The supervisor's word counts; without one that of most worker leases, if most agree. */
function agreedWorkspace([supervisor, ...workers]: readonly LeaseReading[]): string | null {
  const own = valueOf(supervisor?.owner ?? null);
  if (own !== null && own.kind === "supervisor" && own.resourceId === own.workspaceId) return own.workspaceId;
  const votes = new Map<string, number>();
  for (const { owner } of workers) {
    const id = valueOf(owner)?.workspaceId;
    if (id !== undefined) votes.set(id, (votes.get(id) ?? 0) + 1);
  }
  const [first, second] = [...votes].sort(([, a], [, b]) => b - a);
  return first === undefined || (second !== undefined && second[1] === first[1]) ? null : first[0];
}

/**
 * Everything in the namespace at one moment. Never writes, makes no directory, takes no guard; a missing namespace is an empty
 * snapshot. One bad entry never hides a good one, and throws for no state of the disk. Each process is asked about once.
 * @throws TypeError when the path is not absolute
 */
export async function inspectNamespace(namespace: string, options: InspectNamespaceOptions = {}): Promise<AmqNamespaceSnapshot> {
  return await new Inspection(namespace, options).run();
}
