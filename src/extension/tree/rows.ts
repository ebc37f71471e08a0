// Owns: how a thing looks as one row: label, description, icon, flags, what a screen reader says.
// Leaves to others: which rows there are (children.ts), tooltips (evidence/tooltip.ts), words (words.ts).
import { basename, dirname } from "node:path";
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import type { QuarantineEntry } from "../../core/quarantine/quarantineEntry.js";
import { displayText } from "../../shared/displayText.js";
import { problemText } from "../../shared/explain.js";
import type { Translate } from "../../shared/text.js";
import { detailRow } from "../run/detailRows.js";
import { ageText, millisecondsOf, spokenAge } from "./age.js";
import { claimState, entryState, quarantineTally, runTally, storeTally, worst } from "./stateOf.js";
import type { Row, RowDecoration, State, Subject } from "./treeNode.js";
import { claimLabel } from "../../shared/claimWords.js";
import { attention, labelColor, needsLook, rowLabel, shortReason, stateIcon, stateWord, worstWords } from "./words.js";

export interface RowContext {
  readonly t: Translate;
  /** Milliseconds since the epoch, for ages only. */
  readonly now: number;
  /** Whether a run can be opened to look inside. */
  readonly hasInside?: boolean;
}

type Of<K extends Subject["kind"]> = Extract<Subject, { kind: K }>;

/** Between the parts of a description. */
const separator = " · ";
const mostCounted = 9;

export function rowOf(subject: Subject, context: RowContext): Row {
  switch (subject.kind) {
    case "root":
      return rootRow(subject, context);
    case "store":
      return storeRow(subject, context);
    case "run":
      return runRow(subject, context);
    case "claim":
      return claimRow(subject, context);
    case "problem":
      return problemRow(subject, context);
    case "quarantine":
      return quarantineRow(subject, context);
    case "entry":
      return entryRow(subject, context);
    case "detail":
      return detailRow(subject.item, context);
    case "more":
      return moreRow(subject, context);
  }
}

function rootRow({ root }: Of<"root">, { t }: RowContext): Row {
  const label = displayText(basename(root.path));
  const [problem] = root.problems;
  const description = problem === undefined ? "" : problemText(problem, t);
  return {
    label,
    description,
    icon: { id: "folder", color: null },
    contextValue: "root",
    collapsible: "expanded",
    spoken: t("Folder {0}, {1}", label, description),
    decoration: null,
  };
}

function storeRow({ root, store }: Of<"store">, { t }: RowContext): Row {
  const tally = storeTally(store);
  const stale = tally.stale ?? 0;
  const label = displayText(basename(dirname(store.path)) || store.path);
  const runs = store.runs.length === 1 ? t("1 run") : t("{0} runs", store.runs.length);
  const state = attention(tally, t) ?? runs;
  // Two stores below one root need their place said; a single one is the folder itself.
  const place = dirname(store.path) === root.path ? null : displayText(dirname(store.path));
  const description = joined([state, place]);
  return {
    label,
    description,
    // With an address of its own this id is drawn by the person's file icon theme, as a folder is in the Explorer.
    icon: { id: "folder", color: null },
    contextValue: "store",
    collapsible: "expanded",
    spoken: t("Folder {0}, {1}", label, [attention(tally, t), runs, place].filter(isText).join(", ")),
    decoration: {
      badge: stale === 0 ? null : stale > mostCounted ? `${String(mostCounted)}+` : String(stale),
      color: null,
      tooltip: stale === 0 ? null : stale === 1 ? t("1 stale claim") : t("{0} stale claims", stale),
    },
  };
}

function runRow({ store, run }: Of<"run">, { t, hasInside = false }: RowContext): Row {
  const tally = runTally(store, run);
  const state = worst(tally);
  const label = displayText(run.name);
  const description = needsLook(state) ? worstWords(tally, t) : stateWord(state, t);
  const hasChildren = hasInside || run.claims.some((claim) => claim.verdict.kind !== "empty") || run.problems.length > 0;
  return {
    label,
    description,
    icon: stateIcon(state),
    contextValue: flags("run", state),
    collapsible: hasChildren ? (needsLook(state) ? "expanded" : "collapsed") : "none",
    spoken: t("Run {0}, {1}", label, description),
    // The icon says it; a coloured label is for the claim itself.
    decoration: state === "idle" ? decorated(state) : null,
  };
}

function claimRow({ claim, repair }: Of<"claim">, { t, now }: RowContext): Row {
  const state = claimState(claim, repair);
  const word = stateWord(state, t);
  const owner = ownerText(claim, t);
  const reason = repair === null ? shortReason(claim.verdict, t) : null;
  const since = claim.file === null ? null : millisecondsOf(claim.file.mtimeNs);
  return {
    label: rowLabel(claim.kind, t),
    description: joined([word, owner, since === null ? null : ageText(since, now, t), reason]),
    icon: stateIcon(state),
    contextValue: flags("claim", claim.kind, state, ...claimFlags(claim, state)),
    collapsible: "none",
    spoken: [
      t("{0} of {1}", claimLabel(claim.kind, t), displayText(claim.resource)),
      word,
      spokenOwner(claim, t),
      since === null ? null : t("written {0} ago", spokenAge(since, now, t)),
      reason,
    ]
      .filter(isText)
      .join(", "),
    decoration: decorated(state),
  };
}

