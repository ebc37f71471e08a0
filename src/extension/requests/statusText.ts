// Owns: the words about a request as a whole: how many findings, which run and version it was judged for, what was left out.
// Leaves to others: where they stand (statusItem.ts, codeLens.ts). Pure.
import path from "node:path";
import { displayText } from "../../shared/displayText.js";
import type { Translate } from "../../shared/text.js";
import type { FindingFact, JudgeOutput } from "./protocol.js";

type Report = Extract<JudgeOutput, { kind: "judged" }>;

/** "2 errors, 1 warning", or that there is nothing. */
export function countText(findings: readonly Pick<FindingFact, "severity">[], t: Translate): string {
  const count = (severity: FindingFact["severity"]): number => findings.filter((finding) => finding.severity === severity).length;
  const [errors, warnings, infos] = [count("error"), count("warning"), count("info")];
  const parts = [
    errors === 0 ? null : errors === 1 ? t("1 error") : t("{0} errors", errors),
    warnings === 0 ? null : warnings === 1 ? t("1 warning") : t("{0} warnings", warnings),
    infos === 0 ? null : infos === 1 ? t("1 hint") : t("{0} hints", infos),
  ].filter((part) => part !== null);
  return parts.length === 0 ? t("No findings") : parts.join(", ");
}

/** Which run it was judged for. */
export function runText({ run }: Pick<Report, "run">, t: Translate): string {
  switch (run.kind) {
    case "found":
      return t("Run {0}", displayText(path.basename(run.directory)));
    case "several":
      return t("{0} runs are called {1}", run.directories.length, displayText(run.runId));
    case "none":
      return run.runId === null ? t("No run named") : t("Run {0} not found", displayText(run.runId));
  }
}

/** Which version of the runtime, and how that is known. */
export function dialectText({ dialect: { dialect, from } }: Pick<Report, "dialect">, t: Translate): string {
  switch (from) {
    case "setting":
      return t("lattice {0} (setting)", dialect);
    case "run":
      return t("lattice {0}", dialect);
    case "default":
      return t("lattice 0.12 and 0.50");
  }
}

/** One line under the count. */
export function detailText(report: Report, t: Translate): string {
  const parts = [dialectText(report, t), runText(report, t)];
  const [problem] = report.problems;
  if (report.leftOut.length > 0) parts.push(report.leftOut.length === 1 ? t("1 rule not judged") : t("{0} rules not judged", report.leftOut.length));
  if (problem !== undefined) parts.push(t("{0} not usable", displayText(path.basename(problem.file))));
  return parts.join(" · ");
}
