// Owns: what a recompile request is judged against, and which rules are left out when it is absent.
// Leaves to others: reading it from a run directory (runContext.ts).
import type { RelatedPlace } from "./report.js";
import { ruleIds, rules, type RuleId } from "./rules.js";

/** The members of an epoch bundle that validation reads. */
export interface PredecessorBundle {
  readonly plan_epoch: number;
  readonly plan: { readonly nodes: readonly { readonly todo_id: string }[] };
  readonly request: Readonly<Record<string, unknown>>;
}

/** `built-in`: section 2.7; `none`: the caller has no validator, so any revision is refused; a function: a validator of one's own. */
export type PhaseValidator = "built-in" | "none" | ((revision: unknown) => boolean);

/** Where an expected value came from: absolute path and a pointer into that file. */
export interface SourcePlace {
  readonly file: string;
  readonly pointer: string;
}

export interface RecompileContext {
  readonly predecessorBundle?: PredecessorBundle;
  readonly frozenEventDigest?: string;
  readonly holdDecisionDigest?: string;
  /** Default "built-in". */
  readonly phaseValidator?: PhaseValidator;
  /** Given when the context was read from files: each is told as a related place of the findings that depend on it. */
  readonly sources?: {
    readonly predecessorBundle?: SourcePlace;
    readonly frozenEvent?: SourcePlace;
    readonly holdDecision?: SourcePlace;
  };
}

/** The related place for a value of `source`, none when the source is not known. `member` is a pointer within it. */
export function sourceOf(source: SourcePlace | undefined, member: string, message: string): readonly RelatedPlace[] {
  return source === undefined ? [] : [{ file: source.file, pointer: source.pointer + member, message }];
}

/** Rules that could not be judged with this context, in the order of the table: a tool says so instead of claiming success. */
export function leftOutRules(context: RecompileContext | undefined, options: { readonly hasRunDirectory?: boolean } = {}): readonly RuleId[] {
  const isAbsent = {
    predecessorBundle: context?.predecessorBundle === undefined,
    frozenEvent: context?.frozenEventDigest === undefined,
    holdDecision: context?.holdDecisionDigest === undefined,
    // A missing validator is a finding, not an omission; the successor's ids are in the request itself.
    phaseValidator: false,
    successorTaskIds: false,
    runDirectory: options.hasRunDirectory !== true,
  } as const;
  return ruleIds.filter((id) => {
    const { needs } = rules[id];
    return needs !== undefined && isAbsent[needs];
  });
}
