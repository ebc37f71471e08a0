// Owns: the few phrases that several commands print.
// Leaves to others: sentences about codes (shared/explain.ts).
import type { ClaimSnapshot } from "../core/claims/claim.js";
import type { QuarantinePlan } from "../core/quarantine/quarantineEntry.js";
import { cautionSentence, checkName, outcomeWord, proofWord, verdictSentence, warningSentence } from "../shared/explain.js";
import { englishText as t } from "../shared/text.js";
import { plain } from "./context.js";
import type { Terminal } from "./terminal.js";

export function ownerText({ owner }: ClaimSnapshot): string {
  if (owner === null) return "no owner recorded";
  const host = owner.hostname === null ? "" : ` on ${plain(owner.hostname)}`;
  const started = owner.started === null ? "" : `, started ${plain(owner.started)}`;
  return `pid ${owner.pid}${host}${started}`;
}

/** What would happen and on which proof: printed before anything is asked. */
export function planText({ claim, cautions, destination }: QuarantinePlan): string {
  const { verdict } = claim;
  const checks = claim.checks.map(
    (check) =>
      `    ${check.decides ? "→" : " "} ${checkName(check.id, t)}: ${outcomeWord(check.outcome, t)}` +
      (check.recorded === null ? "" : `; recorded ${plain(check.recorded)}`) +
      (check.observed === null ? "" : `; observed ${plain(check.observed)}`),
  );
  return [
    `Claim:       ${plain(claim.id)}`,
    `Owner:       ${ownerText(claim)}`,
    `Verdict:     ${verdict.kind}${verdict.kind === "stale" ? `, ${proofWord(verdict.proof, t)}` : ""}. ${verdictSentence(verdict, t)}`,
    ...cautionLines(cautions).map((line) => `             ${line}`),
    "Evidence:",
    ...checks,
    `Path:        ${plain(claim.path)}`,
    `Destination: ${plain(destination)}`,
  ].join("\n");
}

export function cautionLines(cautions: readonly string[]): readonly string[] {
  return cautions.map((code) => cautionSentence(code, t)).filter((line) => line !== null);
}

export function complainOfWarnings(terminal: Terminal, warnings: readonly string[]): void {
  for (const code of warnings) terminal.complain(`Warning: ${warningSentence(code, t)}`);
}
