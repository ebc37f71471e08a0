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
  /** Given when a run directory was read: then the rules of apply time are judged too, as warnings. */
  readonly run?: RunFacts;
}

/** A finding as the run recorded it (spec/lattice.md section 2.9). */
export interface RecordedFinding {
  readonly digest: string;
  readonly epoch: number;
  readonly todoIds: readonly string[];
  /** Exactly one of the two is a text. */
  readonly path: string | null;
  readonly resourceId: string | null;
  readonly source: SourcePlace;
}

/** What a run directory says beyond the three bindings. */
export interface RunFacts {
  readonly runId: string;
  /** Absolute path. */
  readonly directory: string;
  /** Null for a run that is not managed, or whose pointer cannot be read. */
  readonly committedEpoch: number | null;
  /** Epoch of the last intake_frozen event; null when there is none. */
  readonly frozenEpoch: number | null;
  /** The finding that the last hold decision of the committed epoch is about. */
  readonly heldFindingDigest: string | null;
  /** By digest of the record; those that cannot be used are in `brokenFindings`. */
  readonly findings: ReadonlyMap<string, RecordedFinding>;
  readonly brokenFindings: ReadonlyMap<string, { readonly source: SourcePlace; readonly reason: string }>;
  /** request_digest of the successor staged or committed under a request id; null when it cannot be read. */
  readonly usedRequestIds: ReadonlyMap<string, { readonly requestDigest: string | null; readonly source: SourcePlace }>;
  readonly queue: { readonly length: number; readonly headDigests: readonly string[]; readonly source: SourcePlace } | null;
  /** Commit that the repository of the run has checked out; null when it cannot be told. */
  readonly headCommit: string | null;
}

/**
 * The context as judging wants it: members that are null, as JSON writes absence, are left out. Without any context there is
 * no phase validator either, as for the runtime.
 */
export function givenContext(context: RecompileContext | null | undefined): RecompileContext {
  if (context === null || context === undefined) return { phaseValidator: "none" };
  return Object.fromEntries(Object.entries(context).filter(([, member]) => (member as unknown) !== null));
}

/** The related place for a value of `source`, none when the source is not known. `member` is a pointer within it. */
export function sourceOf(source: SourcePlace | undefined, member: string, message: string): readonly RelatedPlace[] {
  return source === undefined ? [] : [{ file: source.file, pointer: source.pointer + member, message }];
}

/** Needs a commit receipt that only the supervisor sees. */
const neverJudged: ReadonlySet<RuleId> = new Set<RuleId>(["apply.phase-commit"]);

/** Rules that could not be judged with this context, in the order of the table: a tool says so instead of claiming success. */
export function leftOutRules(context: RecompileContext | null | undefined): readonly RuleId[] {
  const isAbsent = {
    predecessorBundle: context?.predecessorBundle === undefined,
    frozenEvent: context?.frozenEventDigest === undefined,
    holdDecision: context?.holdDecisionDigest === undefined,
    // A missing validator is a finding, not an omission; the successor's ids are in the request itself.
    phaseValidator: false,
    successorTaskIds: false,
    runDirectory: context?.run === undefined,
  } as const;
  return ruleIds.filter((id) => {
    const { needs } = rules[id];
    return neverJudged.has(id) || (needs !== undefined && isAbsent[needs]);
  });
}
