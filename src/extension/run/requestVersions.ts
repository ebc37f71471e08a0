// Owns: which two versions of a run's request can be compared. Pure.
// Leaves to others: showing them (diffRequests.ts).
import type { EpochDetail, RunDetail } from "../../core/systems/lattice/store/runDetail.js";

/** Null unless a later epoch than the first is in force and both can be read. */
export function requestVersions({ epochs }: Pick<RunDetail, "epochs">): readonly [first: EpochDetail, committed: EpochDetail] | null {
  const first = epochs.find(({ epoch, state }) => epoch === 1 && state !== "unreadable" && state !== "staged");
  const committed = epochs.find(({ state }) => state === "committed");
  return first === undefined || committed === undefined || first === committed ? null : [first, committed];
}
