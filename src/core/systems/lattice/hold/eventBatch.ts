// Owns: chaining new events onto a given prefix (spec/lattice.md sections 2.5 and 6).
// Leaves to others: which events (decideHold.ts, recompilePlan.ts, finalizeActivation.ts), verifying a whole chain (events/).
import type { Dialect } from "../../../artifact/canonical.js";
import { selfDigest } from "../../../artifact/canonical.js";
import { isTimestamp } from "../../../artifact/syntax.js";
import type { RunEvent, RunEventKind } from "../artifacts/execution.js";
import type { JsonObject } from "./documents.js";
import { RecompileError } from "./recompileError.js";
import { seal } from "./seal.js";

const actor = "lattice-runtime";

interface NewEvent {
  readonly kind: RunEventKind;
  readonly planEpoch: number;
  readonly subject: { readonly kind: "todo" | "runtime_plan"; readonly ref: string };
  readonly payload: JsonObject;
}

/**
 * A prefix and what is appended to it. Only `all` hands events out, so an error on the way leaves nothing half done.
 * @throws RecompileError `foreign-prefix` when the prefix is empty, of another run, or its last event was altered;
 *   `timestamp` when `recordedAt` is not one.
 */
export class EventBatch {
  readonly #events: RunEvent[];
  readonly #runId: string;
  readonly #recordedAt: string;
  readonly #dialect: Dialect;

  constructor(prefix: readonly RunEvent[], options: { readonly runId: unknown; readonly recordedAt: unknown; readonly dialect: Dialect }) {
    const last = prefix.at(-1);
    const { runId, recordedAt } = options;
    if (typeof runId !== "string" || last === undefined || prefix.some((event) => event.run_id !== runId)) {
      throw new RecompileError("foreign-prefix", "The events are not a non-empty chain of this run.");
    }
    if (selfDigest(last, "event_digest", { dialect: options.dialect }) !== last.event_digest) {
      throw new RecompileError("foreign-prefix", `Event ${last.sequence}, the last of the chain, does not match its own digest.`);
    }
    if (!isTimestamp(recordedAt)) throw new RecompileError("timestamp", "recordedAt must be a UTC timestamp with milliseconds.");
    this.#events = [...prefix];
    this.#runId = runId;
    this.#recordedAt = recordedAt;
    this.#dialect = options.dialect;
  }

  append(event: NewEvent): void {
    const last = this.#events.at(-1);
    const body = {
      schema: "lattice.run_event.v1" as const,
      run_id: this.#runId,
      sequence: (last?.sequence ?? -1) + 1,
      previous_digest: last?.event_digest ?? null,
      kind: event.kind,
      actor,
      plan_epoch: event.planEpoch,
      subject: event.subject,
      payload: event.payload,
      recorded_at: this.#recordedAt,
    };
    this.#events.push(seal(body, "event_digest", this.#dialect));
  }

  all(): readonly RunEvent[] {
    return [...this.#events];
  }
}
