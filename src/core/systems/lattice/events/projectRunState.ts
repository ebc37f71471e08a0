// Owns: the summary of a run's state and its overlays, in the shape of the runtime's projection (spec/lattice.md section 3.4).
// Leaves to others: the state in full (foldRunEvents.ts), what may run next (readyFrontier.ts).
import type { Dialect } from "../../../artifact/canonical.js";
import { foldRunEvents, textOrNull, textsOf, type Freeze, type ReadEvent, type RunFold } from "./foldRunEvents.js";

export interface ProjectedFreeze {
  readonly sequence: number;
  readonly frozenPrefixDigest: string | null;
}

export interface RunProjection {
  readonly dispatched: readonly string[];
  readonly running: readonly string[];
  readonly accepted: readonly string[];
  readonly terminal: readonly string[];
  readonly freeze: ProjectedFreeze | null;
  readonly freezeHistory: readonly (ProjectedFreeze & { readonly resumedSequence: number })[];
  readonly closed: boolean;
  readonly conflicts: number;
  readonly holds: number;
  readonly checkpoints: number;
  readonly receipts: readonly {
    readonly receiptId: string;
    readonly todoId: string;
    readonly sequence: number;
    readonly acceptedSequence: number | null;
    readonly rejectedSequence: number | null;
  }[];
  /** Todos, sorted. */
  readonly witnesses: readonly string[];
  readonly rebinds: readonly string[];
  readonly invalidatedContexts: readonly { readonly sequence: number; readonly todoId: string | null }[];
}

function sorted(todos: Iterable<string>): string[] {
  return [...todos].sort();
}

function projectedFreeze({ sequence, frozenPrefixDigest }: Freeze): ProjectedFreeze {
  return { sequence, frozenPrefixDigest };
}

/**
 * The state of a run after these events. Says nothing about whether they can be trusted.
 * @throws ProjectionError when the runtime's projection throws: order, kind or subject of an event is wrong
 */
export function projectRunState(events: unknown): RunProjection {
  return summarize(foldRunEvents(events));
}

export function summarize(fold: RunFold): RunProjection {
  return {
    dispatched: sorted(fold.dispatched.keys()),
    running: sorted(fold.running),
    accepted: sorted(fold.accepted),
    terminal: sorted(fold.terminal),
    freeze: fold.freeze === null ? null : projectedFreeze(fold.freeze),
    freezeHistory: fold.freezeHistory.map((freeze) => ({ ...projectedFreeze(freeze), resumedSequence: freeze.resumedSequence })),
    closed: fold.closed !== null,
    conflicts: fold.conflicts.length,
    holds: fold.holds.length,
    checkpoints: fold.checkpoints.length,
    receipts: fold.receipts.map(({ receiptId, todoId, sequence, acceptedSequence, rejectedSequence }) => ({ receiptId, todoId, sequence, acceptedSequence, rejectedSequence })),
    witnesses: sorted(fold.witnesses.keys()),
    rebinds: sorted(fold.rebinds.keys()),
    invalidatedContexts: fold.invalidatedContexts.map(({ sequence, todoId }) => ({ sequence, todoId })),
  };
}

export type Overlay = "held" | "carry_over" | "redispatch";

export interface TreatmentAdvice {
  readonly findingDigest: string | null;
  readonly severability: "code_seam" | "serial";
  readonly transformAttemptable: boolean;
}

export interface RunOverlays {
  readonly held: readonly string[];
  readonly carryOver: readonly string[];
  readonly redispatch: readonly string[];
  readonly intakeFrozen: boolean;
  /** Known to 0.50 only (D15). */
  readonly treatmentAdvice?: TreatmentAdvice | null;
}

/** What a recompile makes of each todo; the last word counts. */
export function overlaysByTodo(fold: RunFold): ReadonlyMap<string, Overlay> {
  const overlays = new Map<string, Overlay>();
  for (const event of fold.events) applyOverlay(event, overlays);
  return overlays;
}

function applyOverlay({ kind, payload, todoId }: ReadEvent, overlays: Map<string, Overlay>): void {
  if (kind === "hold_decided") {
    for (const held of textsOf(payload["hold_set"])) overlays.set(held, "held");
    for (const continued of textsOf(payload["continue_set"])) overlays.set(continued, "carry_over");
  }
  if (todoId === null) return;
  if (kind === "carry_over_witnessed" || kind === "epoch_rebound") overlays.set(todoId, "carry_over");
  if (kind === "receipt_accepted") overlays.delete(todoId);
  if (kind !== "context_invalidated") return;
  if (payload["reauthorized_via"] === "epoch_rebind") overlays.set(todoId, "carry_over");
  if (payload["reauthorized_via"] === "redispatch") overlays.set(todoId, "redispatch");
}

export function projectOverlays(fold: RunFold, dialect: Dialect): RunOverlays {
  const overlays = overlaysByTodo(fold);
  const todosWith = (wanted: Overlay): string[] => sorted([...overlays].filter(([, overlay]) => overlay === wanted).map(([todoId]) => todoId));
  return {
    held: todosWith("held"),
    carryOver: todosWith("carry_over"),
    redispatch: todosWith("redispatch"),
    intakeFrozen: fold.freeze !== null,
    ...(dialect === "0.50" ? { treatmentAdvice: treatmentAdvice(fold) } : {}),
  };
}

/** Of the last conflict: one on a path can be split along a seam of the code, one on a resource cannot. */
export function treatmentAdvice(fold: RunFold): TreatmentAdvice | null {
  const conflict = fold.conflicts.at(-1);
  if (conflict === undefined) return null;
  const isSeam = typeof conflict.payload["path"] === "string";
  return { findingDigest: textOrNull(conflict.payload["finding_digest"]), severability: isSeam ? "code_seam" : "serial", transformAttemptable: isSeam };
}
