// Owns: the rows of a namespace: reading one lease, guard, leftover or quarantined item and judging it.
// Leaves to others: which ones there are (inspectNamespace.ts, reinspectClaim.ts), claims (amqClaims.ts), verdicts (leaseFacts.ts).
import { join } from "node:path";
import type { Judgement } from "../../claims/verdict.js";
import { claimOf, corruptJudgement, emptyJudgement, judgeLeftover, wrongTypeJudgement, type Place } from "./amqClaims.js";
import type { LeaseFacts, UpstreamView } from "./leaseFacts.js";
import type { LifecycleGuard, WorkflowLeaseOwner } from "./leaseRecord.js";
import type { ListedEntry } from "./namespaceListing.js";
import { ownerFileName, parseQuarantineName, type LeaseResource, type NamespaceLayout } from "./namespaceLayout.js";
import type { GuardRow, LeaseRow, LeftoverKind, LeftoverRow, QuarantineRow } from "./namespaceSnapshot.js";
import { findForeignRecord, readGuardFile, readOwnerFile, type ReadContext, type RecordRead } from "./readRecord.js";

type Read<Value> = RecordRead<Value> | null;

/** A lease and its guard as they were read; `owner` and `guardRecord` are null where nothing was read. */
export interface LeaseReading {
  readonly resource: LeaseResource;
  readonly lock: ListedEntry | null;
  readonly guard: ListedEntry | null;
  readonly owner: Read<WorkflowLeaseOwner>;
  readonly guardRecord: Read<LifecycleGuard>;
}

export interface LeftoverReading {
  readonly entry: ListedEntry;
  readonly kind: LeftoverKind;
  readonly read: Read<WorkflowLeaseOwner>;
}

export const valueOf = <Value>(read: Read<Value>): Value | null => (read?.kind === "read" ? read.value : null);
const bytesOf = (read: Read<unknown>): Uint8Array | null => (read === null || read.kind === "missing" ? null : read.bytes);
const statOf = (read: Read<unknown>): ListedEntry["stat"] | null => (read === null || read.kind === "missing" ? null : read.stat);

/** What all rows of one look share. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly observedAt: number;
  /** Null: not known, so not compared. */
  readonly workspaceId: string | null;
  readonly changed: ReadonlySet<string>;
}

export class NamespaceRows {
  constructor(
    private readonly layout: NamespaceLayout,
    private readonly context: ReadContext,
    private readonly facts: LeaseFacts,
  ) {}

  /** Nothing is read through a symlink. */
  async readLease(resource: LeaseResource, lock: ListedEntry | null, guard: ListedEntry | null): Promise<LeaseReading> {
    return {
      resource,
      lock,
      guard,
      owner: lock === null || lock.stat.type === "symlink" ? null : await readOwnerFile(this.context, resource.ownerPath),
      guardRecord: guard === null || guard.stat.type === "symlink" ? null : await readGuardFile(this.context, resource.guardPath),
    };
  }

  async readLeftover(entry: ListedEntry, kind: LeftoverKind): Promise<LeftoverReading> {
    return { entry, kind, read: entry.stat.type === "directory" ? await readOwnerFile(this.context, join(entry.path, ownerFileName)) : null };
  }

  async leaseRow(reading: LeaseReading, moment: Moment): Promise<LeaseRow> {
    const { lock, owner } = reading;
    const { workspaceId, changed, observedAt } = moment;
    // The supervisor's resource id is the workspace's, which may have become known only by reading.
    const resource = reading.resource.kind === "supervisor" && workspaceId !== null ? this.layout.supervisor(workspaceId) : reading.resource;
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
      guard: reading.guard === null ? null : await this.guardRow(reading, reading.guard, moment),
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
    const { upstream, ...judgement } = await this.facts.assess(owner.value);
    return { judgement, upstream };
  }

  async guardRow(reading: LeaseReading, entry: ListedEntry, { changed, observedAt }: Moment): Promise<GuardRow> {
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
    const { upstream, ...judgement } = await this.facts.assess(read.value);
    return withJudgement(judgement, upstream);
  }

  async leftoverRow({ entry, kind, read }: LeftoverReading, { changed, observedAt }: Moment): Promise<LeftoverRow> {
    const record = valueOf(read);
    const owner = record === null ? (read?.kind === "corrupt" ? corruptJudgement(read.diagnostic).verdict : null) : (await this.facts.assess(record)).verdict;
    const place: Place = { kind: "leftover", path: entry.path, resource: entry.name, stat: entry.stat, bytes: bytesOf(read), observedAt };
    const judgement = judgeLeftover(entry.stat, owner, observedAt);
    return { key: entry.path, changing: changed.has(entry.path), kind, record, claim: claimOf(place, judgement, { owner: record, guard: null }, entry.stat) };
  }

  async quarantineRow({ name, path, stat }: ListedEntry, hasRecord: boolean, { changed }: Pick<Moment, "changed">): Promise<QuarantineRow> {
    const parsed = parseQuarantineName(name);
    const record =
      parsed.kind === "guard"
        ? valueOf(await readGuardFile(this.context, path))
        : stat.type === "directory"
          ? valueOf(await readOwnerFile(this.context, join(path, ownerFileName)))
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
      hasRecord,
    };
  }
}
