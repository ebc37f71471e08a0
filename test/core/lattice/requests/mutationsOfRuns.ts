// Owns: one mistake for each rule that needs a run directory, and for each that needs the text.
import type { RuleId } from "../../../../src/core/systems/lattice/requests/rules.js";
import type { RecordedFinding, RunFacts } from "../../../../src/core/systems/lattice/requests/context.js";
import { ownedId } from "../../../../src/core/systems/lattice/requests/ownership.js";
import { list, object, type Fields } from "./documents.js";
import { hex, set, change, migrationOnly, S, E0, P, type Mutation } from "./mutationKit.js";
import type { RandomDocument } from "./randomDocuments.js";

/** Facts of a run that agree with the document, but for what `more` says. */
function withRun(document: RandomDocument, more: Partial<RunFacts> = {}, finding: Partial<RecordedFinding> = {}): void {
  const { value, context } = document;
  const treatment = (value["seam_split"] ?? value["intentional_serial"]) as Fields;
  const digest = treatment["finding_digest"] as string;
  const path = "src/contested.mjs";
  if (value["intentional_serial"] !== null) treatment["resource_id"] = ownedId("path", path);
  const recorded: RecordedFinding = {
    digest,
    epoch: value["predecessor_epoch"] as number,
    todoIds: (treatment["todo_ids"] ?? treatment["predecessor_task_ids"]) as string[],
    path,
    resourceId: null,
    source: { file: "/run/findings/x.json", pointer: "" },
    ...finding,
  };
  document.context = {
    ...context,
    run: {
      runId: value["run_id"] as string,
      directory: "/run",
      committedEpoch: value["predecessor_epoch"] as number,
      frozenEpoch: value["predecessor_epoch"] as number,
      heldFindingDigest: digest,
      findings: new Map([[digest, recorded]]),
      brokenFindings: new Map(),
      usedRequestIds: new Map(),
      queue: null,
      headCommit: null,
      ...more,
    },
  };
}

const source = { file: "/run/x.json", pointer: "" };
const apply = (more: Partial<RunFacts>, finding: Partial<RecordedFinding> = {}): Mutation => change("serial", (document) => withRun(document, more, finding));
/** A seam split has to advance the base, else that is told. */
const seamRun = (document: RandomDocument, finding: Partial<RecordedFinding> = {}, more: Partial<RunFacts> = {}): void => {
  object(document.value, `${S}/repo`)["base_sha"] = "b".repeat(40);
  withRun(document, more, finding);
};

export const applyTimeMutations = {
  "apply.frozen-and-held": apply({ frozenEpoch: null }),
  "apply.finding-recorded": apply({ findings: new Map() }),
  "apply.finding-epoch": apply({}, { epoch: 77 }),
  "apply.finding-matches-hold": apply({ heldFindingDigest: hex("e") }),
  "apply.serial-resource": change("serial", (document) => {
    withRun(document);
    object(document.value, "/intentional_serial")["resource_id"] = "another";
  }),
  "apply.serial-exactly-two": change("serial", (document) => {
    object(document.value, "/intentional_serial")["todo_ids"] = ["T1", "T2", "T3"];
    withRun(document);
  }),
  "apply.seam-diff-derivable": change("split", (document) => seamRun(document)),
  "apply.seam-base-advanced": change("seam", (document) => withRun(document)),
  "apply.seam-single-owner": change("seam", (document) => {
    const bundle = document.context.predecessorBundle;
    for (const request of [object(document.value, S), (bundle?.request ?? {}) as Fields]) {
      for (const todo of ["T1", "T2"]) list(request, `/manual_witness/${todo}/owns`).push({ kind: "path", target: "src/contested.mjs" });
    }
    seamRun(document);
  }),
  "apply.successor-compiles": apply({ headCommit: "c".repeat(40) }),
  "apply.queue-empty-or-same": apply({ queue: { length: 2, headDigests: [], source } }),
  "apply.request-id-fresh": change("serial", (document) => withRun(document, { usedRequestIds: new Map([[document.value["request_id"] as string, { requestDigest: hex("e"), source }]]) })),
  "apply.phase-commit": "never judged here: leftOutRules says so",
  "seam.finding-unknown": change("seam", (document) => seamRun(document, {}, { findings: new Map() })),
} as const satisfies Partial<Record<RuleId, Mutation | string>>;

const first = (text: string, search: string, replacement: string): string => text.replace(search, () => replacement);
export const textsMutations = {
  "json.syntax": { on: "seam", text: (text) => first(text, '"run_id"', "run_id") },
  "json.empty": { on: "seam", text: () => " \n" },
  "json.truncated": { on: "seam", text: (text, { choice }) => text.slice(0, 1 + (choice % (text.length - 2))) },
  "json.nul-filled": { on: "seam", text: (text, { choice }) => text + "\u0000".repeat(1 + choice) },
  "json.utf16": { on: "seam", text: (text) => text.slice(0, 50).replace(/./gsu, (character) => `${character}\u0000`) },
  "json.invalid-utf8": "bytes, not text: see the tests of decoding",
  "json.too-large": { on: "seam", text: (text) => text + " ".repeat(8_388_608) },
  "json.too-deep": { on: "seam", text: (text, { choice }) => first(text, '"reason": ', `"reason": ${"[".repeat(65 + choice)}`) },
  "json.too-many-values": { on: "seam", text: (text) => first(text, '"reason": ', `"reason": [${"0,".repeat(50_000)}0], "x": `) },
  "json.duplicate-key": { on: "seam", text: (text) => first(text, '"run_id"', '"run_id": "ignored", "run_id"') },
  "json.bom": { on: "seam", text: (text) => `\uFEFF${text}` },
  "json.unsafe-integer": { on: "split", change: (document) => {
    document.context = { ...document.context, phaseValidator: () => true };
    object(document.value, `${P}/desired_plan/tasks/0`)["compile_binding"] = 2 ** 60;
  }, text: (text) => first(text, String(2 ** 60), `${2n ** 60n + 1n}`) },
  "json.negative-zero": { on: "seam", change: set(`${S}/capacity`, "executors", 123456), text: (text) => first(text, "123456", "-0") },
  "json.lone-surrogate": { on: "seam", change: ({ value }) => void (value["reason"] = "half \ud800 a pair") },
  "strict.type": { on: "seam", change: set("", "request_id", 12) },
  "dialect.order": migrationOnly(set(E0, "successor_task_ids", ["Z", "A"]), "split"),
} as const satisfies Partial<Record<RuleId, Mutation | string>>;
