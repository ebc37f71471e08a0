// Owns: canonical texts and digests of one document and all its parts at the price of one walk (a request is digested
// five to fifteen times over overlapping parts). Leaves to others: what canonical form is (artifact/canonical.ts): whatever
// comes near a limit or is not plain JSON is answered there.
import { createHash } from "node:crypto";
import {
  ArtifactError,
  canonicalizeArtifact,
  canonicalizeTodoArtifact,
  digestTodoArtifact,
  selfDigest as exactSelfDigest,
  selfDigestTodo,
  type Dialect,
} from "../../../artifact/canonical.js";

interface Part {
  readonly text: string;
  readonly nodes: number;
  /** Levels below this one; 0 for an empty container. */
  readonly height: number;
  /** Within every limit that does not depend on where the part is: then only nodes, height and bytes are left to test. */
  readonly isPlain: boolean;
  readonly hasOnlySafeIntegers: boolean;
}

const maxNodes = 10_000;
const maxDepth = 32;
const maxStringBytes = 16_384;
const maxTotalBytes = 1_048_576;
const maxMembers = 256;
/** Recursion stops here. Every part that is asked for begins less than ten levels down, so its own limit is passed well before. */
const walkDepth = 64;

/** A todo artifact allows 40 levels; the stricter 32 are enough to know that it is within. */
function isWithin(part: Part): boolean {
  return part.isPlain && part.height <= maxDepth && part.nodes <= maxNodes && isShort(part.text, maxTotalBytes);
}

