// Owns: findings as lines for a terminal: `file:line:column: severity rule: message`, which editors and people can follow.
// Leaves to others: exit codes (commands/validate.ts).
import { plain } from "../context.js";
import { shownPath, type FileReport, type ReportedFinding, type ReportedPlace } from "./fileReport.js";

export function textReport(reports: readonly FileReport[], directory: string, hasRun: boolean): string {
  const lines = reports.flatMap((report) => fileLines(report, directory, hasRun));
  return [...lines, summary(reports)].join("\n");
}

function fileLines(report: FileReport, directory: string, hasRun: boolean): readonly string[] {
  const name = plain(shownPath(report.path, directory));
  switch (report.kind) {
    case "unreadable":
      return [`${name}: ${plain(report.reason)}`];
    case "other-run":
      return [`${name}: Is for the run ${plain(report.runId)}, not for the one that --run names.`];
    case "judged": {
      const why = hasRun ? "the run does not say what they need" : "they need the run (--run DIR)";
      const left = report.leftOut.length === 0 ? [] : [`${name}: ${counted(report.leftOut.length, "rule")} not judged: ${why}.`];
      return [...report.findings.flatMap((finding) => findingLines(finding, name, directory)), ...left];
    }
  }
}

function findingLines({ rule, severity, message, range, related }: ReportedFinding, name: string, directory: string): readonly string[] {
  return [`${name}${placeText(range)}: ${severity} ${rule}: ${plain(message)}`, ...related.map((place) => `    ${relatedPlace(place, name, directory)}: ${plain(place.message)}`)];
}

function placeText({ start }: ReportedFinding["range"]): string {
  return `:${start.line + 1}:${start.character + 1}`;
}

function relatedPlace({ file, pointer, range }: ReportedPlace, name: string, directory: string): string {
  if (file !== null) return `${plain(shownPath(file, directory))}#${plain(pointer)}`;
  return range === null ? `${name}#${plain(pointer)}` : `${name}${placeText(range)}`;
}

function summary(reports: readonly FileReport[]): string {
  const findings = reports.flatMap((report) => (report.kind === "judged" ? report.findings : []));
  const count = (severity: ReportedFinding["severity"]): number => findings.filter((finding) => finding.severity === severity).length;
  const unjudged = reports.filter(({ kind }) => kind !== "judged").length;
  const parts = [counted(reports.length, "file"), counted(count("error"), "error"), counted(count("warning"), "warning"), ...(unjudged === 0 ? [] : [`${unjudged} not judged`])];
  return parts.join(", ");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
