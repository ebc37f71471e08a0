// Owns: writing the canonical bytes of a value in one pass, fast enough for journals of ten thousand events.
// Leaves to others: saying where and why a value has no such bytes (canonical.ts).
import { KeyOrders } from "./keyOrder.js";

/** Limits of one canonicaliser (spec/lattice.md sections 1.1 and 1.4). */
export interface CanonicalLimits {
  readonly depth: number;
  readonly nodes: number;
  readonly objectKeys: number;
  readonly arrayItems: number;
  readonly stringBytes: number;
  readonly totalBytes: number;
  readonly safeIntegersOnly: boolean;
}

/** Thrown by the writer, which does not know where it is; the caller then finds the place and the reason. */
export const irregular = new Error("The value has no canonical form.");

/** What to write of the keys of an object. */
interface SortedKeys {
  readonly sorted: readonly string[];
  /** `"key":` for each of `sorted`. */
  readonly texts: readonly string[];
  /** Whether every character of the texts is one byte. */
  readonly isAscii: boolean;
}

const keyOrders = new KeyOrders<SortedKeys>((keys) => {
  const sorted = [...keys].sort();
  const texts = sorted.map((key) => `${JSON.stringify(key)}:`);
  return { sorted, texts, isAscii: texts.every((text) => /^[\u0000-\u007F]*$/.test(text)) };
});

const code = { comma: 0x2c, quote: 0x22, openArray: 0x5b, closeArray: 0x5d, openObject: 0x7b, closeObject: 0x7d } as const;

/** 1 for printable ASCII without quote and backslash: the text of nearly every value, and its own JSON form. */
const isPlain = Uint8Array.from({ length: 128 }, (_, unit) => (unit >= 0x20 && unit < 0x7f && unit !== 0x22 && unit !== 0x5c ? 1 : 0));

/**
 * Everything that the located check of canonical.ts rejects makes `write` throw `irregular`. It never calls into the value.
 * With `parsed`, the value must come from JSON.parse: it then has no accessors, symbol keys or hidden properties to look for,
 * which saves a third of the time.
 */
export class CanonicalWriter {
  nodes = 0;
  #buffer = Buffer.allocUnsafe(1 << 16);
  #length = 0;

  constructor(
    public limits: CanonicalLimits,
    public parsed: boolean,
  ) {}

  /** A view of what was written, valid until the next write. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Bytes written. */
  get length(): number {
    return this.#length;
  }

  /** Bytes of memory held. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** Ready for another value. */
  reset(limits: CanonicalLimits, parsed: boolean): void {
    this.limits = limits;
    this.parsed = parsed;
    this.nodes = 0;
    this.#length = 0;
  }

  write(value: unknown, depth: number, omit?: string): void {
    const { limits } = this;
    this.nodes += 1;
    if (depth > limits.depth || this.nodes > limits.nodes) throw irregular;
    switch (typeof value) {
      case "string":
        if (value.length * 3 > limits.stringBytes && Buffer.byteLength(value, "utf8") > limits.stringBytes) throw irregular;
        this.#string(value);
        return;
      case "boolean":
        this.#ascii(value ? "true" : "false");
        return;
      case "number":
        if (!Number.isFinite(value) || Object.is(value, -0) || (limits.safeIntegersOnly && !Number.isSafeInteger(value))) throw irregular;
        this.#ascii(String(value));
        return;
      case "object":
        if (value === null) this.#ascii("null");
        else if (Array.isArray(value)) this.#array(value, depth);
        else this.#object(value, depth, omit);
        return;
      default:
        throw irregular;
    }
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }

  #byte(unit: number): void {
    this.#reserve(1);
    this.#buffer[this.#length] = unit;
    this.#length += 1;
  }

  /** Text of ASCII characters only. By hand, because a call into the engine costs more than the few characters. */
  #ascii(text: string): void {
    const { length } = text;
    this.#reserve(length);
    const buffer = this.#buffer;
    const start = this.#length;
    for (let index = 0; index < length; index += 1) buffer[start + index] = text.charCodeAt(index);
    this.#length = start + length;
  }

  #string(text: string): void {
    const { length } = text;
    this.#reserve(length + 2);
    const buffer = this.#buffer;
    const start = this.#length + 1;
    for (let index = 0; index < length; index += 1) {
      const unit = text.charCodeAt(index);
      if (isPlain[unit] !== 1) {
        // JSON.stringify writes a lone surrogate as \udxxx, which is what lattice does and RFC 8785 does not (section 1.3).
        this.#utf8(JSON.stringify(text));
        return;
      }
      buffer[start + index] = unit;
    }
    buffer[start - 1] = code.quote;
    buffer[start + length] = code.quote;
    this.#length = start + length + 1;
  }

  #utf8(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length, "utf8");
  }

  #array(items: readonly unknown[], depth: number): void {
    const { length } = items;
    if (length > this.limits.arrayItems) throw irregular;
    if (Object.getPrototypeOf(items) !== Array.prototype || (!this.parsed && Reflect.ownKeys(items).length !== length + 1)) throw irregular;
    this.#byte(code.openArray);
    for (let index = 0; index < length; index += 1) {
      if (index > 0) this.#byte(code.comma);
      this.write(this.parsed ? items[index] : dataProperty(items, String(index)), depth + 1);
    }
    this.#byte(code.closeArray);
  }

  #object(record: object, depth: number, omit: string | undefined): void {
    if (Object.getPrototypeOf(record) !== Object.prototype) throw irregular;
    const { sorted, texts, isAscii } = this.parsed ? keyOrders.of(record) : keyOrders.ofKeys(checkedKeys(record));
    if (sorted.length > this.limits.objectKeys) throw irregular;
    this.#byte(code.openObject);
    const start = this.#length;
    for (let index = 0; index < sorted.length; index += 1) {
      const key = sorted[index] ?? "";
      if (key === omit) continue;
      if (key.length * 3 > this.limits.stringBytes && Buffer.byteLength(key, "utf8") > this.limits.stringBytes) throw irregular;
      if (this.#length > start) this.#byte(code.comma);
      if (isAscii) this.#ascii(texts[index] ?? "");
      else this.#utf8(texts[index] ?? "");
      this.write(this.parsed ? (record as Readonly<Record<string, unknown>>)[key] : dataProperty(record, key), depth + 1);
    }
    this.#byte(code.closeObject);
  }
}

function checkedKeys(record: object): string[] {
  const keys = Reflect.ownKeys(record);
  if (!keys.every((key) => typeof key === "string")) throw irregular;
  return keys;
}

function dataProperty(holder: object, key: string): unknown {
  const descriptor = Reflect.getOwnPropertyDescriptor(holder, key);
  if (descriptor?.enumerable !== true || !("value" in descriptor)) throw irregular;
  return descriptor.value;
}
