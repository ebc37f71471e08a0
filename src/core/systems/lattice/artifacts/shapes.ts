// Owns: the notation in which every schema of spec/lattice.md section 2 is stated once: leaves, lists and parts over zod/mini.
// Leaves to others: turning a failed shape into findings (checkShape.ts), the schemas (planning.ts, execution.ts, …).
import * as z from "zod/mini";
import type { Dialect } from "../../../artifact/canonical.js";
import { isDigest, isGitSha, isIdentifier, isNonNegativeInteger, isPlainObject, isPositiveInteger, isRepoPath, isTimestamp } from "../../../artifact/syntax.js";
import { asText } from "../requests/coercion.js";
import type { ArtifactDefinition } from "./artifactDefinition.js";

export type Shape<T = unknown> = z.ZodMiniType<T>;

/** How a shape is judged. */
export interface ShapeMode {
  readonly dialect: Dialect;
  /** As the runtime does: `REGEX.test(value ?? '')` without a look at the type, where section 1.6 says so. */
  readonly coerce: boolean;
}

/** What a failed leaf says; zod carries it unseen. */
export interface LeafRule {
  /** Last part of the rule id: `format`, `syntax`, `enum`, … */
  readonly rule: string;
  readonly message: string;
}

function leafRule(rule: string, message: string): { readonly params: Record<string, unknown> } {
  return { params: { rule, message } satisfies LeafRule };
}

export function leaf<T>(test: (value: unknown) => boolean, rule: string, message: string): Shape<T> {
  return z.custom<T>(test, leafRule(rule, message));
}

export const exact = z.strictObject;
export const nullable = z.nullable;
/** Keys are data (todo ids), not names of the schema. */
export const byKey = <T>(item: Shape<T>): Shape<Record<string, T>> => z.record(z.string(), item);

export const id = leaf<string>(isIdentifier, "syntax", "Must be an identifier: 1 to 128 letters, digits, dots, underscores or hyphens, starting with a letter or digit.");
export const dg = leaf<string>(isDigest, "format", "Must be 64 lower-case hexadecimal digits.");
export const sha = leaf<string>(isGitSha, "format", "Must be a git commit: 40 lower-case hexadecimal digits.");
export const ts = leaf<string>(isTimestamp, "format", "Must be a UTC time with milliseconds that exists, such as 2026-01-31T23:59:59.000Z.");
export const nnint = leaf<number>(isNonNegativeInteger, "integer", "Must be a safe integer of 0 or more.");
export const posint = leaf<number>(isPositiveInteger, "positive", "Must be a safe integer of 1 or more.");
export const text = leaf<string>((value) => typeof value === "string", "text", "Must be a string.");
export const nonEmpty = leaf<string>((value) => typeof value === "string" && value !== "", "nonempty", "Must be a string that is not empty.");
export const bool = leaf<boolean>((value) => typeof value === "boolean", "boolean", "Must be true or false.");
export const plain = leaf<Readonly<Record<string, unknown>>>(isPlainObject, "object", "Must be an object.");
export const repoPath = leaf<string>((value) => isRepoPath(value), "path", "Must be a path inside the repository, without empty, `.` or `..` parts.");
/** Anything at all, as long as the key is there. */
export const present = leaf<unknown>((value) => value !== undefined, "present", "Must be present.");
/** A self digest: its format and value are judged with the content (finding.ts). */
export const selfDigestField = leaf<string>((value) => value !== undefined, "present", "Must be present.");

const coercedId = leaf<string>((value) => isIdentifier(asText(value ?? "")), "syntax", "Must be an identifier.");
const coercedDigest = leaf<string>((value) => isDigest(asText(value ?? "")), "format", "Must be 64 lower-case hexadecimal digits.");

/** The leaves of the recompile, finding and bundle families, which the runtime tests without a look at the type. */
export function looseLeaves(mode: ShapeMode): { readonly id: Shape<string>; readonly dg: Shape<string> } {
  return mode.coerce ? { id: coercedId, dg: coercedDigest } : { id, dg };
}

export function is<const T extends string | number | boolean>(value: T): Shape<T> {
  return leaf<T>((candidate) => candidate === value, "constant", `Must be ${JSON.stringify(value)}.`);
}

export function schemaId<const T extends string>(...ids: readonly T[]): Shape<T> {
  return leaf<T>((value) => ids.some((candidate) => candidate === value), "schema-id", `Must be ${ids.join(" or ")}.`);
}

export function oneOf<const T extends string>(...values: readonly T[]): Shape<T> {
  return leaf<T>((value) => values.some((candidate) => candidate === value), "enum", `Must be one of ${values.join(", ")}.`);
}

/** What an order rule compares of two neighbours. */
const before = (a: unknown, b: unknown): boolean => (a as string) < (b as string);

interface ListRules<T> {
  readonly min?: number;
  /** 256 unless told. */
  readonly max?: number;
  readonly order?: "unique" | "ascending";
  /** What order and uniqueness look at; the item itself unless told. Its place below the item is `keyName`. */
  readonly key?: (item: T) => unknown;
}

/** A list with its bounds and its order. The order is left out when an item is malformed (section 5.1). */
export function list<T>(item: Shape<T>, rules: ListRules<T> = {}): Shape<T[]> {
  const { min = 0, max = 256, order, key = (value: T): unknown => value } = rules;
  return z.array(item).check((context) => {
    const items = context.value;
    const report = (path: number[], rule: string, message: string): void => {
      context.issues.push({ code: "custom", input: items, path, ...leafRule(rule, message) });
    };
    if (items.length < min || items.length > max) {
      report([], "bounds", `Must have ${min} to ${max} items, but has ${items.length}.`);
    }
    if (order === undefined || context.issues.length > 0) return;
    const seen = new Set<unknown>();
    for (const [index, value] of items.entries()) {
      const current = key(value);
      const previous = items[index - 1];
      if (order === "unique" && seen.has(current)) report([index], "unique", "Occurs more than once.");
      if (order === "ascending" && previous !== undefined && !before(key(previous), current)) {
        report([index], "ascending", "Must come after the item before it; items ascend and occur once.");
      }
      seen.add(current);
    }
  });
}

export const ids = (rules?: ListRules<string>): Shape<string[]> => list(id, { order: "unique", ...rules });
export const ascendingDigests = (rules?: ListRules<string>): Shape<string[]> => list(dg, { order: "ascending", ...rules });

const parts = new WeakMap<object, ArtifactDefinition<unknown>>();

/** A whole artifact inside another: it has its own rules, digest and prefix. */
export function part<T>(definition: ArtifactDefinition<T>): Shape<T> {
  const shape = leaf<T>(isPlainObject, "object", "Must be an object.");
  parts.set(shape, definition as ArtifactDefinition<unknown>);
  return shape;
}

export function partOf(shape: object): ArtifactDefinition<unknown> | undefined {
  return parts.get(shape);
}
