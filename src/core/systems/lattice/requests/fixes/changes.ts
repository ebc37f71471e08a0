// Owns: changes of a document as edits of its text that keep its formatting.
// Leaves to others: which changes repair what (repairs.ts), digests afterwards (fixes.ts).
import { modify, type FormattingOptions, type JSONPath } from "jsonc-parser";
import { indexText } from "../jsonIndex.js";
import type { TextRange } from "../report.js";
import type { TextEdit } from "./textChanges.js";

/** One change of a document that parses. Pointers are RFC 6901. */
export type Change =
  /** Puts a value in the place of another. */
  | { readonly kind: "replace"; readonly pointer: string; readonly value: unknown }
  /** Keeps the items of a list in this order; indexes that do not occur are dropped. */
  | { readonly kind: "arrange"; readonly pointer: string; readonly order: readonly number[] }
  | { readonly kind: "insert-item"; readonly pointer: string; readonly index: number; readonly value: unknown }
  | { readonly kind: "remove-member"; readonly pointer: string }
  /** Takes a range out of the text, whatever is in it. */
  | { readonly kind: "cut"; readonly range: TextRange };

export function tokensOf(pointer: string): readonly string[] {
  return pointer === "" ? [] : pointer.slice(1).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Edits of `text` for one change; none when the place does not exist. `start`: where the document begins. */
export function editsOfChange(change: Change, text: string, start: number): readonly TextEdit[] {
  switch (change.kind) {
    case "replace":
      return replaceValue(change.pointer, change.value, text, start);
    case "arrange":
      return arrangeItems(change.pointer, change.order, text, start);
    case "insert-item":
      return modified(change.pointer, [change.index], change.value, text, start);
    case "remove-member":
      return modified(change.pointer, [], undefined, text, start);
    case "cut":
      return [{ ...change.range, text: "" }];
  }
}

/** jsonc-parser tells lists and objects apart by numbers in the path. */
function pathOf(pointer: string, document: unknown): JSONPath {
  let at = document;
  return tokensOf(pointer).map((token) => {
    const isIndex = Array.isArray(at);
    at = (at as Readonly<Record<string, unknown>>)[token];
    return isIndex ? Number(token) : token;
  });
}

function replaceValue(pointer: string, value: unknown, text: string, start: number): readonly TextEdit[] {
  const range = indexText(text, start, { pointers: [pointer] }).places.get(pointer)?.value;
  if (range === undefined) return [];
  return [{ ...range, text: formatted(value, text, range.offset) }];
}

function arrangeItems(pointer: string, order: readonly number[], text: string, start: number): readonly TextEdit[] {
  const ranges: TextRange[] = [];
  const count = order.length + itemCountAfter(pointer, order, text, start);
  const pointers = Array.from({ length: count }, (_, index) => `${pointer}/${index}`);
  const { places } = indexText(text, start, { pointers });
  for (const item of pointers) {
    const range = places.get(item)?.value;
    if (range === undefined) return [];
    ranges.push(range);
  }
  const edits: TextEdit[] = [];
  for (const [index, from] of order.entries()) {
    const target = ranges[index];
    const source = ranges[from];
    if (target === undefined || source === undefined) return [];
    if (index !== from) edits.push({ ...target, text: text.slice(source.offset, source.offset + source.length) });
  }
  const first = ranges[order.length - 1];
  const last = ranges.at(-1);
  if (order.length < count && first !== undefined && last !== undefined) {
    const offset = first.offset + first.length;
    edits.push({ offset, length: last.offset + last.length - offset, text: "" });
  }
  return edits;
}

/** Items that `order` drops. */
function itemCountAfter(pointer: string, order: readonly number[], text: string, start: number): number {
  const place = indexText(text, start, { pointers: [pointer] }).places.get(pointer)?.value;
  const list: unknown = place === undefined ? [] : JSON.parse(text.slice(place.offset, place.offset + place.length));
  return Math.max((Array.isArray(list) ? list.length : 0) - order.length, 0);
}

function modified(pointer: string, index: readonly number[], value: unknown, text: string, start: number): readonly TextEdit[] {
  const body = text.slice(start);
  const path = [...pathOf(pointer, JSON.parse(body)), ...index];
  // Without options the library writes compactly, as fits a text on one line.
  const formatting = body.trimEnd().includes("\n") ? { formattingOptions: formattingOf(text) } : {};
  return modify(body, path, value, { ...formatting, isArrayInsertion: index.length > 0 }).map(({ offset, length, content }) => ({ offset: offset + start, length, text: content }));
}

/** Indent and line end as the text has them already. A text on one line stays on one. */
export function formattingOf(text: string): FormattingOptions {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const indent = /\n([ \t]+)\S/.exec(text.slice(0, 4096))?.[1] ?? "";
  return indent.startsWith("\t") ? { insertSpaces: false, tabSize: 1, eol } : { insertSpaces: true, tabSize: Math.max(indent.length, 1), eol };
}

/** A value as this text would write it at `offset`: scalars and texts on one line compactly, the rest with its indent. */
function formatted(value: unknown, text: string, offset: number): string {
  if (typeof value !== "object" || value === null || !text.trimEnd().includes("\n")) return JSON.stringify(value);
  const { insertSpaces = true, tabSize = 1, eol = "\n" } = formattingOf(text);
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const margin = /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
  return JSON.stringify(value, null, insertSpaces ? tabSize : "\t").replaceAll("\n", eol + margin);
}
