// Owns: problems of single files: missing, unreadable, no JSON, not as their schema says, not in the bytes the runtime demands,
// under a name that says something else.
// Leaves to others: what files say together (epochProblems.ts, gateProblems.ts, journalProblems.ts).
import { basename, join } from "node:path";
import { digestArtifact } from "../../../../artifact/canonical.js";
import { isPlainObject } from "../../../../artifact/syntax.js";
import { documentsOf } from "../loadRun.js";
import { problem, type RunProblem } from "../problemCatalog.js";
import { isCanonicalFile, type ParsedFile, type StoredDocument } from "../readDocument.js";
import { epochDirectoryName } from "../runLayout.js";
import type { RunView } from "../runView.js";

export function documentProblems(view: RunView): RunProblem[] {
  const { run } = view;
  return [
    ...missingProblems(view),
    ...[run.events, run.controlEvents].flatMap(fileProblems),
    ...documentsOf(run).flatMap(judgedProblems),
    ...encodingProblems(view),
    ...nameProblems(view),
    ...directoryProblems(view),
    ...(run.detected.isContradictory ? [contradiction(view)] : []),
  ];
}

/** Files without which there is no run. */
function missingProblems({ run }: RunView): RunProblem[] {
  return [run.request, run.compileResult, run.events, run.meta].filter(({ kind }) => kind === "missing").map(({ path }) => problem("file-missing", { path }));
}

function fileProblems(file: ParsedFile | StoredDocument<unknown>): RunProblem[] {
  const { path } = file;
  if (file.kind === "not-json") return [problem("file-not-json", { path, evidence: { why: file.why, size: file.file.size } })];
  if (file.kind === "unreadable") {
    return [problem(file.code === "too-large" ? "file-too-large" : "file-unreadable", { path, evidence: { why: file.code, detail: file.detail } })];
  }
  if (file.kind === "parsed" && !Array.isArray(file.value)) return [problem("document-invalid", { path, evidence: { rule: "journal.array" } })];
  return [];
}

function judgedProblems(document: StoredDocument<unknown>): RunProblem[] {
  if (document.kind === "accepted") {
    return document.findings.filter(({ rule }) => rule.endsWith(".pid-identity")).map(({ pointer }) => problem("pid-contradiction", { path: document.path, pointer }));
  }
  if (document.kind !== "rejected") return fileProblems(document);
  const errors = document.findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  return [problem("document-invalid", { path: document.path, pointer: first?.pointer ?? null, evidence: { rule: first?.rule, message: first?.message, errors: errors.length } })];
}

/** Files whose readers demand the canonical bytes (spec/lattice.md section 3.2). */
function encodingProblems({ run, control }: RunView): RunProblem[] {
  const { activePointer, supervisor, gate, ledger, holdReceipt, pendingRecompile, transaction, queue } = run;
  const named = [...run.gateBundles, ...run.gateReceipts, ...run.batches].map(({ document }) => document);
  const controllers = run.controllers.flatMap(({ descriptor, registration }) => [descriptor, registration]);
  const documents: readonly StoredDocument<unknown>[] = [activePointer, supervisor, gate, ledger, holdReceipt, pendingRecompile, transaction, queue, ...named, ...controllers];
  const wrong = documents.filter((document) => document.kind === "accepted" && !document.isCanonical).map(({ path }) => problem("not-canonical-bytes", { path }));
  const journal = run.controlEvents;
  // A journal beyond the limits has no canonical form as a whole: nothing can be said about its bytes.
  if (journal.kind === "parsed" && control?.standing === "valid" && !isCanonicalFile(journal.value, journal.bytes, run.dialect)) {
    wrong.push(problem("not-canonical-bytes", { path: journal.path }));
  }
  return wrong;
}

/** Names that repeat something of the content: when the two disagree, one was replaced without the other. */
function nameProblems({ run, store }: RunView): RunProblem[] {
  const problems: RunProblem[] = [];
  const compare = (document: StoredDocument<unknown>, name: string, content: unknown, pointer: string | null): void => {
    if (document.kind !== "accepted" || name === content) return;
    problems.push(problem("name-digest-mismatch", { path: document.path, pointer, evidence: { name, content: String(content) } }));
  };
  const member = (document: StoredDocument<unknown>, key: string): unknown => (document.kind === "accepted" && isPlainObject(document.value) ? document.value[key] : undefined);
  const generation = (document: StoredDocument<unknown>, value: unknown): string | null => (document.kind === "accepted" ? epochDirectoryName(Number(value)) : null);
  for (const { name, document } of run.findings) compare(document, name, member(document, "finding_digest"), "/finding_digest");
  for (const { name, bundle } of run.epochs) compare(bundle, name, generation(bundle, member(bundle, "plan_epoch")), "/plan_epoch");
  for (const { name, document } of run.gateReceipts) compare(document, name, generation(document, member(document, "gate_generation")), "/gate_generation");
  for (const { name, document } of run.gateBundles) {
    const gate = member(document, "gate");
    compare(document, name, generation(document, isPlainObject(gate) ? gate["gate_generation"] : null), "/gate/gate_generation");
  }
  for (const { name, descriptor } of run.controllers) compare(descriptor, name, member(descriptor, "controller_id"), "/controller_id");
  for (const { name, document } of run.batches) {
    if (document.kind === "accepted") compare(document, name, digestArtifact({ transaction_id: document.value.transaction_id, phase: document.value.phase }), "/transaction_id");
  }
  if (store !== null && store.runId !== basename(run.directory)) {
    problems.push(problem("run-id-is-not-name", { path: run.directory, evidence: { run_id: store.runId } }));
  }
  return problems;
}

function directoryProblems({ run }: RunView): RunProblem[] {
  return [...run.listings].flatMap(([name, listing]) => {
    const path = join(run.directory, name);
    if (listing.kind === "unreadable") return [problem("directory-unreadable", { path, evidence: { errno: listing.code } })];
    if (listing.kind === "not-directory") return [problem(name === "" ? "run-directory-not-real" : "directory-unreadable", { path, evidence: { type: listing.type } })];
    return listing.kind === "listed" && listing.isCut ? [problem("directory-too-large", { path, evidence: { shown: listing.entries.length } })] : [];
  });
}

function contradiction({ run }: RunView): RunProblem {
  const signs = Object.fromEntries(run.detected.evidence.map(({ dialect, sign }) => [`${dialect} ${sign}`, "found"]));
  return problem("dialects-contradict", { path: run.directory, evidence: signs });
}
