import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { selfDigest, type Dialect } from "../../../../src/core/artifact/canonical.js";
import { fixesFor, judgeRequestText } from "../../../../src/core/systems/lattice/requests/fixes.js";
import { applyEdits } from "../../../../src/core/systems/lattice/requests/fixes/textChanges.js";
import { readCheckedOutCommit } from "../../../../src/core/systems/lattice/requests/headCommit.js";
import { checkRecompileRequest } from "../../../../src/core/systems/lattice/requests/recompileRequest.js";
import { readRecompileContext, type RunContext } from "../../../../src/core/systems/lattice/requests/runContext.js";
import { sealInPlace } from "../../../../src/core/systems/lattice/requests/seal.js";
import { buildRecompileSkeleton } from "../../../../src/core/systems/lattice/requests/skeleton.js";
import { nodeFilePort } from "../../../../src/core/storage/nodeFilePort.js";
import { rundirsRoot } from "../../../conformance/vectors.js";
import { object, type Fields } from "./documents.js";

const captures = path.join(rundirsRoot, "lattice");

function runDirectoryOf(capture: string): string {
  const runs = path.join(captures, capture, ".lattice/runs");
  return path.join(runs, fs.readdirSync(runs).filter((name) => !name.startsWith(".")).sort()[0] ?? "");
}

const read = (capture: string, dialect: Dialect = "0.50"): Promise<RunContext> => readRecompileContext(runDirectoryOf(capture), nodeFilePort, { dialect });
const requestOf = (capture: string): Fields => JSON.parse(fs.readFileSync(path.join(captures, capture, "recompile.json"), "utf8")) as Fields;

/** A writable copy of a captured run. */
function copyOf(capture: string): { readonly directory: string; readonly file: (name: string) => string } {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-requests-"));
  roots.push(root);
  fs.cpSync(path.join(captures, capture), root, { recursive: true, filter: (name) => !name.endsWith(".sock") });
  const runs = path.join(root, ".lattice/runs");
  const directory = path.join(runs, fs.readdirSync(runs)[0] ?? "");
  return { directory, file: (name) => path.join(directory, name) };
}

const roots: string[] = [];
const edit = (file: string, change: (value: Fields & Fields[]) => void): void => {
  const value = JSON.parse(fs.readFileSync(file, "utf8")) as Fields & Fields[];
  change(value);
  fs.writeFileSync(file, JSON.stringify(value, null, 1));
};

