import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { selfDigest } from "../../../../src/core/artifact/canonical.js";
import { problemCatalog } from "../../../../src/core/systems/lattice/store/problemCatalog.js";
import { inspectRun } from "../../../../src/core/systems/lattice/store/inspectRun.js";
import { fixtureRun, type JsonObject } from "../artifacts/documents.js";
import { minimalChain } from "../events/chains.js";
import { runCopies, type RunCopy } from "./runCopies.js";

const managed = "closed-epoch2";
const open = "lib-serial-050-7-epoch2-active";

describe("named problems of a run", () => {
  const copyOf = runCopies();

  const table: readonly (readonly [what: string, fixture: string, damage: (run: RunCopy) => void, codes: readonly string[]])[] = [
    ["nothing", managed, () => undefined, []],
    ["the newest events lost", managed, (run) => { run.write("events.json", run.list("events.json").slice(0, 30)); }, ["event-tail-lost", "event-tail-lost"]],
    ["the newest control events lost", managed, (run) => { run.writeCanonical("control-events.json", run.list("control-events.json").slice(0, 20)); }, ["control-tail-lost", "control-tail-lost", "control-tail-lost"]],
    ["the control journal lost", open, (run) => { run.remove("control-events.json"); }, ["control-journal-missing"]],
    ["the control journal in other bytes", open, (run) => { run.write("control-events.json", run.list("control-events.json")); }, ["not-canonical-bytes"]],
    ["the gate lost", open, (run) => { run.remove("supervisor/write-gate.json"); }, ["gate-missing"]],
    ["the gate edited", open, (run) => { run.writeCanonical("supervisor/write-gate.json", { ...run.read("supervisor/write-gate.json"), plan_epoch: 9 }); }, ["document-invalid", "gate-invalid"]],
    ["the gate forged", open, (run) => { run.forge("supervisor/write-gate.json", "gate_digest", { committed_at: "2026-01-01T00:00:00.000Z" }); }, ["gate-not-committed"]],
    ["the gate pretty printed", open, (run) => { run.write("supervisor/write-gate.json", run.read("supervisor/write-gate.json")); }, ["not-canonical-bytes"]],
    ["a gate receipt lost", managed, (run) => { run.remove("supervisor/gate-receipts/00000001.receipt.json"); }, ["gate-chain-broken"]],
    ["a gate bundle lost", managed, (run) => { run.remove("supervisor/gate-commits/00000002.bundle.json"); }, ["gate-chain-broken"]],
    ["the last receipt not yet written", open, (run) => { run.remove("supervisor/gate-receipts/00000002.receipt.json"); }, ["activation-unfinished"]],
    ["the first bundle lost", open, (run) => { run.remove("epochs/00000001"); }, ["bundle-missing"]],
    ["a bundle put in place of another", open, (run) => { fs.cpSync(run.at("epochs/00000002/epoch-bundle.json"), run.at("epochs/00000001/epoch-bundle.json")); }, ["bundle-chain-broken", "name-digest-mismatch"]],
    ["an epoch that no pointer names", open, (run) => { fs.cpSync(run.at("epochs/00000002"), run.at("epochs/00000003"), { recursive: true }); }, ["name-digest-mismatch", "orphan-epoch"]],
    ["a pointer rolled back", open, (run) => { run.write("committed-epoch.json", fixtureFile("lib-serial-050-4-held", "committed-epoch.json")); }, ["gate-of-another-epoch", "orphan-epoch", "release-mismatch"]],
    ["a pointer of another run", open, (run) => { run.write("committed-epoch.json", fixtureFile("lib-seam-split-050-7-epoch2-active", "committed-epoch.json")); }, ["pointer-mismatch", "event-tail-lost", "control-tail-lost", "release-mismatch"]],
    ["a staged successor without its prepare", "lib-serial-050-5-staged", (run) => { run.remove("staging/rc-1/prepare.json"); }, ["staging-incomplete"]],
    ["a staged successor under another name", "lib-serial-050-5-staged", (run) => { fs.renameSync(run.at("staging/rc-1"), run.at("staging/rc-2")); }, ["staging-incomplete"]],
    ["a staged successor that was committed", open, (run) => { fs.cpSync(run.at("epochs/00000002"), run.at("staging/rc-1"), { recursive: true }); }, ["staging-leftover"]],
    ["a finding under the name of another", managed, (run) => { renameFirst(run, "findings", `${"0".repeat(64)}.json`); }, ["name-digest-mismatch"]],
    ["half of a hold", managed, (run) => { run.remove("hold-operation-receipt.json"); }, ["hold-pair-torn"]],
    ["a hold of another moment", managed, (run) => { run.forge("hold-result.json", "result_digest", { recorded_at: "2026-01-01T00:00:00.000Z" }); }, ["hold-pair-torn"]],
    ["a registration of another controller", managed, (run) => { run.forge(path.join(first(run, "controllers"), "registration.json"), "registration_digest", { controller_descriptor_digest: "0".repeat(64) }); }, ["registration-mismatch"]],
    ["a descriptor with two pids", managed, (run) => { run.forge("supervisor/descriptor.json", "descriptor_digest", { pid: 1 }); }, ["pid-contradiction"]],
    ["a restart that points nowhere", managed, (run) => { run.forge("supervisor/active-runtime.json", "pointer_digest", activePointer(run)); }, ["control-journal-missing", "supervisor-restart-pointer-mismatch"]],
    ["a transaction in the middle", open, (run) => { run.writeCanonical("epoch-activation-transaction.json", {}); run.forge("epoch-activation-transaction.json", "transaction_digest", transaction("prepared")); }, ["activation-unfinished"]],
    ["a request cut off", "fresh-0.50", (run) => { fs.truncateSync(run.at("request.json"), 300); }, ["file-not-json"]],
    ["a plan of another run", "fresh-0.50", (run) => { run.write("plan-compile-result.json", fixtureFile("abandoned-unmanaged", "plan-compile-result.json")); }, ["document-invalid"]],
    ["no events at all", "fresh-0.50", (run) => { run.write("events.json", []); }, ["event-chain-invalid"]],
    ["events that are no list", "fresh-0.50", (run) => { run.write("events.json", {}); }, ["document-invalid"]],
    ["more events than the runtime can read", "fresh-0.50", (run) => { run.write("events.json", minimalChain(900, String(run.read("request.json")["request_id"]))); }, ["event-chain-beyond-limit"]],
  ];
  for (const [what, fixture, damage, codes] of table) {
    it(`${what}: ${codes.length === 0 ? "none" : [...new Set(codes)].join(", ")}`, async () => {
      const run = copyOf(fixture);
      damage(run);
      assert.deepEqual(await run.problems(), codes);
    });
  }

  it("a batch of events that was prepared and not published can still be rolled forward", async () => {
    const run = copyOf("held-epoch1-serial");
    const batch = fs.readdirSync(fixtureRun(managed)).find((name) => name.startsWith("run-event-batch-"));
    fs.cpSync(path.join(fixtureRun(managed), String(batch)), run.at(String(batch)));
    assert.deepEqual(await run.problems(), ["event-batch-pending"]);
    run.write("events.json", run.list("events.json").slice(0, 12));
    assert.deepEqual([...new Set(await run.problems())], ["event-tail-lost", "hold-unfinished"]);
  });

  it("a secret in an event is pointed at, and its text is nowhere in the result", async () => {
    const run = copyOf("fresh-0.50");
    const [genesis, second] = run.list("events.json");
    const body: JsonObject = { ...second, payload: { note: "Bearer correct-horse-battery", password: "tr0ub4dor" } };
    run.write("events.json", [genesis, { ...body, event_digest: selfDigest(body, "event_digest") }]);
    const detail = await run.inspect();
    const secret = detail.problems.find(({ code }) => code === "secret-in-event");
    assert.deepEqual([secret?.pointer, secret?.evidence], ["/1/payload/note", [{ name: "places", value: "2" }]]);
    assert.ok(!JSON.stringify(detail).includes("correct-horse") && !JSON.stringify(detail).includes("tr0ub4dor"));
  });

  it("a chain beyond the runtime's limit keeps its status word, and the refusal of the runtime is told beside it", async () => {
    const run = copyOf("fresh-0.50");
    run.write("events.json", minimalChain(900, String(run.read("request.json")["request_id"])));
    const { status, runtimeAnswer, events } = await run.inspect();
    assert.deepEqual([status.word, events.report?.standing], ["idle", "beyond-limit"]);
    assert.deepEqual([runtimeAnswer.kind, runtimeAnswer.kind === "refused" ? runtimeAnswer.code : null], ["refused", "EVENT_CHAIN_INVALID"]);
  });

  it("a run in a directory of another name is not where the runtime looks for it", async () => {
    const run = copyOf("fresh-0.50");
    const moved = `${run.directory}-moved`;
    fs.renameSync(run.directory, moved);
    const { problems, runId } = await inspectRun(moved);
    assert.deepEqual([runId, problems.map(({ code }) => code)], ["hold-resume-live", ["run-id-is-not-name"]]);
  });

  it("evidence names the file, the place in it and what was found there", async () => {
    const run = copyOf("corrupt-meta-v1");
    const [problem] = (await run.inspect()).problems;
    assert.deepEqual([problem?.code, problem?.path, problem?.pointer], ["meta-rolled-back", run.at("run-meta.json"), "/schema"]);
    assert.deepEqual(problem?.evidence.slice(0, 2), [{ name: "committed_epoch", value: "2" }, { name: "shown_epoch", value: "1" }]);
    assert.deepEqual([problem.meaning, problem.remedy], ["runtime-shows-first-epoch", "restore-file-from-backup"]);
  });

  it("every code has a meaning and a remedy in kebab case", () => {
    for (const [code, { meaning, remedy }] of Object.entries(problemCatalog)) for (const word of [code, meaning, remedy]) assert.match(word, /^[a-z]+(-[a-z]+)*$/);
  });
});

