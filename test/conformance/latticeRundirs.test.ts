import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Dialect } from "../../src/core/artifact/canonical.js";
import { inspectRun } from "../../src/core/systems/lattice/store/inspectRun.js";
import type { RunDetail } from "../../src/core/systems/lattice/store/runDetail.js";
import { consumeRundirs, rundirsRoot } from "./vectors.js";

type Answer = Readonly<Record<string, unknown>>;

/** With `exit` when a command of the runtime failed, else what it printed. */
type Expectation = Answer & { readonly exit?: number; readonly stdout?: Answer | null; readonly error?: { readonly code: string; readonly detail: { readonly failed_conditions?: readonly string[] } | null } | null };

interface ExpectedRun {
  readonly dialect: Dialect;
  readonly status: Expectation;
  readonly verify?: Expectation;
  readonly observe?: Expectation;
}

const printed = (expectation: Expectation): Answer | null => (expectation.exit === undefined ? expectation : (expectation.stdout ?? null));

/** Copying fixtures loses symlinks: a regular file with the text of one becomes one again. Gives the run directory to look at. */
function restoreLinks(source: string, temporary: string): string {
  const requestOf = path.join(source, "request.json");
  const target = "request.real.json";
  const isLost = fs.existsSync(path.join(source, target)) && fs.lstatSync(requestOf).isFile() && fs.readFileSync(requestOf, "utf8") === target;
  if (!isLost) return source;
  const copy = path.join(temporary, "runs", path.basename(source));
  fs.cpSync(source, copy, { recursive: true });
  fs.rmSync(path.join(copy, "request.json"));
  fs.symlinkSync(target, path.join(copy, "request.json"));
  return copy;
}

/** The word of section 3.6 as it follows from the runtime's own answer. */
function wordOf(status: Expectation, detail: RunDetail): string {
  const answer = printed(status);
  if (answer === null) return "damaged";
  const projection = answer["runtime_projection"] as { readonly runtime_frozen: boolean; readonly held: readonly string[] } | undefined;
  if (answer["closed"] === true) return detail.events.entries.at(-1)?.kind === "run_closed" ? detail.status.word : "closed";
  if (answer["freeze_active"] === true && projection !== undefined && projection.held.length > 0) return "held";
  if (answer["freeze_active"] === true || projection?.runtime_frozen === true) return "frozen";
  if ((answer["running"] as readonly string[]).length > 0) return "running";
  return answer["event_count"] === 2 ? "fresh" : "idle";
}

describe("rundirs lattice", () => {
  let temporary = "";
  before(() => {
    temporary = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "run-state-rundirs-")));
  });
  after(() => fs.rmSync(temporary, { recursive: true, force: true }));

  for (const name of consumeRundirs("lattice")) {
    describe(name, () => {
      const root = path.join(rundirsRoot, "lattice", name);
      const expected = JSON.parse(fs.readFileSync(path.join(root, "expected.json"), "utf8")) as ExpectedRun;
      const runs = path.join(root, ".lattice", "runs");
      const runName = fs.readdirSync(runs).find((entry) => !entry.startsWith(".") && fs.statSync(path.join(runs, entry)).isDirectory());
      let detail: RunDetail;
      before(async () => {
        detail = await inspectRun(restoreLinks(path.join(runs, String(runName)), temporary), { dialect: expected.dialect });
      });

      it("gives the runtime's own status, digests included, or its error", () => {
        const { runtimeAnswer: answer } = detail;
        const status = printed(expected.status);
        if (status !== null) {
          assert.equal(answer.kind, "answered");
          assert.deepEqual(answer.status, status);
        } else {
          assert.equal(answer.kind, "refused");
          assert.equal(answer.code, expected.status.error?.code);
          assert.deepEqual(answer.failedConditions, expected.status.error?.detail?.failed_conditions ?? []);
        }
      });

      it("gives the runtime's own verification and observation", () => {
        const { runtimeAnswer: answer } = detail;
        if (expected.verify !== undefined) assert.deepEqual(answer.verification, printed(expected.verify));
        if (expected.observe !== undefined) assert.deepEqual(answer.kind === "answered" ? answer.observation : null, printed(expected.observe));
      });

      it("has the status word that follows from it", () => {
        assert.equal(detail.status.word, wordOf(expected.status, detail));
        if (/abandoned/.test(name)) assert.equal(detail.status.word, "abandoned");
        assert.equal(detail.status.isStaged, /staged/.test(name));
      });

      it("is damaged in a named way exactly when somebody damaged it", () => {
        const errors = detail.problems.filter(({ severity }) => severity === "error");
        const isDamaged = name.startsWith("corrupt-");
        assert.equal(errors.length > 0, isDamaged, JSON.stringify(detail.problems, null, 1));
        for (const problem of detail.problems) assert.ok(path.isAbsolute(problem.path));
      });

      it("was written by the dialect that its documents show, if they show one", () => {
        assert.equal(detail.detected.isContradictory, false);
        if (detail.detected.dialect !== null) assert.equal(detail.detected.dialect, expected.dialect);
      });
    });
  }
});
