// Owns: the bytes of a claim as evidence: their SHA-256, read with bounds and without following links.
// Leaves to others: which hash is expected.
import { createHash } from "node:crypto";
import type { FileStat, ReadPort } from "../storage/filePort.js";
import { readBounded } from "../storage/readBounded.js";

export type ContentHash =
  | { readonly kind: "hash"; readonly sha256: string }
  /** Directories, symlinks and the like have no bytes of their own. */
  | { readonly kind: "none" }
  | { readonly kind: "changed" }
  /** `code`: the errno. */
  | { readonly kind: "unreadable"; readonly code: string };

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads exactly the bytes that `stat` announces. */
export async function hashContent(port: ReadPort, path: string, stat: FileStat): Promise<ContentHash> {
  if (stat.type !== "file") return { kind: "none" };
  const read = await readBounded(port, path, { maxBytes: Number(stat.size) });
  switch (read.kind) {
    case "read":
      return { kind: "hash", sha256: sha256Of(read.bytes) };
    case "unreadable":
      return { kind: "unreadable", code: read.code };
    case "missing":
    case "not-regular":
    case "too-large":
    case "changed-while-read":
      return { kind: "changed" };
  }
}
