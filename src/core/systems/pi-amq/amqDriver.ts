// Owns: pi-amq's ways as a QuarantineDriver: its own quarantine directory and names, its lifecycle guards, verified moves
// (spec/pi-amq.md section 15, 6 to 10). Leaves to others: permission, plan, record, listing, restoring, purging (quarantine/).
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { ClaimSnapshot } from "../../claims/claim.js";
import type { Verdict } from "../../claims/verdict.js";
import { hashContent, sha256Of, type ContentHash } from "../../quarantine/claimContent.js";
import { displaceDirectly, refused, untouched, type Displaced, type Displacement } from "../../quarantine/displacement.js";
import type { GuardAttempt } from "../../quarantine/instanceGuard.js";
import type { ClaimPlace } from "../../quarantine/latticeLayout.js";
import type { DirectoryProblem, QuarantineDriver } from "../../quarantine/quarantineDriver.js";
import type { GuardHolder, ItemType, QuarantineRecord } from "../../quarantine/quarantineEntry.js";
import type { Session } from "../../quarantine/session.js";
import { assertSafeDirectory, ensureDirectory } from "../../storage/directorySteps.js";
import type { FileStat } from "../../storage/filePort.js";
import { readBounded } from "../../storage/readBounded.js";
import { sharedFormatMemory, type FormatMemory } from "./formatMemory.js";
import { judgeLeaseOwner } from "./judgeLeaseOwner.js";
import { requireIdentity } from "./leaseIdentity.js";
import type { LifecycleGuard } from "./leaseRecord.js";
import { acquireGuard, defaultGuardWaitMs, type GuardRefusal } from "./lifecycleGuard.js";
import { generationInName, NamespaceLayout, ownerFileName, quarantineDirectoryName, recogniseEntry } from "./namespaceLayout.js";
import { recordMaxBytes } from "./readRecord.js";
import { namespaceOf, resourceAt } from "./reinspectClaim.js";
import { readMarkerHolder, takeSweepMarker } from "./sweepMarker.js";

/** Milliseconds: a guard that is younger may be one that its owner is about to give back (section 15, 7). */
export const guardRestMs = 10_000;

/** All instances look for the same marker; leftovers belong to no lease, so they share the supervisor's. */
const leftoverStem = "supervisor";

function placeIn(namespace: string, path: string): ClaimPlace | null {
  if (resolve(path) !== path) return null;
  const layout = new NamespaceLayout(namespace);
  const { kind } = recogniseEntry(basename(path));
  const isLease = resourceAt(layout, path, "") !== null;
  if (!isLease && (kind === "lock" || kind === "guard" || kind === "other")) return null;
  const inside = relative(namespace, path).split(sep).join("/");
  return { store: namespace, relative: inside, place: path, root: layout.quarantineDirectory, directory: layout.quarantineDirectory };
}

/** The namespace is the one that holds the quarantine, not the one that the record names: see placeOfRecord of lattice. */
function placeOfRecord(record: QuarantineRecord, directory: string): ClaimPlace | null {
  if (basename(directory) !== quarantineDirectoryName) return null;
  const recorded = placeIn(namespaceOf(record.original_path), record.original_path);
  return recorded === null ? null : placeIn(dirname(directory), join(dirname(directory), ...recorded.relative.split("/")));
}

function stemOf(path: string): string {
  return resourceAt(new NamespaceLayout(namespaceOf(path)), path, "")?.stem ?? leftoverStem;
}

/** pi-amq's own patterns, so that its tools see what they know. */
function itemName(claim: ClaimSnapshot, at: number, uuid: string): string {
  const generation = generationInName(claim.facts.find(({ name }) => name === "generation")?.value ?? "none");
  switch (claim.kind) {
    case "lifecycle-guard":
      return `guard.${stemOf(claim.path)}.${generation}.${uuid}.json`;
    case "leftover":
      return `leftover.${generationInName(basename(claim.path).replace(/^\.+/, ""))}.${at}.${uuid}`;
    default:
      return `${stemOf(claim.path)}.${generation}.${at}.${uuid}`;
  }
}

async function openDirectories(session: Session, place: ClaimPlace, create: boolean): Promise<DirectoryProblem | null> {
  const { port, platform } = session;
  for (const path of new Set([place.store, dirname(place.place), place.root])) {
    const check =
      create && path === place.root ? await ensureDirectory(port, place.store, path, { mode: 0o700, platform }) : await assertSafeDirectory(port, path);
    if (check.kind === "missing") return { reason: "place-missing", detail: path };
    if (check.kind === "unsafe") return { reason: "unsafe-directory", detail: path };
    if (check.kind === "unreadable") return { reason: "io-error", detail: check.code };
  }
  return null;
}

