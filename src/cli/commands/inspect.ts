// Owns: `run-state inspect`: every claim below some paths, its owner and verdict. Never writes.
// Leaves to others: looking (core/scan), wording (shared/explain.ts).
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import type { VerdictWord } from "../../core/claims/verdict.js";
import type { LatticeStoreSnapshot, RootSnapshot, ScanProblem } from "../../core/scan/snapshot.js";
import { codeSentence, problemSentence, proofWord, verdictSentence } from "../../shared/explain.js";
import { englishText as t } from "../../shared/text.js";
import { claimsOf, pathsOf, plain, printJson, scan, type Command, type CommandContext } from "../context.js";
import { exitCodes } from "../exitCodes.js";
import type { InspectOutput } from "../outputSchema.js";
import { ownerText } from "../words.js";

/** Whether a person should look: all but a running owner and an empty place. */
function needsAttention({ verdict }: ClaimSnapshot): boolean {
  const attention: Readonly<Record<VerdictWord, boolean>> = { live: false, empty: false, stale: true, remote: true, unknown: true, corrupt: true };
  return attention[verdict.kind];
}

export const inspect: Command = async (context) => {
  const { terminal, command } = context;
  const snapshot = await scan(context, pathsOf(context));
  const problems = snapshot.roots.flatMap((root) => [
    ...root.problems,
    ...root.stores.flatMap((store) => [...store.problems, ...store.runs.flatMap((run) => run.problems)]),
  ]);
  const attention = claimsOf(snapshot).filter(needsAttention).length + problems.length;
  if (command.flags.has("json")) printJson(terminal, { schema: "run-state.inspect.v1", attention, snapshot } satisfies { [Key in keyof InspectOutput]: unknown });
  else for (const root of snapshot.roots) printRoot(context, root);
  return attention === 0 ? exitCodes.done : exitCodes.attention;
};

function printRoot(context: CommandContext, root: RootSnapshot): void {
  const { terminal } = context;
  terminal.write(plain(root.path));
  for (const problem of root.problems) terminal.write(`  ${problemLine(problem)}`);
  if (root.stores.length === 0) terminal.write("  No run state found.");
  for (const store of root.stores) printStore(context, store);
}

function printStore(context: CommandContext, store: LatticeStoreSnapshot): void {
  const { terminal } = context;
  for (const problem of store.problems) terminal.write(`  ${problemLine(problem)}`);
  for (const claim of store.claims) printClaim(context, claim);
  let quiet = 0;
  for (const run of store.runs) {
    for (const problem of run.problems) terminal.write(`  ${problemLine(problem)}`);
    for (const claim of run.claims) printClaim(context, claim);
    if (run.problems.length > 0 || run.claims.length > 0) continue;
    if (context.command.flags.has("all")) terminal.write(`  ${"no lock".padEnd(wordWidth)}  ${plain(run.name)}`);
    else quiet += 1;
  }
  if (quiet > 0) terminal.write(`  ${quiet === 1 ? "1 run has" : `${quiet} runs have`} no lock (--all lists them).`);
  if (store.quarantine.length > 0) {
    terminal.write(`  ${store.quarantine.length === 1 ? "1 item" : `${store.quarantine.length} items`} in quarantine (run-state quarantine list).`);
  }
}

const wordWidth = 8;
const indent = " ".repeat(wordWidth + 4);

function problemLine(problem: ScanProblem): string {
  return `${"problem".padEnd(wordWidth)}  ${plain(problem.path)}\n${indent}${problemSentence(problem, t)}`;
}

function printClaim({ terminal }: CommandContext, claim: ClaimSnapshot): void {
  const { verdict } = claim;
  const lines = [
    `${verdict.kind.padEnd(wordWidth)}  ${plain(claim.resource)} · ${ownerText(claim)}`,
    `${indent}${verdictSentence(verdict, t)}${verdict.kind === "stale" ? ` (${proofWord(verdict.proof, t)})` : ""}`,
    ...(verdict.kind === "corrupt" ? [`${indent}${plain(verdict.diagnostic)}`] : []),
    ...(verdict.kind === "unknown" ? verdict.settles.map((code) => `${indent}${codeSentence(code, t)}`) : []),
    `${indent}path ${plain(claim.path)}`,
    `${indent}id   ${plain(claim.id)}`,
  ];
  terminal.write(`  ${lines.join("\n")}`);
}
