// Owns: which artifact of a run directory has a digest. Reads only JSON files that the runtime writes, bounded; never the
// session secret. Leaves to others: why somebody asks.
import path from "node:path";
import { pointerTo, selfDigest, ArtifactError } from "../../../core/artifact/canonical.js";
import { isDigest, isPlainObject } from "../../../core/artifact/syntax.js";
import { indexText } from "../../../core/systems/lattice/requests/jsonIndex.js";
import { errnoOf } from "../../../core/storage/errno.js";
import { nodeFilePort } from "../../../core/storage/nodeFilePort.js";
import { readBounded } from "../../../core/storage/readBounded.js";
import { LinePositions } from "../../../shared/linePositions.js";
import type { ArtifactFact } from "../protocol.js";
import { shownRange } from "./shownRange.js";

/** Where the runtime keeps artifacts (spec/lattice.md section 3.1), deepest first where one contains the other. */
const directories = ["findings", "epochs", "staging", "", "supervisor", "supervisor/gate-commits", "supervisor/gate-receipts"];
const withSubdirectories = new Set(["epochs", "staging"]);

const maxFiles = 512;
const maxBytes = 8_388_608;

/** The artifacts that have `digest` as their own come first, and alone when there are any. Nothing for an unusable directory. */
export async function findDigest(runDirectory: string, digest: string): Promise<readonly ArtifactFact[]> {
  if (!isDigest(digest)) return [];
  const found: ArtifactFact[] = [];
  for (const file of await filesOf(runDirectory)) found.push(...(await inFile(file, digest)));
  const own = found.filter(({ isOwn }) => isOwn);
  return own.length > 0 ? own : found;
}

async function filesOf(runDirectory: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const name of directories) {
    const directory = path.join(runDirectory, name);
    files.push(...(await jsonFiles(directory)));
    if (withSubdirectories.has(name)) for (const inner of await entries(directory)) files.push(...(await jsonFiles(path.join(directory, inner))));
  }
  return files.slice(0, maxFiles);
}

async function jsonFiles(directory: string): Promise<readonly string[]> {
  return (await entries(directory)).filter((name) => name.endsWith(".json")).map((name) => path.join(directory, name));
}

async function entries(directory: string): Promise<readonly string[]> {
  try {
    return (await nodeFilePort.readdir(directory)).map(({ name }) => name).sort();
  } catch (error) {
    if (errnoOf(error) !== null) return [];
    throw error;
  }
}

async function inFile(file: string, digest: string): Promise<readonly ArtifactFact[]> {
  const outcome = await readBounded(nodeFilePort, file, { maxBytes });
  if (outcome.kind !== "read" || !Buffer.from(outcome.bytes.buffer, outcome.bytes.byteOffset, outcome.bytes.byteLength).includes(digest)) return [];
  const text = new TextDecoder("utf-8").decode(outcome.bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const holders = holdersOf(value, digest);
  const { places } = indexText(text, 0, { pointers: holders.map(({ pointer }) => pointer) });
  const lines = new LinePositions(text);
  return holders.map(({ pointer, name, isOwn }) => {
    const place = places.get(pointer)?.value;
    return { file, name, isOwn, place: place === undefined ? null : lines.range(shownRange(place, text)) };
  });
}

interface Holder {
  /** Of the object that has the digest as its own, or of the member that mentions it. */
  readonly pointer: string;
  readonly name: string;
  readonly isOwn: boolean;
}

function holdersOf(root: unknown, digest: string): readonly Holder[] {
  const found: Holder[] = [];
  // A stack of our own: a file may be as deep as it likes.
  const open: (readonly [value: unknown, pointer: string])[] = [[root, ""]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, pointer] = next;
    if (Array.isArray(value)) open.push(...value.map((item, index) => [item as unknown, pointerTo(pointer, index)] as const).reverse());
    else if (isPlainObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (member !== digest) continue;
        const isOwn = isSelfDigest(value, name, digest);
        const { schema } = value;
        found.push(isOwn ? { pointer, name: typeof schema === "string" ? schema : name, isOwn } : { pointer: pointerTo(pointer, name), name, isOwn });
      }
      open.push(...Object.entries(value).map(([name, member]) => [member, pointerTo(pointer, name)] as const).reverse());
    }
  }
  return found;
}

function isSelfDigest(holder: Record<string, unknown>, field: string, digest: string): boolean {
  try {
    return selfDigest(holder, field, { dialect: "0.50" }) === digest;
  } catch (error) {
    if (ArtifactError.is(error)) return false;
    throw error;
  }
}
