// Owns: taking and giving back a lifecycle guard (spec/pi-amq.md section 6), with a deadline in every branch.
// Leaves to others: displacing a stale one (displaceGuard.ts), what is done under it, who judges (the caller passes a judge).
import { basename, dirname, join } from "node:path";
import type { Verdict } from "../../claims/verdict.js";
import type { ProcessIdentity } from "../../process/processInspector.js";
import { createExclusiveDurable, publishExclusive } from "../../storage/createSteps.js";
import type { FileIdentity } from "../../claims/claim.js";
import { errnoOf } from "../../storage/errno.js";
import { fileIdentityOf } from "../../storage/fileIdentity.js";
import { unlinkIfSame } from "../../storage/moveSteps.js";
import { displaceGuard } from "./displaceGuard.js";
import { encodeLifecycleGuard, type LifecycleGuard } from "./leaseRecord.js";
import { syncDirectories, type LeaseSession } from "./leaseSession.js";
import type { LeaseResource, NamespaceLayout } from "./namespaceLayout.js";
import { readGuardFile, type Diagnostic, type RecordRead } from "./readRecord.js";

/** pi-amq's own default and pause, in milliseconds. */
export const defaultGuardWaitMs = 1_000;
const guardPollMs = 5;
/** A guard that keeps coming back stale is somebody's loop: after the deadline only this many more are set aside. */
const displacementsAfterDeadline = 8;

export interface GuardRequest {
  readonly layout: NamespaceLayout;
  readonly resource: LeaseResource;
  /** As it will stand in the guard: in the rendering that the other users of the namespace can compare. */
  readonly identity: ProcessIdentity;
  readonly waitMs: number;
  /** Only `stale` lets a guard be displaced. */
  readonly judge: (guard: LifecycleGuard) => Promise<Verdict>;
  readonly signal?: AbortSignal | undefined;
}

export interface GuardRefusal {
  readonly kind: "refused";
  readonly reason: "lifecycle-busy" | "lifecycle-unverifiable";
  readonly diagnostic: Diagnostic;
  /** Who is in the way; null when its record cannot be read. */
  readonly holder: { readonly guard: LifecycleGuard; readonly verdict: Verdict } | null;
}

export type GuardAcquisition = { readonly kind: "held"; readonly guard: HeldGuard } | GuardRefusal;

/** `lost`: it was not ours any more; somebody else may have been inside at the same time. */
export type GuardRelease = { readonly kind: "released" } | { readonly kind: "lost" | "kept"; readonly diagnostic: Diagnostic };

export const guardLost: Diagnostic = { code: "guard_changed_before_release", message: "The lifecycle guard was changed before it was released." };

/** Guards that this process holds, by path: one that somebody deleted by hand still excludes the rest of this process. */
const heldHere = new Set<string>();

/** Guards of this process that it could not give back, by generation: nobody works under them, so it may take them away later. */
const unreleasedHere = new Set<string>();

export class HeldGuard {
  #isReleased = false;

  constructor(
    private readonly session: LeaseSession,
    private readonly path: string,
    private readonly file: FileIdentity,
    readonly generation: string,
  ) {}

  /** Whether the guard on disk is still the one that was taken; an unreadable one is asked for twice. @throws errno errors */
  async isOurs(): Promise<boolean> {
    let read = await readGuardFile(this.session, this.path);
    if (read.kind === "corrupt" && read.errno !== undefined) read = await readGuardFile(this.session, this.path);
    if (read.kind === "corrupt" && read.errno !== undefined) throw Object.assign(new Error(`${read.errno}: read '${this.path}'`), { code: read.errno });
    return read.kind === "read" && read.value.generation === this.generation;
  }

