// Owns: the marker that keeps instances of this product from displacing the same guard or leftover at once (spec/pi-amq.md 15, 7).
// Leaves to others: what is done while it is held. pi-amq ignores it, so whatever is moved is verified afterwards all the same.
import type { Verdict } from "../../claims/verdict.js";
import type { ProcessIdentity } from "../../process/processInspector.js";
import { createExclusiveDurable } from "../../storage/createSteps.js";
import { errnoOf } from "../../storage/errno.js";
import { fileIdentityOf, isSameInode } from "../../storage/fileIdentity.js";
import { lookAt, unlinkIfSame } from "../../storage/moveSteps.js";
import { encodeLifecycleGuard, type LifecycleGuard } from "./leaseRecord.js";
import { syncDirectories, type LeaseSession } from "./leaseSession.js";
import type { NamespaceLayout } from "./namespaceLayout.js";
import { readGuardFile } from "./readRecord.js";

export interface SweepMarker {
  /** Whether the marker on disk is still the one that was taken. @throws errno errors */
  isOurs(): Promise<boolean>;
  /** Never throws for kernel answers: the errno is returned. */
  giveBack(): Promise<string | null>;
}

/** A marker is held for a few file steps: one this old (milliseconds) was left by a crash. */
const abandonedAfterMs = 10_000;

/** What is on disk at a marker, or null when nothing is: somebody gave it back in the meantime. */
export async function readMarkerHolder(session: LeaseSession, path: string): Promise<LifecycleGuard | null> {
  const read = await readGuardFile(session, path);
  return read.kind === "read" ? read.value : null;
}

/** Its loss is none: every displacement verifies what it moved. */
async function clearAbandoned(session: LeaseSession, path: string, judge: (guard: LifecycleGuard) => Promise<Verdict>): Promise<void> {
  const stat = await lookAt(session.port, path);
  if (stat?.type !== "file" || session.clock.now() - Number(stat.mtimeNs / 1_000_000n) < abandonedAfterMs) return;
  const read = await readGuardFile(session, path);
  const isAbandoned = read.kind === "corrupt" || (read.kind === "read" && (await judge(read.value)).kind === "stale");
  if (isAbandoned) await unlinkIfSame(session.port, path, fileIdentityOf(stat));
}

/** Null when another instance has it; an abandoned one is cleared on the way, for the next attempt. @throws errno errors */
export async function takeSweepMarker(
  session: LeaseSession,
  request: {
    readonly layout: NamespaceLayout;
    readonly stem: string;
    readonly identity: ProcessIdentity;
    readonly judge: (guard: LifecycleGuard) => Promise<Verdict>;
  },
): Promise<SweepMarker | null> {
  const path = request.layout.sweepMarker(request.stem);
  const { pid, processStartIdentity, bootIdentity, executable, hostname } = request.identity;
  const generation = session.random.uuid();
  const createdAt = new Date(session.clock.now()).toISOString();
  const bytes = encodeLifecycleGuard({ schema: 1, generation, pid, processStartIdentity, bootIdentity, executable, hostname, createdAt });
  const created = await createExclusiveDurable(session.port, path, bytes, { mode: 0o600, platform: session.platform });
  if (created.kind === "exists") {
    await clearAbandoned(session, path, request.judge);
    return null;
  }
  const { identity } = created;
  return {
    isOurs: async () => {
      const stat = await lookAt(session.port, path);
      return stat !== null && isSameInode(fileIdentityOf(stat), identity);
    },
    giveBack: async () => {
      try {
        await unlinkIfSame(session.port, path, identity);
        await syncDirectories(session, request.layout.root);
        return null;
      } catch (error) {
        // What was displaced is what matters; a marker that stays is listed as a leftover and cleared once its owner is gone.
        const code = errnoOf(error);
        if (code === null) throw error;
        return code;
      }
    },
  };
}
