// Owns: digests of what the hold, recompile and activation functions produce.
// Leaves to others: the canonicaliser (artifact/canonical.ts).
import { ArtifactError, digestArtifact, selfDigest, type Dialect } from "../../../artifact/canonical.js";
import { RecompileError } from "./recompileError.js";

function canonically<Result>(what: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!ArtifactError.is(error)) throw error;
    throw new RecompileError("not-canonical", `${what} has no canonical form at ${error.pointer === "" ? "its root" : error.pointer}: ${error.message}`, { cause: error });
  }
}

/** @throws RecompileError `not-canonical` */
export function digestOf(value: unknown, what: string, dialect: Dialect): string {
  return canonically(what, () => digestArtifact(value, { dialect }));
}

/**
 * A deep copy with its self digest (section 1.2): nothing produced shares an object with what was given, so a caller that
 * goes on changing its inputs cannot break a digest.
 * @throws RecompileError `not-canonical`
 */
export function seal<Body extends object, Field extends string>(body: Body, field: Field, dialect: Dialect): Body & Record<Field, string> {
  // The digest first: it also proves that the body is plain JSON, which structuredClone alone would not.
  const digest = canonically(`A document with ${field}`, () => selfDigest(body, field, { dialect }));
  return { ...structuredClone(body), [field]: digest } as Body & Record<Field, string>;
}
