// Owns: small readers that the hold, recompile and activation functions share, and the order in which they sort.
// Leaves to others: the documents and their rules (artifacts/, requests/), the state of a run (events/).
import { isPlainObject } from "../../../artifact/syntax.js";
import type { RunEvent } from "../artifacts/execution.js";

export type JsonObject = Readonly<Record<string, unknown>>;

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
