// Owns: what `run-state validate` finds in one file, ready for every output format.
// Leaves to others: the rules (core), the formats (the files beside it).
import fs from "node:fs/promises";
import path from "node:path";
import type { Dialect } from "../../core/artifact/canonical.js";
import { isPlainObject } from "../../core/artifact/syntax.js";
import { errnoOf } from "../../core/storage/errno.js";
import { nodeFilePort } from "../../core/storage/nodeFilePort.js";
import { readBounded } from "../../core/storage/readBounded.js";
import type { RecompileContext } from "../../core/systems/lattice/requests/context.js";
import { maxFileBytes, tooLargeMessage } from "../../core/systems/lattice/requests/decode.js";
import { judgeAnyRequest, type RequestKind } from "../../core/systems/lattice/requests/judgeAnyRequest.js";
import { rules, type RuleId } from "../../core/systems/lattice/requests/rules.js";
import type { LocatedFinding } from "../../core/systems/lattice/requests/text.js";
import { LinePositions, type LineRange } from "../../shared/linePositions.js";

export interface ReportedPlace {
  readonly message: string;
  readonly pointer: string;
  /** Absolute path of another file; null for the validated one. */
  readonly file: string | null;
  /** Null in another file: only its pointer is known. */
  readonly range: LineRange | null;
}

export interface ReportedFinding {
  readonly rule: RuleId;
  readonly severity: LocatedFinding["severity"];
  readonly pointer: string;
  readonly message: string;
  /** From 0; in a file that starts with a byte order mark the first character of the document is the second of the file. */
  readonly range: LineRange;
  readonly related: readonly ReportedPlace[];
}

export type FileReport = {
  /** As given on the command line. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
} & (
  | { readonly kind: "judged"; readonly document: RequestKind; readonly findings: readonly ReportedFinding[]; readonly leftOut: readonly RuleId[] }
  /** `reason`: one sentence. */
  | { readonly kind: "unreadable"; readonly reason: string }
  /** For another run than the one that was given. */
  | { readonly kind: "other-run"; readonly runId: string }
);

export interface GivenRun {
  readonly runId: string;
  readonly context: RecompileContext;
}

/** Null as dialect: both. Never writes. */
export async function reportFile(name: string, file: string, run: GivenRun | null, dialect: Dialect | null): Promise<FileReport> {
  const at = { name, path: file };
  const outcome = await readFile(file);
  if (outcome.kind === "unreadable") return { ...at, ...outcome };
  if (outcome.kind === "too-large") {
    const origin = { line: 0, character: 0 };
    const finding: ReportedFinding = { rule: "json.too-large", severity: rules["json.too-large"].severity, pointer: "", message: tooLargeMessage(outcome.size), range: { start: origin, end: origin }, related: [] };
    return { ...at, kind: "judged", document: "recompile-request", findings: [finding], leftOut: [] };
  }
  const { kind: document, judged, findings, leftOut } = judgeAnyRequest(outcome.bytes, run?.context ?? {}, dialect);
  const runId: unknown = document === "recompile-request" && isPlainObject(judged.value) ? judged.value["run_id"] : undefined;
  // Judged against another run every binding would be wrong, and none of that would be the file's fault.
  if (run !== null && typeof runId === "string" && runId !== run.runId) return { ...at, kind: "other-run", runId };
  const lines = new LinePositions(judged.text);
  return { ...at, kind: "judged", document, findings: [...findings].sort((a, b) => a.range.offset - b.range.offset).map((finding) => reportedOf(finding, lines)), leftOut };
}

type ReadFile = { readonly kind: "read"; readonly bytes: Uint8Array } | { readonly kind: "too-large"; readonly size: number } | { readonly kind: "unreadable"; readonly reason: string };

/** A link is followed once, because a person named it; what it leads to must be a file. */
async function readFile(file: string): Promise<ReadFile> {
  let real: string;
  try {
    real = await fs.realpath(file);
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    return { kind: "unreadable", reason: code === "ENOENT" ? "There is no such file." : `Cannot be read (${code}).` };
  }
  const outcome = await readBounded(nodeFilePort, real, { maxBytes: maxFileBytes });
  switch (outcome.kind) {
    case "read":
      return { kind: "read", bytes: outcome.bytes };
    case "too-large":
      return { kind: "too-large", size: Number(outcome.size) };
    case "missing":
      return { kind: "unreadable", reason: "There is no such file." };
    case "not-regular":
      return { kind: "unreadable", reason: `Is a ${outcome.type}, not a file.` };
    case "changed-while-read":
      return { kind: "unreadable", reason: "Changed while it was read." };
    case "unreadable":
      return { kind: "unreadable", reason: `Cannot be read (${outcome.code}).` };
  }
}

function reportedOf({ rule, severity, pointer, message, range, related = [] }: LocatedFinding, lines: LinePositions): ReportedFinding {
  return {
    rule,
    severity,
    pointer,
    message,
    range: lines.range(range),
    related: related.map((place) => ({ message: place.message, pointer: place.pointer, file: place.file ?? null, range: place.range === undefined ? null : lines.range(place.range) })),
  };
}

/** The name for people and machines: relative where that is shorter and stays inside. */
export function shownPath(file: string, directory: string): string {
  const way = path.relative(directory, file);
  return way === "" || way.startsWith("..") || path.isAbsolute(way) ? file : way.split(path.sep).join("/");
}
