// Owns: recognising the keys of an object without listing or sorting them again: documents have few forms and repeat them
// without end. Leaves to others: what is known about a form (canonicalWriter.ts, systems/lattice/events/redaction.ts).

const bounds = { buckets: 1024, formsInBucket: 16, keys: 32, keyLength: 64 } as const;

interface Form<Knowledge> {
  /** Own enumerable keys in the order of the object. */
  readonly keys: readonly string[];
  readonly knowledge: Knowledge;
}

/** Remembers something about lists of keys. Bounded, so that a hostile file cannot fill the memory. */
export class KeyOrders<Knowledge> {
  readonly #buckets = new Map<string, Form<Knowledge>[]>();

  constructor(readonly learn: (keys: readonly string[]) => Knowledge) {}

  /** What is known about the own enumerable keys of a plain object, in their order. */
  of(record: object): Knowledge {
    const bucket = this.#buckets.get(firstKey(record));
    if (bucket !== undefined) for (const form of bucket) if (hasKeys(record, form.keys)) return form.knowledge;
    return this.#learn(Object.keys(record), bucket);
  }

  /** As `of`, for keys that were listed already. */
  ofKeys(keys: readonly string[]): Knowledge {
    const bucket = this.#buckets.get(keys[0] ?? "");
    const known = bucket?.find((form) => form.keys.length === keys.length && form.keys.every((key, index) => key === keys[index]));
    return known === undefined ? this.#learn(keys, bucket) : known.knowledge;
  }

  #learn(keys: readonly string[], bucket: Form<Knowledge>[] | undefined): Knowledge {
    const form = { keys: [...keys], knowledge: this.learn(keys) };
    if (keys.length > bounds.keys || keys.some((key) => key.length > bounds.keyLength)) return form.knowledge;
    if (bucket !== undefined) {
      if (bucket.length < bounds.formsInBucket) bucket.push(form);
    } else if (this.#buckets.size < bounds.buckets) {
      this.#buckets.set(keys[0] ?? "", [form]);
    }
    return form.knowledge;
  }
}

// `for in` makes no list, unlike Object.keys. It would also name what somebody added to Object.prototype: then nothing
// matches, and the slow way is right too.

function firstKey(record: object): string {
  for (const key in record) return key;
  return "";
}

function hasKeys(record: object, keys: readonly string[]): boolean {
  let index = 0;
  for (const key in record) {
    if (key !== keys[index]) return false;
    index += 1;
  }
  return index === keys.length;
}
