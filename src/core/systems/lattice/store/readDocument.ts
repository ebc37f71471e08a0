// Owns: one JSON file of a run directory: read with bounds, parsed, judged, its encoding looked at.
// Leaves to others: where the files lie (runLayout.ts), what they say together (runtimeAnswer.ts, problems/).
import { canonicalizeArtifact, ArtifactError, type Dialect } from "../../../artifact/canonical.js";
import { readBounded } from "../../../storage/readBounded.js";
import type { ReadPort } from "../../../storage/filePort.js";
import { checkAs } from "../artifacts/checkArtifact.js";
import type { ArtifactDefinition } from "../artifacts/artifactDefinition.js";
import { isAccepted, type Finding } from "../finding.js";

/** Why a file is no JSON. */
export type NotJson = "empty" | "zero-filled" | "not-utf8" | "byte-order-mark" | "torn" | "syntax";

/** Why bytes could not be had. `detail`: a type, a size or an errno. */
export interface Unreadable {
  readonly kind: "unreadable";
  readonly path: string;
  readonly code: "not-regular" | "too-large" | "changing" | "errno";
  readonly detail: string;
}

export interface FileFacts {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

export type ParsedFile =
  | { readonly kind: "missing"; readonly path: string }
  | Unreadable
  | { readonly kind: "not-json"; readonly path: string; readonly why: NotJson; readonly file: FileFacts }
  | { readonly kind: "parsed"; readonly path: string; readonly value: unknown; readonly bytes: Uint8Array; readonly file: FileFacts };

/** A file and what the validator of its schema says. `value` of an accepted one has the type of its schema. */
export type StoredDocument<T> =
  | Exclude<ParsedFile, { kind: "parsed" }>
  | { readonly kind: "accepted"; readonly path: string; readonly value: T; readonly isCanonical: boolean; readonly findings: readonly Finding[]; readonly file: FileFacts }
  | { readonly kind: "rejected"; readonly path: string; readonly value: unknown; readonly isCanonical: boolean; readonly findings: readonly Finding[]; readonly file: FileFacts };

/** What the runtime reads of one file at most (spec/lattice.md section 3.2). */
export const runtimeMaxBytes = 8_388_608;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads and parses. Follows no link, hangs on nothing, reads no more than `maxBytes`. Kernel answers are results. */
export async function readParsed(port: ReadPort, path: string, maxBytes: number): Promise<ParsedFile> {
  const read = await readBounded(port, path, { maxBytes });
  const unreadable = (code: Unreadable["code"], detail: string): Unreadable => ({ kind: "unreadable", path, code, detail });
  switch (read.kind) {
    case "missing":
      return { kind: "missing", path };
    case "not-regular":
      return unreadable("not-regular", read.type);
    case "too-large":
      return unreadable("too-large", String(read.size));
    case "changed-while-read":
      return unreadable("changing", "");
    case "unreadable":
      return unreadable("errno", read.code);
    case "read": {
      const file: FileFacts = { size: read.bytes.byteLength, modifiedAt: Number(read.stat.mtimeNs / 1_000_000n) };
      const parsed = parse(read.bytes);
      return "why" in parsed ? { kind: "not-json", path, why: parsed.why, file } : { kind: "parsed", path, value: parsed.value, bytes: read.bytes, file };
    }
  }
}

function parse(bytes: Uint8Array): { readonly value: unknown } | { readonly why: NotJson } {
  if (bytes.byteLength === 0) return { why: "empty" };
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return { why: "not-utf8" };
    throw error;
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { why: whyNotJson(text) };
  }
}

function whyNotJson(text: string): NotJson {
  if (text.startsWith("\uFEFF")) return "byte-order-mark";
  if (/^\0+$/.test(text)) return "zero-filled";
  // Every file of the runtime ends with the bracket it began with, and a line feed: what does not was cut off.
  const [first] = text;
  const end = text.trimEnd().at(-1);
  const isWhole = (first === "{" && end === "}") || (first === "[" && end === "]");
  return (first === "{" || first === "[") && !isWhole ? "torn" : "syntax";
}

/** Whether the bytes are the canonical text and a line feed, as the readers of some files demand (section 3.2). */
export function isCanonicalFile(value: unknown, bytes: Uint8Array, dialect: Dialect): boolean {
  try {
    return Buffer.from(`${canonicalizeArtifact(value, { dialect })}\n`, "utf8").equals(bytes);
  } catch (error) {
    if (ArtifactError.is(error)) return false;
    throw error;
  }
}

/** Judges what was read. */
export function judgeDocument<T>(file: ParsedFile, definition: ArtifactDefinition<T>, dialect: Dialect): StoredDocument<T> {
  return judgeWith(file, (value) => checkAs(definition, value, dialect), dialect);
}

/** As judgeDocument, with a validator of another family. */
export function judgeWith<T>(file: ParsedFile, check: (value: unknown) => readonly Finding[], dialect: Dialect): StoredDocument<T> {
  if (file.kind !== "parsed") return file;
  const { path, value, bytes } = file;
  const findings = check(value);
  const rest = { path, isCanonical: isCanonicalFile(value, bytes, dialect), findings, file: file.file };
  return isAccepted(findings) ? { kind: "accepted", value: value as T, ...rest } : { kind: "rejected", value, ...rest };
}

/** The value of an accepted document, else null. */
export function acceptedValue<T>(document: StoredDocument<T> | null): T | null {
  return document?.kind === "accepted" ? document.value : null;
}
