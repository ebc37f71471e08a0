// Owns: problems of the two journals: broken, too long for the runtime, secrets in them, newest events lost, a batch not yet
// published, decisions that the events do not lead to.
// Leaves to others: verifying them (events/).
import type { ChainReport } from "../../events/chain.js";
import { acceptedValue } from "../readDocument.js";
import { problem, type ProblemCode, type RunProblem } from "../problemCatalog.js";
import type { RunView } from "../runView.js";
import { controlReferences, digestsOf, eventReferences, type DigestReference } from "./references.js";

export function journalProblems(view: RunView): RunProblem[] {
  return [...eventProblems(view), ...controlProblems(view), ...tailProblems(view), ...batchProblems(view), ...replayProblems(view)];
}

function chainProblems(path: string, report: ChainReport<string> | null, invalid: ProblemCode, beyond: ProblemCode): RunProblem[] {
  if (report === null) return [];
  if (report.standing === "beyond-limit") return [problem(beyond, { path, evidence: { limit: report.limit?.code, maximum: report.limit?.limit, events: report.count } })];
  if (report.standing === "valid") return [];
  const first = report.firstDefect;
  return [
    problem(invalid, {
      path,
      pointer: first?.pointer ?? null,
      evidence: { condition: first?.condition, sequence: first?.sequence, index: first?.index, message: first?.message, defects: report.defectCount, events: report.count },
    }),
  ];
}

function eventProblems({ run, chain }: RunView): RunProblem[] {
  const { path } = run.events;
  const secrets = chain?.redactions ?? [];
  const [first] = secrets;
  const at = first === undefined ? undefined : chain?.defects.find(({ condition }) => condition === "payload_redaction");
  return [
    ...chainProblems(path, chain, "event-chain-invalid", "event-chain-beyond-limit"),
    // Where, and under which key; never what.
    ...(first === undefined ? [] : [problem("secret-in-event", { path, pointer: at?.pointer ?? `/${first.index}/payload`, evidence: { key: first.key, places: secrets.length } })]),
  ];
}

function controlProblems({ run, control, store }: RunView): RunProblem[] {
  const { path, kind } = run.controlEvents;
  if (store?.isManaged === true && kind === "missing") return [problem("control-journal-missing", { path })];
  return chainProblems(path, control, "control-journal-invalid", "control-journal-beyond-limit");
}

/** The file alone cannot show that its newest events are gone: others that name one do. */
function tailProblems(view: RunView): RunProblem[] {
  const { run, chain, control } = view;
  const lost = (code: ProblemCode, file: string, known: ReadonlySet<unknown>, references: readonly DigestReference[]): RunProblem[] => {
    const missing = references.filter(({ digest }) => !known.has(digest));
    const firstOfFile = missing.filter((reference, index) => missing.findIndex(({ path }) => path === reference.path) === index);
    return firstOfFile.map(({ path, pointer, digest }) => problem(code, { path, pointer, evidence: { digest, journal: file } }));
  };
  return [
    ...(chain === null || chain.count === 0 ? [] : lost("event-tail-lost", run.events.path, digestsOf(view.events), eventReferences(view))),
    ...(control === null ? [] : lost("control-tail-lost", run.controlEvents.path, digestsOf(view.controlEvents), controlReferences(view))),
  ];
}

/** A crash between writing a batch and publishing it; the runtime rolls it forward. A batch that fits nowhere shows a lost tail. */
function batchProblems(view: RunView): RunProblem[] {
  const { run, chain } = view;
  if (chain === null) return [];
  const known = digestsOf(view.events);
  return run.batches.flatMap(({ document }) => {
    const batch = acceptedValue(document);
    if (batch === null || batch.ordered_event_digests.every((digest) => known.has(digest))) return [];
    const base = batch.base_event_digests.at(-1) ?? null;
    const published = batch.ordered_event_digests.filter((digest) => known.has(digest));
    const isNext = chain.headDigest === (published.at(-1) ?? base);
    const evidence = { transaction_id: batch.transaction_id, phase: batch.phase, events: batch.ordered_event_digests.length, published: published.length };
    return [problem(isNext ? "event-batch-pending" : "event-tail-lost", { path: document.path, pointer: "/ordered_event_digests", evidence })];
  });
}

function replayProblems({ run, answer }: RunView): RunProblem[] {
  const failed = answer.verification?.["failed_conditions"];
  const replays = Array.isArray(failed) ? failed.filter((id): id is string => typeof id === "string" && !id.startsWith("chain:")) : [];
  return replays.map((id) => problem("decision-not-reproducible", { path: run.events.path, evidence: { check: id } }));
}

