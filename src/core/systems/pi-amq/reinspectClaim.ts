// Owns: looking at one claim of a namespace again, with the same rules that made it: between confirmation and move.
// Leaves to others: the whole namespace (inspectNamespace.ts), comparing with the plan (quarantine/recheck.ts).
import { basename, dirname, join } from "node:path";
import type { ClaimSnapshot } from "../../claims/claim.js";
import { isMissing } from "../../storage/errno.js";
import type { FileStat, ReadPort } from "../../storage/filePort.js";
import { claimOf, emptyJudgement } from "./amqClaims.js";
import { openInspection, type InspectNamespaceOptions } from "./inspectNamespace.js";
import type { ListedEntry } from "./namespaceListing.js";
import { NamespaceLayout, recogniseEntry, workersDirectoryName, type LeaseResource } from "./namespaceLayout.js";
import { valueOf, type Moment, type NamespaceRows } from "./namespaceRows.js";

/** The namespace that holds a path of section 1, by its form alone. */
export function namespaceOf(path: string): string {
  const parent = dirname(path);
  return basename(parent) === workersDirectoryName ? dirname(parent) : parent;
}

/** The lease or guard at a path; null for everything else. */
export function resourceAt(layout: NamespaceLayout, path: string, workspaceId: string): LeaseResource | null {
  const entry = recogniseEntry(basename(path));
  if (entry.kind !== "lock" && entry.kind !== "guard") return null;
  if (dirname(path) === layout.workersDirectory) return layout.worker(entry.name);
  return dirname(path) === layout.root && entry.name === "supervisor" ? layout.supervisor(workspaceId) : null;
}

async function entryAt(port: ReadPort, path: string): Promise<ListedEntry | null> {
  let stat: FileStat;
  try {
    stat = await port.lstat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return { name: basename(path), path, stat, ownerStat: null };
}

/** Names of this host that a person had declared when the claim was judged: its own checks say so. */
function aliasesIn(claim: ClaimSnapshot): readonly string[] {
  return claim.checks.flatMap(({ id, outcome, recorded }) => (id === "hostname" && outcome === "noted" && recorded !== null ? [recorded] : []));
}

const recordedWorkspace = (claim: ClaimSnapshot): string | undefined => claim.facts.find(({ name }) => name === "workspace")?.value;

/** The supervisor's word counts, as in a look at the whole namespace; without one, what the claim itself says. */
async function workspaceOf(rows: NamespaceRows, layout: NamespaceLayout, port: ReadPort, claim: ClaimSnapshot): Promise<string | null> {
  const place = layout.supervisor("");
  const supervisor = valueOf((await rows.readLease(place, await entryAt(port, place.lockPath), null)).owner);
  if (supervisor?.kind === "supervisor" && supervisor.resourceId === supervisor.workspaceId) return supervisor.workspaceId;
  return recordedWorkspace(claim) ?? null;
}

function gone(claim: ClaimSnapshot, observedAt: number): ClaimSnapshot {
  const { kind, path, resource } = claim;
  return claimOf({ kind, path, resource, stat: null, bytes: null, observedAt }, emptyJudgement, { owner: null, guard: null }, null);
}

/** The claim at the same path now. Never writes. @throws errno errors of looking at the path itself */
export async function reinspectAmqClaim(claim: ClaimSnapshot, options: InspectNamespaceOptions = {}): Promise<ClaimSnapshot> {
  const layout = new NamespaceLayout(namespaceOf(claim.path));
  const { rows, facts, port, clock } = openInspection(layout, { ...options, hostAliases: options.hostAliases ?? aliasesIn(claim) });
  const observedAt = clock.now();
  const entry = await entryAt(port, claim.path);
  if (entry === null) return gone(claim, observedAt);
  const workspaceId = options.workspaceId ?? (await workspaceOf(rows, layout, port, claim));
  const moment: Moment = { observedAt, workspaceId, changed: new Set() };
  const resource = resourceAt(layout, claim.path, workspaceId ?? "");
  if (resource === null) {
    const { kind } = recogniseEntry(basename(claim.path));
    if (kind === "lock" || kind === "guard" || kind === "other") throw new TypeError(`No claim of a namespace has this path: ${join(claim.path)}`);
    return (await rows.leftoverRow(await rows.readLeftover(entry, kind), moment)).claim;
  }
  const isGuard = resource.guardPath === claim.path;
  const reading = await rows.readLease(resource, isGuard ? null : entry, isGuard ? entry : null);
  await facts.learnFrom([valueOf(reading.owner), valueOf(reading.guardRecord)].filter((record) => record !== null));
  return isGuard ? (await rows.guardRow(reading, entry, moment)).claim : (await rows.leaseRow(reading, moment)).claim;
}
