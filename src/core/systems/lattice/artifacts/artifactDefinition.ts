// Owns: what an artifact is to the validator: its prefix, shape, self digest and relations, and how these are judged together.
// Leaves to others: the notation of shapes (shapes.ts), the artifacts (planning.ts, execution.ts, …), which kinds exist (checkArtifact.ts).
import type { Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { isAccepted, requireSelfDigest, type FindingCollector } from "../finding.js";
import { checkShape, partsIn, warnOfCoercion } from "./checkShape.js";
import type { Shape, ShapeMode } from "./shapes.js";

export interface ArtifactDefinition<T> {
  /** Of every rule id. */
  readonly prefix: string;
  /** Null for the few documents without one. */
  readonly digestField: string | null;
  readonly shape: (mode: ShapeMode) => Shape<T>;
  /** Some leaves accept what only coerces to a match (section 1.6). */
  readonly loose?: true;
  /** Members that another family of validators judges. Asked as soon as the keys are right. */
  readonly foreign?: (value: Readonly<Record<string, unknown>>, at: FindingCollector, dialect: Dialect) => void;
  /** Rules between members. Asked only when every member is well formed, so that one mistake yields one finding. */
  readonly relations?: (value: T, at: FindingCollector, dialect: Dialect) => void;
}

/** Only for the compiler: the type of the document follows from the shape. */
export function artifact<T>(definition: ArtifactDefinition<T>): ArtifactDefinition<T> {
  return definition;
}

/** The TypeScript type that a definition stands for. */
export type ArtifactOf<Definition> = Definition extends ArtifactDefinition<infer T> ? T : never;

const shapes = new WeakMap<object, Map<string, Shape>>();

/** Shapes are built once per mode: building costs more than judging. */
export function shapeOf<T>(definition: ArtifactDefinition<T>, mode: ShapeMode): Shape<T> {
  const key = `${mode.dialect} ${mode.coerce}`;
  const known = shapes.get(definition) ?? new Map<string, Shape>();
  shapes.set(definition, known);
  const shape = known.get(key) ?? definition.shape(mode);
  known.set(key, shape);
  return shape as Shape<T>;
}

/**
 * Judges `value` and everything in it. Reports all that is wrong at `at`, whose prefix is that of the definition.
 * Returns whether nothing was. A value without canonical form must have been reported by the caller, once for the whole.
 */
export function checkBy<T>(definition: ArtifactDefinition<T>, value: unknown, at: FindingCollector, dialect: Dialect): value is T {
  const start = at.findings.length;
  const isRight = (): boolean => isAccepted(at.findings.slice(start));
  const shape = shapeOf(definition, { dialect, coerce: true });
  const { wellFormed, keysRight } = checkShape(shape, value, at);
  if (keysRight && isPlainObject(value)) {
    for (const part of partsIn(shape, value)) checkBy(part.definition, part.value, at.nested(part.pointer, part.definition.prefix), dialect);
    definition.foreign?.(value, at, dialect);
    if (wellFormed && isRight()) definition.relations?.(value as T, at, dialect);
    if (definition.digestField !== null) requireSelfDigest(value, definition.digestField, at, dialect);
  }
  if (!isRight()) return false;
  if (definition.loose === true) warnOfCoercion(shapeOf(definition, { dialect, coerce: false }), value, at);
  return true;
}
