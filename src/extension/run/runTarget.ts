// Owns: which rows commands about the inside of a run act on.
// Leaves to others: choosing one (commands/target.ts).
import type { RunSnapshot } from "../../core/scan/snapshot.js";
import type { Target } from "../commands/target.js";

export function runOf(target: Target | undefined): RunSnapshot | null {
  return target?.subject.kind === "run" && target.subject.run.system === "lattice" ? target.subject.run : null;
}

export function isLatticeRun(target: Target): boolean {
  return runOf(target) !== null;
}
