// Owns: findings as VS Code's diagnostics: places, severities, related places that can be clicked, the link to the rule.
// Leaves to others: what is found (worker), when (requestDocuments.ts).
import * as vscode from "vscode";
import type { FindingSeverity } from "../../core/systems/lattice/finding.js";
import type { TextRange } from "../../core/systems/lattice/requests/report.js";
import { displayText } from "../../shared/displayText.js";
import type { LineRange } from "../../shared/linePositions.js";
import type { FilePlace, FindingFact, RelatedFact } from "./protocol.js";
import { ruleUri } from "./rulePages.js";

/** As many as VS Code keeps for one file. */
const maxDiagnostics = 1000;

const severities: Readonly<Record<FindingSeverity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

const source = "Run State";

/** A message may name what a file holds: nothing in it may hide or reorder the rest. */
const shownText = (message: string): string => displayText(message, { maxLength: 2000 });

/** A diagnostic that knows its finding. */
export interface FindingDiagnostic {
  readonly finding: FindingFact;
  readonly diagnostic: vscode.Diagnostic;
}

/** The worst first when there are too many. `document` must be at the version that was judged. */
export function diagnosticsOf(findings: readonly FindingFact[], document: vscode.TextDocument): readonly FindingDiagnostic[] {
  const shown = findings.length <= maxDiagnostics ? findings : [...findings].sort((a, b) => severities[a.severity] - severities[b.severity]).slice(0, maxDiagnostics);
  return shown.map((finding) => {
    const diagnostic = new vscode.Diagnostic(visible(rangeOf(finding.range, document), document), shownText(finding.message), severities[finding.severity]);
    diagnostic.source = source;
    diagnostic.code = { value: finding.rule, target: ruleUri(finding.rule) };
    if (finding.related.length > 0) diagnostic.relatedInformation = finding.related.map((related) => relatedInformation(related, document));
    return { finding, diagnostic };
  });
}

export function rangeOf({ offset, length }: TextRange, document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** A finding about the file as a whole still needs something to be underlined. */
function visible(range: vscode.Range, document: vscode.TextDocument): vscode.Range {
  if (!range.isEmpty || range.start.line !== 0 || range.start.character !== 0) return range;
  return document.lineAt(0).range.isEmpty ? range : new vscode.Range(0, 0, 0, 1);
}

function relatedInformation({ message, at }: RelatedFact, document: vscode.TextDocument): vscode.DiagnosticRelatedInformation {
  return new vscode.DiagnosticRelatedInformation("file" in at ? locationOf(at) : new vscode.Location(document.uri, rangeOf(at, document)), shownText(message));
}

export function locationOf({ file, place }: FilePlace): vscode.Location {
  return new vscode.Location(vscode.Uri.file(file), place === null ? new vscode.Position(0, 0) : fromLines(place));
}

function fromLines({ start, end }: LineRange): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
