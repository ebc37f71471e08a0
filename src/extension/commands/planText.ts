// Owns: how a plan is put to a person before it is carried out: what, whose, on which proof, from where to where. Pure.
// Leaves to others: asking (recoverStaleLock.ts, forceQuarantine.ts), sentences about verdicts (shared/explain.ts).
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import type { QuarantinePlan } from "../../core/quarantine/quarantineEntry.js";
import { claimNoun } from "../../shared/claimWords.js";
import { displayText } from "../../shared/displayText.js";
import { cautionSentence, verdictSentence } from "../../shared/explain.js";
import type { Translate } from "../../shared/text.js";
import { millisecondsOf, spokenAge } from "../tree/age.js";

export interface PlanTextContext {
  readonly t: Translate;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Long paths stay whole: a person compares them, and a dialog wraps. */
export const wholePath = { maxLength: 1_024 };

/** "lifecycle lock of run-serial". */
export function claimTitle(claim: ClaimSnapshot, t: Translate): string {
  return t("{0} of {1}", claimNoun(claim.kind, t), displayText(claim.resource));
}

/** Everything a person needs to decide, one fact a line. */
export function planDetail(plan: QuarantinePlan, { t, now }: PlanTextContext): string {
  const { claim } = plan;
  const operation = claim.facts.find((fact) => fact.name === "operation")?.value;
  const lines = [
    ...ownerLines(claim, t),
    operation === undefined ? null : t("Operation: {0}", displayText(operation)),
    claim.file === null ? null : t("Written: {0} ago", spokenAge(millisecondsOf(claim.file.mtimeNs), now, t)),
    t("Verdict: {0}", verdictSentence(claim.verdict, t)),
    t("Path: {0}", displayText(claim.path, wholePath)),
    t("Moves to: {0}", displayText(plan.destination, wholePath)),
  ];
  return lines.filter((line) => line !== null).join("\n");
}

/** One line for a list of several. */
export function planLine(plan: QuarantinePlan, { t }: PlanTextContext): string {
  const { claim } = plan;
  const owner = claim.owner === null ? t("no owner recorded") : t("pid {0}", claim.owner.pid);
  return `• ${claimTitle(claim, t)} · ${owner} · ${displayText(claim.path, wholePath)}`;
}

function ownerLines({ owner }: ClaimSnapshot, t: Translate): readonly string[] {
  if (owner === null) return [t("Owner: not recorded")];
  const pid = owner.hostname === null ? t("Owner: pid {0}", owner.pid) : t("Owner: pid {0} on {1}", owner.pid, displayText(owner.hostname));
  return owner.started === null ? [pid] : [pid, t("Started: {0}", displayText(owner.started))];
}

/** What was assumed, one sentence a line; for the second question. */
export function cautionLines(plan: QuarantinePlan, t: Translate): string {
  return plan.cautions
    // The question itself says so.
    .filter((code) => code !== "weak-proof")
    .map((code) => cautionSentence(code, t))
    .filter((line) => line !== null)
    .map((line) => `• ${line}`)
    .join("\n");
}

/** Why a claim is not moved by a command, and what would settle it. */
export function refusalText(plan: QuarantinePlan, t: Translate): string {
  const sentences = plan.cautions.map((code) => cautionSentence(code, t)).filter((line) => line !== null);
  return [verdictSentence(plan.claim.verdict, t), ...sentences].join(" ");
}
