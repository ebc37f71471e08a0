// Owns: turning the options of the hold, recompile and activation functions into documents that were checked.
// Leaves to others: the rules themselves (artifacts/, requests/, events/).
import type { Dialect } from "../../../artifact/canonical.js";
import { hasExactKeys, isPlainObject } from "../../../artifact/syntax.js";
import type { ArtifactDefinition } from "../artifacts/artifactDefinition.js";
import { judge } from "../artifacts/checkArtifact.js";
import type { RunEvent } from "../artifacts/execution.js";
import { foldRunEvents, ProjectionError, type RunFold } from "../events/foldRunEvents.js";
import { isAccepted, type Finding } from "../finding.js";
import { checkRunRequest, checkRunRequestV2 } from "../requests/runRequest.js";
import type { JsonObject } from "./documents.js";
import { RecompileError, type RecompileErrorCode } from "./recompileError.js";

/** @throws RecompileError `options-shape` unless the options have exactly these keys. */
export function requireOptions<Options extends object>(options: Options, keys: readonly (keyof Options & string)[]): void {
  if (!hasExactKeys(options, keys)) throw new RecompileError("options-shape", `Exactly these options are expected: ${keys.join(", ")}.`);
}

function firstError(findings: readonly Finding[]): string {
  const first = findings.find(({ severity }) => severity === "error");
  return first === undefined ? "" : ` ${first.rule} at ${first.pointer === "" ? "the root" : first.pointer}: ${first.message}`;
}

/** The document as its schema types it, or the error that names its first finding. */
export function requireArtifact<Document>(
  definition: ArtifactDefinition<Document>,
  value: unknown,
  code: RecompileErrorCode,
  what: string,
  dialect: Dialect,
): Document {
  const judged = judge(definition, value, dialect);
  if (judged.kind === "rejected") throw new RecompileError(code, `${what} is not valid.${firstError(judged.findings)}`);
  return judged.value;
}

/**
 * Whether a successor request (`lattice.run_request.v2`) may stand where the runtime accepts base requests only.
 * `refuse` is what the runtime does: it cannot hold a second conflict, because from epoch 2 on the committed request is a v2
 * (section 7, U2). `accept` does what section 6.1 says without that limit.
 */
export type SuccessorRequests = "refuse" | "accept";

/** @throws RecompileError `request-contract` */
export function requireRequest(value: unknown, successorRequests: SuccessorRequests, dialect: Dialect): JsonObject {
  const isSuccessor = isPlainObject(value) && value["schema"] === "lattice.run_request.v2";
  if (isSuccessor && successorRequests === "refuse") {
    throw new RecompileError(
      "request-contract",
      "The request is a successor request (v2). The runtime refuses it here, so it cannot hold a second conflict; ask for successorRequests \"accept\" to decide nevertheless.",
    );
  }
  const findings = isSuccessor ? checkRunRequestV2(value, { dialect }) : checkRunRequest(value, { dialect });
  if (!isPlainObject(value) || !isAccepted(findings)) throw new RecompileError("request-contract", `The request is not valid.${firstError(findings)}`);
  return value;
}

/** Documents keyed by todo. Their contents are judged where they are used. */
export function requireTable(value: unknown, what: string): JsonObject {
  if (!isPlainObject(value)) throw new RecompileError("options-shape", `${what} must be an object keyed by todo.`);
  return value;
}

export interface ProjectedEvents {
  readonly events: readonly RunEvent[];
  /** The run's state after them. */
  readonly fold: RunFold;
}

/** @throws RecompileError `projection` when the events cannot be projected (section 3.4). */
export function requireProjection(value: unknown): ProjectedEvents {
  try {
    return { fold: foldRunEvents(value), events: value as readonly RunEvent[] };
  } catch (error) {
    if (!ProjectionError.is(error)) throw error;
    throw new RecompileError("projection", `The events cannot be projected: ${error.message}`, { cause: error });
  }
}

export type Freeze = NonNullable<RunFold["freeze"]>;

/** @throws RecompileError `not-frozen` */
export function requireFreeze({ fold }: ProjectedEvents): Freeze {
  if (fold.freeze === null) throw new RecompileError("not-frozen", "Intake is not frozen: there is nothing to decide or to recompile.");
  return fold.freeze;
}