/** Our own rules decide whose guard may be displaced: pi-amq's would take a foreign text for a proof. */
function judgeWith(session: Session, namespace: string): (guard: LifecycleGuard) => Promise<Verdict> {
  return async (guard) => {
    session.observer.forget();
    const [current, inspection, environment] = await Promise.all([
      session.observer.current(),
      session.observer.inspect(guard.pid),
      session.observer.environment(namespace, guard.pid),
    ]);
    return judgeLeaseOwner(guard, { current, inspection, environment }).verdict;
  };
}

function holderOf(guard: LifecycleGuard | null, verdict: Verdict | null, fallback: string): GuardHolder {
  if (guard === null) return { token: fallback, verdict: "unreadable", pid: null, hostname: null, acquiredAt: null };
  const word = verdict?.kind === "live" || verdict?.kind === "remote" ? verdict.kind : "unknown";
  return { token: guard.generation, verdict: word, pid: guard.pid, hostname: guard.hostname, acquiredAt: guard.createdAt };
}

function holderOfRefusal({ holder, diagnostic }: GuardRefusal): GuardHolder {
  return holderOf(holder?.guard ?? null, holder?.verdict ?? null, diagnostic.code);
}

/**
 * For a lease its own lifecycle guard, in the rendering that pi-amq compares where one was learned; for guards and leftovers the
 * marker between our instances, since a guard cannot guard itself.
 */
async function acquireFor(session: Session, place: ClaimPlace, memory: FormatMemory): Promise<GuardAttempt> {
  const layout = new NamespaceLayout(place.store);
  const judge = judgeWith(session, place.store);
  const own = requireIdentity(await session.observer.current());
  const resource = resourceAt(layout, place.place, "");
  if (resource === null || resource.guardPath === place.place) {
    const stem = resource?.stem ?? leftoverStem;
    const marker = await takeSweepMarker(session, { layout, stem, identity: own, judge });
    if (marker === null) {
      const holder = await readMarkerHolder(session, layout.sweepMarker(stem));
      return { kind: "busy", holder: holderOf(holder, holder === null ? null : await judge(holder), layout.sweepMarker(stem)) };
    }
    const release = async (): Promise<readonly string[]> => ((await marker.giveBack()) === null ? [] : ["guard-not-released"]);
    return { kind: "held", guard: { isStillHeld: () => marker.isOurs(), release } };
  }
  const identity = memory.present(place.store, own) ?? own;
  const acquired = await acquireGuard(session, { layout, resource, identity, waitMs: defaultGuardWaitMs, judge });
  if (acquired.kind === "refused") return { kind: "busy", holder: holderOfRefusal(acquired) };
  const { guard } = acquired;
  return {
    kind: "held",
    guard: { isStillHeld: () => guard.isOurs(), release: async () => ((await guard.release()).kind === "released" ? [] : ["guard-not-released"]) },
  };
}

async function displace(d: Displacement, itemType: ItemType): Promise<Displaced> {
  const { kind } = recogniseEntry(basename(d.source));
  if (itemType !== "directory" && itemType !== "file") return untouched(refused("never-allowed", itemType));
  if (kind === "lock" && itemType !== "directory") return untouched(refused("never-allowed", itemType));
  if (kind === "guard") {
    const age = d.session.clock.now() - Number(BigInt(d.target.file.mtimeNs) / 1_000_000n);
    if (itemType !== "file") return untouched(refused("never-allowed", itemType));
    if (age < guardRestMs) return untouched(refused("never-allowed", "guard-is-young"));
  }
  return await displaceDirectly(d);
}

/** The bytes of a lease are those of its owner file. */
async function hash(session: Session, path: string, stat: FileStat): Promise<ContentHash> {
  if (stat.type !== "directory") return await hashContent(session.port, path, stat);
  const read = await readBounded(session.port, join(path, ownerFileName), { maxBytes: recordMaxBytes });
  switch (read.kind) {
    case "read":
      return { kind: "hash", sha256: sha256Of(read.bytes) };
    case "missing":
    case "not-regular":
    case "too-large":
      return { kind: "none" };
    case "changed-while-read":
      return { kind: "changed" };
    case "unreadable":
      return { kind: "unreadable", code: read.code };
  }
}

/** `memory`: what was learned about how the namespaces write process starts. */
export function createAmqDriver(memory: FormatMemory = sharedFormatMemory): QuarantineDriver {
  return {
    system: "pi-amq",
    placeOfClaim: (path) => placeIn(namespaceOf(path), path),
    placeOfRecord,
    itemName,
    // The namespace is the root: of its directories only the quarantine holds items, everything else is pi-amq's.
    rootOf: (root) => root,
    isItemDirectory: (name) => name === quarantineDirectoryName,
    isFurniture: (name) => name !== quarantineDirectoryName,
    openDirectories,
    acquireGuard: (session, place) => acquireFor(session, place, memory),
    displace,
    hash,
  };
}

export const amqDriver = createAmqDriver();
