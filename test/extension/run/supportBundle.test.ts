// What leaves the machine with a support bundle, and what a verification says.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { RunDetail } from "../../../src/core/systems/lattice/store/runDetail.js";
import { runReport } from "../../../src/extension/run/runReport.js";
import { supportBundle } from "../../../src/extension/run/supportBundle.js";
import { englishText } from "../../../src/shared/text.js";
import { repositoryRoot } from "../../tools/processGroup.mjs";
import { withRun } from "./drawnRun.js";

const tool = { version: "1.2.3", platform: "linux" };

function bundled(detail: RunDetail): string {
  return JSON.stringify(supportBundle(detail, tool), null, 2);
}

describe("a support bundle", () => {
  it("says the status, the standing of the chain and each named problem with its place", async () => {
    await withRun("corrupt-event-edited", ({ detail }) => {
      const bundle = JSON.parse(bundled(detail)) as Record<string, unknown>;
      assert.deepEqual(bundle["status"], { word: "damaged", claimed_word: "running", is_staged: false, frozen_by: null, frozen_since: null });
      assert.deepEqual(bundle["problems"], [
        {
          code: "event-chain-invalid",
          severity: "error",
          path: "events.json",
          pointer: "/2/event_digest",
          evidence: { condition: "event_digest_mismatch", sequence: "2", index: "2", message: "(redacted)", defects: "2", events: "18" },
        },
      ]);
      assert.deepEqual(bundle["tool"], tool);
    });
  });

  for (const fixture of fs.readdirSync(path.join(repositoryRoot, "test/fixtures/rundirs/lattice")).sort()) {
    it(`names no path of this machine, no host and no sentence: ${fixture}`, async () => {
      await withRun(fixture, ({ detail, directory }) => {
        const text = bundled(detail);
        for (const secret of [path.dirname(directory), os.tmpdir(), os.homedir(), os.hostname()]) assert.ok(secret.length < 3 || !text.includes(secret), secret);
        // Every text is a token: nothing that a person wrote, nothing that was carried in a payload.
        const texts: string[] = [];
        JSON.parse(text, (_key, value: unknown) => {
          if (typeof value === "string") texts.push(value);
          return value;
        });
        assert.deepEqual(texts.filter((value) => !/^(?:[A-Za-z0-9_.:/-]*|\(redacted\)|\(outside the run\))$/.test(value)), []);
        assert.deepEqual(texts.filter((value) => path.isAbsolute(value) && !/^\/(?:\d+|[a-z_]+)(?:\/|$)/.test(value)), []);
      });
    });
  }

  it("leaves out what could open something, also where a name should be", async () => {
    await withRun("running-epoch1", ({ detail }) => {
      const [first, ...others] = detail.todos;
      assert.ok(first);
      const token = ["gh", "p_", "0123456789abcdefghijABCDEFGHIJ012345"].join("");
      const told = bundled({ ...detail, name: "Ask Kim about it", todos: [{ ...first, todoId: token, worktreeId: "/home/kim/secret" }, ...others] });
      for (const secret of [token, "Ask Kim", "/home/kim"]) assert.ok(!told.includes(secret), secret);
    });
  });

  it("does not name what lies outside the run", async () => {
    await withRun("running-epoch1", ({ detail }) => {
      const told = bundled({ ...detail, problems: [{ code: "run-directory-not-real", severity: "error", meaning: "", remedy: "", path: "/home/kim/elsewhere", pointer: "/a b/0", evidence: [] }] });
      assert.ok(!told.includes("kim"));
      assert.match(told, /"path": "\(outside the run\)",\s+"pointer": "\/\(redacted\)\/0"/);
    });
  });
});

describe("the verification of a run", () => {
  it("says that nothing is wrong where nothing is", async () => {
    const text = await withRun("lib-seam-split-050-7-epoch2-active", ({ detail }) => runReport(detail, englishText));
    assert.match(text, /^Run lib-seam-split-050\n=+\n/);
    assert.match(text, /^ {2}Status +running$/m);
    assert.match(text, /^ {2}Standing +valid$/m);
    assert.match(text, /^ {2}The runtime answers +yes$/m);
    assert.match(text, /Problems\n-+\n\n {2}None was found\.\n$/);
  });

  it("names what is wrong, what it means, what can be done and what shows it", async () => {
    const text = await withRun("corrupt-event-edited", ({ detail }) => runReport(detail, englishText));
    assert.match(text, /^ {2}Status +damaged: the records say running, but cannot be trusted$/m);
    assert.match(text, /^ {2}First defect +event_digest_mismatch at \/2\/event_digest$/m);
    const [, problem = ""] = text.split("Problems\n--------\n\n");
    assert.match(problem, /^▸ event chain invalid \(error\)\n {2}The history of this run cannot be trusted from that event on\.\n {2}→ Bring the file back .*\n {4}File +events\.json#\/2\/event_digest\n {4}condition +event_digest_mismatch$/m);
  });

  it("shows raw texts sanitized", async () => {
    const text = await withRun("corrupt-event-edited", ({ detail }) => runReport({ ...detail, name: "a\u202eb", runId: "c\nd" }, englishText));
    assert.ok(text.startsWith("Run a\\u{202e}b\n"));
    assert.ok(text.includes("c\\u{a}d"));
  });
});