/** What menus ask for. A verdict decides what is offered; whether it is allowed is decided again when it is done. */
function claimFlags(claim: ClaimSnapshot, state: State): readonly string[] {
  const offered: string[] = [];
  if (state === "stale") offered.push("recoverable");
  if (state === "corrupt" || state === "unknown" || state === "remote") offered.push("forcible");
  if (state === "interrupted") offered.push("settleable");
  // Bytes that were read are those of a regular file: a FIFO or a device is never opened in an editor.
  if (claim.sha256 !== null) offered.push("openable");
  return offered;
}

function problemRow({ problem }: Of<"problem">, { t }: RowContext): Row {
  const label = displayText(basename(problem.path));
  const reason = problemText(problem, t);
  return {
    label,
    description: reason,
    icon: stateIcon("problem"),
    contextValue: "problem",
    collapsible: "none",
    spoken: t("{0}, problem, {1}", label, reason),
    decoration: null,
  };
}

function quarantineRow({ store }: Of<"quarantine">, { t }: RowContext): Row {
  const tally = quarantineTally(store);
  const held = tally.quarantined ?? 0;
  const count = held === 1 ? t("1 item") : t("{0} items", held);
  const interrupted = tally.interrupted ?? 0;
  const description = joined([attention(tally, t), held > 0 || interrupted === 0 ? count : null]);
  return {
    label: t("Quarantine"),
    description,
    icon: { id: "inbox", color: null },
    contextValue: flags("quarantine", ...(held > 0 || (tally.restored ?? 0) > 0 ? ["purgeable"] : [])),
    collapsible: interrupted > 0 ? "expanded" : "collapsed",
    spoken: t("Quarantine, {0}", description),
    decoration: interrupted > 0 ? decorated("interrupted") : null,
  };
}

function entryRow({ entry }: Of<"entry">, { t, now }: RowContext): Row {
  const state = entryState(entry);
  const word = entryWord(entry, t);
  const label = displayText(entryResource(entry));
  const kind = entry.kind === "unreadable" ? null : rowLabel(entry.record.claim_kind, t);
  return {
    label,
    description: joined([word, entry.at === null ? null : ageText(entry.at, now, t), kind]),
    icon: stateIcon(state),
    contextValue: flags("entry", entry.kind, ...entryFlags(entry)),
    collapsible: "none",
    spoken: [label, word, kind, entry.at === null ? null : t("{0} ago", spokenAge(entry.at, now, t))]
      .filter(isText)
      .join(", "),
    decoration: decorated(state),
  };
}

function entryFlags(entry: QuarantineEntry): readonly string[] {
  switch (entry.kind) {
    case "quarantined":
      return ["restorable", "purgeable"];
    case "restored":
      return ["purgeable"];
    case "frozen":
    case "intended":
      return ["settleable"];
    case "unreadable":
      return [];
  }
}

function entryWord(entry: QuarantineEntry, t: Translate): string {
  if (entry.kind === "unreadable") return t("unreadable");
  if (entry.kind === "intended") return t("nothing moved");
  return stateWord(entryState(entry), t);
}

/** What was displaced: the run's name where the record can be read, else the name of the file. */
export function entryResource(entry: QuarantineEntry): string {
  return entry.kind === "unreadable" ? entry.name : entry.record.resource;
}

function moreRow({ hidden, step }: Of<"more">, { t }: RowContext): Row {
  const label = hidden <= step ? t("Load {0} more", hidden) : t("Load {0} of {1} more", step, hidden);
  return {
    label,
    description: "",
    icon: { id: "ellipsis", color: null },
    contextValue: "more",
    collapsible: "none",
    spoken: label,
    decoration: null,
  };
}

function ownerText(claim: ClaimSnapshot, t: Translate): string | null {
  if (claim.owner === null) return null;
  return claim.verdict.kind === "remote" && claim.owner.hostname !== null
    ? t("pid {0} on {1}", claim.owner.pid, displayText(claim.owner.hostname))
    : t("pid {0}", claim.owner.pid);
}

function spokenOwner(claim: ClaimSnapshot, t: Translate): string {
  if (claim.owner === null) return t("no owner recorded");
  return claim.owner.hostname === null
    ? t("owner process {0}", claim.owner.pid)
    : t("owner process {0} on {1}", claim.owner.pid, displayText(claim.owner.hostname));
}

function decorated(state: State): RowDecoration | null {
  const color = labelColor(state);
  return color === null ? null : { badge: null, color, tooltip: null };
}

function flags(kind: string, ...rest: readonly string[]): string {
  return [kind, ...rest].join(";");
}

function joined(parts: readonly (string | null)[]): string {
  return parts.filter(isText).join(separator);
}

function isText(part: string | null): part is string {
  return part !== null && part !== "";
}
