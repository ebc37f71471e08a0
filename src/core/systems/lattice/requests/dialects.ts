// Owns: which version of the runtime a request is meant for: what a run directory proves, and judging under both when nothing does
// (spec/lattice.md section 0). Leaves to others: judging under one (text.ts), the differences themselves (the rules).
import path from "node:path";
import type { Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { nodeFilePort } from "../../../storage/nodeFilePort.js";
import type { ReadPort } from "../../../storage/filePort.js";
import { schemaIds } from "./documentKeys.js";
import { readJsonFile } from "./readJsonFile.js";
import type { JudgedText, LocatedFinding } from "./text.js";

/** Words that only one version writes. */
const proofs: ReadonlyMap<unknown, Dialect> = new Map<unknown, Dialect>([
  ["lattice.boundary_manifest.v3", "0.50"],
  [schemaIds.runRequestV3, "0.50"],
  [schemaIds.runRequestV4, "0.50"],
  ["lattice.checkpoint_diff.v2", "0.50"],
  ["undeclared_write", "0.50"],
  ["scope_violation", "0.12"],
]);

const maxJournalBytes = 64 * 1_048_576;

/**
 * The version whose traces the run holds; null when there are none, or traces of both. Bounded reads, never a write; files
 * that cannot be used prove nothing. `runDirectory`: absolute path.
 */
export async function detectRunDialect(runDirectory: string, committedEpoch: number | null, port: ReadPort = nodeFilePort): Promise<Dialect | null> {
  const found = new Set<Dialect>();
  const see = (word: unknown): void => {
    const dialect = proofs.get(word);
    if (dialect !== undefined) found.add(dialect);
  };
  if (committedEpoch !== null) seeBundle(await valueOf(port, path.join(runDirectory, `epochs/${String(committedEpoch).padStart(8, "0")}/epoch-bundle.json`)), see);
  seeEvents(await valueOf(port, path.join(runDirectory, "events.json"), maxJournalBytes), see);
  const [only, other] = [...found];
  return only === undefined || other !== undefined ? null : only;
}

async function valueOf(port: ReadPort, file: string, maxBytes?: number): Promise<unknown> {
  const outcome = await readJsonFile(port, file, maxBytes);
  return outcome.kind === "json" ? outcome.value : undefined;
}

function seeBundle(bundle: unknown, see: (word: unknown) => void): void {
  if (!isPlainObject(bundle)) return;
  const { request, manifests } = bundle;
  if (isPlainObject(request)) see(request["schema"]);
  if (isPlainObject(manifests)) for (const manifest of Object.values(manifests)) if (isPlainObject(manifest)) see(manifest["schema"]);
}

function seeEvents(events: unknown, see: (word: unknown) => void): void {
  if (!Array.isArray(events)) return;
  for (const event of events) {
    const payload: unknown = isPlainObject(event) ? event["payload"] : undefined;
    if (!isPlainObject(payload) || !isPlainObject(event)) continue;
    if (event["kind"] === "conflict_found") see(payload["kind"]);
    if (event["kind"] === "checkpoint_observed" && isPlainObject(payload["diff"])) see(payload["diff"]["schema"]);
  }
}

/** A request judged for readers that may be of either version. */
export interface JudgedUnderBoth {
  /** Under 0.50: what fixes go on with. */
  readonly judged: JudgedText;
  /** What both refuse, and as warnings what only one of them does, saying which. */
  readonly findings: readonly LocatedFinding[];
}

/** A document must not be called wrong because of a version that its reader may not have (spec/lattice.md section 0). */
export function judgeUnderBoth(judge: (dialect: Dialect) => JudgedText): JudgedUnderBoth {
  const judged = judge("0.50");
  const older = judge("0.12").findings;
  const keyOf = ({ rule, pointer }: LocatedFinding): string => `${rule} ${pointer}`;
  const told = new Set(judged.findings.map(keyOf));
  const toldByOlder = new Set(older.map(keyOf));
  const advised = new Set(judged.findings.filter(({ rule }) => rule === "dialect.order").map(({ pointer }) => pointer));
  const onlyNewer = (finding: LocatedFinding): boolean => finding.severity === "error" && !toldByOlder.has(keyOf(finding));
  // The advisory about order says of the whole list what 0.12 says of each of its items.
  const onlyOlder = (finding: LocatedFinding): boolean =>
    finding.severity === "error" && !told.has(keyOf(finding)) && !(finding.rule === "migration.successors-order" && [...advised].some((list) => finding.pointer.startsWith(`${list}/`)));
  return {
    judged,
    findings: [
      ...judged.findings.map((finding) => (onlyNewer(finding) ? ofOneVersion(finding, "0.50") : finding)),
      ...older.filter(onlyOlder).map((finding) => ofOneVersion(finding, "0.12")),
    ],
  };
}

function ofOneVersion(finding: LocatedFinding, dialect: Dialect): LocatedFinding {
  return { ...finding, severity: "warning", message: `${finding.message} (Only ${dialect} refuses this.)` };
}
