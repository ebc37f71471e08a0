// Owns: the state of a run as its events leave it, in full (spec/lattice.md section 3.4).
// Leaves to others: the summary of it (projectRunState.ts), overlays (overlays.ts), what may run next (readyFrontier.ts),
// whether the events can be trusted (verifyRunEventChain.ts).
import { isPlainObject } from "../../../artifact/syntax.js";
import { runEventKinds, type RunEventKind } from "../artifacts/execution.js";

type JsonObject = Readonly<Record<string, unknown>>;

/** Events that the runtime's own projection refuses. */
export class ProjectionError extends Error {
  override readonly name = "ProjectionError";
  constructor(
    readonly code: "not-an-event" | "sequence" | "kind" | "subject",
    /** Position in the list of events. */
    readonly index: number,
    message: string,
  ) {
    super(message);
  }

  static is(error: unknown): error is ProjectionError {
    return error instanceof ProjectionError;
  }
}

/** The members of an event that its meaning depends on. Payloads are not part of the schema: anything may be in them. */
export interface ReadEvent {
  readonly index: number;
  readonly sequence: number;
  readonly kind: RunEventKind;
  /** Null when it is no number. */
  readonly planEpoch: number | null;
  /** Null when the subject is no todo. */
  readonly todoId: string | null;
  readonly payload: JsonObject;
}

export interface Freeze {
  readonly sequence: number;
  readonly planEpoch: number | null;
  readonly frozenPrefixDigest: string | null;
}

export interface RecordedReceipt {
  readonly receiptId: string;
  readonly todoId: string;
  readonly sequence: number;
  readonly planEpoch: number | null;
  readonly acceptedSequence: number | null;
  readonly rejectedSequence: number | null;
}

export interface RunFold {
  readonly events: readonly ReadEvent[];
  readonly dispatched: ReadonlyMap<string, ReadEvent>;
  readonly running: ReadonlySet<string>;
  readonly accepted: ReadonlySet<string>;
  readonly terminal: ReadonlySet<string>;
  readonly freeze: Freeze | null;
  readonly freezeHistory: readonly (Freeze & { readonly resumedSequence: number })[];
  /** The last run_closed event. */
  readonly closed: ReadEvent | null;
  readonly conflicts: readonly ReadEvent[];
  readonly holds: readonly ReadEvent[];
  readonly checkpoints: readonly ReadEvent[];
  readonly receipts: readonly RecordedReceipt[];
  readonly witnesses: ReadonlyMap<string, ReadEvent>;
  readonly rebinds: ReadonlyMap<string, ReadEvent>;
  readonly invalidatedContexts: readonly ReadEvent[];
  /** Todos that an event of the epoch held, dispatched or ended. */
  readonly usedInEpoch: ReadonlyMap<number, ReadonlySet<string>>;
}

const todoKinds: ReadonlySet<RunEventKind> = new Set<RunEventKind>([
  "executor_dispatched",
  "checkpoint_observed",
  "receipt_recorded",
  "receipt_accepted",
  "receipt_rejected",
  "carry_over_witnessed",
  "epoch_rebound",
]);

/** @throws ProjectionError on the first event that has no place in the order, an unknown kind, or the wrong subject */
export function readEvents(events: unknown): ReadEvent[] {
  if (!Array.isArray(events)) throw new ProjectionError("not-an-event", 0, "The events are no list.");
  let previous = -1;
  return events.map((event: unknown, index) => {
    if (!isPlainObject(event)) throw new ProjectionError("not-an-event", index, `Event ${index} is no object.`);
    const { sequence } = event;
    if (!Number.isSafeInteger(sequence) || Number(sequence) <= previous) {
      throw new ProjectionError("sequence", index, `The sequence of event ${index} is no integer greater than ${previous}.`);
    }
    previous = Number(sequence);
    const kind = runEventKinds.find((known) => known === event["kind"]);
    if (kind === undefined) throw new ProjectionError("kind", index, `Event ${index} is of no known kind.`);
    const todoId = todoOf(event["subject"]);
    if (todoKinds.has(kind) && todoId === null) throw new ProjectionError("subject", index, `Event ${index} is about a todo, but names none.`);
    const { plan_epoch: planEpoch, payload } = event;
    return { index, sequence: previous, kind, planEpoch: typeof planEpoch === "number" ? planEpoch : null, todoId, payload: isPlainObject(payload) ? payload : {} };
  });
}

