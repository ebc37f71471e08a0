// Owns: the facts below a run's status: what each is called and what it says. Pure; values are shown text.
// Leaves to others: which there are (detailChildren.ts).
import type { RunDetail } from "../../core/systems/lattice/store/runDetail.js";
import { displayText } from "../../shared/displayText.js";
import { chainWord, frozenReason } from "../../shared/runWords.js";
import type { Translate } from "../../shared/text.js";
import { timeText } from "./timeText.js";
import type { StatusFact } from "./detailItem.js";

export function factLabel(fact: StatusFact, t: Translate): string {
  switch (fact) {
    case "records":
      return t("Event chain");
    case "frozen":
      return t("Frozen");
    case "held":
      return t("Held");
    case "carriedOver":
      return t("Carried over");
    case "redispatched":
      return t("To be dispatched again");
    case "staged":
      return t("Successor");
    case "advice":
      return t("Treatment");
    case "version":
      return t("Written for");
  }
}

export function factValue(fact: StatusFact, detail: RunDetail, t: Translate): string {
  const { status, treatmentAdvice, events } = detail;
  switch (fact) {
    case "records":
      return events.report === null ? chainWord(null, t) : t("{0}, {1} events", chainWord(events.report.standing, t), events.report.count);
    case "frozen": {
      const { frozenSince, frozenBy } = status;
      const since = frozenSince === null ? null : frozenSince.recordedAt === null ? t("since event {0}", frozenSince.sequence) : t("since event {0}, {1}", frozenSince.sequence, timeText(frozenSince.recordedAt));
      return [since, frozenBy === null ? null : frozenReason(frozenBy, t)].filter((part) => part !== null).join(", ");
    }
    case "held":
    case "carriedOver":
    case "redispatched":
      return displayText(detail[fact].join(", "));
    case "staged":
      return t("staged, not committed");
    case "advice":
      if (treatmentAdvice === null) return "";
      return treatmentAdvice.severability === "serial" ? t("serial") : treatmentAdvice.transformAttemptable ? t("code seam, transform can be tried") : t("code seam");
    case "version":
      return t("runtime {0}", detail.dialect);
  }
}
