// Owns: reading one JSON file of a run directory, and whether a record in it is what its digest says. Anything else than a
// small regular file of JSON is said, not thrown.
import { ArtifactError, selfDigest, type Dialect } from "../../../artifact/canonical.js";
import { readBounded } from "../../../storage/readBounded.js";
import type { ReadPort } from "../../../storage/filePort.js";
import { maxFileBytes } from "./decode.js";

export type JsonFile =
  | { readonly kind: "json"; readonly file: string; readonly value: unknown }
  | { readonly kind: "missing"; readonly file: string }
  | { readonly kind: "unusable"; readonly file: string; readonly message: string };

/** Default limit: what the runtime reads. */
export async function readJsonFile(port: ReadPort, file: string, maxBytes: number = maxFileBytes): Promise<JsonFile> {
  const outcome = await readBounded(port, file, { maxBytes });
  const unusable = (message: string): JsonFile => ({ kind: "unusable", file, message });
  switch (outcome.kind) {
    case "missing":
      return { kind: "missing", file };
    case "not-regular":
      return unusable(`Is a ${outcome.type}, not a regular file.`);
    case "too-large":
      return unusable(`Has ${outcome.size} bytes; at most ${maxBytes} are read.`);
    case "changed-while-read":
      return unusable("Changed while it was read.");
    case "unreadable":
      return unusable(`Cannot be read (${outcome.code}).`);
    case "read":
      try {
        return { kind: "json", file, value: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(outcome.bytes)) as unknown };
      } catch (error) {
        if (error instanceof SyntaxError || error instanceof TypeError) return unusable("Is not JSON.");
        throw error;
      }
  }
}

/** Whether a record is what its own digest says (spec/lattice.md section 1.2). */
export function isSealed(record: Readonly<Record<string, unknown>>, field: string, dialect: Dialect | undefined): boolean {
  try {
    return record[field] === selfDigest(record, field, dialect === undefined ? {} : { dialect });
  } catch (error) {
    if (ArtifactError.is(error)) return false;
    throw error;
  }
}