describe("the context of a recompile request", () => {
  after(() => {
    for (const root of roots) fs.rmSync(root, { recursive: true, force: true });
  });

  for (const [held, active, dialect] of [
    ["lib-serial-050-4-held", "lib-serial-050-7-epoch2-active", "0.50"],
    ["lib-serial-012-4-held", "lib-serial-012-7-epoch2-active", "0.12"],
  ] as const) {
    it(`makes the request that was applied to ${held} valid without any finding`, async function () {
      if (!fs.existsSync(path.join(captures, held)) || !fs.existsSync(path.join(captures, active, "recompile.json"))) this.skip();
      const { context, problems } = await read(held, dialect);
      assert.deepEqual(problems, []);
      assert.deepEqual(checkRecompileRequest(requestOf(active), context, { dialect }), []);
    });
  }

  it("makes a request that was applied already out of date, and shows in which file the epoch is", async () => {
    const { context } = await read("lib-serial-050-7-epoch2-active");
    const findings = checkRecompileRequest(requestOf("lib-serial-050-7-epoch2-active"), context);
    assert.deepEqual(findings.filter(({ severity }) => severity === "error").map(({ rule }) => rule), ["recompile.epoch-binding", "recompile.predecessor-request-binding"]);
    const related = findings[0]?.related?.[0] as { readonly file?: string; readonly pointer: string } | undefined;
    assert.ok(related?.file?.endsWith("epochs/00000002/epoch-bundle.json") === true);
    assert.equal(related.pointer, "/plan_epoch");
  });

  it("tells where each expected value came from, so that it can be opened", async () => {
    const { context } = await read("held-epoch1-serial");
    const { sources } = context;
    for (const [source, value] of [[sources?.frozenEvent, context.frozenEventDigest], [sources?.holdDecision, context.holdDecisionDigest]] as const) {
      assert.ok(source !== undefined);
      const event = object(JSON.parse(fs.readFileSync(source.file, "utf8")), source.pointer);
      assert.ok([event["event_digest"], (event["payload"] as Fields)["decision_digest"]].includes(value));
    }
  });

  it("of a run that was never frozen only the bundle is known, and the rest is a warning", async () => {
    const { context } = await read("running-epoch1");
    assert.equal(context.frozenEventDigest, undefined);
    assert.notEqual(context.predecessorBundle, undefined);
    const findings = checkRecompileRequest(requestOf("lib-serial-050-7-epoch2-active"), context);
    assert.ok(findings.some(({ rule, severity }) => rule === "apply.frozen-and-held" && severity === "warning"));
  });

  it("of an unmanaged run nothing is bound", async () => {
    const { context, problems } = await read("fresh-0.50");
    assert.deepEqual(problems, []);
    assert.equal(context.predecessorBundle, undefined);
    assert.equal(context.run.committedEpoch, null);
  });

  it("leaves out what is not what its digest says, and says so", async () => {
    const bundle = await read("corrupt-bundle-edited");
    assert.equal(bundle.context.predecessorBundle, undefined);
    assert.match(bundle.problems[0]?.message ?? "", /digest/);
    const copy = copyOf("held-epoch1-serial");
    edit(copy.file("events.json"), (events) => {
      for (const event of events) if (event["kind"] === "hold_decided") (event["payload"] as Fields)["decision_digest"] = "e".repeat(64);
    });
    const edited = await readRecompileContext(copy.directory);
    assert.equal(edited.context.holdDecisionDigest, undefined);
    assert.notEqual(edited.context.frozenEventDigest, undefined);
    assert.match(edited.problems[0]?.message ?? "", /hold_decided/);
  });

  it("survives missing, cut and linked files", async () => {
    for (const capture of ["corrupt-events-truncated-json", "corrupt-pointer-missing", "corrupt-request-symlink", "lock-torn"]) {
      const { context } = await read(capture);
      assert.equal(typeof context.run.runId, "string", capture);
    }
    const copy = copyOf("held-epoch1-serial");
    fs.rmSync(copy.file("committed-epoch.json"));
    fs.symlinkSync("events.json", copy.file("committed-epoch.json"));
    const { context, problems } = await readRecompileContext(copy.directory);
    assert.equal(context.predecessorBundle, undefined);
    assert.match(problems[0]?.message ?? "", /symlink/);
    const nothing = await readRecompileContext(path.join(copy.directory, "nowhere"));
    assert.deepEqual(nothing.problems, []);
    assert.equal(nothing.context.predecessorBundle, undefined);
  });

  it("takes a finding record only when it is of this run and what its digest says", async () => {
    const copy = copyOf("held-epoch1-serial");
    const [name = ""] = fs.readdirSync(copy.file("findings"));
    const digest = name.replace(".json", "");
    assert.deepEqual([...(await readRecompileContext(copy.directory)).context.run.findings.keys()], [digest]);
    edit(copy.file(`findings/${name}`), (record) => void ((record["finding"] as Fields)["todo_ids"] = ["T1"]));
    const broken = (await readRecompileContext(copy.directory)).context.run;
    assert.deepEqual([...broken.findings.keys()], []);
    assert.match(broken.brokenFindings.get(digest)?.reason ?? "", /digest/);
  });

  it("reads the queue and the ids that were used", async () => {
    const copy = copyOf("lib-serial-050-5-staged");
    fs.writeFileSync(copy.file("queued-events.json"), JSON.stringify({ entries: [{ sequence: 1, kind: "finding", subject_digest: "a", artifact_digest: "b" }] }));
    const { run } = (await readRecompileContext(copy.directory)).context;
    assert.deepEqual([...run.usedRequestIds.keys()], ["rc-1"]);
    assert.deepEqual({ length: run.queue?.length, heads: run.queue?.headDigests }, { length: 1, heads: ["a", "b"] });
  });

  it("reads the checked-out commit of a branch, a packed branch, and a detached head; nothing else", async () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-head-"));
    roots.push(root);
    const git = path.join(root, ".git");
    const commit = "1234567890".repeat(4);
    assert.equal(await readCheckedOutCommit(nodeFilePort, root), null);
    fs.mkdirSync(path.join(git, "refs/heads/team"), { recursive: true });
    const head = (text: string): void => fs.writeFileSync(path.join(git, "HEAD"), text);
    head(`${commit}\n`);
    assert.equal(await readCheckedOutCommit(nodeFilePort, root), commit);
    head("ref: refs/heads/team/main\n");
    assert.equal(await readCheckedOutCommit(nodeFilePort, root), null);
    fs.writeFileSync(path.join(git, "packed-refs"), `# pack-refs\n${"0".repeat(40)} refs/heads/main\n${commit} refs/heads/team/main\n`);
    assert.equal(await readCheckedOutCommit(nodeFilePort, root), commit);
    fs.writeFileSync(path.join(git, "refs/heads/team/main"), `${"b".repeat(40)}\n`);
    assert.equal(await readCheckedOutCommit(nodeFilePort, root), "b".repeat(40));
    for (const text of ["ref: refs/../../etc/passwd", "ref: ../x", "no ref"]) {
      head(text);
      assert.equal(await readCheckedOutCommit(nodeFilePort, root), null, text);
    }
  });
});

