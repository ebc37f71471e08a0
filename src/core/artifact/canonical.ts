// Owns: the two canonicalisers of lattice, digests over them, self digests (spec/lattice.md section 1), and why a value has none.
// Leaves to others: writing the text (canonicalWriter.ts), what a document must contain (systems/lattice), text-level defects that parsing hides (duplicate keys, BOM).
import crypto from "node:crypto";
import { CanonicalWriter, irregular, type CanonicalLimits } from "./canonicalWriter.js";

/** Which version of lattice judges: section 0 of spec/lattice.md lists where they differ. */
export type Dialect = "0.12" | "0.50";

export const defaultDialect: Dialect = "0.50";

/** Why a value has no canonical form. */
export type ArtifactErrorCode =
  | "depth"
  | "nodes"
  | "object-keys"
  | "array-items"
  | "string-bytes"
  | "total-bytes"
  | "negative-zero"
  | "not-finite"
  | "not-safe-integer"
  | "unsupported-type"
  | "prototype"
  | "property"
  | "cycle";

/** A value that cannot be canonicalised. `pointer` (RFC 6901) leads to the offending value. */
export class ArtifactError extends TypeError {
  override readonly name = "ArtifactError";
  constructor(
    readonly code: ArtifactErrorCode,
    readonly pointer: string,
    message: string,
  ) {
    super(message);
  }

  static is(error: unknown, code?: ArtifactErrorCode): error is ArtifactError {
    return error instanceof ArtifactError && (code === undefined || error.code === code);
  }
}

/** spec/lattice.md section 1.1; array items: D1. */
const artifactLimits: Readonly<Record<Dialect, CanonicalLimits>> = {
  "0.12": { depth: 32, nodes: 10_000, objectKeys: 256, arrayItems: 256, stringBytes: 16_384, totalBytes: 1_048_576, safeIntegersOnly: false },
  "0.50": { depth: 32, nodes: 10_000, objectKeys: 256, arrayItems: Infinity, stringBytes: 16_384, totalBytes: 1_048_576, safeIntegersOnly: false },
};

/** spec/lattice.md section 1.4. */
const todoLimits: CanonicalLimits = {
  depth: 40,
  nodes: Infinity,
  objectKeys: Infinity,
  arrayItems: Infinity,
  stringBytes: Infinity,
  totalBytes: Infinity,
  safeIntegersOnly: true,
};

