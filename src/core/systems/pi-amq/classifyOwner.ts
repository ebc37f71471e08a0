// Owns: what pi-amq itself would say about the owner of a record (spec/pi-amq.md section 5).
// Leaves to others: what we say (judgeLeaseOwner.ts); pi-amq takes as proof what is none.
import { normalize } from "node:path";
import type { StaleReason, Verdict } from "../../claims/verdict.js";
import type { ProcessIdentity, ProcessInspection, ProcessInspector } from "../../process/processInspector.js";

/** What our observers say for an executable that they may not read; pi-amq's comparison would take it for a change. */
const unreadableExecutables: readonly string[] = ["/unknown", "C:\\unknown"];

/** The inspection as pi-amq must see it: not being able to read the executable is not knowing. */
function asUpstreamSees(inspection: ProcessInspection): ProcessInspection {
  if (inspection.kind !== "live" || !unreadableExecutables.includes(inspection.identity.executable)) return inspection;
  return { kind: "unknown", diagnostic: "the executable of the process cannot be read" };
}

/** Nothing on either side means no information, not a difference. */
function differWhenKnown(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b;
}

/** Section 5 over one inspection of the recorded pid, which is null when the host differs and nobody has to look. Pure. */
export function classifyInspected(record: ProcessIdentity, current: ProcessIdentity, inspected: ProcessInspection | null): Verdict {
  if (record.hostname !== current.hostname) return { kind: "remote", reason: "hostname_differs" };
  const inspection = asUpstreamSees(inspected ?? { kind: "unknown", diagnostic: "the process was not inspected" });
  // pi-amq asks no more than this, so its proof is never a strong one.
  const stale = (reason: StaleReason): Verdict => ({ kind: "stale", reason, proof: "weak", assumptions: ["upstream_rules"] });
  if (inspection.kind === "absent") return stale("pid_absent");
  if (inspection.kind === "unknown") return { kind: "unknown", reason: "inspection_unknown", settles: [], diagnostic: inspection.diagnostic };
  const observed = inspection.identity;
  if (record.processStartIdentity !== observed.processStartIdentity) return stale("start_identity_changed");
  if (normalize(record.executable) !== normalize(observed.executable)) return stale("executable_changed");
  if (differWhenKnown(record.bootIdentity, observed.bootIdentity)) return stale("boot_identity_changed");
  return { kind: "live", notes: [] };
}

/**
 * Whether pi-amq would take the owner for live, stale, remote or unknown. A remote record is never inspected.
 * @throws whatever the inspector throws.
 */
export async function classifyOwner(record: ProcessIdentity, current: ProcessIdentity, inspector: Pick<ProcessInspector, "inspect">): Promise<Verdict> {
  const isRemote = record.hostname !== current.hostname;
  return classifyInspected(record, current, isRemote ? null : await inspector.inspect(record.pid));
}

/** What our observers offer beside the port; a plain inspector remembers nothing. */
type ForgettingInspector = Pick<ProcessInspector, "inspect"> & { readonly forget?: () => void };

/**
 * Like `classifyOwner`, for whoever acts on the answer: `stale` comes from an observation made after the record was read. A
 * remembered "absent" may be older than a process that took the pid and wrote this very record.
 */
export async function classifyOwnerAfresh(record: ProcessIdentity, current: ProcessIdentity, inspector: ForgettingInspector): Promise<Verdict> {
  const verdict = await classifyOwner(record, current, inspector);
  if (verdict.kind !== "stale" || inspector.forget === undefined) return verdict;
  inspector.forget();
  return await classifyOwner(record, current, inspector);
}

/** Whether the record names the very process that asks. */
export function isCurrentProcess(record: ProcessIdentity, current: ProcessIdentity): boolean {
  return (
    record.hostname === current.hostname &&
    record.pid === current.pid &&
    record.processStartIdentity === current.processStartIdentity &&
    normalize(record.executable) === normalize(current.executable) &&
    !differWhenKnown(record.bootIdentity, current.bootIdentity)
  );
}
