// Owns: recognising a conflict that recompiling does not settle (spec/lattice.md D13).
// Leaves to others: refusing a recompile because of it (recompilePlan.ts).
import { isPlainObject } from "../../../artifact/syntax.js";
import { sortedUnique, stringsOf } from "./documents.js";
import { RecompileError } from "./recompileError.js";

export interface NonConvergentConflict {
  readonly kind: string | null;
  /** The path of the findings, or else their resource id. */
  readonly resource: string | null;
  /** Ascending. */
  readonly todo_ids: readonly string[];
  /** The distinct epochs in which it was found, ascending. */
  readonly epochs: readonly number[];
}

export interface NonConvergenceOptions {
  readonly events: unknown;
  /** Distinct epochs; at least 2. */
  readonly threshold?: unknown;
}

export const defaultNonConvergenceThreshold = 3;

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/**
 * Conflicts of the same kind, resource and todos that were found in at least `threshold` distinct epochs, in the order of
 * their first occurrence. Twice in one epoch counts once. Events are not validated: whatever is no conflict says nothing.
 * @throws RecompileError `options-shape`, `threshold`
 */
export function detectNonConvergentConflicts(options: NonConvergenceOptions): { readonly entries: readonly NonConvergentConflict[] } {
  const given: unknown = options;
  if (!isPlainObject(given) || Object.keys(given).some((key) => key !== "events" && key !== "threshold") || !Array.isArray(given["events"])) {
    throw new RecompileError("options-shape", "A list of events and at most a threshold are expected.");
  }
  const threshold = given["threshold"] ?? defaultNonConvergenceThreshold;
  if (!Number.isSafeInteger(threshold) || Number(threshold) < 2) throw new RecompileError("threshold", "The threshold must be an integer of at least 2.");

  const found = new Map<string, NonConvergentConflict>();
  for (const event of given["events"] as unknown[]) {
    if (!isPlainObject(event) || event["kind"] !== "conflict_found" || !isPlainObject(event["payload"])) continue;
    const { payload, plan_epoch: epoch } = event;
    if (typeof epoch !== "number") continue;
    const identity = {
      kind: textOf(payload["kind"]),
      resource: textOf(payload["path"]) ?? textOf(payload["resource_id"]),
      todo_ids: sortedUnique(stringsOf(payload["todo_ids"])),
    };
    const key = JSON.stringify(identity);
    const epochs = new Set(found.get(key)?.epochs).add(epoch);
    found.set(key, { ...identity, epochs: [...epochs].sort((a, b) => a - b) });
  }
  return { entries: [...found.values()].filter(({ epochs }) => epochs.length >= Number(threshold)) };
}
