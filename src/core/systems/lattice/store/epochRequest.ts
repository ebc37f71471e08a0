// Owns: the run request that an epoch was planned from, as its bundle holds it.
// Leaves to others: whether the bundle can be trusted (inspectRun.ts), comparing two of them (the shell).
import { isPlainObject } from "../../../artifact/syntax.js";
import type { ReadPort } from "../../../storage/filePort.js";
import { nodeFilePort } from "../../../storage/nodeFilePort.js";
import { readParsed, runtimeMaxBytes } from "./readDocument.js";
import type { EpochDetail } from "./runDetail.js";

export type EpochRequest =
  | { readonly kind: "request"; readonly request: Readonly<Record<string, unknown>> }
  /** `reason`: a stable code of what the bundle is instead. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Reads the bundle anew and judges nothing but its form (spec/lattice.md section 2.9). Never writes, follows no link. */
export async function readEpochRequest({ bundlePath }: Pick<EpochDetail, "bundlePath">, options: { readonly port?: ReadPort } = {}): Promise<EpochRequest> {
  const file = await readParsed(options.port ?? nodeFilePort, bundlePath, runtimeMaxBytes);
  if (file.kind !== "parsed") return { kind: "unreadable", reason: file.kind };
  const request = isPlainObject(file.value) ? file.value["request"] : null;
  return isPlainObject(request) ? { kind: "request", request } : { kind: "unreadable", reason: "no-request" };
}
