// Owns: writing the canonical text of a value in one pass, fast enough for journals of ten thousand events.
// Leaves to others: saying where and why a value has no such text (canonical.ts).

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

/** Printable ASCII without quote and backslash: the text of nearly every value, and its own JSON form. */
const plainText = /^[ !#-[\]-~]*$/;

/** Documents have few distinct keys and repeat them without end; the bound keeps a hostile file from filling the memory. */
const keyTexts = new Map<string, string>();
const keyTextsMaximum = 4096;

function keyText(key: string): string {
  let text = keyTexts.get(key);
  if (text === undefined) {
    text = `${JSON.stringify(key)}:`;
    if (keyTexts.size < keyTextsMaximum) keyTexts.set(key, text);
  }
  return text;
}

/** Objects of documents are small and often sorted already: insertion beats the general sort by a factor of three there. */
function sortKeys(keys: string[]): string[] {
  if (keys.length > 24) return keys.sort();
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] ?? "";
    let at = index - 1;
    for (let before = keys[at]; at >= 0 && before !== undefined && before > key; at -= 1, before = keys[at]) keys[at + 1] = before;
    keys[at + 1] = key;
  }
  return keys;
}

/** Thrown by the writer, which does not know where it is; the caller then finds the place and the reason. */
export const irregular = new Error("The value has no canonical form.");

/**
 * Writes the canonical text in one pass and counts what it wrote. Everything that the located check of canonical.ts rejects makes it throw
 * `irregular`; it never reads a property twice and never calls into the value.
 */
export class CanonicalWriter {
  nodes = 0;
  constructor(readonly limits: CanonicalLimits) {}

  write(value: unknown, depth: number, omit?: string): string {
    const { limits } = this;
    this.nodes += 1;
    if (depth > limits.depth || this.nodes > limits.nodes) throw irregular;
    switch (typeof value) {
      case "string":
        return this.#string(value);
      case "boolean":
        return value ? "true" : "false";
      case "number":
        if (!Number.isFinite(value) || Object.is(value, -0) || (limits.safeIntegersOnly && !Number.isSafeInteger(value))) throw irregular;
        return String(value);
      case "object":
        return value === null ? "null" : Array.isArray(value) ? this.#array(value, depth) : this.#object(value, depth, omit);
      default:
        throw irregular;
    }
  }

  #string(text: string): string {
    if (text.length * 3 > this.limits.stringBytes && Buffer.byteLength(text, "utf8") > this.limits.stringBytes) throw irregular;
    // JSON.stringify writes a lone surrogate as \udxxx, which is what lattice does and RFC 8785 does not (section 1.3).
    return plainText.test(text) ? `"${text}"` : JSON.stringify(text);
  }

  #array(items: readonly unknown[], depth: number): string {
    const { length } = items;
    if (Object.getPrototypeOf(items) !== Array.prototype || length > this.limits.arrayItems) throw irregular;
    if (Reflect.ownKeys(items).length !== length + 1) throw irregular;
    let text = "[";
    for (let index = 0; index < length; index += 1) {
      text += (index > 0 ? "," : "") + this.write(dataProperty(items, String(index)), depth + 1);
    }
    return `${text}]`;
  }

  #object(record: object, depth: number, omit: string | undefined): string {
    if (Object.getPrototypeOf(record) !== Object.prototype) throw irregular;
    const own = Reflect.ownKeys(record);
    if (own.length > this.limits.objectKeys) throw irregular;
    if (!own.every((key) => typeof key === "string")) throw irregular;
    let text = "{";
    for (const key of sortKeys(own)) {
      if (key === omit) continue;
      if (key.length * 3 > this.limits.stringBytes && Buffer.byteLength(key, "utf8") > this.limits.stringBytes) throw irregular;
      text += (text === "{" ? "" : ",") + keyText(key) + this.write(dataProperty(record, key), depth + 1);
    }
    return `${text}}`;
  }
}

function dataProperty(holder: object, key: string): unknown {
  const descriptor = Reflect.getOwnPropertyDescriptor(holder, key);
  if (descriptor?.enumerable !== true || !("value" in descriptor)) throw irregular;
  return descriptor.value;
}
