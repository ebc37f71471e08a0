// Owns: the icon of a run's status word: the shape alone tells it, the colour only helps.
// Leaves to others: the words (shared/runWords.ts).
import type { RunStatusWord } from "../../core/systems/lattice/store/runDetail.js";
import type { RowIcon } from "../tree/treeNode.js";

export function statusIcon(word: RunStatusWord): RowIcon {
  switch (word) {
    case "abandoned":
      return { id: "circle-slash", color: "disabledForeground" };
    case "closed":
      return { id: "check-all", color: "testing.iconPassed" };
    case "held":
      return { id: "debug-pause", color: "list.warningForeground" };
    case "frozen":
      return { id: "lock", color: "list.warningForeground" };
    case "running":
      return { id: "play-circle", color: "charts.blue" };
    case "idle":
      return { id: "circle-outline", color: null };
    case "fresh":
      return { id: "circle-large-outline", color: null };
    case "damaged":
      return { id: "error", color: "list.errorForeground" };
  }
}
