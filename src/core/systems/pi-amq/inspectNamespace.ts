// Owns: one immutable look at a whole pi-amq namespace: everything that lies there, judged, explained, nothing touched (spec/pi-amq.md 15).
// Leaves to others: names (namespaceListing.ts), rows (namespaceRows.ts), verdicts (leaseFacts.ts), finding namespaces (discoverNamespaces.ts).
import { systemClock, type Clock } from "../../ports.js";
import { createProcessInspector } from "../../process/createProcessInspector.js";
import type { ProcessIdentity, ProcessObserver } from "../../process/processInspector.js";
import { recordSuffix } from "../../quarantine/quarantineRecord.js";
import type { ReadPort } from "../../storage/filePort.js";
import { nodeFilePort } from "../../storage/nodeFilePort.js";
import { sharedFormatMemory, type FormatMemory } from "./formatMemory.js";
import { LeaseFacts } from "./leaseFacts.js";
import { changedBetween, listNamespace, type ListedEntry, type NamespaceListing } from "./namespaceListing.js";
import { NamespaceLayout, recogniseEntry } from "./namespaceLayout.js";
import { NamespaceRows, valueOf, type LeaseReading, type LeftoverReading, type Moment } from "./namespaceRows.js";
import type { AmqNamespaceSnapshot, QuarantineRow } from "./namespaceSnapshot.js";

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

/** What one look needs, settled once. */
export function openInspection(layout: NamespaceLayout, options: InspectNamespaceOptions): { readonly rows: NamespaceRows; readonly facts: LeaseFacts; readonly port: ReadPort; readonly clock: Clock } {
  const context = { port: options.port ?? nodeFilePort, clock: options.clock ?? systemClock };
  const facts = new LeaseFacts({
    observer: options.observer ?? createProcessInspector(),
    memory: options.memory ?? sharedFormatMemory,
    hostAliases: options.hostAliases ?? [],
    namespace: layout.root,
    timeZone: options.timeZone,
  });
  return { rows: new NamespaceRows(layout, context, facts), facts, ...context };
}

function byPath(entries: readonly ListedEntry[]): ReadonlyMap<string, ListedEntry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

async function readWorkers(rows: NamespaceRows, layout: NamespaceLayout, entries: readonly ListedEntry[]): Promise<readonly LeaseReading[]> {
  const names = new Set<string>();
  for (const { name } of entries) {
    const entry = recogniseEntry(name);
    if (entry.kind === "lock" || entry.kind === "guard") names.add(entry.name);
  }
  const paths = byPath(entries);
  const readings: LeaseReading[] = [];
  for (const name of [...names].sort()) {
    const resource = layout.worker(name);
    readings.push(await rows.readLease(resource, paths.get(resource.lockPath) ?? null, paths.get(resource.guardPath) ?? null));
  }
  return readings;
}

async function readLeftovers(rows: NamespaceRows, { root, workers }: NamespaceListing): Promise<readonly LeftoverReading[]> {
  const leftovers: LeftoverReading[] = [];
  for (const entry of [...root, ...workers]) {
    const { kind } = recogniseEntry(entry.name);
    if (kind === "prepare" || kind === "released" || kind === "temporary_file" || kind === "sweep_marker") leftovers.push(await rows.readLeftover(entry, kind));
  }
  return leftovers;
}

async function quarantineRows(rows: NamespaceRows, entries: readonly ListedEntry[], moment: Moment): Promise<readonly QuarantineRow[]> {
  const names = new Set(entries.map(({ name }) => name));
  const items: QuarantineRow[] = [];
  for (const entry of entries) {
    // Records of ours belong to the item beside them.
    if (entry.name.endsWith(recordSuffix) && names.has(entry.name.slice(0, -recordSuffix.length))) continue;
    items.push(await rows.quarantineRow(entry, names.has(`${entry.name}${recordSuffix}`), moment));
  }
  return items;
}

function foreignRows(layout: NamespaceLayout, { root, workers }: NamespaceListing, changed: ReadonlySet<string>): AmqNamespaceSnapshot["foreign"] {
  const supervisor = layout.supervisor("");
  const known = new Set([supervisor.lockPath, supervisor.guardPath, layout.workersDirectory, layout.quarantineDirectory]);
  const inRoot = root.filter(({ name, path }) => !known.has(path) && ["other", "lock", "guard"].includes(recogniseEntry(name).kind));
  const inWorkers = workers.filter(({ name }) => recogniseEntry(name).kind === "other");
  return [...inRoot, ...inWorkers].map(({ path, stat }) => ({ key: path, changing: changed.has(path), path, type: stat.type }));
}

function recordsOf(readings: readonly LeaseReading[]): readonly ProcessIdentity[] {
  return readings.flatMap(({ owner, guardRecord }) => [valueOf(owner), valueOf(guardRecord)].filter((record) => record !== null));
}

/** The supervisor's word counts; without one that of most worker leases, if most agree. */
function agreedWorkspace(supervisor: LeaseReading, workers: readonly LeaseReading[]): string | null {
  const own = valueOf(supervisor.owner);
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
  const layout = new NamespaceLayout(namespace);
  const { rows, facts, port, clock } = openInspection(layout, options);
  const observedAt = clock.now();
  const listing = await listNamespace(port, layout);
  const root = byPath(listing.root);
  const place = layout.supervisor(options.workspaceId ?? "");
  const supervisor = await rows.readLease(place, root.get(place.lockPath) ?? null, root.get(place.guardPath) ?? null);
  const workers = await readWorkers(rows, layout, listing.workers);
  const leftovers = await readLeftovers(rows, listing);
  await facts.learnFrom([...recordsOf([supervisor, ...workers]), ...leftovers.flatMap(({ read }) => valueOf(read) ?? [])]);
  const workspaceId = options.workspaceId ?? agreedWorkspace(supervisor, workers);
  const changed = changedBetween(listing, await listNamespace(port, layout));
  const moment: Moment = { observedAt, workspaceId, changed };
  const workerRows = await Promise.all(workers.map((reading) => rows.leaseRow(reading, moment)));
  const hasSupervisor = supervisor.lock !== null || supervisor.guard !== null;
  return {
    key: layout.root,
    path: layout.root,
    workspaceId,
    takenAt: observedAt,
    changing: changed.size > 0,
    supervisor: hasSupervisor ? await rows.leaseRow(supervisor, moment) : null,
    workers: workerRows.filter(({ claim }) => claim.verdict.kind !== "empty"),
    orphanGuards: workerRows.flatMap(({ claim, guard }) => (claim.verdict.kind === "empty" && guard !== null ? [guard] : [])),
    leftovers: await Promise.all(leftovers.map((leftover) => rows.leftoverRow(leftover, moment))),
    quarantine: await quarantineRows(rows, listing.quarantine, moment),
    foreign: foreignRows(layout, listing, changed),
    problems: listing.problems,
  };
}
