// Owns: chains of run and control events made for tests. Leaves to others: what a test does to them.
import { selfDigest } from "../../../../src/core/artifact/canonical.js";
import type { JsonObject } from "../artifacts/documents.js";

export function reseal(event: JsonObject): JsonObject {
  return { ...event, event_digest: selfDigest(event, "event_digest") };
}

/** A valid chain with these payloads. */
export function chainOf(payloads: readonly JsonObject[], runId = "run-test"): JsonObject[] {
  let previous: unknown = null;
  return payloads.map((payload, sequence) => {
    const event = reseal({
      schema: "lattice.run_event.v1",
      run_id: runId,
      sequence,
      previous_digest: previous,
      kind: sequence === 0 ? "run_initialized" : "checkpoint_observed",
      actor: "lattice-runtime",
      plan_epoch: sequence === 0 ? 0 : 1,
      subject: sequence === 0 ? { kind: "run_request", ref: "request.json" } : { kind: "todo", ref: "T1" },
      payload,
      recorded_at: "2026-07-17T00:00:00.000Z",
    });
    previous = event["event_digest"];
    return event;
  });
}

export function minimalChain(count: number, runId?: string): JsonObject[] {
  return chainOf(
    Array.from({ length: count }, (_, n) => ({ n })),
    runId,
  );
}
