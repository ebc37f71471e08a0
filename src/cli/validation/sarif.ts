// Owns: findings as a SARIF 2.1.0 log (OASIS), which code scanning services take.
// Leaves to others: everything else. Positions are UTF-16 code units from 1; ends are exclusive.
import { createHash } from "node:crypto";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { toolVersion } from "../../core/quarantine/toolVersion.js";
import { rules, type RuleId } from "../../core/systems/lattice/requests/rules.js";
import type { Rule } from "../../core/systems/lattice/requests/rules/rule.js";
import type { LineRange } from "../../shared/linePositions.js";
import type { FileReport, ReportedFinding, ReportedPlace } from "./fileReport.js";

const levels = { error: "error", warning: "warning", info: "note" } as const satisfies Readonly<Record<ReportedFinding["severity"], string>>;
/** Names the directory that relative addresses are relative to. */
const base = "SRCROOT";

export function sarifLog(reports: readonly FileReport[], directory: string): unknown {
  const used = [...new Set(reports.flatMap((report) => (report.kind === "judged" ? report.findings.map(({ rule }) => rule) : [])))].sort();
  const notifications = reports.flatMap((report) => notificationsOf(report, directory));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Run State", version: toolVersion, semanticVersion: toolVersion, rules: used.map(descriptorOf) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { [base]: { uri: `${pathToFileURL(directory).href.replace(/\/$/, "")}/` } },
        invocations: [{ executionSuccessful: reports.every(({ kind }) => kind === "judged"), toolExecutionNotifications: notifications }],
        artifacts: reports.map((report) => ({ location: artifactLocation(report.path, directory) })),
        results: reports.flatMap((report) => (report.kind === "judged" ? report.findings.map((finding) => resultOf(finding, report.path, directory, used)) : [])),
      },
    ],
  };
}

function descriptorOf(id: RuleId): unknown {
  const rule: Rule = rules[id];
  return {
    id,
    shortDescription: { text: `${rule.title}.` },
    fullDescription: { text: rule.meaning },
    help: { text: rule.repair },
    defaultConfiguration: { level: levels[rule.severity] },
  };
}

function resultOf({ rule, severity, pointer, message, range, related }: ReportedFinding, file: string, directory: string, used: readonly RuleId[]): unknown {
  return {
    ruleId: rule,
    ruleIndex: used.indexOf(rule),
    level: levels[severity],
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: artifactLocation(file, directory), region: regionOf(range) }, logicalLocations: [{ fullyQualifiedName: pointer, kind: "value" }] }],
    ...(related.length === 0 ? {} : { relatedLocations: related.map((place, index) => relatedLocation(place, index, file, directory)) }),
    // The same finding at the same place of the document is the same alert, however the lines move.
    partialFingerprints: { "ruleAndPointer/v1": createHash("sha256").update(`${rule} ${pointer}`, "utf8").digest("hex") },
  };
}

function relatedLocation({ message, pointer, file, range }: ReportedPlace, index: number, validated: string, directory: string): unknown {
  const region = range === null ? {} : { region: regionOf(range) };
  return {
    id: index + 1,
    message: { text: message },
    physicalLocation: { artifactLocation: artifactLocation(file ?? validated, directory), ...region },
    logicalLocations: [{ fullyQualifiedName: pointer, kind: "value" }],
  };
}

function regionOf({ start, end }: LineRange): unknown {
  return { startLine: start.line + 1, startColumn: start.character + 1, endLine: end.line + 1, endColumn: end.character + 1 };
}

function artifactLocation(file: string, directory: string): unknown {
  const way = path.relative(directory, file);
  if (way === "" || way.startsWith("..") || path.isAbsolute(way)) return { uri: pathToFileURL(file).href };
  return { uri: way.split(path.sep).map(encodeURIComponent).join("/"), uriBaseId: base };
}

function notificationsOf(report: FileReport, directory: string): readonly unknown[] {
  const at = { locations: [{ physicalLocation: { artifactLocation: artifactLocation(report.path, directory) } }] };
  switch (report.kind) {
    case "unreadable":
      return [{ level: "error", message: { text: report.reason }, ...at }];
    case "other-run":
      return [{ level: "error", message: { text: `Is for the run ${report.runId}, not for the one that --run names.` }, ...at }];
    case "judged":
      return report.leftOut.length === 0 ? [] : [{ level: "note", message: { text: `Not judged for want of the run: ${report.leftOut.join(", ")}.` }, ...at }];
  }
}
