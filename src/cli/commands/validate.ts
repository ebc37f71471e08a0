// Owns: `run-state validate`: request files judged for pre-commit and CI. Never writes.
// Leaves to others: one file (validation/fileReport.ts), the output formats (validation/).
import fs from "node:fs/promises";
import path from "node:path";
import type { Dialect } from "../../core/artifact/canonical.js";
import { detectRunDialect } from "../../core/systems/lattice/requests/dialects.js";
import { readRecompileContext } from "../../core/systems/lattice/requests/runContext.js";
import { plain, printJson, type Command, type CommandContext } from "../context.js";
import { exitCodes, type ExitCode } from "../exitCodes.js";
import type { ValidationOutput } from "../outputSchema.js";
import { reportFile, type FileReport, type GivenRun } from "../validation/fileReport.js";
import { githubReport } from "../validation/githubReport.js";
import { sarifLog } from "../validation/sarif.js";
import { textReport } from "../validation/textReport.js";

const formats = ["text", "json", "sarif", "github"] as const;
const dialects = ["0.12", "0.50"] as const satisfies readonly Dialect[];

/** Exit code 0: no finding is an error; 1: one is; 2: wrong usage, or a file that could not be judged. */
export const validate: Command = async (context) => {
  const { terminal, command, directory } = context;
  const format = wordOf(context, "format", formats, "text");
  const given = wordOf(context, "dialect", dialects, null);
  if (format === undefined || given === undefined) return exitCodes.usage;
  const run = await readRun(context);
  if (run === undefined) return exitCodes.usage;
  // What the run proves counts only as long as nothing was said.
  const dialect = given ?? run?.dialect ?? null;
  const reports: FileReport[] = [];
  for (const operand of command.operands) {
    context.signal.throwIfAborted();
    reports.push(await reportFile(operand, path.resolve(directory, operand), run, dialect));
  }
  print(context, format, reports, dialect, run);
  for (const report of reports) if (report.kind !== "judged" && format !== "text") terminal.complain(`${plain(report.name)}: ${report.kind === "unreadable" ? report.reason : `is for the run ${plain(report.runId)}`}`);
  return exitCodeOf(reports);
};

/** Undefined after a complaint. */
function wordOf<const Word extends string, Otherwise>({ command, terminal }: CommandContext, name: string, words: readonly Word[], otherwise: Otherwise): Word | Otherwise | undefined {
  const given = command.values.get(name);
  if (given === undefined) return otherwise;
  const word = words.find((candidate) => candidate === given);
  if (word === undefined) terminal.complain(`--${name} must be one of ${words.join(", ")}.`);
  return word;
}

interface ReadRun extends GivenRun {
  readonly dialect: Dialect | null;
}

/** Null without --run; undefined after a complaint. */
async function readRun({ command, terminal, directory }: CommandContext): Promise<ReadRun | null | undefined> {
  const given = command.values.get("run");
  if (given === undefined) return null;
  const runDirectory = path.resolve(directory, given);
  const isDirectory = await fs.lstat(runDirectory).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
  if (!isDirectory) {
    terminal.complain(`--run must be a run directory, such as .lattice/runs/ID: ${plain(given)} is none.`);
    return undefined;
  }
  const { context, problems } = await readRecompileContext(runDirectory);
  for (const { file, message } of problems) terminal.complain(`Warning: ${plain(file)}: ${plain(message)}`);
  return { runId: context.run.runId, context, dialect: await detectRunDialect(runDirectory, context.run.committedEpoch) };
}

function print({ terminal, directory }: CommandContext, format: (typeof formats)[number], reports: readonly FileReport[], dialect: Dialect | null, run: ReadRun | null): void {
  switch (format) {
    case "text":
      terminal.write(textReport(reports, directory, run !== null));
      return;
    case "json":
      printJson(terminal, { schema: "run-state.validation.v1", dialect, run: run?.context.run?.directory ?? null, files: reports } satisfies { [Key in keyof ValidationOutput]: unknown });
      return;
    case "sarif":
      printJson(terminal, sarifLog(reports, directory));
      return;
    case "github": {
      const lines = githubReport(reports, directory);
      if (lines !== null) terminal.write(lines);
    }
  }
}

function exitCodeOf(reports: readonly FileReport[]): ExitCode {
  if (reports.some(({ kind }) => kind !== "judged")) return exitCodes.usage;
  return reports.some((report) => report.kind === "judged" && report.findings.some(({ severity }) => severity === "error")) ? exitCodes.attention : exitCodes.done;
}
