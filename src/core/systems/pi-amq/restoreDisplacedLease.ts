// Owns: putting back a lease that pi-amq itself had displaced, so that no record of ours lies beside it (spec/pi-amq.md 15, 8).
// Leaves to others: items with a record (quarantine/restoreFromQuarantine.ts), asking the person (the views).
import { basename, dirname, join } from "node:path";
import type { RestoreResult } from "../../quarantine/quarantineEntry.js";
import { openSession, type QuarantineOptions, type Session } from "../../quarantine/session.js";
import { refusal, underGuard } from "../../quarantine/underGuard.js";
import { lookAt } from "../../storage/moveSteps.js";
import { putBackNoClobber } from "../../storage/putBack.js";
import { amqDriver } from "./amqDriver.js";
import { judgeLeaseOwner } from "./judgeLeaseOwner.js";
import type { WorkflowLeaseOwner } from "./leaseRecord.js";
import { NamespaceLayout, ownerFileName, parseQuarantineName, quarantineDirectoryName, type LeaseResource } from "./namespaceLayout.js";
import { findForeignRecord, readOwnerFile } from "./readRecord.js";

/** The lease whose displaced directory has this name; null for guards and foreign names. */
function resourceOfItem(layout: NamespaceLayout, name: string, owner: WorkflowLeaseOwner): LeaseResource | null {
  const parsed = parseQuarantineName(name);
  if (parsed.kind !== "lease") return null;
  const resource = parsed.stem === "supervisor" ? layout.supervisor(owner.workspaceId) : layout.worker(parsed.stem.slice("worker-session.".length));
  return findForeignRecord(owner, resource, null) === null ? resource : null;
}

async function isLive(session: Session, namespace: string, owner: WorkflowLeaseOwner): Promise<boolean> {
  session.observer.forget();
  const [current, inspection, environment] = await Promise.all([
    session.observer.current(),
    session.observer.inspect(owner.pid),
    session.observer.environment(namespace, owner.pid),
  ]);
  return judgeLeaseOwner(owner, { current, inspection, environment }).verdict.kind === "live";
}

/**
 * Puts the lease directory at `path` (an item of a namespace's quarantine) back to its own lock path, under the lease's guard.
 * Never overwrites: a taken place is `occupied`. The record inside must parse and belong to the resource that the name says.
 * `owner-not-live` warns that pi-amq will displace it again on its next acquire. Kernel answers are results.
 */
export async function restoreDisplacedLease(path: string, options: QuarantineOptions = {}): Promise<RestoreResult> {
  const session = openSession(options);
  const namespace = dirname(dirname(path));
  if (basename(dirname(path)) !== quarantineDirectoryName) return refusal("not-restorable", path);
  const layout = new NamespaceLayout(namespace);
  const planned = await readOwnerFile(session, join(path, ownerFileName));
  const resource = planned.kind === "read" ? resourceOfItem(layout, basename(path), planned.value) : null;
  const place = resource === null ? null : amqDriver.placeOfClaim(resource.lockPath);
  if (planned.kind !== "read" || place === null) return refusal("not-restorable", path);
  return await underGuard(session, amqDriver, place, "place", async (guard): Promise<RestoreResult> => {
    const now = await readOwnerFile(session, join(path, ownerFileName));
    if (now.kind !== "read" || Buffer.compare(now.bytes, planned.bytes) !== 0) {
      return { kind: "changed", reason: now.kind === "missing" ? "item-missing" : "content-changed", detail: null, entry: null, warnings: [] };
    }
    if ((await lookAt(session.port, place.place)) !== null) return { kind: "occupied", path: place.place, warnings: [] };
    if (session.signal?.aborted === true) return refusal("cancelled");
    if (!(await guard.isStillHeld())) return refusal("busy", "guard-lost");
    const back = await putBackNoClobber(session.port, path, place.place, { platform: session.platform, clock: session.clock });
    if (back.kind === "occupied") return { kind: "occupied", path: place.place, warnings: [] };
    if (back.kind === "missing") return { kind: "changed", reason: "item-missing", detail: null, entry: null, warnings: [] };
    const warnings = (await isLive(session, namespace, planned.value)) ? back.warnings : [...back.warnings, "owner-not-live"];
    return { kind: "restored", path: place.place, warnings };
  });
}