function isShort(text: string, bytes: number): boolean {
  return text.length * 3 <= bytes || (text.length <= bytes && Buffer.byteLength(text, "utf8") <= bytes);
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

function problemOf(canonicalize: () => unknown): ArtifactError | null {
  try {
    canonicalize();
    return null;
  } catch (error) {
    if (ArtifactError.is(error)) return error;
    throw error;
  }
}

/** Values must not change while a memo knows them. */
export class CanonicalMemo {
  private readonly parts = new Map<object, Part>();
  private nodes = 0;
  private height = 0;
  private isPlain = true;
  private hasOnlySafeIntegers = true;

  /** `isParsed`: the value came from JSON.parse, so accessors, symbols and the like cannot occur and are not looked for. */
  constructor(
    readonly dialect: Dialect,
    private readonly isParsed: boolean = false,
  ) {}

  /** For order and equality: the canonical text where there is one, else a text that no canonical text equals. */
  text(value: unknown): string {
    return typeof value === "object" && value !== null ? this.part(value).text : this.scalar(value);
  }

  /** Null when the value has a canonical form, else why not. */
  problem(value: unknown): ArtifactError | null {
    if (typeof value === "object" && value !== null && isWithin(this.part(value))) return null;
    return problemOf(() => canonicalizeArtifact(value, { dialect: this.dialect }));
  }

  /** The same by the rules of todo artifacts (section 1.4). */
  todoProblem(value: object): ArtifactError | null {
    const part = this.part(value);
    if (isWithin(part) && part.hasOnlySafeIntegers) return null;
    return problemOf(() => canonicalizeTodoArtifact(value));
  }

  /** See selfDigest of artifact/canonical.ts. @throws ArtifactError */
  selfDigest(record: Readonly<Record<string, unknown>>, field: string): string {
    if (!isWithin(this.part(record))) return exactSelfDigest(record, field, { dialect: this.dialect });
    return sha256(this.withoutField(record, field));
  }

  /** Digest by the rules of todo artifacts. @throws ArtifactError */
  todoDigest(value: object): string {
    const part = this.part(value);
    return isWithin(part) && part.hasOnlySafeIntegers ? sha256(part.text) : digestTodoArtifact(value);
  }

  /** Self digest by the rules of todo artifacts. @throws ArtifactError */
  todoSelfDigest(record: Readonly<Record<string, unknown>>, field: string): string {
    const part = this.part(record);
    return isWithin(part) && part.hasOnlySafeIntegers ? sha256(this.withoutField(record, field)) : selfDigestTodo(record, field);
  }

  private withoutField(record: Readonly<Record<string, unknown>>, field: string): string {
    const members: string[] = [];
    for (const key of Object.keys(record).sort()) if (key !== field) members.push(`${JSON.stringify(key)}:${this.text(record[key])}`);
    return `{${members.join(",")}}`;
  }

  private part(value: object): Part {
    const known = this.parts.get(value);
    if (known !== undefined) return known;
    this.nodes = 0;
    this.height = 0;
    this.isPlain = true;
    this.hasOnlySafeIntegers = true;
    this.container(value, 0);
    const part = this.parts.get(value);
    if (part === undefined) throw new Error("A walked container has no text.");
    return part;
  }

  /** Counters hold what was seen since the container that is being walked began; each level saves and merges. */
  private container(value: object, depth: number): string {
    const known = this.parts.get(value);
    if (known !== undefined) {
      this.nodes += known.nodes;
      this.height = Math.max(this.height, known.height + 1);
      this.isPlain &&= known.isPlain;
      this.hasOnlySafeIntegers &&= known.hasOnlySafeIntegers;
      return known.text;
    }
    const { nodes, height, isPlain, hasOnlySafeIntegers } = this;
    this.nodes = 1;
    this.height = 0;
    this.isPlain = depth <= walkDepth && (this.isParsed || isPlainContainer(value));
    this.hasOnlySafeIntegers = true;
    const text = !this.isPlain ? "\u0000" : Array.isArray(value) ? this.list(value, depth) : this.record(value as Record<string, unknown>, depth);
    const part: Part = { text, nodes: this.nodes, height: this.height, isPlain: this.isPlain, hasOnlySafeIntegers: this.hasOnlySafeIntegers };
    this.parts.set(value, part);
    this.nodes += nodes;
    this.height = Math.max(height, part.height + 1);
    this.isPlain &&= isPlain;
    this.hasOnlySafeIntegers &&= hasOnlySafeIntegers;
    return text;
  }

  private list(value: readonly unknown[], depth: number): string {
    if (this.dialect === "0.12" && value.length > maxMembers) this.isPlain = false;
    let text = "[";
    for (let index = 0; index < value.length; index += 1) text += index === 0 ? this.child(value[index], depth) : `,${this.child(value[index], depth)}`;
    return `${text}]`;
  }

  private record(value: Readonly<Record<string, unknown>>, depth: number): string {
    const keys = Object.keys(value);
    if (keys.length > maxMembers) this.isPlain = false;
    keys.sort();
    let text = "{";
    for (const key of keys) {
      if (!isShort(key, maxStringBytes)) this.isPlain = false;
      text += `${text.length === 1 ? "" : ","}${JSON.stringify(key)}:${this.child(value[key], depth)}`;
    }
    return `${text}}`;
  }

  private child(value: unknown, depth: number): string {
    if (typeof value === "object" && value !== null) return this.container(value, depth + 1);
    this.nodes += 1;
    if (this.height === 0) this.height = 1;
    return this.scalar(value);
  }

  private scalar(value: unknown): string {
    switch (typeof value) {
      case "string":
        if (!isShort(value, maxStringBytes)) this.isPlain = false;
        return JSON.stringify(value);
      case "number":
        if (!Number.isFinite(value) || Object.is(value, -0)) this.isPlain = false;
        if (!Number.isSafeInteger(value)) this.hasOnlySafeIntegers = false;
        return Object.is(value, -0) ? "\u0000-0" : String(value);
      case "boolean":
        return value ? "true" : "false";
      case "object":
        return "null";
      case "undefined":
      case "bigint":
      case "symbol":
      case "function":
        this.isPlain = false;
        return `\u0000${typeof value}`;
    }
  }
}

/** What canonical form asks of containers beside their contents; see `check` in artifact/canonical.ts. */
function isPlainContainer(value: object): boolean {
  if (Object.getPrototypeOf(value) !== (Array.isArray(value) ? Array.prototype : Object.prototype)) return false;
  const keys = Reflect.ownKeys(value);
  if (Array.isArray(value) && keys.length !== value.length + 1) return false;
  return keys.every((key) => {
    if (typeof key === "symbol") return false;
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    return descriptor !== undefined && "value" in descriptor && (descriptor.enumerable === true || (key === "length" && Array.isArray(value)));
  });
}
