// Owns: everything that is known about a claim or a quarantined item, in words and in order, before it has a form. Complete.
// Leaves to others: sentences (shared/explain.ts), form (plainText.ts, markdown.ts, tooltip.ts). Pure.
import type { ClaimOwner, ClaimSnapshot, FileIdentity } from "../../core/claims/claim.js";
import type { Check, Verdict } from "../../core/claims/verdict.js";
import type { QuarantineEntry } from "../../core/quarantine/quarantineEntry.js";
import { claimLabel, claimNoun } from "../../shared/claimWords.js";
import { displayText } from "../../shared/displayText.js";
import { checkName, codeSentence, factName, outcomeWord, proofWord, verdictSentence } from "../../shared/explain.js";
import type { Translate } from "../../shared/text.js";
import { millisecondsOf, spokenAge } from "../tree/age.js";
import { claimState, entryState } from "../tree/stateOf.js";
import type { Subject } from "../tree/treeNode.js";
import { stateWord } from "../tree/words.js";

export interface EvidenceContext {
  readonly t: Translate;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** `value` is raw text: whoever shows it sanitizes it. What is not recorded is not listed. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface WordedCheck {
  readonly name: string;
  readonly outcome: string;
  /** Raw texts. */
  readonly recorded: string | null;
  readonly observed: string | null;
  readonly decides: boolean;
}

export type Section =
  | { readonly kind: "facts"; readonly title: string; readonly facts: readonly Fact[] }
  | { readonly kind: "checks"; readonly title: string; readonly checks: readonly WordedCheck[] }
  | { readonly kind: "list"; readonly title: string; readonly lines: readonly string[] };

export interface Evidence {
  /** Shown text. */
  readonly title: string;
  /** The state as a word, then its proof. */
  readonly headline: string;
  readonly sentence: string;
  /** The first one has no title worth showing. */
  readonly facts: readonly Fact[];
  readonly sections: readonly Section[];
}

/** Null for rows that are no claim. */
export function evidenceOf(subject: Subject, context: EvidenceContext): Evidence | null {
  if (subject.kind === "claim") return claimEvidence(subject.claim, subject.repair, context);
  if (subject.kind === "entry") return entryEvidence(subject.entry, context);
  return null;
}

function claimEvidence(claim: ClaimSnapshot, repair: QuarantineEntry | null, { t, now }: EvidenceContext): Evidence {
  const { verdict } = claim;
  return {
    title: t("{0} of {1}", claimLabel(claim.kind, t), displayText(claim.resource)),
    headline: headlineOf(stateWord(claimState(claim, repair), t), verdict, t),
    sentence: repair === null ? verdictSentence(verdict, t) : t("An interrupted repair holds this file by a second link. Settle it to finish or undo it."),
    facts: present([
      [t("Id"), claim.id],
      [t("Path"), claim.path],
      ...ownerFacts(claim.owner, t),
      ...claim.facts.map(({ name, value }) => [factName(name, t), name === "modified-at" ? withAge(value, claim.file, { t, now }) : value] as const),
      [t("Observed at"), new Date(claim.observedAt).toISOString()],
    ]),
    sections: [
      ...judgementSections(verdict, claim.checks, t),
      fileSection([...fileFacts(claim.file, t), [t("Hard links"), claim.linkCount === null ? null : String(claim.linkCount)], ["SHA-256", claim.sha256]], t),
    ],
  };
}

function withAge(moment: string, file: FileIdentity | null, { t, now }: EvidenceContext): string {
  return file === null ? moment : t("{0} ({1} ago)", moment, spokenAge(millisecondsOf(file.mtimeNs), now, t));
}

function entryEvidence(entry: QuarantineEntry, { t, now }: EvidenceContext): Evidence {
  const moved = [t("Moved"), entry.at === null ? null : t("{0} ago", spokenAge(entry.at, now, t))] as const;
  const places = [[t("Item"), entry.path] as const, [t("Record"), entry.recordPath] as const];
  if (entry.kind === "unreadable") {
    return {
      title: displayText(entry.name),
      headline: t("unreadable"),
      sentence: codeSentence(entry.reason, t),
      facts: present([[t("Detail"), entry.detail], ...places, moved]),
      sections: [],
    };
  }
  const { record } = entry;
  const state = stateWord(entryState(entry), t);
  return {
    title: t("Quarantined {0} of {1}", claimNoun(record.claim_kind, t), displayText(record.resource)),
    headline: record.forced ? t("{0}, forced", state) : state,
    sentence: t("It was {0}. {1}", stateOfVerdict(record.verdict, t), verdictSentence(record.verdict, t)),
    facts: present([
      [t("Id"), record.claim_id],
      [t("Came from"), record.original_path],
      ...places,
      moved,
      [t("Moved by"), `${record.user}@${record.hostname}`],
      [t("Planned at"), record.planned_at],
      [t("Completed at"), record.completed_at],
      [t("Restored at"), record.restored_at],
      [t("Written by"), `Run State ${record.tool_version}`],
      [t("Record digest"), record.record_digest],
      ...ownerFacts(record.owner, t),
    ]),
    sections: [...judgementSections(record.verdict, record.checks, t), fileSection([...fileFacts(record.file, t), ["SHA-256", record.sha256]], t)],
  };
}

function headlineOf(state: string, verdict: Verdict, t: Translate): string {
  return verdict.kind === "stale" ? t("{0}, {1}", state, proofWord(verdict.proof, t)) : state;
}

function stateOfVerdict(verdict: Verdict, t: Translate): string {
  return stateWord(verdict.kind === "empty" ? "idle" : verdict.kind, t);
}

function judgementSections(verdict: Verdict, checks: readonly Check[], t: Translate): readonly Section[] {
  const worded = checks.map(
    (check): WordedCheck => ({ name: checkName(check.id, t), outcome: outcomeWord(check.outcome, t), recorded: check.recorded, observed: check.observed, decides: check.decides }),
  );
  return [{ kind: "checks", title: t("Checks"), checks: worded }, ...listSections(verdict, t)];
}

function listSections(verdict: Verdict, t: Translate): readonly Section[] {
  const list = (title: string, codes: readonly string[]): readonly Section[] =>
    codes.length === 0 ? [] : [{ kind: "list", title, lines: codes.map((code) => codeSentence(code, t)) }];
  switch (verdict.kind) {
    case "stale":
      return list(t("What was assumed"), verdict.assumptions);
    case "unknown":
      return [
        ...(verdict.diagnostic === undefined ? [] : [diagnosticSection(t("What stood in the way"), verdict.diagnostic, t)]),
        ...list(t("What would settle it"), verdict.settles),
      ];
    case "live":
      return list(t("Notes"), verdict.notes);
    case "corrupt":
      return [diagnosticSection(t("What is wrong"), verdict.diagnostic, t)];
    case "remote":
    case "empty":
      return [];
  }
}

function diagnosticSection(title: string, diagnostic: string, t: Translate): Section {
  return { kind: "facts", title, facts: [{ name: t("Diagnostic"), value: diagnostic }] };
}

type MaybeFact = readonly [name: string, value: string | null];

function ownerFacts(owner: ClaimOwner | null, t: Translate): readonly MaybeFact[] {
  if (owner === null) return [[t("Owner"), t("not recorded")]];
  return [
    [t("Owner"), t("pid {0}", owner.pid)],
    [t("Started"), owner.started],
    [t("Platform"), owner.platform],
    [t("Host"), owner.hostname],
    [t("Boot"), owner.bootIdentity],
    [t("Executable"), owner.executable],
  ];
}

function fileFacts(file: FileIdentity | null, t: Translate): readonly MaybeFact[] {
  if (file === null) return [];
  return [
    [t("Device"), file.device],
    [t("Inode"), file.inode],
    [t("Bytes"), file.size],
    [t("Modified, ns since 1970"), file.mtimeNs],
  ];
}

function fileSection(facts: readonly MaybeFact[], t: Translate): Section {
  return { kind: "facts", title: t("File"), facts: present(facts) };
}

function present(facts: readonly MaybeFact[]): readonly Fact[] {
  return facts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}
