// Owns: findings as workflow commands, which GitHub shows beside the lines of a change.
// Leaves to others: everything else. Escapes as @actions/core does: what is left raw could end the command or start another.
import { plain } from "../context.js";
import { shownPath, type FileReport, type ReportedFinding } from "./fileReport.js";

const commands = { error: "error", warning: "warning", info: "notice" } as const satisfies Readonly<Record<ReportedFinding["severity"], string>>;

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function command(name: string, properties: Readonly<Record<string, string | number>>, message: string): string {
  const given = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${name} ${given.join(",")}::${escapeData(plain(message))}`;
}

/** Null when there is nothing to say. Lines and columns from 1; columns only where a finding stays on its line, as GitHub wants it. */
export function githubReport(reports: readonly FileReport[], directory: string): string | null {
  const lines = reports.flatMap((report) => {
    const file = shownPath(report.path, directory);
    switch (report.kind) {
      case "unreadable":
        return [command("error", { file, title: "not readable" }, report.reason)];
      case "other-run":
        return [command("error", { file, title: "other run" }, `Is for the run ${report.runId}, not for the one that --run names.`)];
      case "judged":
        return report.findings.map((finding) => annotation(finding, file));
    }
  });
  return lines.length === 0 ? null : lines.join("\n");
}

function annotation({ rule, severity, message, range: { start, end } }: ReportedFinding, file: string): string {
  const columns = start.line === end.line ? { col: start.character + 1, endColumn: Math.max(end.character, start.character + 1) } : {};
  return command(commands[severity], { file, line: start.line + 1, endLine: end.line + 1, ...columns, title: rule }, message);
}
