// Owns: what a row inside a run stands for, and what is known of a run at the moment. Pure data.
// Leaves to others: which rows there are (detailChildren.ts), how they look (detailRows.ts), looking (runDetails.ts).
import type {
  ControllerDetail,
  EpochDetail,
  EventSummary,
  FindingDetail,
  Leftover,
  LeaseDetail,
  RunDetail,
  SupervisorDetail,
  TodoDetail,
} from "../../core/systems/lattice/store/runDetail.js";
import type { RunProblem } from "../../core/systems/lattice/store/problemCatalog.js";

/** What is known of the inside of a run. A look that is being made again shows the one before until it is done. */
export type RunLook =
  | { readonly kind: "unseen" }
  | { readonly kind: "looking" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "seen"; readonly detail: RunDetail };

export const detailGroups = ["todos", "epochs", "events", "findings", "owners", "leases", "problems", "leftovers"] as const;
export type DetailGroup = (typeof detailGroups)[number];

/** Facts below the status, in this order. */
export const statusFacts = ["records", "frozen", "held", "carriedOver", "redispatched", "staged", "advice", "version"] as const;
export type StatusFact = (typeof statusFacts)[number];

export type DetailItem =
  | Exclude<RunLook, { readonly kind: "seen" }>
  | { readonly kind: "status"; readonly detail: RunDetail }
  | { readonly kind: "fact"; readonly fact: StatusFact; readonly detail: RunDetail }
  | { readonly kind: "group"; readonly group: DetailGroup; readonly detail: RunDetail }
  | { readonly kind: "todo"; readonly todo: TodoDetail }
  | { readonly kind: "epoch"; readonly epoch: EpochDetail }
  | { readonly kind: "event"; readonly event: EventSummary; readonly path: string }
  | { readonly kind: "finding"; readonly finding: FindingDetail }
  | { readonly kind: "supervisor"; readonly supervisor: SupervisorDetail }
  | { readonly kind: "controller"; readonly controller: ControllerDetail }
  | { readonly kind: "lease"; readonly lease: LeaseDetail }
  | { readonly kind: "runProblem"; readonly problem: RunProblem; readonly directory: string }
  | { readonly kind: "leftover"; readonly leftover: Leftover };
