// Owns: what the hold, recompile and activation functions read of the documents given to them, after these were validated.
// Leaves to others: the rules of the documents (artifacts/, requests/).
import { isPlainObject } from "../../../artifact/syntax.js";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface PlanConflict {
  readonly todo_ids: readonly string[];
  readonly resource_id: string;
}

/** `lattice.runtime_plan.v1` */
export interface RuntimePlan extends JsonObject {
  readonly plan_ref: string;
  readonly plan_epoch: number;
  readonly request_digest: string;
  readonly base_sha: string;
  readonly nodes: readonly { readonly todo_id: string }[];
  readonly precedence: readonly { readonly from_todo_id: string; readonly to_todo_id: string }[];
  readonly conflicts: readonly PlanConflict[];
  readonly plan_digest: string;
}

/** `lattice.hold_decision.v1` */
export interface HoldDecision extends JsonObject {
  readonly decision_id: string;
  readonly finding: JsonObject;
  readonly frozen_prefix_digest: string;
  readonly affected_closure: readonly string[];
  readonly hold_set: readonly string[];
  readonly continue_set: readonly string[];
  readonly evidence_digests: readonly string[];
  readonly decision_digest: string;
}

/** `lattice.runtime_plan_diff.v1` */
export interface PlanDiff extends JsonObject {
  readonly old_plan_ref: string;
  readonly new_plan_ref: string;
  readonly accepted_checkpoints: readonly string[];
  readonly invalidated_contexts: readonly string[];
  readonly carried_over: readonly string[];
  readonly redispatched: readonly string[];
  readonly node_edge_diff: JsonObject;
  readonly diff_digest: string;
}

/** `lattice.run_event.v1` */
export interface RunEvent extends JsonObject {
  readonly run_id: string;
  readonly sequence: number;
  readonly previous_digest: string | null;
  readonly kind: string;
  readonly plan_epoch: number;
  readonly subject: { readonly kind: string; readonly ref: string };
  readonly payload: JsonObject;
  readonly recorded_at: string;
  readonly event_digest: string;
}

/** `lattice.epoch_rebind_packet.v1` */
export interface RebindPacket extends JsonObject {
  readonly todo_id: string;
  readonly packet_digest: string;
}

/** Plain order of section 1.5: code units. Never the locale: that is what makes the runtime refuse its own diffs (U3). */
export function inPlainOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function sortedUnique(ids: Iterable<string>): string[] {
  return [...new Set(ids)].sort(inPlainOrder);
}

/** Every string of a list; nothing when it is no list. */
export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Payloads are not part of the event schema (section 2.5): whatever is no object says nothing. */
export function payloadOf(event: RunEvent): JsonObject {
  return isPlainObject(event.payload) ? event.payload : {};
}

export function isOfTodo(event: RunEvent, kind: string, todoId: string): boolean {
  return event.kind === kind && event.subject.kind === "todo" && event.subject.ref === todoId;
}

/** An own member that is a plain object; inherited names such as `constructor` never count. */
export function memberObject(holder: JsonObject, key: string): JsonObject | undefined {
  const member = Object.hasOwn(holder, key) ? holder[key] : undefined;
  return isPlainObject(member) ? member : undefined;
}
