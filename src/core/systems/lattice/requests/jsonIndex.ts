// Owns: where things are in a valid JSON text: ranges of wanted pointers, pointers of wanted offsets, repeated keys, ill-formed
// strings. One pass without a tree; what nobody asked about is skipped. Leaves to others: texts that do not parse (syntaxErrors.ts).
import { pointerTo } from "../../../artifact/canonical.js";
import { endOfBareWord, endOfString } from "./jsonScan.js";
import type { TextRange } from "./report.js";

export interface Place {
  readonly value: TextRange;
  /** The quoted name, when the value is a member. */
  readonly key: TextRange | null;
}

export interface IndexRequest {
  readonly pointers?: Iterable<string>;
  /** Start offsets of values. */
  readonly offsets?: readonly number[];
  readonly repeatedKeys?: boolean;
  readonly illFormedStrings?: boolean;
}

export interface RepeatedKey {
  readonly pointer: string;
  readonly first: Place;
  readonly again: Place;
}

export interface TextIndex {
  /** Pointers that the text has. Where a key is repeated the last place counts, as for JSON.parse. */
  readonly places: ReadonlyMap<string, Place>;
  readonly pointersAt: ReadonlyMap<number, string>;
  readonly repeatedKeys: readonly RepeatedKey[];
  readonly illFormedStrings: readonly { readonly pointer: string; readonly range: TextRange }[];
}

/** A node of the tree of wanted pointers. */
interface Wanted {
  readonly pointer: string | null;
  readonly children: Map<string, Wanted>;
}

interface Frame {
  readonly isList: boolean;
  readonly start: number;
  readonly wanted: Wanted | undefined;
  /** Path of the container; built lazily from the parent. */
  readonly parent: Frame | null;
  readonly token: string | number | null;
  readonly key: TextRange | null;
  readonly members: Map<string, Place> | null;
  index: number;
}

const surrogate = /[\uD800-\uDFFF]|\\u[dD][89a-fA-F]/;
const loneSurrogate = /\p{Surrogate}/u;

function addPointer(root: Wanted, pointer: string): Wanted {
  if (pointer === "") return { ...root, pointer };
  let at = root;
  let prefix = "";
  const tokens = pointer.slice(1).split("/");
  for (const [index, raw] of tokens.entries()) {
    prefix += `/${raw}`;
    const token = raw.replaceAll("~1", "/").replaceAll("~0", "~");
    const isLast = index === tokens.length - 1;
    const known = at.children.get(token);
    const next: Wanted = { pointer: isLast ? prefix : (known?.pointer ?? null), children: known?.children ?? new Map<string, Wanted>() };
    at.children.set(token, next);
    at = next;
  }
  return root;
}

function pointerOf(frame: Frame | null, token: string | number | null): string {
  if (frame === null || token === null) return "";
  return pointerTo(pointerOf(frame.parent, frame.token), token);
}

/** `text` must parse as JSON from `from` on (a byte order mark is skipped that way). */
export function indexText(text: string, from: number, request: IndexRequest): TextIndex {
  return new Indexer(text, request).run(from);
}

class Indexer {
  private readonly places = new Map<string, Place>();
  private readonly pointersAt = new Map<number, string>();
  private readonly repeatedKeys: RepeatedKey[] = [];
  private readonly illFormedStrings: { pointer: string; range: TextRange }[] = [];
  private readonly root: Wanted;
  private readonly offsets: readonly number[];
  private nextOffset = 0;
  private readonly mustVisitAll: boolean;

  constructor(
    private readonly text: string,
    private readonly request: IndexRequest,
  ) {
    let root: Wanted = { pointer: null, children: new Map() };
    for (const pointer of request.pointers ?? []) root = addPointer(root, pointer);
    this.root = root;
    this.offsets = [...(request.offsets ?? [])].sort((a, b) => a - b);
    this.mustVisitAll = request.repeatedKeys === true || request.illFormedStrings === true || this.offsets.length > 0;
  }

  run(from: number): TextIndex {
    let frame: Frame | null = null;
    let token: string | number | null = null;
    let key: TextRange | null = null;
    let at = from;
    const { text } = this;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code <= 0x20 || code === 0x2c || code === 0x3a) {
        at += 1;
        continue;
      }
      if (code === 0x7d || code === 0x5d) {
        at += 1;
        if (frame === null) break;
        this.record(frame.parent, frame.token, frame.wanted, { value: { offset: frame.start, length: at - frame.start }, key: frame.key });
        frame = frame.parent;
        continue;
      }
      if (frame !== null && !frame.isList && key === null) {
        const end = endOfString(text, at) + 1;
        key = { offset: at, length: end - at };
        token = this.nameAt(key);
        this.checkString(frame, token, key);
        at = end;
        continue;
      }
      if (frame?.isList === true) {
        token = frame.index;
        frame.index += 1;
      }
      const wanted: Wanted | undefined = frame === null ? this.root : token === null ? undefined : frame.wanted?.children.get(String(token));
      this.noteOffset(at, frame, token);
      if (code === 0x7b || code === 0x5b) {
        if (this.mustVisitAll || (wanted !== undefined && wanted.children.size > 0)) {
          frame = { isList: code === 0x5b, start: at, wanted, parent: frame, token, key, members: this.request.repeatedKeys === true ? new Map() : null, index: 0 };
          key = null;
          at += 1;
          continue;
        }
        const end = this.endOfContainer(at);
        this.record(frame, token, wanted, { value: { offset: at, length: end - at }, key });
        at = end;
      } else {
        const end: number = code === 0x22 ? endOfString(text, at) + 1 : endOfBareWord(text, at);
        const range = { offset: at, length: end - at };
        if (code === 0x22) this.checkString(frame, token, range);
        this.record(frame, token, wanted, { value: range, key });
        at = end;
      }
      key = null;
      if (frame === null) break;
    }
    return { places: this.places, pointersAt: this.pointersAt, repeatedKeys: this.repeatedKeys, illFormedStrings: this.illFormedStrings };
  }

  private record(holder: Frame | null, token: string | number | null, wanted: Wanted | undefined, place: Place): void {
    if (typeof wanted?.pointer === "string") this.places.set(wanted.pointer, place);
    if (holder === null || holder.members === null || holder.isList || token === null) return;
    const name = String(token);
    const first = holder.members.get(name);
    if (first === undefined) holder.members.set(name, place);
    else this.repeatedKeys.push({ pointer: pointerOf(holder, token), first, again: place });
  }

  private noteOffset(at: number, frame: Frame | null, token: string | number | null): void {
    if (this.offsets[this.nextOffset] !== at) return;
    this.pointersAt.set(at, pointerOf(frame, token));
    this.nextOffset += 1;
  }

  private nameAt({ offset, length }: TextRange): string {
    const raw = this.text.slice(offset + 1, offset + length - 1);
    return raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
  }

  private checkString(frame: Frame | null, token: string | number | null, range: TextRange): void {
    if (this.request.illFormedStrings !== true) return;
    const raw = this.text.slice(range.offset, range.offset + range.length);
    if (surrogate.test(raw) && loneSurrogate.test(JSON.parse(raw) as string)) this.illFormedStrings.push({ pointer: pointerOf(frame, token), range });
  }

  /** The offset after the container that begins at `start`. */
  private endOfContainer(start: number): number {
    let depth = 0;
    let at = start;
    const { text } = this;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === 0x22) at = endOfString(text, at);
      else if (code === 0x7b || code === 0x5b) depth += 1;
      else if (code === 0x7d || code === 0x5d) {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
      at += 1;
    }
    return at;
  }
}
