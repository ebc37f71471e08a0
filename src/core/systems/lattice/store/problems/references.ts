// Owns: where other files of a run name one of its events by digest: traces that show when the newest events were lost.
// Leaves to others: what a missing one means (journalProblems.ts).
import { isPlainObject } from "../../../../artifact/syntax.js";
import { acceptedValue } from "../readDocument.js";
import type { RunView } from "../runView.js";

export interface DigestReference {
  readonly digest: string;
  /** Absolute path of the file that names it. */
  readonly path: string;
  readonly pointer: string;
}

function collector(): { readonly references: DigestReference[]; readonly add: (digest: unknown, path: string, pointer: string) => void } {
  const references: DigestReference[] = [];
  return {
    references,
    add: (digest, path, pointer) => {
      if (typeof digest === "string") references.push({ digest, path, pointer });
    },
  };
}

/** The response of a completed control request names both heads of its moment. */
function eachResult(view: RunView, visit: (result: Readonly<Record<string, unknown>>, response: Readonly<Record<string, unknown>>, pointer: string) => void): void {
  for (const [index, { response }] of (acceptedValue(view.run.ledger)?.entries ?? []).entries()) {
    if (response !== null) visit(isPlainObject(response.result) ? response.result : {}, { ...response }, `/entries/${index}/response`);
  }
}

/** Run events that something else in the run names. */
export function eventReferences(view: RunView): readonly DigestReference[] {
  const { run, controlEvents } = view;
  const { references, add } = collector();
  const pointer = acceptedValue(run.pointer);
  add(pointer?.activation_run_event_digest, run.pointer.path, "/activation_run_event_digest");
  add(acceptedValue(run.pendingRecompile)?.frozen_event_digest, run.pendingRecompile.path, "/frozen_event_digest");
  for (const { document } of run.findings) add(acceptedValue(document)?.observed_event_digest, document.path, "/observed_event_digest");
  eachResult(view, (result, _response, place) => add(result["event_head_digest"], run.ledger.path, `${place}/result/event_head_digest`));
  for (const [index, event] of controlEvents.entries()) {
    if (!isPlainObject(event) || event["kind"] !== "barrier_requested" || !isPlainObject(event["payload"])) continue;
    add(event["payload"]["frozen_event_digest"], run.controlEvents.path, `/${index}/payload/frozen_event_digest`);
  }
  return references;
}

/** Control events that something else in the run names. */
export function controlReferences(view: RunView): readonly DigestReference[] {
  const { run, events } = view;
  const { references, add } = collector();
  add(acceptedValue(run.pointer)?.activation_control_event_digest, run.pointer.path, "/activation_control_event_digest");
  add(acceptedValue(run.activePointer)?.control_head_digest, run.activePointer.path, "/control_head_digest");
  for (const { document } of run.gateReceipts) add(acceptedValue(document)?.control_head_digest, document.path, "/control_head_digest");
  eachResult(view, (_result, response, place) => add(response["control_head_digest"], run.ledger.path, `${place}/control_head_digest`));
  for (const [index, event] of events.entries()) {
    if (!isPlainObject(event) || event["kind"] !== "intake_resumed" || !isPlainObject(event["payload"])) continue;
    add(event["payload"]["control_event_digest"], run.events.path, `/${index}/payload/control_event_digest`);
  }
  return references;
}

/** Digests of a journal as recorded. */
export function digestsOf(events: readonly unknown[]): ReadonlySet<unknown> {
  return new Set(events.map((event) => (isPlainObject(event) ? event["event_digest"] : undefined)));
}

