// Owns: how a recorded time is shown.
// Leaves to others: ages (tree/age.ts).
import { displayText } from "../../shared/displayText.js";

/** To the second, in the one zone that two machines agree on; what is no time is shown as it is. */
export function timeText(recordedAt: string): string {
  const time = Date.parse(recordedAt);
  return Number.isNaN(time) ? displayText(recordedAt) : `${new Date(time).toISOString().slice(0, 19).replace("T", " ")}Z`;
}
