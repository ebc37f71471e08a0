// What the worker finds in a document: which texts it takes for requests, which run it judges them for, what only bytes show, and where it points.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { schemaOfText } from "../../../src/core/systems/lattice/requests/schemaOfText.js";
import { shownRange } from "../../../src/extension/requests/worker/shownRange.js";
import { Asking, changed, covered, project, removeProjects, validRequest, type Fields, type JudgedOutput, type Project } from "./asking.js";

const rulesOf = ({ findings }: JudgedOutput): readonly string[] => findings.map(({ rule }) => rule);

describe("judging a document", () => {
  let held: Project;
  let valid: string;

  before(async () => {
    held = project();
    valid = await validRequest(held);
  });

  after(removeProjects);

  describe("recognises", () => {
    it("a request by the schema of the outermost object, wherever that stands and also in a broken text", async () => {
      const last = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(valid) as Fields).reverse()));
      assert.deepEqual(rulesOf(await new Asking().judged(last, { stores: [held.store] })), []);
      const torn = valid.slice(0, valid.length / 2);
      assert.deepEqual(rulesOf(await new Asking().judged(torn)), ["json.truncated"]);
    });

    it("no document that only contains a request", async () => {
      const asking = new Asking();
      asking.hold(JSON.stringify({ schema: "lattice.runtime_pending_recompile.v1", recompile_request: JSON.parse(valid) as Fields }));
      assert.deepEqual(await asking.judge(), { kind: "other" });
    });

    it("whatever is named by a person", async () => {
      const asking = new Asking();
      asking.hold("{}");
      assert.deepEqual(await asking.judge(), { kind: "other" });
      assert.deepEqual(rulesOf(await asking.judged("{}", { isForced: true })), ["recompile.exact-keys"]);
    });

    for (const [text, schema] of [
      ['{"a":{"schema":"inner"},"schema":"outer"}', "outer"],
      ['{"a":"{\\"schema\\":\\"text\\"}"}', null],
      ['[{"schema":"listed"}]', null],
      ['{"schema" : "spaced"', "spaced"],
      ['{"schema":7}', null],
      ['{"b":"\\\\","schema":"after an escape"}', "after an escape"],
      ['"schema"', null],
      ["", null],
    ] as const) {
      it(`the schema ${String(schema)} in ${text}`, () => assert.equal(schemaOfText(text), schema));
    }
  });

  describe("finds the run", () => {
    it("around the document before one elsewhere of the same name", async () => {
      const other = project();
      const { run } = await new Asking().judged(valid, { path: path.join(held.directory, "deep/er/r.json"), stores: [other.store] });
      assert.deepEqual(run, { kind: "found", directory: held.run });
    });

    it("in the workspace when it is the only one", async () => {
      const { run } = await new Asking().judged(valid, { path: path.join(path.dirname(held.directory), "r.json"), stores: [held.store] });
      assert.deepEqual(run, { kind: "found", directory: held.run });
    });

    it("among several only when a person chose it", async () => {
      const other = project();
      const stores = [held.store, other.store];
      const unsure = await new Asking().judged(valid, { stores });
      assert.deepEqual(unsure.run, { kind: "several", runId: "run-serial", directories: [held.run, other.run] });
      assert.ok(unsure.leftOut.includes("recompile.epoch-binding"));
      const sure = await new Asking().judged(valid, { stores, chosenRun: other.run });
      assert.deepEqual(sure.run, { kind: "found", directory: other.run });
    });

    it("not by an old choice that no longer fits the request", async () => {
      const other = changed(valid, (document) => {
        document["run_id"] = "run-other";
      });
      const { run } = await new Asking().judged(other, { stores: [held.store], chosenRun: held.run });
      assert.deepEqual(run, { kind: "none", runId: "run-other" });
    });

    it("never outside of a store, whatever the request calls it", async () => {
      for (const id of ["../runs/run-serial", "..", ".", "run-serial/", "/etc", 7, null]) {
        const { run } = await new Asking().judged(
          changed(valid, (document) => {
            document["run_id"] = id;
          }),
          { stores: [held.store] },
        );
        assert.deepEqual(run, { kind: "none", runId: null }, String(id));
      }
    });

    it("but not where a link stands in its place", async () => {
      const linked = project();
      fs.rmSync(linked.run, { recursive: true });
      fs.symlinkSync(held.run, linked.run);
      assert.equal((await new Asking().judged(valid, { stores: [linked.store] })).run.kind, "none");
    });
  });

  describe("reads the run", () => {
    it("and tells the file and the very place that an expected value came from", async () => {
      const { findings } = await new Asking().judged(
        changed(valid, (document) => {
          document["frozen_event_digest"] = "0".repeat(64);
        }),
        { stores: [held.store] },
      );
      const [related] = findings.find(({ rule }) => rule === "recompile.frozen-event-binding")?.related ?? [];
      assert.ok(related !== undefined && "file" in related.at && related.at.place !== null);
      const line = fs.readFileSync(related.at.file, "utf8").split("\n")[related.at.place.start.line] ?? "";
      assert.match(line.slice(related.at.place.start.character, related.at.place.end.character), /^"[0-9a-f]{64}"$/);
      assert.match(line, /"event_digest"/);
    });

    it("once, until it is asked to look again", async () => {
      const own = project();
      const asking = new Asking();
      assert.deepEqual(rulesOf(await asking.judged(valid, { stores: [own.store] })), []);
      fs.rmSync(path.join(own.run, "findings"), { recursive: true });
      assert.deepEqual(rulesOf(await asking.judged(valid, { stores: [own.store], isFresh: false })), []);
      assert.deepEqual(rulesOf(await asking.judged(valid, { stores: [own.store] })), ["apply.finding-recorded"]);
    });

    it("and says which of its files cannot be used", async () => {
      const own = project();
      fs.writeFileSync(path.join(own.run, "events.json"), "[");
      const { problems, leftOut } = await new Asking().judged(valid, { stores: [own.store] });
      assert.deepEqual(problems.map(({ file }) => path.basename(file)), ["events.json"]);
      assert.ok(leftOut.includes("recompile.frozen-event-binding"));
    });

    it("and leaves out nothing that a request without phase revision could need", async () => {
      assert.deepEqual((await new Asking().judged(valid, { stores: [held.store] })).leftOut, []);
    });
  });

  describe("knows the version", () => {
    const loose = (): string =>
      changed(valid, (document) => {
        (document["successor_request"] as Fields)["executor_capability"] = { anything: 1 };
      });
    const severityOf = ({ findings }: JudgedOutput): string | undefined => findings.find(({ rule }) => rule === "run-request.capability-exact-keys")?.severity;

    it("from the traces in the run", async () => {
      const output = await new Asking().judged(loose(), { stores: [held.store] });
      assert.deepEqual(output.dialect, { dialect: "0.50", from: "run" });
      assert.equal(severityOf(output), "error");
    });

    it("from the setting, whatever the run says", async () => {
      const output = await new Asking().judged(loose(), { stores: [held.store], dialect: "0.12" });
      assert.deepEqual(output.dialect, { dialect: "0.12", from: "setting" });
      assert.equal(severityOf(output), undefined);
    });

    it("from nothing, and then warns of what only one of them refuses", async () => {
      const output = await new Asking().judged(loose());
      assert.deepEqual(output.dialect, { dialect: "0.50", from: "default" });
      assert.equal(severityOf(output), "warning");
    });
  });

  describe("sees in the file what the editor hides", () => {
    const inFile = async (name: string, bytes: Uint8Array, shown: string, isDirty = false): Promise<JudgedOutput> => {
      const file = path.join(held.directory, name);
      fs.writeFileSync(file, bytes);
      return new Asking().judged(shown, { path: file, isDirty });
    };

    it("a byte order mark, also while the text is being changed", async () => {
      const bytes = Buffer.from(`\uFEFF${valid}`);
      assert.deepEqual(rulesOf(await inFile("mark.json", bytes, valid)), ["json.bom"]);
      assert.deepEqual(rulesOf(await inFile("mark.json", bytes, valid, true)), ["json.bom"]);
    });

    it("UTF-16, which the editor decodes without a word", async () => {
      assert.deepEqual(rulesOf(await inFile("wide.json", Buffer.from(`\uFEFF${valid}`, "utf16le"), valid)), ["json.utf16"]);
    });

    it("bytes that are no UTF-8, at their place in the text", async () => {
      const at = valid.indexOf("Both todos");
      const bytes = Buffer.from(valid);
      bytes[at] = 0xff;
      const shown = `${valid.slice(0, at)}\uFFFD${valid.slice(at + 1)}`;
      const { findings } = await inFile("bytes.json", bytes, shown);
      assert.deepEqual(findings.filter(({ rule }) => rule === "json.invalid-utf8").map(({ range }) => range.offset), [at]);
      assert.ok(!rulesOf(await inFile("bytes.json", bytes, shown, true)).includes("json.invalid-utf8"));
    });

    it("nothing where the file is gone or no file", async () => {
      assert.deepEqual(rulesOf(await new Asking().judged(valid, { path: path.join(held.directory, "gone.json") })), []);
      assert.deepEqual(rulesOf(await new Asking().judged(valid, { path: held.directory })), []);
    });
  });

  describe("points", () => {
    it("at a bracket where an object spans lines, at all of it where it does not", () => {
      const text = '{\n "a": {"b": 1},\n "c": [\n 1]}';
      assert.equal(covered(text, shownRange({ offset: 0, length: text.length }, text)), "{");
      assert.equal(covered(text, shownRange({ offset: 8, length: 8 }, text)), '{"b": 1}');
      assert.equal(covered(text, shownRange({ offset: 24, length: 6 }, text)), "[");
    });

    it("at the exact character", async () => {
      const text = changed(valid, (document) => {
        document["mode"] = "both";
      });
      const { findings } = await new Asking().judged(text);
      const mode = findings.find(({ rule }) => rule === "recompile.mode-enum");
      assert.equal(covered(text, mode?.range ?? { offset: 0, length: 0 }), '"both"');
    });
  });

  it("takes a text in pieces, and looks at none that is oversized", async () => {
    const asking = new Asking();
    const half = Math.floor(valid.length / 2);
    asking.send({ kind: "text", uri: asking.uri, version: 7, piece: valid.slice(0, half), isFirst: true, isLast: false });
    asking.send({ kind: "text", uri: asking.uri, version: 7, piece: valid.slice(half), isFirst: false, isLast: true });
    const output = await asking.judge();
    assert.ok(output.kind === "judged");
    assert.equal(output.version, 7);
    assert.deepEqual(output.findings, []);
    asking.send({ kind: "oversized", uri: asking.uri, version: 8, length: 9_000_000 });
    const beyond = await asking.judge({ isForced: true });
    assert.ok(beyond.kind === "judged");
    assert.deepEqual(rulesOf(beyond), ["json.too-large"]);
  });

  it("answers a question that it cannot answer with a failure, and the next one as before", async () => {
    const asking = new Asking();
    asking.hold(valid);
    await assert.rejects(asking.judge({ stores: null as unknown as readonly string[] }), /not iterable/);
    assert.deepEqual(rulesOf(await asking.judged(valid)), []);
  });
});
