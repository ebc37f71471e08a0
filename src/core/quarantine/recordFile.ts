// Owns: the record's file: reading it with bounds, writing it so that it is never torn.
// Leaves to others: what a record says (quarantineRecord.ts) and when it is written.
import { basename } from "node:path";
import { replaceDurable } from "../storage/createSteps.js";
import { syncDirectory } from "../storage/directorySteps.js";
import { answerOr, errnoError } from "../storage/errno.js";
import type { ReadPort } from "../storage/filePort.js";
import { readBounded } from "../storage/readBounded.js";
import type { ItemPaths } from "./itemPaths.js";
import { temporaryName } from "./latticeLayout.js";
import type { QuarantineRecord, UnreadableReason } from "./quarantineEntry.js";
import { parseRecord, recordBytes } from "./quarantineRecord.js";
import type { Session } from "./session.js";

const recordMaxBytes = 1_048_577;

export type RecordRead =
  | { readonly kind: "record"; readonly record: QuarantineRecord }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly reason: UnreadableReason; readonly detail: string | null };

export async function readRecord(port: ReadPort, path: string): Promise<RecordRead> {
  const read = await readBounded(port, path, { maxBytes: recordMaxBytes });
  switch (read.kind) {
    case "missing":
      return { kind: "missing" };
    case "not-regular":
      return { kind: "unreadable", reason: "record-not-regular", detail: read.type };
    case "too-large":
      return { kind: "unreadable", reason: "record-too-large", detail: read.size.toString() };
    case "changed-while-read":
      return { kind: "unreadable", reason: "unreadable-record", detail: read.kind };
    case "unreadable":
      return { kind: "unreadable", reason: "unreadable-record", detail: read.code };
    case "read":
      break;
  }
  const parsed = parseRecord(read.bytes);
  if (parsed.kind === "record") return parsed;
  return { kind: "unreadable", reason: `record-${parsed.kind}`, detail: parsed.diagnostic };
}

/** Writes or replaces a record of ours. @throws the errno error of the step that failed; the old record, if any, then stands or the new one does. */
export async function writeRecord(session: Session, path: string, record: QuarantineRecord): Promise<void> {
  const { port, platform, clock, random } = session;
  const options = { mode: 0o600, platform, clock, temporary: temporaryName(path, random.uuid()) };
  const replaced = await replaceDurable(port, path, recordBytes(record), options);
  if (replaced.kind === "not-regular") throw errnoError("EEXIST", "rename", path);
}

/** False when it could not be written: the move has happened, so this is a warning and never a failure. */
export async function completeRecord(session: Session, path: string, record: QuarantineRecord): Promise<boolean> {
  return await answerOr(false, async () => {
    await writeRecord(session, path, record);
    return true;
  });
}

/**
 * Removes the record of something that never happened. False when it is still there. The directory itself is asked whether item
 * and second link are really gone: an lstat that wrongly said so once (a file server's bad moment) must not orphan them.
 */
export async function forgetRecord(session: Session, paths: ItemPaths): Promise<boolean> {
  const { port, platform } = session;
  return await answerOr(false, async () => {
    const names = (await port.readdir(paths.directory)).map((entry) => entry.name);
    if (names.includes(paths.name) || names.includes(basename(paths.frozen))) return false;
    if (!names.includes(basename(paths.record))) return true;
    await port.unlink(paths.record);
    await syncDirectory(port, paths.directory, { platform });
    return true;
  });
}
