// Owns: a loaded run together with what follows from it, computed once for everybody who asks.
// Leaves to others: loading (loadRun.ts), each question (statusWord.ts, problems/, …).
import type { RunFold } from "../events/foldRunEvents.js";
import { verifyControlJournal, type ControlVerification } from "../events/verifyControlJournal.js";
import { verifyRunEventChain, type ChainVerification } from "../events/verifyRunEventChain.js";
import type { LoadedRun } from "./loadRun.js";
import { foldOrNull, runtimeAnswer, runtimeFrozenBy, type FrozenBy, type RuntimeAnswer } from "./runtimeAnswer.js";
import { checkDocuments, checkStore, type StoreInForce, type StoreRefusal } from "./storeCheck.js";

export interface RunView {
  readonly run: LoadedRun;
  /** What the runtime makes of the documents. */
  readonly refusal: StoreRefusal | null;
  /** What is in force, also when only the size of a journal keeps the runtime from reading it. */
  readonly store: StoreInForce | null;
  /** The list in events.json; empty when there is none. */
  readonly events: readonly unknown[];
  /** Null when events.json is no list. */
  readonly chain: ChainVerification | null;
  readonly controlEvents: readonly unknown[];
  /** Null when the control journal is no list. */
  readonly control: ControlVerification | null;
  /** Null when the events are in no order. */
  readonly fold: RunFold | null;
  readonly isClosed: boolean;
  readonly frozenBy: FrozenBy | null;
  readonly answer: RuntimeAnswer;
}

export function viewRun(run: LoadedRun): RunView {
  const { dialect } = run;
  const events = listOf(run.events);
  const controlEvents = listOf(run.controlEvents);
  const chain = events === null ? null : verifyRunEventChain(events, { dialect });
  const runtimeStore = checkStore(run);
  const own = runtimeStore.kind === "accepted" ? runtimeStore : checkDocuments(run);
  const store = own.kind === "accepted" ? own : null;
  const fold = events === null ? null : foldOrNull(events);
  return {
    run,
    refusal: runtimeStore.kind === "refused" ? runtimeStore : null,
    store,
    events: events ?? [],
    chain,
    controlEvents: controlEvents ?? [],
    control: controlEvents === null ? null : verifyControlJournal(controlEvents, { dialect }),
    fold,
    isClosed: fold !== null && fold.closed !== null,
    frozenBy: store === null || fold === null ? null : runtimeFrozenBy(run, store, fold),
    answer: runtimeAnswer(run, runtimeStore, chain ?? verifyRunEventChain([], { dialect })),
  };
}

function listOf(file: LoadedRun["events"]): readonly unknown[] | null {
  return file.kind === "parsed" && Array.isArray(file.value) ? file.value : null;
}