  /**
   * Re-reads before it unlinks; never removes another one's guard. Runs once. A guard that the disk does not let go is `kept`:
   * it blocks others while this process lives, and the next use in this process takes it away. Kernel answers are results.
   */
  async release(): Promise<GuardRelease> {
    if (this.#isReleased) return { kind: "released" };
    this.#isReleased = true;
    unreleasedHere.add(this.generation);
    try {
      const isRemoved = (await this.isOurs()) && (await unlinkIfSame(this.session.port, this.path, this.file)) === "removed";
      unreleasedHere.delete(this.generation);
      if (!isRemoved) return { kind: "lost", diagnostic: guardLost };
      await syncDirectories(this.session, dirname(this.path));
      return { kind: "released" };
    } catch (error) {
      const code = errnoOf(error);
      if (code === null) throw error;
      // Gone, but perhaps not across a power cut: after one, the guard is of a process that is gone.
      if (!unreleasedHere.has(this.generation)) return { kind: "released" };
      return { kind: "kept", diagnostic: { code: `guard_not_released:${code}`, message: `The lifecycle guard could not be released (${code}).` } };
    } finally {
      heldHere.delete(this.path);
    }
  }
}

function temporaryFor(session: LeaseSession, path: string): string {
  return join(dirname(path), `.${basename(path)}.${session.random.uuid()}.tmp`);
}

async function createGuard(session: LeaseSession, request: GuardRequest): Promise<HeldGuard | null> {
  const { guardPath } = request.resource;
  const { pid, processStartIdentity, bootIdentity, executable, hostname } = request.identity;
  const generation = session.random.uuid();
  const createdAt = new Date(session.clock.now()).toISOString();
  const bytes = encodeLifecycleGuard({ schema: 1, generation, pid, processStartIdentity, bootIdentity, executable, hostname, createdAt });
  const options = { mode: 0o600, platform: session.platform };
  const published = await publishExclusive(session.port, guardPath, bytes, { ...options, temporary: temporaryFor(session, guardPath) });
  const created = published.kind === "no-hard-links" ? await createExclusiveDurable(session.port, guardPath, bytes, options) : published;
  if (created.kind === "exists") return null;
  heldHere.add(guardPath);
  return new HeldGuard(session, guardPath, created.identity, generation);
}

function refuse(reason: GuardRefusal["reason"], code: string, message: string, holder: GuardRefusal["holder"]): GuardRefusal {
  return { kind: "refused", reason, diagnostic: { code, message }, holder };
}

function refuseUnjudged(guard: LifecycleGuard, verdict: Verdict): GuardRefusal | null {
  if (verdict.kind === "remote") {
    return refuse("lifecycle-unverifiable", `guard_remote:${guard.hostname}`, `The lifecycle guard belongs to host ${guard.hostname}.`, { guard, verdict });
  }
  if (verdict.kind !== "unknown") return null;
  // The words of whoever could not observe are passed on as they are, also empty ones.
  return refuse("lifecycle-unverifiable", "guard_unknown", verdict.diagnostic ?? verdict.reason, { guard, verdict });
}

type Attempt = GuardAcquisition | { readonly kind: "busy"; readonly holder: GuardRefusal["holder"] } | { readonly kind: "displaced"; readonly holder: null };

/** A guard that this process had failed to give back is given back now. @throws errno errors, when it still cannot be removed */
async function retakeOwn(session: LeaseSession, request: GuardRequest, existing: Extract<RecordRead<LifecycleGuard>, { kind: "read" }>): Promise<Attempt> {
  await unlinkIfSame(session.port, request.resource.guardPath, fileIdentityOf(existing.stat));
  unreleasedHere.delete(existing.value.generation);
  return { kind: "displaced", holder: null };
}

async function attempt(session: LeaseSession, request: GuardRequest): Promise<Attempt> {
  if (heldHere.has(request.resource.guardPath)) return { kind: "busy", holder: null };
  const existing = await readGuardFile(session, request.resource.guardPath);
  if (existing.kind === "corrupt") return { kind: "refused", reason: "lifecycle-unverifiable", diagnostic: existing.diagnostic, holder: null };
  if (existing.kind === "missing") {
    const guard = await createGuard(session, request);
    return guard === null ? { kind: "busy", holder: null } : { kind: "held", guard };
  }
  if (unreleasedHere.has(existing.value.generation)) return await retakeOwn(session, request, existing);
  const verdict = await request.judge(existing.value);
  const refusal = refuseUnjudged(existing.value, verdict);
  if (refusal !== null) return refusal;
  if (verdict.kind !== "stale") return { kind: "busy", holder: { guard: existing.value, verdict } };
  const displaced = await displaceGuard(session, { ...request, judged: existing });
  return { kind: displaced.kind === "displaced" ? "displaced" : "busy", holder: null };
}

/**
 * Takes the guard of a resource, displacing stale ones on the way. Waits at most `waitMs` whatever happens: live guards, ones
 * that come and go, ones that others displace at the same moment. Not re-entrant. The directories must exist.
 * @throws RangeError for a wait that is no time; the reason of an aborted signal; errno errors of writing.
 */
export async function acquireGuard(session: LeaseSession, request: GuardRequest): Promise<GuardAcquisition> {
  if (!Number.isFinite(request.waitMs) || request.waitMs < 0) throw new RangeError("The wait for a guard must be a finite time.");
  const { clock } = session;
  const deadline = clock.monotonic() + request.waitMs;
  let grace = displacementsAfterDeadline;
  for (;;) {
    request.signal?.throwIfAborted();
    const result = await attempt(session, request);
    if (result.kind === "held" || result.kind === "refused") return result;
    const left = deadline - clock.monotonic();
    if (result.kind === "displaced" && (left > 0 || grace-- > 0)) continue;
    if (left <= 0) return refuse("lifecycle-busy", "guard_busy", "Another process is inside the lifecycle guard.", result.holder);
    await clock.sleep(Math.min(guardPollMs, left), request.signal);
  }
}
