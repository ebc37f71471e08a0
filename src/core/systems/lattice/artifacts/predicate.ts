// Owns: a plain yes or no for a shape, compiled from the same schema, for journals where ten thousand events are judged.
// Leaves to others: saying what is wrong (checkShape.ts), which the caller asks once the answer is no.
import type * as z from "zod/mini";
import { KeyOrders } from "../../../artifact/keyOrder.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import type { Shape } from "./shapes.js";

export type Predicate = (value: unknown) => boolean;

const compiled = new WeakMap<object, Predicate>();

/** As predicateOf; compiled once for a shape. */
export function knownPredicateOf(shape: Shape): Predicate {
  const predicate = compiled.get(shape) ?? predicateOf(shape);
  compiled.set(shape, predicate);
  return predicate;
}

/** Agrees with `shape.safeParse(value).success` for every value that JSON can hold. */
export function predicateOf(shape: Shape): Predicate {
  const { def } = (shape as unknown as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "custom":
      return remembering(def.fn as Predicate);
    case "nullable": {
      const inner = predicateOf(def.innerType as Shape);
      return (value) => value === null || inner(value);
    }
    case "object":
      return objectPredicate(Object.entries(def.shape).map(([key, member]) => [key, predicateOf(member as Shape)] as const));
    default:
      return (value) => shape.safeParse(value).success;
  }
}

/** Most members of a journal's events repeat from one event to the next; comparing texts is cheaper than judging one again. */
function remembering(test: Predicate): Predicate {
  let last: unknown;
  return (value) => {
    if (typeof value !== "string") return test(value);
    if (value === last) return true;
    const isRight = test(value);
    if (isRight) last = value;
    return isRight;
  };
}

/** A plain object with all of the members, each right, and no other key but `free` ones, which may be absent. */
export function objectPredicate(members: readonly (readonly [key: string, test: Predicate])[], free: readonly string[] = []): Predicate {
  const required = members.map(([key]) => key);
  const allowed = new Set([...required, ...free]);
  const isExact = new KeyOrders((keys) => required.every((key) => keys.includes(key)) && keys.every((key) => allowed.has(key)));
  return (value) => {
    if (!isPlainObject(value) || !isExact.of(value)) return false;
    for (const [key, test] of members) if (!test(value[key])) return false;
    return true;
  };
}
