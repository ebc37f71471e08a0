// Owns: what the record files of a run directory say for the rules of apply time: findings, used request ids, the queue.
// Leaves to others: pointer, bundle and events (runContext.ts).
import path from "node:path";
import type { Dialect } from "../../../artifact/canonical.js";
import { isIdentifier, isPlainObject, isPositiveInteger } from "../../../artifact/syntax.js";
import { errnoOf } from "../../../storage/errno.js";
import type { ReadPort } from "../../../storage/filePort.js";
import type { RecordedFinding, RunFacts } from "./context.js";
import { isSealed, readJsonFile } from "./readJsonFile.js";

/** More records than a run of 256 todos can have in one epoch; a directory beyond that is looked at no further. */
const maxRecords = 4096;

/** Names in a directory; none when there is no such directory. */
async function names(port: ReadPort, directory: string): Promise<readonly string[]> {
  try {
    return (await port.readdir(directory)).map(({ name }) => name).sort().slice(0, maxRecords);
  } catch (error) {
    // A directory that cannot be listed says nothing; which rules that leaves undecided shows in their findings.
    if (errnoOf(error) !== null) return [];
    throw error;
  }
}

/** findings/<digest>.json (spec/lattice.md section 2.9). */
export async function readFindingRecords(port: ReadPort, runDirectory: string, runId: string, dialect: Dialect | undefined): Promise<Pick<RunFacts, "findings" | "brokenFindings">> {
  const findings = new Map<string, RecordedFinding>();
  const brokenFindings = new Map<string, { readonly source: { readonly file: string; readonly pointer: string }; readonly reason: string }>();
  const directory = path.join(runDirectory, "findings");
  for (const name of await names(port, directory)) {
    const digest = /^([0-9a-f]{64})\.json$/.exec(name)?.[1];
    if (digest === undefined) continue;
    const file = await readJsonFile(port, path.join(directory, name));
    if (file.kind === "missing") continue;
    const finding = file.kind === "json" ? findingOf(file.value, digest, runId, file.file, dialect) : file.message;
    if (typeof finding === "string") brokenFindings.set(digest, { source: { file: file.file, pointer: "" }, reason: finding });
    else findings.set(digest, finding);
  }
  return { findings, brokenFindings };
}

/** The finding, or why the record cannot be used. */
function findingOf(value: unknown, digest: string, runId: string, file: string, dialect: Dialect | undefined): RecordedFinding | string {
  if (!isPlainObject(value) || value["schema"] !== "lattice.runtime_finding_record.v1") return "It is no lattice.runtime_finding_record.v1.";
  if (value["finding_digest"] !== digest || !isSealed(value, "finding_digest", dialect)) return "It is not what its digest says.";
  if (value["run_id"] !== runId) return "It belongs to another run.";
  const { plan_epoch: epoch, finding } = value;
  if (!isPositiveInteger(epoch) || !isPlainObject(finding)) return "It lacks plan_epoch or finding.";
  const { todo_ids: todoIds, path: place, resource_id: resourceId } = finding;
  if (!Array.isArray(todoIds) || !todoIds.every(isIdentifier)) return "Its todo_ids are no list of identifiers.";
  return { digest, epoch, todoIds, path: typeof place === "string" ? place : null, resourceId: typeof resourceId === "string" ? resourceId : null, source: { file, pointer: "" } };
}

/** Transaction ids of staged and committed successors, with the request each was for. */
export async function readUsedRequestIds(port: ReadPort, runDirectory: string): Promise<RunFacts["usedRequestIds"]> {
  const used = new Map<string, { readonly requestDigest: string | null; readonly source: { readonly file: string; readonly pointer: string } }>();
  const note = async (id: string, bundleFile: string): Promise<void> => {
    const file = await readJsonFile(port, bundleFile);
    const request = file.kind === "json" && isPlainObject(file.value) ? file.value["request"] : undefined;
    const digest = isPlainObject(request) ? request["request_digest"] : undefined;
    used.set(id, { requestDigest: typeof digest === "string" ? digest : null, source: { file: file.file, pointer: "/request/request_digest" } });
  };
  for (const name of await names(port, path.join(runDirectory, "staging"))) await note(name, path.join(runDirectory, "staging", name, "epoch-bundle.json"));
  for (const name of await names(port, path.join(runDirectory, "epochs"))) {
    const prepare = await readJsonFile(port, path.join(runDirectory, "epochs", name, "prepare.json"));
    const id = prepare.kind === "json" && isPlainObject(prepare.value) ? prepare.value["transaction_id"] : undefined;
    if (typeof id === "string") await note(id, path.join(runDirectory, "epochs", name, "epoch-bundle.json"));
  }
  return used;
}

export async function readQueue(port: ReadPort, runDirectory: string): Promise<RunFacts["queue"]> {
  const file = await readJsonFile(port, path.join(runDirectory, "queued-events.json"));
  const entries = file.kind === "json" && isPlainObject(file.value) ? file.value["entries"] : undefined;
  if (!Array.isArray(entries)) return null;
  const head: unknown = entries[0];
  const headDigests = isPlainObject(head) ? [head["subject_digest"], head["artifact_digest"]].filter((digest) => typeof digest === "string") : [];
  return { length: entries.length, headDigests, source: { file: file.file, pointer: "/entries" } };
}