/** Appends one reference token to an RFC 6901 pointer. */
export function pointerTo(parent: string, token: string | number): string {
  return `${parent}/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

type Path = { readonly parent: Path; readonly token: string | number } | null;

/** Pointers are only built when something is wrong: the walk itself carries a linked path. */
function pointerOf(path: Path): string {
  const tokens: (string | number)[] = [];
  for (let at = path; at !== null; at = at.parent) tokens.push(at.token);
  return tokens.reverse().reduce<string>(pointerTo, "");
}

interface Walk {
  readonly limits: CanonicalLimits;
  nodes: number;
  readonly ancestors: Set<object>;
}

function checkString(text: string, path: Path, walk: Walk): void {
  // Two bytes a code unit is the least that could pass the limit; three the most that one unit can cost.
  if (text.length * 3 > walk.limits.stringBytes && Buffer.byteLength(text, "utf8") > walk.limits.stringBytes) {
    throw new ArtifactError("string-bytes", pointerOf(path), `A string is longer than ${String(walk.limits.stringBytes)} bytes.`);
  }
}

function check(value: unknown, path: Path, depth: number, walk: Walk): void {
  const { limits } = walk;
  if (depth > limits.depth) throw new ArtifactError("depth", pointerOf(path), `Nested deeper than ${String(limits.depth)} levels.`);
  walk.nodes += 1;
  if (walk.nodes > limits.nodes) throw new ArtifactError("nodes", pointerOf(path), `More than ${String(limits.nodes)} values.`);
  switch (typeof value) {
    case "string":
      checkString(value, path, walk);
      return;
    case "boolean":
      return;
    case "number":
      if (!Number.isFinite(value)) throw new ArtifactError("not-finite", pointerOf(path), "A number is not finite.");
      if (Object.is(value, -0)) throw new ArtifactError("negative-zero", pointerOf(path), "Negative zero has no canonical form.");
      if (limits.safeIntegersOnly && !Number.isSafeInteger(value)) {
        throw new ArtifactError("not-safe-integer", pointerOf(path), "Only safe integers are allowed here.");
      }
      return;
    case "object":
      break;
    case "undefined":
    case "bigint":
    case "symbol":
    case "function":
      throw new ArtifactError("unsupported-type", pointerOf(path), `A value of type ${typeof value} has no JSON form.`);
  }
  if (value === null) return;
  if (walk.ancestors.has(value)) throw new ArtifactError("cycle", pointerOf(path), "The value contains itself.");
  walk.ancestors.add(value);
  if (Array.isArray(value)) checkArray(value, path, depth, walk);
  else checkObject(value, path, depth, walk);
  walk.ancestors.delete(value);
}

function checkArray(value: readonly unknown[], path: Path, depth: number, walk: Walk): void {
  if (Object.getPrototypeOf(value) !== Array.prototype) throw new ArtifactError("prototype", pointerOf(path), "Not a plain array.");
  if (value.length > walk.limits.arrayItems) {
    throw new ArtifactError("array-items", pointerOf(path), `An array has more than ${String(walk.limits.arrayItems)} items.`);
  }
  // Own keys must be exactly 0..n-1 and length: sparse arrays and extra properties show here.
  if (Reflect.ownKeys(value).length !== value.length + 1) {
    throw new ArtifactError("property", pointerOf(path), "An array is sparse or has extra properties.");
  }
  for (let index = 0; index < value.length; index += 1) {
    const at = { parent: path, token: index };
    requireDataProperty(value, String(index), at);
    check(value[index], at, depth + 1, walk);
  }
}

function checkObject(value: object, path: Path, depth: number, walk: Walk): void {
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new ArtifactError("prototype", pointerOf(path), "Not a plain object.");
  const keys = Reflect.ownKeys(value);
  if (keys.length > walk.limits.objectKeys) {
    throw new ArtifactError("object-keys", pointerOf(path), `An object has more than ${String(walk.limits.objectKeys)} keys.`);
  }
  for (const key of keys) {
    if (typeof key === "symbol") throw new ArtifactError("property", pointerOf(path), "An object has a symbol key.");
    const at = { parent: path, token: key };
    checkString(key, at, walk);
    check(requireDataProperty(value, key, at), at, depth + 1, walk);
  }
}

function requireDataProperty(holder: object, key: string, path: Path): unknown {
  const descriptor = Reflect.getOwnPropertyDescriptor(holder, key);
  if (descriptor?.enumerable !== true || !("value" in descriptor)) {
    throw new ArtifactError("property", pointerOf(path), "A property is an accessor or not enumerable.");
  }
  return descriptor.value;
}

/** Twice as fast for short texts; missing in the Node 20.9 of the oldest editor that we support. */
const oneShotHash = (crypto as { readonly hash?: (algorithm: string, bytes: Uint8Array) => string }).hash;

function sha256(bytes: Uint8Array): string {
  return oneShotHash === undefined ? crypto.createHash("sha256").update(bytes).digest("hex") : oneShotHash("sha256", bytes);
}

interface WriteOptions {
  readonly depth?: number | undefined;
  readonly omit?: string | undefined;
  readonly parsed?: boolean | undefined;
}

/** One writer with its buffer is kept; null while it is in use, since a proxy in a value could call back into here. */
let spareWriter: CanonicalWriter | null = null;
const spareBufferMaximum = 4 * 1024 * 1024;

/** Writes `value` and hands the writer to `use`, which must not keep its bytes. @throws ArtifactError */
function written<Result>(value: unknown, limits: CanonicalLimits, use: (writer: CanonicalWriter) => Result, options: WriteOptions = {}): Result {
  const { depth = 0, omit, parsed = false } = options;
  const writer = spareWriter ?? new CanonicalWriter(limits, parsed);
  spareWriter = null;
  writer.reset(limits, parsed);
  try {
    writer.write(value, depth, omit);
    if (writer.length > limits.totalBytes) {
      throw new ArtifactError("total-bytes", "", `The canonical text is longer than ${String(limits.totalBytes)} bytes.`);
    }
    return use(writer);
  } catch (error) {
    if (error !== irregular) throw error;
    check(value, null, depth, { limits, nodes: 0, ancestors: new Set() });
    throw new Error("The writer refused what the check accepts.", { cause: error });
  } finally {
    if (writer.capacity <= spareBufferMaximum) spareWriter = writer;
  }
}

const textOf = (writer: CanonicalWriter): string => writer.bytes.toString("utf8");
const digestOf = (writer: CanonicalWriter): string => sha256(writer.bytes);

/**
 * The canonical text of a JSON-like value (spec/lattice.md section 1.1). Canonical files are this text plus one LF.
 * Never mutates or calls into the value (`toJSON`, accessors).
 * @throws ArtifactError when the value has no canonical form or passes a limit.
 */
export function canonicalizeArtifact(value: unknown, options: { readonly dialect?: Dialect } = {}): string {
  return written(value, artifactLimits[options.dialect ?? defaultDialect], textOf);
}

/** What a part of a document takes of the limits that the whole has (section 1.1). */
export interface ArtifactMeasure {
  readonly digest: string;
  /** Values, the part itself included. */
  readonly nodes: number;
  /** Of the canonical text. */
  readonly bytes: number;
}

const measureOf = (writer: CanonicalWriter): ArtifactMeasure => ({ digest: digestOf(writer), nodes: writer.nodes, bytes: writer.length });

/**
 * Digest and size of a value that is part of a larger one. `depth` is its depth in the whole (an item of a top-level array:
 * 1); `omit` names a member of it to leave out; `parsed` promises that it comes from JSON.parse, and saves a third of the time.
 * @throws ArtifactError with a pointer relative to the value
 */
export function measureArtifact(
  value: unknown,
  options: { readonly dialect?: Dialect; readonly depth?: number; readonly omit?: string; readonly parsed?: boolean } = {},
): ArtifactMeasure {
  return written(value, artifactLimits[options.dialect ?? defaultDialect], measureOf, options);
}

/** The limits of section 1.1 that a whole document shares between its parts; D1. */
export function artifactLimitsOf(dialect: Dialect): { readonly nodes: number; readonly arrayItems: number; readonly totalBytes: number } {
  return artifactLimits[dialect];
}

/** Lower-case hex SHA-256 of the canonical UTF-8 bytes, without the LF of the file. @throws ArtifactError */
export function digestArtifact(value: unknown, options: { readonly dialect?: Dialect } = {}): string {
  return written(value, artifactLimits[options.dialect ?? defaultDialect], digestOf);
}

/** All own enumerable members but `field`, which is dropped at the top level only (section 1.2). */
function withoutField(record: object, field: string): Record<string, unknown> {
  const projection: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) if (key !== field) projection[key] = value;
  return projection;
}

/**
 * Digest of a record without its own digest field (section 1.2). Says nothing about the value the field holds now.
 * @throws ArtifactError
 */
export function selfDigest(record: object, digestField: string, options: { readonly dialect?: Dialect } = {}): string {
  return digestArtifact(withoutField(record, digestField), options);
}

/** The second canonicaliser, of todo artifacts (section 1.4). @throws ArtifactError */
export function canonicalizeTodoArtifact(value: unknown): string {
  return written(value, todoLimits, textOf);
}

/** @throws ArtifactError */
export function digestTodoArtifact(value: unknown): string {
  return written(value, todoLimits, digestOf);
}

/** @throws ArtifactError */
export function selfDigestTodo(record: object, digestField: string): string {
  return digestTodoArtifact(withoutField(record, digestField));
}
