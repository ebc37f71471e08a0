// Owns: judging one open document: its text, what only the file's bytes show, and the run that it is for.
// Leaves to others: the rules (core), remembering documents (requestService.ts), showing findings (diagnostics.ts in the host).
import { defaultDialect } from "../../../core/artifact/canonical.js";
import type { RecompileContext } from "../../../core/systems/lattice/requests/context.js";
import { tooLargeMessage } from "../../../core/systems/lattice/requests/decode.js";
import { judgeUnderBoth } from "../../../core/systems/lattice/requests/dialects.js";
import { schemaIds } from "../../../core/systems/lattice/requests/documentKeys.js";
import { judgeRequestText } from "../../../core/systems/lattice/requests/fixes.js";
import { leftOutOf } from "../../../core/systems/lattice/requests/judgeAnyRequest.js";
import { rules } from "../../../core/systems/lattice/requests/rules.js";
import type { Rule } from "../../../core/systems/lattice/requests/rules/rule.js";
import { schemaOfText } from "../../../core/systems/lattice/requests/schemaOfText.js";
import type { JudgedText, LocatedFinding } from "../../../core/systems/lattice/requests/text.js";
import type { DialectFact, FindingFact, JudgeInput, JudgeOutput, RelatedFact, RunFact } from "../protocol.js";
import { nothingHidden, readFileBytes, type FileBytes } from "./fileBytes.js";
import { placesInFile, type PlaceFinder } from "./filePlaces.js";
import { dialectOf, findRun, runIdOf, type ReadRun, type Runs } from "./runs.js";
import { shownRange } from "./shownRange.js";

/** What is known of a document after it was judged: enough for every later question about the same text. */
export interface Judged {
  readonly judged: JudgedText;
  readonly findings: readonly LocatedFinding[];
  readonly run: RunFact;
  readonly context: RecompileContext;
  readonly dialect: DialectFact;
  readonly bytes: FileBytes;
}

/** Null for a text that is no recompile request. */
export async function judgeDocument(text: string, input: JudgeInput, runs: Runs, before: Judged | null): Promise<{ readonly judged: Judged; readonly read: ReadRun | null } | null> {
  if (!input.isForced && schemaOfText(text) !== schemaIds.recompileRequest) return null;
  const bytes = await bytesOf(input, before);
  const run = await findRun({ runId: runIdOf(parsed(text)), documentPath: input.path, stores: input.stores, chosen: input.chosenRun });
  const read = run.kind === "found" ? await runs.contextOf(run.directory, input.isFresh) : null;
  const dialect = dialectOf(input.dialect, read);
  const judged = judgeAgain(text, { run, context: read?.context ?? {}, dialect, bytes });
  return { judged, read };
}

/** Another text under what is known already. */
export function judgeAgain(text: string, known: Pick<Judged, "run" | "context" | "dialect" | "bytes">): Judged {
  const { context, dialect } = known;
  const { judged, findings } = dialect.from === "default" ? judgeUnderBoth((version) => judgeRequestText(text, { context, dialect: version })) : judgeUnderOne(text, context, dialect);
  return { ...known, judged, findings };
}

function judgeUnderOne(text: string, context: RecompileContext, { dialect }: DialectFact): Pick<Judged, "judged" | "findings"> {
  const judged = judgeRequestText(text, { context, dialect });
  return { judged, findings: judged.findings };
}

async function bytesOf({ path, isDirty, isFresh }: JudgeInput, before: Judged | null): Promise<FileBytes> {
  if (path === null) return nothingHidden;
  const bytes = isFresh || before === null ? await readFileBytes(path) : before.bytes;
  // What is being typed replaces what is wrong with the file's bytes; its mark comes back with every save.
  return isDirty ? { ...bytes, problems: [] } : bytes;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The answer for an editor. */
export async function reportOf({ judged, findings, run, context, dialect, bytes }: Judged, version: number, read: ReadRun | null): Promise<JudgeOutput> {
  const told = new Set(findings.map(({ rule }) => rule));
  const hidden = bytes.problems.filter(({ rule }) => !told.has(rule)).map((problem) => bytesFact(problem));
  const mark = bytes.hasByteOrderMark ? [bytesFact({ rule: "json.bom", message: markMessage, offset: 0, length: 0 })] : [];
  const places = placesInFile();
  const facts: FindingFact[] = [];
  for (const finding of findings) facts.push(await factOf(finding, judged.text, places));
  return { kind: "judged", version, findings: [...mark, ...hidden, ...facts], run, dialect, leftOut: leftOutOf(judged, context), problems: read?.problems ?? [] };
}

const markMessage = "The file starts with a byte order mark, which readers that do not strip it refuse.";

function bytesFact({ rule, message, offset, length }: FileBytes["problems"][number]): FindingFact {
  return { rule, severity: rules[rule].severity, pointer: "", message, range: { offset, length }, related: [], isRepairable: false };
}

async function factOf({ rule, severity, pointer, message, range, related = [] }: LocatedFinding, text: string, places: PlaceFinder): Promise<FindingFact> {
  const facts: RelatedFact[] = [];
  for (const place of related) {
    if (place.file !== undefined) facts.push({ message: place.message, at: { file: place.file, place: await places(place.file, place.pointer) } });
    else if (place.range !== undefined) facts.push({ message: place.message, at: shownRange(place.range, text) });
  }
  const known: Rule = rules[rule];
  return { rule, severity, pointer, message, range: shownRange(range, text), related: facts, isRepairable: known.fix !== undefined };
}

/** The answer for a document whose text is not looked at. */
export function oversizedReport(version: number, length: number): JudgeOutput {
  const finding = bytesFact({ rule: "json.too-large", message: tooLargeMessage(length), offset: 0, length: 0 });
  return { kind: "judged", version, findings: [finding], run: { kind: "none", runId: null }, dialect: { dialect: defaultDialect, from: "default" }, leftOut: [], problems: [] };
}