function todoOf(subject: unknown): string | null {
  return isPlainObject(subject) && subject["kind"] === "todo" && typeof subject["ref"] === "string" ? subject["ref"] : null;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The texts of a list; nothing when it is no list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

class Fold implements RunFold {
  readonly dispatched = new Map<string, ReadEvent>();
  readonly running = new Set<string>();
  readonly accepted = new Set<string>();
  readonly terminal = new Set<string>();
  freeze: Freeze | null = null;
  readonly freezeHistory: (Freeze & { resumedSequence: number })[] = [];
  closed: ReadEvent | null = null;
  readonly conflicts: ReadEvent[] = [];
  readonly holds: ReadEvent[] = [];
  readonly checkpoints: ReadEvent[] = [];
  readonly receipts: RecordedReceipt[] = [];
  readonly witnesses = new Map<string, ReadEvent>();
  readonly rebinds = new Map<string, ReadEvent>();
  readonly invalidatedContexts: ReadEvent[] = [];
  readonly usedInEpoch = new Map<number, Set<string>>();
  readonly events: ReadEvent[] = [];

  apply(event: ReadEvent): void {
    this.events.push(event);
    this.#use(event);
    const { kind, sequence, planEpoch, payload } = event;
    switch (kind) {
      case "conflict_found":
        this.conflicts.push(event);
        break;
      case "hold_decided":
        this.holds.push(event);
        break;
      case "intake_frozen":
        this.freeze = { sequence, planEpoch, frozenPrefixDigest: textOrNull(payload["frozen_prefix_digest"]) };
        break;
      case "intake_resumed":
        if (this.freeze !== null) this.freezeHistory.push({ ...this.freeze, resumedSequence: sequence });
        this.freeze = null;
        break;
      case "context_invalidated":
        this.invalidatedContexts.push(event);
        break;
      case "run_closed":
        this.closed = event;
        break;
      case "run_initialized":
      case "plan_compiled":
      case "plan_verified":
      case "dispatch_decided":
      case "plan_recompiled":
        break;
      default:
        if (event.todoId !== null) this.#applyToTodo(event, event.todoId);
    }
  }

  #applyToTodo(event: ReadEvent, todoId: string): void {
    switch (event.kind) {
      case "executor_dispatched":
        this.dispatched.set(todoId, event);
        this.running.add(todoId);
        break;
      case "checkpoint_observed":
        this.checkpoints.push(event);
        break;
      case "receipt_recorded":
        this.receipts.push({
          receiptId: textOrNull(event.payload["receipt_id"]) ?? `${todoId}#seq${event.sequence}`,
          todoId,
          sequence: event.sequence,
          planEpoch: event.planEpoch,
          acceptedSequence: null,
          rejectedSequence: null,
        });
        break;
      case "receipt_accepted":
        this.#decide(todoId, { acceptedSequence: event.sequence });
        this.accepted.add(todoId);
        this.running.delete(todoId);
        break;
      case "receipt_rejected":
        this.#decide(todoId, { rejectedSequence: event.sequence });
        break;
      case "executor_terminal":
        this.running.delete(todoId);
        this.terminal.add(todoId);
        break;
      case "carry_over_witnessed":
        this.witnesses.set(todoId, event);
        break;
      case "epoch_rebound":
        this.rebinds.set(todoId, event);
        break;
      default:
    }
  }

  #use({ kind, planEpoch, todoId, payload }: ReadEvent): void {
    if (planEpoch === null) return;
    const todos = kind === "hold_decided" ? textsOf(payload["hold_set"]) : todoId !== null && (kind === "executor_dispatched" || kind === "executor_terminal") ? [todoId] : [];
    if (todos.length === 0) return;
    const used = this.usedInEpoch.get(planEpoch) ?? new Set();
    for (const todo of todos) used.add(todo);
    this.usedInEpoch.set(planEpoch, used);
  }

  #decide(todoId: string, decision: Partial<Pick<RecordedReceipt, "acceptedSequence" | "rejectedSequence">>): void {
    const index = this.receipts.findLastIndex((receipt) => receipt.todoId === todoId && receipt.acceptedSequence === null && receipt.rejectedSequence === null);
    const receipt = this.receipts[index];
    if (receipt !== undefined) this.receipts[index] = { ...receipt, ...decision };
  }
}

/** @throws ProjectionError as the runtime's projection does */
export function foldRunEvents(events: unknown): RunFold {
  const fold = new Fold();
  for (const event of readEvents(events)) fold.apply(event);
  return fold;
}

/** Shows `visit` each event with the state before it. The state is one object that grows: it must not be kept. */
export function replayEvents(fold: RunFold, visit: (event: ReadEvent, before: RunFold) => void): void {
  const growing = new Fold();
  for (const event of fold.events) {
    visit(event, growing);
    growing.apply(event);
  }
}
