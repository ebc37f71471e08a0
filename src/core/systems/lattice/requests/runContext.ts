// Owns: reading from a run directory what a recompile request is judged against, and from which file each value came.
// Bounded reads, never a write; whatever cannot be trusted is left out and said. Leaves to others: judging (recompileRequest.ts,
// applyTime.ts), the full check of a run store (store and events of this system).
import path from "node:path";
import type { Dialect } from "../../../artifact/canonical.js";
import { isDigest, isIdentifier, isPlainObject, isPositiveInteger } from "../../../artifact/syntax.js";
import { nodeFilePort } from "../../../storage/nodeFilePort.js";
import type { ReadPort } from "../../../storage/filePort.js";
import type { PredecessorBundle, RecompileContext, RunFacts, SourcePlace } from "./context.js";
import { readCheckedOutCommit } from "./headCommit.js";
import { readFindingRecords, readQueue, readUsedRequestIds } from "./runRecords.js";
import { isSealed, readJsonFile, type JsonFile } from "./readJsonFile.js";

export interface ContextProblem {
  /** Absolute path. */
  readonly file: string;
  /** One sentence. */
  readonly message: string;
}

export interface RunContext {
  /** Ready for checkRecompileRequest; `run` is always there. */
  readonly context: RecompileContext & { readonly run: RunFacts };
  /** Files that could not be used, so that rules were left out. */
  readonly problems: readonly ContextProblem[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Journals may be beyond what the runtime reads (U1); ours are read as long as they fit in memory comfortably. */
const maxJournalBytes = 64 * 1_048_576;

/** `runDirectory`: absolute path of .lattice/runs/<run-id>. Missing files are facts, not failures. */
export async function readRecompileContext(runDirectory: string, port: ReadPort = nodeFilePort, options: { readonly dialect?: Dialect } = {}): Promise<RunContext> {
  const problems: ContextProblem[] = [];
  const read = async (name: string, maxBytes?: number): Promise<JsonFile> => {
    const file = await readJsonFile(port, path.join(runDirectory, name), maxBytes);
    if (file.kind === "unusable") problems.push({ file: file.file, message: file.message });
    return file;
  };
  const committedEpoch = epochOf(await read("committed-epoch.json"), problems);
  const bundle = committedEpoch === null ? null : bundleOf(await read(`epochs/${String(committedEpoch).padStart(8, "0")}/epoch-bundle.json`), problems, options.dialect);
  const events = eventsOf(await read("events.json", maxJournalBytes), committedEpoch, problems, options.dialect);
  const runId = path.basename(runDirectory);
  const findings = await readFindingRecords(port, runDirectory, runId, options.dialect);
  const run: RunFacts = {
    runId,
    directory: runDirectory,
    committedEpoch,
    frozenEpoch: events.frozen?.epoch ?? null,
    heldFindingDigest: events.hold?.findingDigest ?? null,
    ...findings,
    usedRequestIds: await readUsedRequestIds(port, runDirectory),
    queue: await readQueue(port, runDirectory),
    headCommit: await readCheckedOutCommit(port, path.resolve(runDirectory, "../../..")),
  };
  const context = {
    ...(bundle === null ? {} : { predecessorBundle: bundle.bundle }),
    ...(events.frozen === null ? {} : { frozenEventDigest: events.frozen.digest }),
    ...(events.hold === null ? {} : { holdDecisionDigest: events.hold.digest }),
    sources: {
      ...(bundle === null ? {} : { predecessorBundle: bundle.source }),
      ...(events.frozen === null ? {} : { frozenEvent: events.frozen.source }),
      ...(events.hold === null ? {} : { holdDecision: events.hold.source }),
    },
    run,
  };
  return { context, problems };
}

/** The pointer is the only truth about the current epoch (spec/lattice.md section 3.3). */
function epochOf(file: JsonFile, problems: ContextProblem[]): number | null {
  if (file.kind !== "json") return null;
  const epoch = isPlainObject(file.value) ? file.value["plan_epoch"] : undefined;
  if (isPositiveInteger(epoch)) return epoch;
  problems.push({ file: file.file, message: "Has no plan_epoch." });
  return null;
}

function bundleOf(file: JsonFile, problems: ContextProblem[], dialect: Dialect | undefined): { readonly bundle: PredecessorBundle; readonly source: SourcePlace } | null {
  if (file.kind !== "json") {
    if (file.kind === "missing") problems.push({ file: file.file, message: "The bundle of the committed epoch is missing." });
    return null;
  }
  const { value } = file;
  if (!isPlainObject(value) || !isSealed(value, "bundle_digest", dialect)) {
    problems.push({ file: file.file, message: "The bundle is not what its digest says; what it binds was left out." });
    return null;
  }
  const { plan_epoch: epoch, plan, request } = value;
  const nodes: unknown = isPlainObject(plan) ? plan["nodes"] : undefined;
  const areNodes = Array.isArray(nodes) && nodes.every((node): node is { todo_id: string } => isPlainObject(node) && isIdentifier(node["todo_id"]));
  if (!isPositiveInteger(epoch) || !areNodes || !isPlainObject(request)) {
    problems.push({ file: file.file, message: "The bundle lacks plan_epoch, plan or request." });
    return null;
  }
  return { bundle: { plan_epoch: epoch, plan: { nodes }, request }, source: { file: file.file, pointer: "" } };
}

interface EventFacts {
  readonly frozen: { readonly digest: string; readonly epoch: number; readonly source: SourcePlace } | null;
  readonly hold: { readonly digest: string; readonly findingDigest: string | null; readonly source: SourcePlace } | null;
}

function eventsOf(file: JsonFile, committedEpoch: number | null, problems: ContextProblem[], dialect: Dialect | undefined): EventFacts {
  const none: EventFacts = { frozen: null, hold: null };
  if (file.kind !== "json") return none;
  const { value } = file;
  if (!Array.isArray(value)) {
    problems.push({ file: file.file, message: "Is not a list of events." });
    return none;
  }
  const last = (accepts: (event: Fields) => boolean): { readonly event: Fields; readonly index: number } | null => {
    const index = value.findLastIndex((event) => isPlainObject(event) && accepts(event));
    const event: unknown = value[index];
    if (!isPlainObject(event)) return null;
    if (isSealed(event, "event_digest", dialect)) return { event, index };
    problems.push({ file: file.file, message: `Event ${index + 1} (${String(event["kind"])}) is not what its digest says; what it binds was left out.` });
    return null;
  };
  const frozen = last((event) => event["kind"] === "intake_frozen");
  const hold = last((event) => event["kind"] === "hold_decided" && (committedEpoch === null || event["plan_epoch"] === committedEpoch));
  const decision = isPlainObject(hold?.event["payload"]) ? hold.event["payload"] : {};
  const finding = isPlainObject(decision["finding"]) ? decision["finding"]["finding_digest"] : undefined;
  const frozenDigest = frozen?.event["event_digest"];
  const frozenEpoch = frozen?.event["plan_epoch"];
  return {
    frozen: frozen === null || !isDigest(frozenDigest) ? null : { digest: frozenDigest, epoch: typeof frozenEpoch === "number" ? frozenEpoch : 0, source: { file: file.file, pointer: `/${frozen.index}` } },
    hold: hold === null || !isDigest(decision["decision_digest"]) ? null : { digest: decision["decision_digest"], findingDigest: isDigest(finding) ? finding : null, source: { file: file.file, pointer: `/${hold.index}` } },
  };
}
