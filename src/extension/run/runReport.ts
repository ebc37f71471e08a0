// Owns: what a verification of a run says, as plain text for an editor: status, chains, every named problem with its meaning and remedy.
// Leaves to others: showing it (runDocuments.ts), words (shared/runWords.ts). Pure.
import { relative } from "node:path";
import type { RunProblem } from "../../core/systems/lattice/store/problemCatalog.js";
import type { Leftover, RunDetail } from "../../core/systems/lattice/store/runDetail.js";
import { displayText } from "../../shared/displayText.js";
import { chainWord, leftoverCause, leftoverName, meaningSentence, remedySentence, runProblemName, runStatusWord, severityWord } from "../../shared/runWords.js";
import type { Translate } from "../../shared/text.js";
import { widthOf } from "../evidence/width.js";
import { statusFacts } from "./detailItem.js";
import { hasFact } from "./detailChildren.js";
import { factLabel, factValue } from "./statusFact.js";

type Fact = readonly [name: string, value: string];

/** Values stay whole in a document, up to what could hide the rest. */
const whole = { maxLength: 4_096 };

export function runReport(detail: RunDetail, t: Translate): string {
  const title = t("Run {0}", displayText(detail.name));
  const { problems, leftovers } = detail;
  const parts = [
    underlined(title, "="),
    lines([
      [t("Status"), statusSentence(detail, t)],
      [t("Run id"), displayText(detail.runId ?? "–")],
      [t("Epoch"), detail.epoch === null ? "–" : String(detail.epoch)],
      ...statusFacts.filter((fact) => fact !== "records" && hasFact(fact, detail)).map((fact): Fact => [factLabel(fact, t), factValue(fact, detail, t)]),
      [t("The runtime answers"), runtimeText(detail, t)],
      [t("Looked at"), new Date(detail.takenAt).toISOString()],
      [t("Path"), displayText(detail.directory, whole)],
    ]),
    section(t("Event chain"), chainLines(detail, t)),
    section(t("Problems"), problems.length === 0 ? `  ${t("None was found.")}` : problems.map((problem) => problemText(problem, detail, t)).join("\n\n")),
    ...(leftovers.length === 0 ? [] : [section(t("Leftovers"), leftovers.map((leftover) => leftoverText(leftover, detail, t)).join("\n"))]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function statusSentence({ status }: RunDetail, t: Translate): string {
  const word = runStatusWord(status.word, t);
  if (status.word !== "damaged") return word;
  return status.claimedWord === null ? t("{0}: the records do not even say what state it is in", word) : t("{0}: the records say {1}, but cannot be trusted", word, runStatusWord(status.claimedWord, t));
}

function runtimeText({ runtimeAnswer }: RunDetail, t: Translate): string {
  return runtimeAnswer.kind === "answered" ? t("yes") : t("no, it refuses with {0}", displayText([runtimeAnswer.code, ...runtimeAnswer.failedConditions].join(" ")));
}

function chainLines(detail: RunDetail, t: Translate): string {
  const { report } = detail.events;
  const control = detail.controlEvents.report;
  return lines([
    [t("Standing"), chainWord(report?.standing ?? null, t)],
    ...(report === null ? [] : journal(report, t)),
    ...(control === null ? [] : ([[t("Control journal"), t("{0}, {1} events", chainWord(control.standing, t), control.count)]] as const)),
  ]);
}

function journal(report: NonNullable<RunDetail["events"]["report"]>, t: Translate): readonly Fact[] {
  const { count, headDigest, firstDefect, defectCount, redactions } = report;
  return [
    [t("Events"), String(count)],
    [t("Head digest"), displayText(headDigest ?? "–", whole)],
    ...(firstDefect === null ? [] : ([[t("First defect"), t("{0} at {1}", firstDefect.condition, firstDefect.pointer)], [t("Defects"), String(defectCount)]] as const)),
    ...(redactions.length === 0 ? [] : ([[t("Forbidden texts"), redactions.map(({ pointer }) => displayText(pointer)).join(", ")]] as const)),
  ];
}

function problemText(problem: RunProblem, { directory }: RunDetail, t: Translate): string {
  const place = relative(directory, problem.path) || ".";
  return [
    `▸ ${runProblemName(problem.code, t)} (${severityWord(problem.severity, t)})`,
    `  ${meaningSentence(problem.meaning, t)}`,
    `  → ${remedySentence(problem.remedy, t)}`,
    lines(
      [[t("File"), displayText(problem.pointer === null ? place : `${place}#${problem.pointer}`, whole)], ...problem.evidence.map(({ name, value }): Fact => [displayText(name), displayText(value, whole)])],
      "    ",
    ),
  ].join("\n");
}

function leftoverText(leftover: Leftover, { directory }: RunDetail, t: Translate): string {
  return `▸ ${leftoverName(leftover.kind, t)}: ${displayText(relative(directory, leftover.path))}\n  ${leftoverCause(leftover.cause, t)}`;
}

function section(title: string, body: string): string {
  return `${underlined(title, "-")}\n\n${body}`;
}

function underlined(title: string, line: string): string {
  return `${title}\n${line.repeat(widthOf(title))}`;
}

function lines(facts: readonly Fact[], margin = "  "): string {
  const width = Math.max(0, ...facts.map(([name]) => widthOf(name)));
  return facts.map(([name, value]) => `${margin}${name}${" ".repeat(width - widthOf(name))}  ${value === "" ? "–" : value}`).join("\n");
}
