// Owns: which run directory a request is for, and what was read from it last.
// Leaves to others: what the run says (core runContext.ts), asking a person when several fit (runChoice.ts in the host).
import fs from "node:fs/promises";
import path from "node:path";
import { defaultDialect, type Dialect } from "../../../core/artifact/canonical.js";
import { isIdentifier, isPlainObject } from "../../../core/artifact/syntax.js";
import { detectRunDialect } from "../../../core/systems/lattice/requests/dialects.js";
import { readRecompileContext, type RunContext } from "../../../core/systems/lattice/requests/runContext.js";
import type { DialectFact, RunFact } from "../protocol.js";

export interface ReadRun extends RunContext {
  /** The version whose traces the run holds. */
  readonly provedDialect: Dialect | null;
}

export class Runs {
  private readonly read = new Map<string, Promise<ReadRun>>();

  /** What the run directory says; read again when `isFresh`. A failed read is not remembered. */
  async contextOf(directory: string, isFresh: boolean): Promise<ReadRun> {
    const known = isFresh ? undefined : this.read.get(directory);
    if (known !== undefined) return known;
    const reading = readRun(directory);
    this.read.set(directory, reading);
    try {
      return await reading;
    } catch (error) {
      this.read.delete(directory);
      throw error;
    }
  }

  /** Keeps only what is in use. */
  retain(directories: ReadonlySet<string>): void {
    for (const directory of this.read.keys()) if (!directories.has(directory)) this.read.delete(directory);
  }
}

async function readRun(directory: string): Promise<ReadRun> {
  const read = await readRecompileContext(directory);
  return { ...read, provedDialect: await detectRunDialect(directory, read.context.run.committedEpoch) };
}

/** What the request says its run is; null when it does not say it usably. A name of another form could lead out of the store. */
export function runIdOf(value: unknown): string | null {
  const id: unknown = isPlainObject(value) ? value["run_id"] : undefined;
  return isIdentifier(id) ? id : null;
}

export interface RunQuestion {
  readonly runId: string | null;
  readonly documentPath: string | null;
  readonly stores: readonly string[];
  readonly chosen: string | null;
}

/**
 * The run directory of a request. One that a person chose wins, then one of the project that the document lies in, then the
 * only one that there is.
 */
export async function findRun({ runId, documentPath, stores, chosen }: RunQuestion): Promise<RunFact> {
  if (runId === null) return { kind: "none", runId };
  const around = documentPath === null ? [] : storesAround(documentPath);
  const candidates = [...new Set([...around, ...stores])].map((store) => path.join(store, "runs", runId));
  const existing: string[] = [];
  for (const candidate of candidates) if (await isDirectory(candidate)) existing.push(candidate);
  if (chosen !== null && path.basename(chosen) === runId && (existing.includes(chosen) || (await isDirectory(chosen)))) return { kind: "found", directory: chosen };
  const [first, second] = existing;
  if (first === undefined) return { kind: "none", runId };
  const isNear = around.some((store) => path.dirname(path.dirname(first)) === store);
  return isNear || second === undefined ? { kind: "found", directory: first } : { kind: "several", runId, directories: existing };
}

/** `.lattice` of every directory above the file, nearest first. */
function storesAround(file: string): readonly string[] {
  const stores: string[] = [];
  for (let directory = path.dirname(file); ; directory = path.dirname(directory)) {
    stores.push(path.join(directory, ".lattice"));
    if (path.dirname(directory) === directory) return stores;
  }
}

/** A link is not followed: the runtime wants real directories. */
async function isDirectory(candidate: string): Promise<boolean> {
  return fs.lstat(candidate).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
}

export function dialectOf(wanted: "auto" | Dialect, run: ReadRun | null): DialectFact {
  if (wanted !== "auto") return { dialect: wanted, from: "setting" };
  const proved = run?.provedDialect ?? null;
  return proved === null ? { dialect: defaultDialect, from: "default" } : { dialect: proved, from: "run" };
}
