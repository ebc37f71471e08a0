// Owns: what a row inside a run says when the pointer rests on it. Markdown, no HTML; raw values cannot break out.
// Leaves to others: rows (detailRows.ts), sentences (shared/runWords.ts, shared/explain.ts). Pure.
import type { OwnerDetail } from "../../core/systems/lattice/store/runDetail.js";
import { verdictSentence } from "../../shared/explain.js";
import { leftoverCause, meaningSentence, remedySentence, runProblemName } from "../../shared/runWords.js";
import type { EvidenceContext } from "../evidence/evidence.js";
import { code, prose } from "../evidence/markdown.js";
import type { DetailItem } from "./detailItem.js";
import { factLabel, factValue } from "./statusFact.js";

export function detailTooltip(item: DetailItem, { t }: EvidenceContext): string {
  switch (item.kind) {
    case "unseen":
      return t("Click to look into this run.");
    case "looking":
      return "";
    case "failed":
      return prose(item.message);
    case "status":
      return code(item.detail.directory);
    case "fact":
      return `${prose(factLabel(item.fact, t))}: ${prose(factValue(item.fact, item.detail, t))}`;
    case "group":
      return "";
    case "todo": {
      const { todo } = item;
      return list([
        [t("Todo"), todo.todoId],
        [t("Waits for"), todo.waitsFor.length === 0 ? null : todo.waitsFor.join(", ")],
        [t("Executor"), todo.executorHandle],
        [t("Worktree"), todo.worktreeId],
        [t("Dispatched in epoch"), todo.dispatchedInEpoch],
        [t("Last event"), todo.lastSequence],
      ]);
    }
    case "epoch": {
      const { epoch } = item;
      return list([
        [t("Bundle"), epoch.bundlePath],
        [t("Digest"), epoch.bundleDigest],
        [t("Plan"), epoch.planRef],
        [t("Todos"), epoch.todoIds.length === 0 ? null : epoch.todoIds.join(", ")],
        ...epoch.findings.map(({ rule, message }) => [rule, message] as const),
      ]);
    }
    case "event": {
      const { event } = item;
      return list([
        [t("Sequence"), event.sequence],
        [t("Kind"), event.kind],
        [t("Todo"), event.todoId],
        [t("Epoch"), event.planEpoch],
        [t("Recorded at"), event.recordedAt],
        [t("Place"), `${item.path}#/${String(event.index)}`],
      ]);
    }
    case "finding": {
      const { finding } = item;
      return list([
        [t("Digest"), finding.digest],
        [t("Epoch"), finding.planEpoch],
        [t("Path"), finding.conflictPath],
        [t("Resource"), finding.resourceId],
        [t("File"), finding.path],
      ]);
    }
    case "supervisor": {
      const { supervisor } = item;
      return [owner(supervisor, t), list([[t("Activated at"), supervisor.activatedAt], [t("Socket"), supervisor.socketPath], [t("Descriptor"), supervisor.descriptorPath]])].join("\n\n");
    }
    case "controller": {
      const { controller } = item;
      return [
        owner(controller, t),
        list([
          [t("Adapter"), controller.adapterKind],
          [t("Socket"), controller.socketPath],
          [t("Last heartbeat"), controller.heartbeat.recordedAt],
          [t("Heartbeat expected every"), t("{0} s", controller.heartbeat.intervalMs / 1_000)],
          [t("Valid for"), t("{0} s", controller.heartbeat.ttlMs / 1_000)],
          [t("Descriptor"), controller.descriptorPath],
        ]),
      ].join("\n\n");
    }
    case "lease":
      return list([[t("Lease"), item.lease.leaseId], [t("Digest"), item.lease.leaseDigest], [t("Todo"), item.lease.todoId]]);
    case "runProblem": {
      const { problem } = item;
      return [
        `**${prose(runProblemName(problem.code, t))}**: ${prose(meaningSentence(problem.meaning, t))}`,
        prose(remedySentence(problem.remedy, t)),
        problem.evidence.map(({ name, value }) => `- ${prose(name)}: ${code(value, shortValue)}`).join("\n"),
        code(problem.pointer === null ? problem.path : `${problem.path}#${problem.pointer}`),
      ]
        .filter((part) => part !== "")
        .join("\n\n");
    }
    case "leftover": {
      const { leftover } = item;
      return [
        prose(leftoverCause(leftover.cause, t)),
        list([[t("Path"), leftover.path], [t("Bytes"), leftover.size], [t("Modified"), leftover.modifiedAt === null ? null : new Date(leftover.modifiedAt).toISOString()], [t("Process"), leftover.pid]]),
      ].join("\n\n");
    }
  }
}

/** A message may be long; the document has it whole. */
const shortValue = 120;

function owner({ judgement }: OwnerDetail, t: EvidenceContext["t"]): string {
  return judgement === null ? t("Its process was not judged.") : prose(verdictSentence(judgement.verdict, t));
}

function list(facts: readonly (readonly [name: string, value: string | number | null])[]): string {
  return facts.flatMap(([name, value]) => (value === null ? [] : [`- ${prose(name)}: ${code(String(value))}`])).join("\n");
}