function fixtureFile(fixture: string, file: string): unknown {
  return JSON.parse(fs.readFileSync(path.join(fixtureRun(fixture), file), "utf8"));
}

function first(run: RunCopy, directory: string): string {
  return path.join(directory, String(fs.readdirSync(run.at(directory))[0]));
}

function renameFirst(run: RunCopy, directory: string, name: string): void {
  fs.renameSync(run.at(first(run, directory)), run.at(path.join(directory, name)));
}

const digest = "1".repeat(64);

function activePointer(run: RunCopy): JsonObject {
  const members = { activation_request_digest: digest, activation_intent_digest: digest, activation_response_digest: digest, descriptor_digest: digest, session_nonce_digest: digest };
  const events = run.list("control-events.json");
  run.writeCanonical("supervisor/active-runtime.json", {});
  return { schema: "lattice.runtime_active_pointer.v1", run_id: "run-serial", candidate_ref: `supervisor/restart-candidates/${digest}`, activation_request_id: "q", ...members, control_head_digest: events.at(-1)?.["event_digest"], control_head_sequence: 9, committed_at: "2026-07-21T00:00:41.000Z" };
}

function transaction(state: string): JsonObject {
  return { ...(fixtureFile(managed, "epoch-activation-transaction.json") as JsonObject), state };
}
