// Owns: what a row says when the pointer rests on it: the verdict in a sentence and the evidence check by check. Markdown, no HTML.
// Leaves to others: the whole evidence (evidence.ts), sentences (shared/explain.ts). Pure.
import { problemSentence } from "../../shared/explain.js";
import type { Translate } from "../../shared/text.js";
import { detailTooltip } from "../run/detailTooltip.js";
import type { Subject } from "../tree/treeNode.js";
import { evidenceOf, type Evidence, type EvidenceContext, type WordedCheck } from "./evidence.js";
import { code, prose } from "./markdown.js";

/** A digest is recognised by its ends; the document has it whole. */
const shortValue = 40;

export function tooltipOf(subject: Subject, context: EvidenceContext): string {
  const { t } = context;
  switch (subject.kind) {
    case "root":
      return code(subject.root.path);
    case "store":
      return code(subject.store.path);
    case "run":
      return code(subject.run.path);
    case "problem":
      return paragraphs(prose(problemSentence(subject.problem, t)), code(subject.problem.path));
    case "quarantine":
      return t("What was moved away. It can be restored while its place is free.");
    case "claim":
      return evidenceTooltip(evidenceOf(subject, context), subject.claim.path, t);
    case "entry":
      return evidenceTooltip(evidenceOf(subject, context), subject.entry.path, t);
    case "detail":
      return detailTooltip(subject.item, context);
    case "more":
      return "";
  }
}

function evidenceTooltip(evidence: Evidence | null, path: string, t: Translate): string {
  if (evidence === null) return code(path);
  const checks = evidence.sections.flatMap((section) => (section.kind === "checks" ? section.checks : []));
  return paragraphs(
    `**${prose(evidence.title)}**`,
    `**${prose(evidence.headline)}**: ${prose(evidence.sentence)}`,
    checks.map((check) => checkLine(check, t)).join("\n"),
    code(path),
  );
}

/** Equal values are shown once. */
function checkLine({ name, outcome, recorded, observed, decides }: WordedCheck, t: Translate): string {
  const values = [
    recorded === null || recorded === observed ? null : t("recorded {0}", code(recorded, shortValue)),
    observed === null ? null : recorded === observed ? code(observed, shortValue) : t("observed {0}", code(observed, shortValue)),
  ].filter((value) => value !== null);
  const result = decides ? `**${t("{0}: {1}, this decided", prose(name), outcome)}**` : t("{0}: {1}", prose(name), outcome);
  return `- ${[result, ...values].join(", ")}`;
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
