// Owns: what the groups inside a run are called and what each says in a word or two before it is opened. Pure.
// Leaves to others: their rows (detailRows.ts).
import type { RunDetail, TodoState } from "../../core/systems/lattice/store/runDetail.js";
import { chainWord, severityWord, todoStateWord } from "../../shared/runWords.js";
import type { Translate } from "../../shared/text.js";
import { severity } from "../tree/stateOf.js";
import { stateWord } from "../tree/words.js";
import type { DetailGroup } from "./detailItem.js";

export function groupLabel(group: DetailGroup, t: Translate): string {
  switch (group) {
    case "todos":
      return t("Todos");
    case "epochs":
      return t("Epochs");
    case "events":
      return t("Events");
    case "findings":
      return t("Findings");
    case "owners":
      return t("Supervisor and controllers");
    case "leases":
      return t("Leases");
    case "problems":
      return t("Problems");
    case "leftovers":
      return t("Leftovers");
  }
}

/** The state of what is inside; null where a number says all. */
export function groupSummary(group: DetailGroup, detail: RunDetail, t: Translate): string | null {
  switch (group) {
    case "todos":
      return todoSummary(detail, t);
    case "events":
      return chainWord(detail.events.report?.standing ?? null, t);
    case "owners":
      return ownerSummary(detail, t);
    case "problems": {
      const worst = detail.problems[0];
      return worst === undefined ? null : severityWord(worst.severity, t);
    }
    case "findings":
      return detail.findings.some(({ isHeldFor }) => isHeldFor) ? t("held for") : null;
    case "epochs":
    case "leases":
    case "leftovers":
      return null;
  }
}

const inWork: readonly TodoState[] = ["running", "ready", "waiting", "accepted", "ended"];

/** The state that tells most: what is being done, else what could be. */
function todoSummary({ todos }: RunDetail, t: Translate): string | null {
  const state = inWork.find((one) => todos.some((todo) => todo.state === one));
  return state === undefined ? null : t("{0} {1}", todos.filter((todo) => todo.state === state).length, todoStateWord(state, t));
}

function ownerSummary({ supervisor, controllers }: RunDetail, t: Translate): string {
  const states = [...(supervisor === null ? [] : [supervisor]), ...controllers].map(({ judgement }) =>
    judgement === null ? ("unknown" as const) : judgement.verdict.kind === "empty" ? ("idle" as const) : judgement.verdict.kind,
  );
  const [worst = "idle" as const] = [...states].sort((a, b) => severity(a) - severity(b));
  return stateWord(worst, t);
}
