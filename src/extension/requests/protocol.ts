// Owns: what the extension host and the worker thread say to each other about request documents. Plain data only.
// Leaves to others: doing it (worker/), carrying it (workerClient.ts), wording it (hoverText.ts, statusItem.ts …).
import type { Dialect } from "../../core/artifact/canonical.js";
import type { FindingSeverity } from "../../core/systems/lattice/finding.js";
import type { Fix } from "../../core/systems/lattice/requests/fixes.js";
import type { TextRange } from "../../core/systems/lattice/requests/report.js";
import type { RuleId } from "../../core/systems/lattice/requests/rules.js";
import type { RecompileMode } from "../../core/systems/lattice/requests/skeleton.js";
import type { LineRange } from "../../shared/linePositions.js";

/** A place in another file: absolute path; null when the place is the file as a whole. */
export interface FilePlace {
  readonly file: string;
  readonly place: LineRange | null;
}

export interface JudgeInput {
  readonly uri: string;
  /** Absolute path; null for a document that is no file. */
  readonly path: string | null;
  /** Whether the editor holds something else than the file. */
  readonly isDirty: boolean;
  /** Judge it whatever its schema says. */
  readonly isForced: boolean;
  readonly dialect: "auto" | Dialect;
  /** `.lattice` directories to look for the run in, beside those around the document. */
  readonly stores: readonly string[];
  /** The run directory that a person chose for this document before. */
  readonly chosenRun: string | null;
  /** Read run and file again, rather than going on with what was read last. */
  readonly isFresh: boolean;
}

export interface RelatedFact {
  readonly message: string;
  /** In the document, or in another file. */
  readonly at: TextRange | FilePlace;
}

export interface FindingFact {
  readonly rule: RuleId;
  readonly severity: FindingSeverity;
  readonly pointer: string;
  readonly message: string;
  /** Where to point: of an object over several lines only its bracket. */
  readonly range: TextRange;
  readonly related: readonly RelatedFact[];
  /** Whether its rule has a repair at all. */
  readonly isRepairable: boolean;
}

export type RunFact =
  | { readonly kind: "found"; readonly directory: string }
  /** Several have the name that the request asks for. */
  | { readonly kind: "several"; readonly runId: string; readonly directories: readonly string[] }
  | { readonly kind: "none"; readonly runId: string | null };

export interface DialectFact {
  readonly dialect: Dialect;
  readonly from: "setting" | "run" | "default";
}

export type JudgeOutput =
  /** No recompile request. */
  | { readonly kind: "other" }
  | {
      readonly kind: "judged";
      readonly version: number;
      readonly findings: readonly FindingFact[];
      readonly run: RunFact;
      readonly dialect: DialectFact;
      /** Rules that could not be judged. */
      readonly leftOut: readonly RuleId[];
      /** Files of the run that could not be used. */
      readonly problems: readonly { readonly file: string; readonly message: string }[];
    };

/** A finding as an editor remembers it. */
export interface FindingReference {
  readonly rule: string;
  readonly pointer: string;
}

export type DigestMeaning =
  | { readonly kind: "self"; readonly of: "request" | "successor" | "migration" | "seam" | "ownership" | "edges" | "serial" | "phase" }
  | { readonly kind: "migration-binding" | "predecessor-request" | "frozen-event" | "hold-decision" | "finding" | "evidence" | "other" };

export interface ArtifactFact extends FilePlace {
  /** `schema` value of the object that has the digest as its own, or the name of the member that holds it. */
  readonly name: string;
  /** Whether the digest is the object's own, rather than a mention. */
  readonly isOwn: boolean;
}

export interface WitnessFact {
  readonly owns: readonly string[];
  readonly reads: number;
  readonly writes: readonly string[];
  readonly resources: readonly string[];
}