describe("fixes with a run at hand", () => {
  const held = async (): Promise<{ readonly context: RunContext["context"]; readonly request: Fields }> => {
    const { context } = await read("held-epoch1-serial");
    const outcome = buildRecompileSkeleton(context, { mode: "intentional_serial", reason: "late conflict" });
    assert.ok(outcome.kind === "built");
    return { context, request: structuredClone(outcome.request) };
  };

  async function fixed(code: string, change: (request: Fields) => void): Promise<readonly string[]> {
    const { context, request } = await held();
    change(request);
    sealInPlace(request);
    const judged = judgeRequestText(JSON.stringify(request, null, 2), { context });
    const fix = judged.findings.flatMap((finding) => fixesFor(judged, finding, { context })).find((candidate) => candidate.code === code);
    assert.ok(fix !== undefined, judged.findings.map(({ rule }) => rule).join(", "));
    return judgeRequestText(applyEdits(judged.text, fix.edits), { context }).findings.map(({ rule }) => rule);
  }

  it("a missing treatment is added for the held finding, sealed", async () => {
    assert.deepEqual(await fixed("add-treatment", (request) => void (request["intentional_serial"] = null)), []);
    const seam = await fixed("add-treatment", (request) => {
      request["mode"] = "seam_split";
      request["intentional_serial"] = null;
    });
    assert.deepEqual(seam, ["apply.seam-base-advanced"]);
  });

  it("finding, todos and resource are filled in from the record", async () => {
    const serial = (member: string, value: unknown) => (request: Fields): void => void (object(request, "/intentional_serial")[member] = value);
    assert.deepEqual(await fixed("fill-binding", serial("finding_digest", "e".repeat(64))), []);
    assert.deepEqual(await fixed("fill-binding", serial("resource_id", "another")), []);
    assert.deepEqual(await fixed("fill-binding", serial("todo_ids", ["T1", "T3"])), []);
  });
});

describe("buildRecompileSkeleton", () => {
  for (const [capture, dialect] of [["held-epoch1-serial", "0.50"], ["lib-serial-050-4-held", "0.50"], ["lib-serial-012-4-held", "0.12"], ["lib-seam-split-050-4-held", "0.50"], ["lib-seam-split-012-4-held", "0.12"]] as const) {
    for (const mode of ["intentional_serial", "seam_split"] as const) {
      it(`makes a sealed request of mode ${mode} for ${capture} that has no error`, async function () {
        if (!fs.existsSync(path.join(captures, capture))) this.skip();
        const { context } = await read(capture, dialect);
        const outcome = buildRecompileSkeleton(context, { mode, reason: "late conflict", dialect });
        assert.ok(outcome.kind === "built", JSON.stringify(outcome));
        const findings = checkRecompileRequest(JSON.parse(outcome.text), context, { dialect });
        assert.deepEqual(findings.filter(({ severity }) => severity === "error"), []);
        // A seam has to be committed first; that is the one thing a skeleton cannot do.
        assert.deepEqual(findings.map(({ rule }) => rule), mode === "seam_split" && dialect === "0.50" ? ["apply.seam-base-advanced"] : []);
        assert.equal(outcome.request["request_digest"], selfDigest(outcome.request, "request_digest"));
      });
    }
  }

  it("takes a request id that the run did not use, and the todo that a person chose to stay", async () => {
    const { context } = await read("lib-serial-050-5-staged");
    const outcome = buildRecompileSkeleton(context, { mode: "intentional_serial", reason: "again", stayTodoId: "T2" });
    assert.ok(outcome.kind === "built");
    assert.equal(outcome.request["request_id"], "rc-2");
    assert.equal(object(outcome.request, "/intentional_serial")["stay_todo_id"], "T2");
  });

  it("refuses with a reason when the run is not held, not frozen or not managed", async () => {
    for (const [capture, reason] of [["running-epoch1", /not frozen/], ["lib-serial-050-3-frozen", /not held/], ["fresh-0.50", /bundle/], ["corrupt-bundle-edited", /bundle/]] as const) {
      if (!fs.existsSync(path.join(captures, capture))) continue;
      const outcome = buildRecompileSkeleton((await read(capture)).context, { mode: "seam_split", reason: "x" });
      assert.ok(outcome.kind === "refused", capture);
      assert.match(outcome.reason, reason);
    }
    assert.equal(buildRecompileSkeleton({}, { mode: "seam_split", reason: "x" }).kind, "refused");
  });
});
