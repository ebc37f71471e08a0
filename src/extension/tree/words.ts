// Owns: the few words and icons of rows: states, kinds of claims, short reasons, counts.
// Leaves to others: sentences (shared/explain.ts), putting words together (rows.ts).
import type { ClaimKind } from "../../core/claims/claim.js";
import type { StaleReason, Verdict } from "../../core/claims/verdict.js";
import { claimLabel } from "../../shared/claimWords.js";
import type { Translate } from "../../shared/text.js";
import type { Tally } from "./stateOf.js";
import { states, type RowIcon, type State } from "./treeNode.js";

export function stateWord(state: State, t: Translate): string {
  switch (state) {
    case "interrupted":
      return t("interrupted repair");
    case "stale":
      return t("stale");
    case "corrupt":
      return t("corrupt");
    case "problem":
      return t("problem");
    case "unknown":
      return t("unknown");
    case "remote":
      return t("remote");
    case "live":
      return t("live");
    case "quarantined":
      return t("quarantined");
    case "restored":
      return t("restored");
    case "idle":
      return t("no lock");
  }
}

/** The shape differs for every state; the colour only helps. Ids are codicons, colours are theme colours of VS Code 1.90. */
export function stateIcon(state: State): RowIcon {
  switch (state) {
    case "interrupted":
      return { id: "debug-pause", color: "list.errorForeground" };
    case "stale":
      return { id: "warning", color: "list.warningForeground" };
    case "corrupt":
      return { id: "error", color: "list.errorForeground" };
    case "problem":
      return { id: "circle-slash", color: "list.warningForeground" };
    case "unknown":
      return { id: "question", color: "charts.blue" };
    case "remote":
      return { id: "remote", color: "charts.purple" };
    case "live":
      return { id: "pass-filled", color: "testing.iconPassed" };
    case "quarantined":
      return { id: "archive", color: null };
    case "restored":
      return { id: "history", color: "disabledForeground" };
    case "idle":
      return { id: "circle-outline", color: "disabledForeground" };
  }
}

/** Colour of a claim's label; null where nothing needs attention, so that attention stays rare. */
export function labelColor(state: State): string | null {
  switch (state) {
    case "interrupted":
    case "corrupt":
      return "list.errorForeground";
    case "stale":
      return "list.warningForeground";
    case "problem":
    case "unknown":
    case "remote":
    case "live":
    case "quarantined":
      return null;
    case "restored":
    case "idle":
      return "disabledForeground";
  }
}

/** In a row, where its run stands right above: as short as it can be. */
export function rowLabel(kind: ClaimKind, t: Translate): string {
  return kind === "lifecycle-lock" ? t("Lock") : claimLabel(kind, t);
}

/** The reason of a verdict in a word or two, for a row; null where the word of the state says it all. The tooltip has the sentence. */
export function shortReason(verdict: Verdict, t: Translate): string | null {
  switch (verdict.kind) {
    case "stale":
      return staleReason(verdict.reason, t);
    case "remote":
    case "unknown":
    case "corrupt":
      return otherReason(verdict.reason, t);
    case "live":
    case "empty":
      return null;
  }
}

function staleReason(reason: StaleReason, t: Translate): string {
  switch (reason) {
    case "pid_absent":
      return t("gone");
    case "start_identity_changed":
      return t("reused");
    case "boot_identity_changed":
      return t("rebooted");
    case "executable_changed":
      return t("other program");
    case "zombie":
      return t("zombie");
    case "thread_id":
      return t("not a process");
    case "no_process_has_file_open":
      return t("not open");
  }
}

/** Codes are open: one that is not known here leaves the row without a reason, never without its state. */
function otherReason(reason: string, t: Translate): string | null {
  switch (reason) {
    case "platform_differs":
      return t("platform");
    case "pid_namespace_nested":
    case "pid_in_child_namespace":
      return t("container");
    case "filesystem_not_local":
      return t("shared disk");
    case "being_written":
    case "weak_lock_is_young":
      return t("just written");
    case "unreadable":
      return t("unreadable");
    case "open_by_a_process":
    case "recorded_pid_in_use":
      return t("in use");
    case "start_differs_by_quarter_hours":
    case "start_zone_not_computable":
      return t("time zone");
    case "clock_may_have_been_set":
      return t("clock set");
    case "empty_file":
      return t("empty");
    case "zero_filled":
      return t("zero-filled");
    case "not_json":
    case "cut_json":
      return t("torn");
    case "byte_order_mark":
    case "utf_16":
    case "not_utf_8":
      return t("encoding");
    case "invalid_record":
      return t("invalid");
    case "not_canonical":
      return t("edited");
    case "not_a_regular_file":
      return t("not a file");
    case "symlink":
    case "hard_linked":
      return t("link");
    case "too_large":
      return t("too large");
    default:
      return null;
  }
}

/** "2 stale, 1 unknown": the two worst states that need a look; null when none does. */
export function attention(tally: Tally, t: Translate): string | null {
  const worst = worstStates(tally).map((state) => counted(state, tally[state] ?? 0, t));
  return worst.length === 0 ? null : worst.join(", ");
}

function counted(state: State, count: number, t: Translate): string {
  if (state === "problem") return count === 1 ? t("1 problem") : t("{0} problems", count);
  if (state === "interrupted") return count === 1 ? t("1 interrupted repair") : t("{0} interrupted repairs", count);
  return t("{0} {1}", count, stateWord(state, t));
}

/** The same without counts, where there are only a few things anyway. */
export function worstWords(tally: Tally, t: Translate): string {
  return worstStates(tally)
    .map((state) => stateWord(state, t))
    .join(", ");
}

function worstStates(tally: Tally): readonly State[] {
  return states.filter((state) => needsLook(state) && (tally[state] ?? 0) > 0).slice(0, 2);
}

/** Whether a state is a question to a person. */
export function needsLook(state: State): boolean {
  return state !== "live" && state !== "quarantined" && state !== "restored" && state !== "idle";
}
