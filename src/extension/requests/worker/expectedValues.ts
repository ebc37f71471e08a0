// Owns: what each digest and binding of a request has to be, from its own content and from the run.
// Leaves to others: judging (core), showing and completing it (describe.ts, complete.ts).
import { isPlainObject } from "../../../core/artifact/syntax.js";
import { expectedBinding } from "../../../core/systems/lattice/requests/fixes/repairs.js";
import type { SourcePlace } from "../../../core/systems/lattice/requests/context.js";
import { heldFinding } from "../../../core/systems/lattice/requests/skeleton.js";
import { visitDerivedMembers } from "../../../core/systems/lattice/requests/seal.js";
import type { Judged } from "./judgeDocument.js";

/** Self digests and bindings between the parts, by pointer, as things are now. */
export function derivedValues(value: unknown, { dialect }: Judged["dialect"]): ReadonlyMap<string, string> {
  const expected = new Map<string, string>();
  if (isPlainObject(value)) visitDerivedMembers(structuredClone(value), dialect, (member) => expected.set(member.pointer, member.value));
  return expected;
}

export interface ExpectedFromRun {
  readonly value: unknown;
  readonly source: SourcePlace | null;
}

/** What the run says of a binding; null without a run, or where it says nothing. */
export function valueFromRun(pointer: string, { context, dialect, run }: Pick<Judged, "context" | "dialect" | "run">): ExpectedFromRun | null {
  if (pointer === "/run_id" || pointer === "/successor_request/request_id") {
    return run.kind === "found" && context.run !== undefined ? { value: context.run.runId, source: { file: run.directory, pointer: "" } } : null;
  }
  const value = expectedBinding(pointer, context, dialect.dialect);
  return value === undefined ? null : { value, source: sourceOf(pointer, context) };
}

function sourceOf(pointer: string, context: Judged["context"]): SourcePlace | null {
  const { sources } = context;
  const within = (source: SourcePlace | undefined, member: string): SourcePlace | null => (source === undefined ? null : { file: source.file, pointer: source.pointer + member });
  switch (pointer) {
    case "/predecessor_epoch":
      return within(sources?.predecessorBundle, "/plan_epoch");
    case "/successor_request/predecessor_request_digest":
      return within(sources?.predecessorBundle, "/request/request_digest");
    case "/frozen_event_digest":
      return within(sources?.frozenEvent, "/event_digest");
    case "/hold_decision_digest":
      return within(sources?.holdDecision, "/payload/decision_digest");
    default: {
      const finding = heldFinding(context);
      return finding === null ? null : finding.source;
    }
  }
}
