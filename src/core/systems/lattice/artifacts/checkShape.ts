// Owns: from a failed shape to located findings: rule ids, pointers, and one finding for one mistake (spec/lattice.md section 5.1).
// Leaves to others: the notation of shapes (shapes.ts), digests and relations (artifactDefinition.ts).
import type * as z from "zod/mini";
import { pointerTo } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { FindingCollector, requireExactKeys } from "../finding.js";
import type { ArtifactDefinition } from "./artifactDefinition.js";
import { knownPredicateOf } from "./predicate.js";
import { partOf, type Shape } from "./shapes.js";

type Path = readonly PropertyKey[];

function unwrap(shape: Shape): Shape {
  const { def } = (shape as unknown as z.core.$ZodTypes)._zod;
  return def.type === "nullable" ? unwrap(def.innerType as Shape) : shape;
}

/** The shape of a member, and whether its key is a name of the schema (else it is data: a todo id, an index). */
function step(shape: Shape, key: PropertyKey): { readonly shape: Shape | null; readonly named: boolean } {
  const { def } = (unwrap(shape) as unknown as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return { shape: (def.shape[String(key)] ?? null) as Shape | null, named: true };
    case "array":
      return { shape: def.element as Shape, named: false };
    case "record":
      return { shape: def.valueType as Shape, named: false };
    default:
      return { shape: null, named: true };
  }
}

function keysOfShape(shape: Shape): readonly string[] {
  const { def } = (unwrap(shape) as unknown as z.core.$ZodTypes)._zod;
  return def.type === "object" ? Object.keys(def.shape) : [];
}

interface Place {
  readonly pointer: string;
  /** `previous-digest`, `subject-kind`; empty for the root. */
  readonly name: string;
  readonly shape: Shape | null;
  readonly value: unknown;
}

function placeOf(root: Shape, value: unknown, path: Path): Place {
  let place: Place = { pointer: "", name: "", shape: root, value };
  for (const key of path) {
    const { shape, named } = place.shape === null ? { shape: null, named: true } : step(place.shape, key);
    const holder = place.value;
    place = {
      pointer: pointerTo(place.pointer, String(key)),
      name: named ? `${place.name}${place.name === "" ? "" : "-"}${String(key).replaceAll("_", "-")}` : place.name,
      shape,
      value: typeof holder === "object" && holder !== null && Object.hasOwn(holder, key) ? (holder as Record<PropertyKey, unknown>)[key] : undefined,
    };
  }
  return place;
}

function ruleAt(name: string, rule: string): string {
  if (rule === "schema-id") return name.replace(/(^|-)schema$/, "$1schema-id");
  return name === "" ? rule : `${name}-${rule}`;
}

/** A key that is missing shows in zod as a wrong value of that key. */
function isMissing(root: Shape, value: unknown, path: Path): boolean {
  if (path.length === 0) return false;
  const holder = placeOf(root, value, path.slice(0, -1));
  const key = path.at(-1);
  return isPlainObject(holder.value) && key !== undefined && !Object.hasOwn(holder.value, key);
}

const typeRules: Readonly<Record<string, readonly [rule: string, message: string]>> = {
  array: ["array", "Must be a list."],
  record: ["object", "Must be an object."],
};

export interface ShapeOutcome {
  readonly wellFormed: boolean;
  /** The root has exactly its keys, so its members can be looked at one by one. */
  readonly keysRight: boolean;
}

/** Reports every way in which `value` is not of the shape. An object with wrong keys is one finding, whatever is below it. */
export function checkShape(shape: Shape, value: unknown, at: FindingCollector): ShapeOutcome {
  if (knownPredicateOf(shape)(value)) return { wellFormed: true, keysRight: true };
  const result = shape.safeParse(value);
  if (result.success) return { wellFormed: true, keysRight: true };
  const { issues } = result.error;
  const wrongKeys = new Map<string, Path>();
  for (const issue of issues) {
    const path = issue.path;
    if (issue.code === "unrecognized_keys" || (issue.code === "invalid_type" && issue.expected === "object" && !isMissing(shape, value, path))) {
      wrongKeys.set(placeOf(shape, value, path).pointer, path);
    } else if (isMissing(shape, value, path)) {
      const holder = path.slice(0, -1);
      wrongKeys.set(placeOf(shape, value, holder).pointer, holder);
    }
  }
  const isBelowWrongKeys = (pointer: string): boolean => [...wrongKeys.keys()].some((holder) => pointer.startsWith(`${holder}/`));
  for (const [pointer, path] of wrongKeys) {
    if (isBelowWrongKeys(pointer)) continue;
    const place = placeOf(shape, value, path);
    requireExactKeys(place.value, place.shape === null ? [] : keysOfShape(place.shape), at.nested(pointer), ruleAt(place.name, "exact-keys"));
  }
  for (const issue of issues) {
    const place = placeOf(shape, value, issue.path);
    if (wrongKeys.has(place.pointer) || isBelowWrongKeys(place.pointer)) continue;
    const [rule, message] = describe(issue);
    at.error(ruleAt(place.name, rule), place.pointer, message);
  }
  return { wellFormed: false, keysRight: !wrongKeys.has("") };
}

function describe(issue: z.core.$ZodIssue): readonly [rule: string, message: string] {
  if (issue.code === "custom") return [String(issue.params?.["rule"]), String(issue.params?.["message"])];
  return (issue.code === "invalid_type" ? typeRules[issue.expected] : undefined) ?? [issue.code.replaceAll("_", "-"), issue.message];
}

export interface FoundPart {
  readonly definition: ArtifactDefinition<unknown>;
  readonly value: Readonly<Record<string, unknown>>;
  readonly pointer: string;
}

const holders = new WeakMap<object, boolean>();

/** Whether a part is anywhere in the shape: most have none, and need not be walked. */
function hasParts(shape: Shape): boolean {
  const known = holders.get(shape);
  if (known !== undefined) return known;
  const { def } = (unwrap(shape) as unknown as z.core.$ZodTypes)._zod;
  const members = def.type === "object" ? Object.values(def.shape) : def.type === "array" ? [def.element] : def.type === "record" ? [def.valueType] : [];
  const has = partOf(unwrap(shape)) !== undefined || members.some((member) => hasParts(member as Shape));
  holders.set(shape, has);
  return has;
}

/** Every artifact inside a value, wherever its shape has a part and the value an object. */
export function* partsIn(shape: Shape, value: unknown, pointer = ""): Generator<FoundPart> {
  if (!hasParts(shape)) return;
  const definition = partOf(unwrap(shape));
  if (definition !== undefined && isPlainObject(value)) yield { definition, value, pointer };
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const next = step(shape, key).shape;
    if (next !== null) yield* partsIn(next, member, pointerTo(pointer, key));
  }
}

/** What upstream takes although it is no string: accepted, and said (section 5.6). */
export function warnOfCoercion(strict: Shape, value: unknown, at: FindingCollector): void {
  const result = strict.safeParse(value);
  const warnings = new FindingCollector("strict", at.base, at.findings);
  for (const issue of result.error?.issues ?? []) {
    warnings.report("warning", "type", placeOf(strict, value, issue.path).pointer, "Is not a string; the runtime accepts it because its text matches.");
  }
}
