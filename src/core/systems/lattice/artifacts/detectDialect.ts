// Owns: which version of lattice wrote some documents, as far as they show it (spec/lattice.md section 0), and judging a document
// when that is not known.
// Leaves to others: the differences themselves, which are in the schemas.
import { defaultDialect, pointerTo, type Dialect } from "../../../artifact/canonical.js";
import { isPlainObject } from "../../../artifact/syntax.js";
import { FindingCollector, isAccepted, type Finding } from "../finding.js";
import { checkArtifact, type ArtifactKind } from "./checkArtifact.js";

export interface DialectEvidence {
  readonly dialect: Dialect;
  /** Which of the documents, from 0, and where in it. */
  readonly document: number;
  readonly pointer: string;
  /** Stable code of what shows it. */
  readonly sign: string;
}

export interface DetectedDialect {
  /** Null when nothing tells, or when signs contradict each other. */
  readonly dialect: Dialect | null;
  readonly isContradictory: boolean;
  /** The first sign of each sort. */
  readonly evidence: readonly DialectEvidence[];
}

type Sign = readonly [dialect: Dialect, sign: string];

/** A member with this value was only ever written by one dialect. */
const valueSigns: Readonly<Record<string, Readonly<Record<string, Sign>>>> = {
  schema: {
    "lattice.run_request.v3": ["0.50", "request-version"],
    "lattice.run_request.v4": ["0.50", "request-version"],
    "lattice.boundary_manifest.v3": ["0.50", "manifest-version"],
    "lattice.checkpoint_diff.v2": ["0.50", "checkpoint-diff-version"],
    "lattice.adapter_dispatch_response.v2": ["0.50", "dispatch-response-version"],
    "lattice.runtime_status_projection.v2": ["0.50", "status-projection-version"],
  },
  kind: {
    undeclared_write: ["0.50", "conflict-kind"],
    scope_violation: ["0.12", "conflict-kind"],
    io_warning_observed: ["0.50", "control-kind"],
    io_escalation_decided: ["0.50", "control-kind"],
    workers_resumed: ["0.50", "control-kind"],
    worker_processes_terminated: ["0.50", "control-kind"],
  },
  reauthorized_via: { epoch_rebind: ["0.12", "context-invalidation"] },
  observed_by: { supervisor_probe: ["0.50", "supervisor-probe"] },
};

/** Bounds a look at a hostile document; signs stand at the top of real ones. */
const nodesMaximum = 200_000;

/**
 * Looks for what only one version writes. A sign in any document counts for all: give the documents of one run. The absence of
 * signs means nothing. Never throws for values that JSON can hold.
 */
export function detectDialect(...documents: readonly unknown[]): DetectedDialect {
  const found = new Map<string, DialectEvidence>();
  let nodes = 0;
  const note = ([dialect, sign]: Sign, document: number, pointer: string): void => {
    if (!found.has(`${dialect} ${sign}`)) found.set(`${dialect} ${sign}`, { dialect, document, pointer, sign });
  };
  const visit = (value: unknown, document: number, pointer: string): void => {
    nodes += 1;
    if (nodes > nodesMaximum || typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const place = pointerTo(pointer, key);
      const signs = Object.hasOwn(valueSigns, key) ? valueSigns[key] : undefined;
      const sign = typeof member === "string" && signs !== undefined && Object.hasOwn(signs, member) ? signs[member] : undefined;
      if (sign !== undefined) note(sign, document, place);
      // D9: the packets of 0.12 forbid a commit, those of 0.50 do not. Validators accept both.
      if (key === "forbidden_operations" && Array.isArray(member) && member.includes("push")) {
        note([member.includes("commit") ? "0.12" : "0.50", "forbidden-operations"], document, place);
      }
      if (key === "creates" && isPlainObject(value) && value["kind"] === "path") note(["0.50", "creates"], document, place);
      visit(member, document, place);
    }
  };
  for (const [index, document] of documents.entries()) visit(document, index, "");
  const evidence = [...found.values()];
  const dialects = new Set(evidence.map(({ dialect }) => dialect));
  const [only] = dialects;
  return { dialect: dialects.size === 1 && only !== undefined ? only : null, isContradictory: dialects.size > 1, evidence };
}

/**
 * Findings about a document of unknown dialect: errors only when both versions reject it. When one of them accepts it, what the
 * other finds becomes information, and a warning says which one accepts (section 0).
 */
export function checkArtifactOfAnyDialect(kind: ArtifactKind, value: unknown): Finding[] {
  const findings = { "0.12": checkArtifact(kind, value, { dialect: "0.12" }), "0.50": checkArtifact(kind, value, { dialect: "0.50" }) };
  const accepting = (["0.12", "0.50"] as const).filter((dialect) => isAccepted(findings[dialect]));
  const [only] = accepting;
  if (accepting.length !== 1 || only === undefined) return findings[defaultDialect];
  const other = only === "0.12" ? "0.50" : "0.12";
  const at = new FindingCollector("dialect");
  at.report("warning", "one-only", "", `Only lattice ${only} accepts this document; lattice ${other} rejects it.`);
  const reasons = findings[other].filter(({ severity }) => severity === "error").map((finding): Finding => ({ ...finding, severity: "info" }));
  return [...at.findings, ...findings[only], ...reasons];
}
