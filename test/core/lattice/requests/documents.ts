// Owns: documents for the request tests: the valid ones of the vectors by name, and a large one.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { selfDigest, type Dialect } from "../../../../src/core/artifact/canonical.js";
import type { PhaseValidator, RecompileContext } from "../../../../src/core/systems/lattice/requests/context.js";
import { sealInPlace } from "../../../../src/core/systems/lattice/requests/seal.js";

export type Fields = Record<string, unknown>;

const fixtures = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../fixtures");

interface RecompileFile {
  readonly contexts: Record<string, Record<string, unknown>>;
  readonly cases: readonly { readonly name: string; readonly value: Fields; readonly context: string | null }[];
}

let file: RecompileFile | null = null;

export function recompileVectors(): RecompileFile {
  file ??= JSON.parse(readFileSync(path.join(fixtures, "vectors/lattice/recompile-request.json"), "utf8")) as RecompileFile;
  return file;
}

const validators: Readonly<Record<string, PhaseValidator>> = { none: "none", upstream: "built-in", "always-true": () => true, "always-false": () => false };

/** A context of the vectors: absent members left out, the validator's name translated. */
export function toContext(found: Readonly<Record<string, unknown>>): RecompileContext {
  const { phaseValidator, ...rest } = found;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)) as RecompileContext;
  const validator = validators[String(phaseValidator)];
  if (validator === undefined) throw new Error(`No validator ${String(phaseValidator)}.`);
  return { ...given, phaseValidator: validator };
}

export interface ValidDocument {
  readonly name: string;
  readonly dialect: Dialect;
  readonly value: Fields;
  readonly context: RecompileContext;
}

/** A fresh copy of an accepted request of the vectors, with the context it is accepted in. */
export function validDocument(name: "seam" | "serial" | "split" | "primary"): ValidDocument {
  const [title, dialect] = ({ seam: ["d1 with context", "0.50"], serial: ["d2 with context", "0.50"], split: ["d4 with context", "0.50"], primary: ["d7 with context [0.50]", "0.50"] } as const)[name];
  const { cases, contexts } = recompileVectors();
  const found = cases.find((item) => item.name === title);
  const context = contexts[found?.context ?? ""];
  if (found === undefined || context === undefined) throw new Error(`No vector ${title}.`);
  return { name, dialect, value: structuredClone(found.value), context: toContext(context) };
}

export interface LargeRequest {
  readonly text: string;
  readonly predecessorRequest: Fields;
  readonly todoIds: readonly string[];
}

/** A valid request of just under 1 MiB: as many values as allowed allow it to be, as an editor would format it. */
export function largeRequest(): LargeRequest {
  const todoIds = Array.from({ length: 205 }, (_, index) => `todo-${String(index).padStart(4, "0")}`);
  const path = (todo: string, kind: string, index: number): string => `packages/${todo}/${kind}/${"module-with-a-telling-name/".repeat(2)}file-${index}.ts`;
  const witness = (todo: string): Fields => ({
    owns: Array.from({ length: 3 }, (_, index) => ({ kind: "path", target: path(todo, "own", index) })),
    reads: Array.from({ length: 9 }, (_, index) => path(todo, "read", index)),
    writes: Array.from({ length: 3 }, (_, index) => path(todo, "write", index)),
    resources: [`resource-of-${todo}`],
    state_effects: [],
    sensor_provenance: { queries: [] },
    affected_tests: [path(todo, "test", 0)],
    unknowns: [{ kind: "dynamic", ref: "What is loaded at run time is not known before. ".repeat(58) }],
  });
  const successor: Fields = {
    schema: "lattice.run_request.v2",
    request_id: "run-large",
    repo: { base_sha: "1405df66cbe219b0bf6355bc3d60361a8376b6b4", root_kind: "git-worktree" },
    capacity: { executors: 3 },
    todos: todoIds.map((id) => ({ todo_id: id })),
    manual_witness: Object.fromEntries(todoIds.map((id) => [id, witness(id)])),
    sensor_query_set: { queries: [] },
    executor_capability: { adapters: ["scripted"] },
    claim_mode: "exact_minimum",
    predecessor_request_digest: "",
    task_migration_digest: "",
    request_digest: "",
  };
  const predecessorRequest: Fields = { ...successor, schema: "lattice.run_request.v4" };
  delete predecessorRequest["predecessor_request_digest"];
  delete predecessorRequest["task_migration_digest"];
  predecessorRequest["request_digest"] = selfDigest(predecessorRequest, "request_digest");
  successor["predecessor_request_digest"] = predecessorRequest["request_digest"];
  const request: Fields = {
    schema: "lattice.runtime_recompile_request.v1",
    request_id: "rc-large",
    run_id: "run-large",
    predecessor_epoch: 1,
    frozen_event_digest: "a".repeat(64),
    hold_decision_digest: "b".repeat(64),
    mode: "intentional_serial",
    reason: "late conflict",
    successor_request: successor,
    task_migration: {
      schema: "lattice.runtime_task_migration.v1",
      entries: todoIds.map((id) => ({ predecessor_task_id: id, disposition: "stay", successor_task_ids: [id], reason: "planned", evidence_digests: [] })),
      migration_digest: "",
    },
    phase_revision: null,
    seam_split: null,
    intentional_serial: { schema: "lattice.runtime_intentional_serial.v1", finding_digest: "c".repeat(64), todo_ids: todoIds.slice(0, 2), resource_id: "resource-1", stay_todo_id: todoIds[0], reason: "one after the other", serial_digest: "" },
    request_digest: "",
  };
  sealInPlace(request, "0.50");
  return { text: JSON.stringify(request, null, 1), predecessorRequest: structuredClone(predecessorRequest), todoIds };
}

/** The value at a pointer without escapes; fails when there is none. */
export function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const token of pointer.split("/").slice(1)) {
    found = (found as Fields)[token];
    if (found === undefined) throw new Error(`Nothing at ${pointer}.`);
  }
  return found;
}

export function object(value: unknown, pointer: string): Fields {
  return at(value, pointer) as Fields;
}

export function list(value: unknown, pointer: string): unknown[] {
  return at(value, pointer) as unknown[];
}