/** What is under the cursor, for a person to be told. */
export type HoverFact = { readonly range: TextRange } & (
  | { readonly kind: "digest"; readonly field: string; readonly value: string; readonly meaning: DigestMeaning; readonly expected: string | null; readonly matches: boolean | null; readonly source: ArtifactFact | null; readonly finding: FoundFact | null }
  | { readonly kind: "binding"; readonly field: string; readonly value: string; readonly expected: string | null; readonly matches: boolean | null; readonly source: FilePlace | null }
  | {
      readonly kind: "todo";
      readonly id: string;
      /** Null when it is no task of the predecessor, as far as known. */
      readonly migration: { readonly disposition: string; readonly successors: readonly string[] } | null;
      readonly madeFrom: { readonly predecessor: string; readonly disposition: string } | null;
      readonly isInSuccessor: boolean;
      /** Null without a run. */
      readonly isInPredecessor: boolean | null;
      readonly isHeld: boolean;
      readonly witness: WitnessFact | null;
    }
  | { readonly kind: "word"; readonly field: "disposition" | "access_kind" | "kind" | "mode"; readonly word: string }
);

export interface FoundFact {
  readonly todoIds: readonly string[];
  readonly path: string | null;
  readonly resourceId: string | null;
  readonly epoch: number;
}

/** A place in the document itself, or in another file. */
export type DefinitionFact = { readonly origin: TextRange } & ({ readonly kind: "document"; readonly range: TextRange } | ({ readonly kind: "file" } & FilePlace));

export interface CompletionFact {
  readonly kind: "todo" | "word" | "digest" | "value";
  /** As it stands in the text, quotes included. */
  readonly insert: string;
  readonly label: string;
  /** Where the value comes from: a field or file name; raw text. */
  readonly detail: string | null;
  readonly replace: TextRange;
  readonly isPreferred: boolean;
}

export type SymbolKindFact = "request" | "successor" | "todo" | "migration" | "entry" | "treatment" | "change" | "revision";

export interface SymbolFact {
  readonly kind: SymbolKindFact;
  readonly name: string;
  readonly detail: string;
  readonly range: TextRange;
  readonly selection: TextRange;
  readonly children: readonly SymbolFact[];
}

export type HeldRunFact =
  | { readonly kind: "held"; readonly runId: string; readonly epoch: number; readonly dialect: Dialect; readonly freshRequestId: string; readonly usedRequestIds: readonly string[]; readonly finding: FoundFact }
  | { readonly kind: "refused"; readonly reason: string };

export interface SkeletonInput {
  readonly runDirectory: string;
  readonly mode: RecompileMode;
  readonly reason: string;
  readonly requestId: string;
  readonly stayTodoId: string | null;
  readonly dialect: Dialect;
}

export type SkeletonOutput = { readonly kind: "built"; readonly text: string } | { readonly kind: "refused"; readonly reason: string };

interface AtOffset {
  readonly uri: string;
  readonly offset: number;
}

/** Every question with its answer. Those about a document are about the text that was sent last. */
export interface Operations {
  judge: { readonly input: JudgeInput; readonly output: JudgeOutput };
  fixes: { readonly input: { readonly uri: string; readonly findings: readonly FindingReference[] }; readonly output: readonly Fix[] };
  fixAll: { readonly input: { readonly uri: string }; readonly output: Fix | null };
  hover: { readonly input: AtOffset; readonly output: HoverFact | null };
  definition: { readonly input: AtOffset; readonly output: readonly DefinitionFact[] };
  complete: { readonly input: AtOffset & { readonly hasSchema: boolean }; readonly output: readonly CompletionFact[] };
  symbols: { readonly input: { readonly uri: string }; readonly output: readonly SymbolFact[] };
  heldRun: { readonly input: { readonly runDirectory: string; readonly dialect: "auto" | Dialect }; readonly output: HeldRunFact };
  skeleton: { readonly input: SkeletonInput; readonly output: SkeletonOutput };
}

export type OperationName = keyof Operations;

/** Host to worker. A text comes in pieces, so that no single message holds up the host. */
export type ToWorker =
  | { readonly kind: "text"; readonly uri: string; readonly version: number; readonly piece: string; readonly isFirst: boolean; readonly isLast: boolean }
  /** A document beyond what is looked at: only its length is known. */
  | { readonly kind: "oversized"; readonly uri: string; readonly version: number; readonly length: number }
  | { readonly kind: "forget"; readonly uri: string }
  | { readonly [Name in OperationName]: { readonly kind: "ask"; readonly id: number; readonly name: Name; readonly input: Operations[Name]["input"] } }[OperationName];

/** Worker to host. */
export type FromWorker = { readonly kind: "answer"; readonly id: number; readonly output: unknown } | { readonly kind: "failure"; readonly id: number; readonly message: string };
