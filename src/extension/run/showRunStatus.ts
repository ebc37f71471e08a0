// Owns: looking into a run and opening its row in the tree.
// Leaves to others: looking (runDetails.ts), the rows (detailChildren.ts).
import type { TargetCommand } from "../commands/command.js";
import { isLatticeRun, runOf } from "./runTarget.js";

export const showRunStatus: TargetCommand = {
  id: "runState.showRunStatus",
  kind: "target",
  many: false,
  accepts: isLatticeRun,
  ask: ({ t }) => t("Show the status of"),
  nothing: ({ t }) => t("There is no run."),
  run: async ({ details, view }, [target]) => {
    const run = runOf(target);
    if (target === undefined || run === null) return;
    // What failed is tried again: that is why somebody asks.
    await (details.lookOf(run).kind === "failed" ? details.again(run.path) : details.show(run.path));
    await view.expand(target.id);
  },
};
