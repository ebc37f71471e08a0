// Owns: a report that says what a maintainer needs and nothing that a person would not publish: versions and counts, no paths, no names.
// Leaves to others: showing it (commands/reportIssue.ts). Pure; in English, whoever reads it.
import type { RunStateSnapshot } from "../../core/scan/snapshot.js";
import type { Settings } from "../contract.js";
import { table } from "./markdown.js";

export interface ReportFacts {
  readonly version: string;
  readonly editor: string;
  readonly platform: string;
  readonly snapshot: RunStateSnapshot | null;
  readonly settings: Settings;
  readonly failure: string | null;
}

/** Pure. Counts of verdicts, reasons and problems only: codes come from this product, never from a disk. */
export function issueReport({ version, editor, platform, snapshot, settings, failure }: ReportFacts): string {
  const stores = snapshot?.roots.flatMap((root) => root.stores) ?? [];
  const claims = stores.flatMap((store) => [...store.claims, ...store.runs.flatMap((run) => run.claims)]);
  const problems = [
    ...(snapshot?.roots.flatMap((root) => root.problems) ?? []),
    ...stores.flatMap((store) => [...store.problems, ...store.runs.flatMap((run) => run.problems)]),
  ];
  const counted = (codes: readonly string[]): readonly (readonly string[])[] =>
    [...new Set(codes)].sort().map((code) => [code, String(codes.filter((one) => one === code).length)]);
  const verdicts = claims.map(({ kind, verdict }) => [kind, verdict.kind, ..."reason" in verdict ? [verdict.reason] : []].join(" "));
  return [
    "# Run State issue",
    "<!-- Paths, names, process ids and contents are left out. Please read it before you publish it. -->",
    "## What happened, what did you expect?",
    "…",
    "## Versions",
    table(["What", "Version"], [["Run State", version], ["VS Code", editor], ["System", platform]]),
    "## State",
    table(
      ["What", "Count"],
      [
        ["roots", String(snapshot?.roots.length ?? 0)],
        ["stores", String(stores.length)],
        ["runs", String(stores.reduce((sum, store) => sum + store.runs.length, 0))],
        ["quarantine items", String(stores.reduce((sum, store) => sum + store.quarantine.length, 0))],
        ...counted(verdicts),
        ...counted(problems.map((problem) => `problem ${problem.code}`)),
      ],
    ),
    "## Settings",
    table(
      ["Setting", "Value"],
      [
        ["roots", `${String(settings.roots.length)} entries`],
        ["refresh", settings.refresh],
        ["pollInterval", String(settings.pollInterval)],
        ["confirmation", settings.confirmation],
        ["maxChildren", String(settings.maxChildren)],
      ],
    ),
    "## Last failure",
    failure === null ? "none" : errorCode(failure),
    "",
  ].join("\n\n");
}

/** A message names paths; its errno or class does not. */
function errorCode(message: string): string {
  return /^[A-Z][A-Z0-9_]+(?=:)/.exec(message)?.[0] ?? "an error, see the log";
}
