// Owns: everything in a run directory that is the runtime's, read once: documents parsed and judged, directories listed.
// Leaves to others: what it means (runtimeAnswer.ts, statusWord.ts, problems/). Never opens `supervisor/session`.
import { join, posix } from "node:path";
import { defaultDialect, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import type { ReadPort } from "../../../storage/filePort.js";
import type { ArtifactDefinition } from "../artifacts/artifactDefinition.js";
import { findingRecord, type FindingRecord } from "../artifacts/conflictFinding.js";
import { detectDialect, type DetectedDialect } from "../artifacts/detectDialect.js";
import {
  committedEpochPointer,
  epochBundle,
  epochPrepare,
  releaseEpochBarrier,
  runMetaV1,
  runMetaV2,
  type CommittedEpochPointer,
  type EpochBundle,
  type EpochPrepare,
  type ReleaseEpochBarrier,
  type RunMeta,
} from "../artifacts/epochs.js";
import {
  activationTransaction,
  controlOperationReceipt,
  controlRequestLedger,
  eventBatchReceipt,
  eventQueue,
  holdResult,
  pendingRecompile,
  type ActivationTransaction,
  type ControlOperationReceipt,
  type ControlRequestLedger,
  type EventBatchReceipt,
  type EventQueue,
  type HoldResult,
  type PendingRecompile,
} from "../artifacts/journals.js";
import { planCompileResult, type PlanCompileResult } from "../artifacts/planning.js";
import {
  activePointer,
  controllerDescriptor,
  controllerRegistration,
  gateCommitBundle,
  gateCommitReceipt,
  isCandidateRef,
  supervisorDescriptor,
  writeGate,
  type ActivePointer,
  type ControllerDescriptor,
  type ControllerRegistration,
  type GateCommitBundle,
  type GateCommitReceipt,
  type SupervisorDescriptor,
  type WriteGate,
} from "../artifacts/supervisor.js";
import { checkRunRequest } from "../requests/runRequest.js";
import { entriesOf, listRunDirectories, type RunListings } from "./listDirectories.js";
import { judgeDocument, judgeWith, readParsed, runtimeMaxBytes, type ParsedFile, type StoredDocument } from "./readDocument.js";
import { batchPattern, epochPattern, findingPattern, gateBundlePattern, gateReceiptPattern, runFiles } from "./runLayout.js";

type JsonObject = Readonly<Record<string, unknown>>;

/** A document whose file or directory is named by something that must agree with it. */
export interface Named<T> {
  /** The part of the name that means something: a digest, an epoch, a generation, an id. */
  readonly name: string;
  readonly document: StoredDocument<T>;
}

export interface LoadedEpoch {
  /** `00000002` or the id of a staged transaction. */
  readonly name: string;
  readonly directory: string;
  readonly bundle: StoredDocument<EpochBundle>;
  readonly prepare: StoredDocument<EpochPrepare>;
}

export interface LoadedController {
  readonly name: string;
  readonly descriptor: StoredDocument<ControllerDescriptor>;
  readonly registration: StoredDocument<ControllerRegistration>;
}

export interface LoadedRun {
  readonly directory: string;
  readonly dialect: Dialect;
  readonly detected: DetectedDialect;
  readonly listings: RunListings;
  readonly request: StoredDocument<JsonObject>;
  readonly compileResult: StoredDocument<PlanCompileResult>;
  readonly meta: StoredDocument<RunMeta>;
  /** Parsed only: a chain has a verifier of its own. */
  readonly events: ParsedFile;
  readonly pointer: StoredDocument<CommittedEpochPointer>;
  readonly release: StoredDocument<ReleaseEpochBarrier>;
  /** By name, ascending. */
  readonly epochs: readonly LoadedEpoch[];
  readonly staging: readonly LoadedEpoch[];
  readonly findings: readonly Named<FindingRecord>[];
  readonly activePointer: StoredDocument<ActivePointer>;
  readonly supervisor: StoredDocument<SupervisorDescriptor>;
  readonly controlEvents: ParsedFile;
  readonly gate: StoredDocument<WriteGate>;
  readonly gateBundles: readonly Named<GateCommitBundle>[];
  readonly gateReceipts: readonly Named<GateCommitReceipt>[];
  readonly controllers: readonly LoadedController[];
  readonly ledger: StoredDocument<ControlRequestLedger>;
  readonly holdResult: StoredDocument<HoldResult>;
  readonly holdReceipt: StoredDocument<ControlOperationReceipt>;
  readonly pendingRecompile: StoredDocument<PendingRecompile>;
  readonly transaction: StoredDocument<ActivationTransaction>;
  readonly queue: StoredDocument<EventQueue>;
  readonly batches: readonly Named<EventBatchReceipt>[];
}

/** Journals grow beyond what the runtime reads; ours is a bound on memory only. */
export const journalMaxBytes = 67_108_864;

export interface LoadOptions {
  /** Null: as the documents show, else the default. */
  readonly dialect: Dialect | null;
  readonly signal: AbortSignal | undefined;
}

/** Reads a run directory. Kernel answers and broken files are part of the result. @throws the reason of an aborted signal */
export async function loadRun(port: ReadPort, directory: string, options: LoadOptions): Promise<LoadedRun> {
  const listings = await listRunDirectories(port, directory);
  const files = await readAll(port, directory, listings, options.signal);
  const parsed = [...files.values()].flatMap((file) => (file.kind === "parsed" ? [file.value] : []));
  const detected = detectDialect(...parsed);
  const loadAs = (dialect: Dialect): LoadedRun => new Loader(directory, listings, files, dialect).load(detected);
  const known = options.dialect ?? detected.dialect;
  if (known !== null) return loadAs(known);
  // Nothing tells: what one of the two accepts is not reported as wrong (section 0).
  const asDefault = loadAs(defaultDialect);
  const rejected = rejectedCount(asDefault);
  if (rejected === 0) return asDefault;
  const asOther = loadAs("0.12");
  return rejectedCount(asOther) < rejected ? asOther : asDefault;
}

function rejectedCount(run: LoadedRun): number {
  return documentsOf(run).filter(({ kind }) => kind === "rejected").length;
}

/** Every document of a run, in the order in which a person would read them. */
export function documentsOf(run: LoadedRun): readonly StoredDocument<unknown>[] {
  const bundles = [...run.epochs, ...run.staging].flatMap(({ bundle, prepare }) => [bundle, prepare]);
  const named = [...run.findings, ...run.gateBundles, ...run.gateReceipts, ...run.batches].map(({ document }) => document);
  const controllers = run.controllers.flatMap(({ descriptor, registration }) => [descriptor, registration]);
  const { request, compileResult, meta, pointer, release, activePointer, supervisor, gate, ledger, holdResult, holdReceipt, pendingRecompile, transaction, queue } = run;
  return [request, compileResult, meta, pointer, release, ...bundles, activePointer, supervisor, gate, ...controllers, ledger, holdResult, holdReceipt, pendingRecompile, transaction, queue, ...named];
}

async function readAll(port: ReadPort, directory: string, listings: RunListings, signal: AbortSignal | undefined): Promise<ReadonlyMap<string, ParsedFile>> {
  const files = new Map<string, ParsedFile>();
  const read = async (name: string, maxBytes = runtimeMaxBytes): Promise<void> => {
    signal?.throwIfAborted();
    const path = join(directory, name);
    files.set(name, unreachable(listings, name, path) ?? (await readParsed(port, path, maxBytes)));
  };
  for (const name of Object.values(runFiles)) await read(name, name === runFiles.events || name === runFiles.controlEvents ? journalMaxBytes : runtimeMaxBytes);
  for (const name of ["supervisor/descriptor.json", "supervisor/write-gate.json", "supervisor/active-runtime.json"]) await read(name);
  for (const { name } of entriesOf(listings, "")) if (batchPattern.test(name)) await read(name);
  for (const { name } of entriesOf(listings, "findings")) if (findingPattern.test(name)) await read(`findings/${name}`);
  for (const parent of ["epochs", "staging"]) {
    for (const { name, type } of entriesOf(listings, parent)) {
      if (type !== "directory" || (parent === "epochs" && !epochPattern.test(name))) continue;
      await read(`${parent}/${name}/epoch-bundle.json`);
      await read(`${parent}/${name}/prepare.json`);
    }
  }
  for (const { name, type } of entriesOf(listings, "controllers")) {
    if (type !== "directory") continue;
    await read(`controllers/${name}/descriptor.json`);
    await read(`controllers/${name}/registration.json`);
  }
  for (const { name } of entriesOf(listings, "supervisor/gate-commits")) if (gateBundlePattern.test(name)) await read(`supervisor/gate-commits/${name}`);
  for (const { name } of entriesOf(listings, "supervisor/gate-receipts")) if (gateReceiptPattern.test(name)) await read(`supervisor/gate-receipts/${name}`);
  const candidate = candidateOf(files.get("supervisor/active-runtime.json"));
  if (candidate !== null) {
    await read(`${candidate}/descriptor.json`);
    await read(`${candidate}/${runFiles.controlEvents}`, journalMaxBytes);
  }
  return files;
}

/** A file below something that is no real directory is not read: the way to it may lead out of the store. */
function unreachable(listings: RunListings, name: string, path: string): ParsedFile | null {
  const listing = listings.get(name.includes("/") ? posix.dirname(name) : "");
  if (listing?.kind === "listed") return null;
  if (listing?.kind === "not-directory") return { kind: "unreadable", path, code: "not-regular", detail: listing.type };
  if (listing?.kind === "unreadable") return { kind: "unreadable", path, code: "errno", detail: listing.code };
  return { kind: "missing", path };
}

/** After a restart the descriptor and the control journal are in the directory that the active pointer names. */
function candidateOf(pointer: ParsedFile | undefined): string | null {
  const ref = pointer?.kind === "parsed" && isPlainObject(pointer.value) ? pointer.value["candidate_ref"] : null;
  return isCandidateRef(ref) ? ref : null;
}

class Loader {
  constructor(
    readonly directory: string,
    readonly listings: RunListings,
    readonly files: ReadonlyMap<string, ParsedFile>,
    readonly dialect: Dialect,
  ) {}

  load(detected: DetectedDialect): LoadedRun {
    const { directory, dialect, listings } = this;
    const candidate = candidateOf(this.files.get("supervisor/active-runtime.json"));
    const meta = this.#file(runFiles.meta);
    const isFirstMeta = meta.kind === "parsed" && isPlainObject(meta.value) && meta.value["schema"] === "lattice.run_meta.v1";
    return {
      directory,
      dialect,
      detected,
      listings,
      request: judgeWith(this.#file(runFiles.request), (value) => checkRunRequest(value, { dialect }), dialect),
      compileResult: this.#judge(runFiles.compileResult, planCompileResult),
      meta: judgeDocument<RunMeta>(meta, (isFirstMeta ? runMetaV1 : runMetaV2) as ArtifactDefinition<RunMeta>, dialect),
      events: this.#file(runFiles.events),
      pointer: this.#judge(runFiles.pointer, committedEpochPointer),
      release: this.#judge(runFiles.release, releaseEpochBarrier),
      epochs: this.#epochs("epochs").filter(({ name }) => epochPattern.test(name)),
      staging: this.#epochs("staging"),
      findings: this.#named("findings/", "findings", findingPattern, findingRecord),
      activePointer: this.#judge("supervisor/active-runtime.json", activePointer),
      supervisor: this.#judge(`${candidate ?? "supervisor"}/descriptor.json`, supervisorDescriptor),
      controlEvents: this.#file(candidate === null ? runFiles.controlEvents : `${candidate}/${runFiles.controlEvents}`),
      gate: this.#judge("supervisor/write-gate.json", writeGate),
      gateBundles: this.#named("supervisor/gate-commits/", "supervisor/gate-commits", gateBundlePattern, gateCommitBundle),
      gateReceipts: this.#named("supervisor/gate-receipts/", "supervisor/gate-receipts", gateReceiptPattern, gateCommitReceipt),
      controllers: this.#directories("controllers").map((name) => ({
        name,
        descriptor: this.#judge(`controllers/${name}/descriptor.json`, controllerDescriptor),
        registration: this.#judge(`controllers/${name}/registration.json`, controllerRegistration),
      })),
      ledger: this.#judge(runFiles.ledger, controlRequestLedger),
      holdResult: this.#judge(runFiles.holdResult, holdResult),
      holdReceipt: this.#judge(runFiles.holdReceipt, controlOperationReceipt),
      pendingRecompile: this.#judge(runFiles.pendingRecompile, pendingRecompile),
      transaction: this.#judge(runFiles.transaction, activationTransaction),
      queue: this.#judge(runFiles.queue, eventQueue),
      batches: this.#named("", "", batchPattern, eventBatchReceipt),
    };
  }

  #file(name: string): ParsedFile {
    return this.files.get(name) ?? { kind: "missing", path: join(this.directory, name) };
  }

  #judge<T>(name: string, definition: ArtifactDefinition<T>): StoredDocument<T> {
    return judgeDocument(this.#file(name), definition, this.dialect);
  }

  #directories(parent: string): readonly string[] {
    return entriesOf(this.listings, parent).flatMap(({ name, type }) => (type === "directory" ? [name] : []));
  }

  #epochs(parent: string): LoadedEpoch[] {
    return this.#directories(parent).map((name) => ({
      name,
      directory: join(this.directory, parent, name),
      bundle: this.#judge(`${parent}/${name}/epoch-bundle.json`, epochBundle),
      prepare: this.#judge(`${parent}/${name}/prepare.json`, epochPrepare),
    }));
  }

  #named<T>(prefix: string, parent: string, pattern: RegExp, definition: ArtifactDefinition<T>): Named<T>[] {
    return entriesOf(this.listings, parent).flatMap(({ name }) => {
      const meaning = pattern.exec(name)?.[1];
      return meaning === undefined ? [] : [{ name: meaning, document: this.#judge(prefix + name, definition) }];
    });
  }
}
