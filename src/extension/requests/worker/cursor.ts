// Owns: what is at an offset of a JSON text: its pointer and its exact place.
// Leaves to others: what that means (places.ts).
import { getLocation } from "jsonc-parser";
import { pointerTo } from "../../../core/artifact/canonical.js";
import { indexText, type Place } from "../../../core/systems/lattice/requests/jsonIndex.js";
import type { TextRange } from "../../../core/systems/lattice/requests/report.js";

export interface Cursor {
  readonly pointer: string;
  /** On the name of a member, rather than on a value. */
  readonly isOnKey: boolean;
  readonly range: TextRange;
}

/** Null between values, and where a value is a list or object. `text` must parse. */
export function cursorAt(text: string, offset: number): Cursor | null {
  const { path } = getLocation(text, offset);
  const pointer = path.reduce<string>((parent, token) => pointerTo(parent, token), "");
  const place = indexText(text, 0, { pointers: [pointer] }).places.get(pointer);
  if (place === undefined) return null;
  if (place.key !== null && holds(place.key, offset)) return { pointer, isOnKey: true, range: place.key };
  const first = text[place.value.offset];
  return first !== "{" && first !== "[" && holds(place.value, offset) ? { pointer, isOnKey: false, range: place.value } : null;
}

/** A cursor behind the last character still belongs to it, as for words. */
function holds({ offset, length }: TextRange, at: number): boolean {
  return at >= offset && at <= offset + length;
}

/** Places of several pointers at once; those that the text lacks are missing. */
export function placesOf(text: string, pointers: Iterable<string>): ReadonlyMap<string, Place> {
  return indexText(text, 0, { pointers }).places;
}
