// What the worker answers about a place of a request: hover, definition, completion, outline, repairs, and a new request.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { applyEdits } from "../../../src/core/systems/lattice/requests/fixes/textChanges.js";
import type { DefinitionFact, HoverFact, SymbolFact } from "../../../src/extension/requests/protocol.js";
import { Asking, changed, covered, offsetOf, project, removeProjects, validRequest, type Fields, type Project } from "./asking.js";

describe("asking about a request", () => {
  let held: Project;
  let serial: string;
  let seam: string;

  before(async () => {
    held = project();
    serial = await validRequest(held);
    seam = await validRequest(held, "seam_split");
  });

  after(removeProjects);

  async function about(text: string, stores: readonly string[] = [held.store]): Promise<Asking> {
    const asking = new Asking();
    await asking.judged(text, { stores });
    return asking;
  }

  async function hover(text: string, after: string, part: string, stores?: readonly string[]): Promise<HoverFact | null> {
    const asking = await about(text, stores);
    return asking.ask("hover", { uri: asking.uri, offset: offsetOf(text, after, part) });
  }

  async function definitions(text: string, after: string, part: string): Promise<readonly DefinitionFact[]> {
    const asking = await about(text);
    return asking.ask("definition", { uri: asking.uri, offset: offsetOf(text, after, part) });
  }

  function textOf(fact: DefinitionFact | undefined, document: string): string {
    if (fact === undefined) throw new Error("There is no definition.");
    if (fact.kind === "document") return covered(document, fact.range);
    if (fact.place === null) return "";
    const { start, end } = fact.place;
    const line = fs.readFileSync(fact.file, "utf8").split("\n")[start.line] ?? "";
    return line.slice(start.character, start.line === end.line ? end.character : undefined);
  }

  describe("hover", () => {
    it("tells of a binding what the run says, whether it matches, and from where", async () => {
      const fact = await hover(serial, '"hold_decision_digest"', ': "');
      assert.equal(fact, null);
      const value = await hover(serial, '"hold_decision_digest": ', '"3');
      assert.ok(value?.kind === "digest");
      assert.deepEqual(value.meaning, { kind: "hold-decision" });
      assert.equal(value.matches, true);
      assert.equal(path.basename(value.source?.file ?? ""), "events.json");
      assert.equal(covered(serial, value.range), JSON.stringify(value.value));
    });

    it("tells of a wrong digest which one is right", async () => {
      const text = changed(serial, (document) => {
        document["reason"] = "Another one.";
      });
      const fact = await hover(text, ' "request_digest": "', '"', []);
      assert.equal(fact?.kind, "digest");
      const own = await hover(text, '\n "request_digest": ', '"request_digest": "');
      assert.ok(own?.kind === "digest");
      assert.deepEqual(own.meaning, { kind: "self", of: "request" });
      assert.equal(own.matches, false);
      assert.match(own.expected ?? "", /^[0-9a-f]{64}$/);
      assert.notEqual(own.expected, own.value);
    });

    it("tells of a finding what it is about", async () => {
      const fact = await hover(serial, '"intentional_serial"', '"finding_digest');
      assert.ok(fact?.kind === "digest");
      assert.deepEqual(fact.finding, { todoIds: ["T1", "T2"], path: "src/alpha.mjs", resourceId: null, epoch: 1 });
    });

    it("tells of a todo what becomes of it, whether it is held, and what it touches", async () => {
      const fact = await hover(serial, '"predecessor_task_id": ', '"T1"');
      assert.ok(fact?.kind === "todo");
      assert.deepEqual(fact.migration, { disposition: "stay", successors: ["T1"] });
      assert.equal(fact.isHeld, true);
      assert.equal(fact.isInPredecessor, true);
      assert.deepEqual(fact.witness?.writes, ["src/alpha.mjs"]);
      const witness = await hover(serial, '"manual_witness": {', '"T3"');
      assert.ok(witness?.kind === "todo");
      assert.equal(witness.id, "T3");
      assert.equal(witness.isHeld, false);
    });

    it("tells of a todo that nobody knows that nobody knows it", async () => {
      const text = serial.replace('"stay_todo_id": "T1"', '"stay_todo_id": "T9"');
      const fact = await hover(text, '"stay_todo_id": ', '"T9"');
      assert.ok(fact?.kind === "todo");
      assert.deepEqual([fact.migration, fact.madeFrom, fact.isInSuccessor, fact.isInPredecessor, fact.witness], [null, null, false, false, null]);
    });

    it("tells what a word means", async () => {
      const fact = await hover(serial, '"disposition": ', '"stay"');
      assert.deepEqual(fact === null ? null : [fact.kind, covered(serial, fact.range)], ["word", '"stay"']);
    });

    it("says nothing between values, of a broken text, and of a document that is no request", async () => {
      assert.equal(await hover(serial, '"reason"', ": "), null);
      const asking = await about(serial);
      asking.hold("{");
      assert.equal(await asking.ask("hover", { uri: asking.uri, offset: 1 }), null);
      const other = new Asking();
      other.hold("{}");
      await other.judge();
      assert.equal(await other.ask("hover", { uri: other.uri, offset: 1 }), null);
    });
  });

  describe("definition", () => {
    it("leads from a successor id to its todo", async () => {
      const [fact, ...others] = await definitions(serial, '"successor_task_ids": [', '"T1"');
      assert.deepEqual(others, []);
      assert.ok(fact?.kind === "document");
      assert.equal(covered(serial, fact.range), '"T1"');
      assert.ok(fact.range.offset < serial.indexOf('"manual_witness"'));
    });

    it("leads from a treated todo to its entry, and from there to the plan of the run", async () => {
      const [entry] = await definitions(serial, '"stay_todo_id": ', '"T1"');
      assert.ok(entry?.kind === "document");
      assert.ok(entry.range.offset > serial.indexOf('"entries"'));
      const [node] = await definitions(serial, '"predecessor_task_id": ', '"T1"');
      assert.ok(node?.kind === "file");
      assert.equal(path.basename(node.file), "epoch-bundle.json");
      assert.equal(textOf(node, serial), '"T1"');
    });

    it("leads from a digest to the artifact that has it", async () => {
      const [event] = await definitions(serial, '"frozen_event_digest": ', '"5');
      assert.ok(event?.kind === "file");
      assert.equal(path.basename(event.file), "events.json");
      assert.equal(textOf(event, serial), "{");
      const [finding] = await definitions(serial, '"finding_digest": ', '"0');
      assert.ok(finding?.kind === "file");
      assert.equal(path.basename(path.dirname(finding.file)), "findings");
    });

    it("leads from a binding inside the document to what it binds", async () => {
      const [fact] = await definitions(seam, '"task_migration_digest": ', '"');
      assert.ok(fact?.kind === "document");
      assert.ok(fact.range.offset > seam.indexOf('"migration_digest"'));
    });

    it("leads nowhere from an own digest or an unknown id", async () => {
      assert.deepEqual(await definitions(serial, '"migration_digest": ', '"'), []);
      const text = serial.replace('"stay_todo_id": "T1"', '"stay_todo_id": "T9"');
      assert.deepEqual(await definitions(text, '"stay_todo_id": ', '"T9"'), []);
    });
  });

  describe("completion", () => {
    const complete = async (text: string, offset: number, hasSchema = false): Promise<readonly string[]> => {
      const asking = await about(serial);
      asking.hold(text);
      return (await asking.ask("complete", { uri: asking.uri, offset, hasSchema })).map(({ insert, replace }) => applyEdits(text, [{ ...replace, text: insert }]).slice(replace.offset, replace.offset + insert.length));
    };

    it("offers the todos that a list lacks, in a text that does not parse", async () => {
      const text = serial.replace(/"todo_ids": \[\s*"T1",\s*"T2"\s*\]/, '"todo_ids": ["T2", ');
      assert.deepEqual(await complete(text, offsetOf(text, '"todo_ids": ["T2", ', '"T2", ', 6)), ['"T1"', '"T3"']);
    });

    it("replaces what is typed already", async () => {
      const text = serial.replace('"stay_todo_id": "T1"', '"stay_todo_id": "T"');
      assert.deepEqual(await complete(text, offsetOf(text, '"stay_todo_id": "T', "T", 1)), ['"T1"', '"T2"']);
    });

    it("offers words, unless the editor knows them from the schema", async () => {
      const offset = offsetOf(serial, '"disposition": ', '"stay"');
      assert.deepEqual(await complete(serial, offset), ['"carry"', '"replace"', '"retire"', '"split"', '"stay"']);
      assert.deepEqual(await complete(serial, offset, true), []);
    });

    it("offers the digest that the content has now", async () => {
      const text = changed(serial, (document) => {
        document["reason"] = "Another one.";
        document["request_digest"] = "";
      });
      const [offer, ...others] = await complete(text, offsetOf(text, '\n "request_digest": ', '""'), true);
      assert.deepEqual(others, []);
      const sealed = text.replace('"request_digest": ""', `"request_digest": ${offer ?? ""}`);
      assert.deepEqual((await new Asking().judged(sealed, { stores: [held.store] })).findings, []);
    });

    it("offers what the run says of a binding", async () => {
      const text = serial.replace('"predecessor_epoch": 1', '"predecessor_epoch": ');
      assert.deepEqual(await complete(text, offsetOf(text, '"predecessor_epoch": ', ": ", 2)), ["1"]);
    });

    it("never replaces more than the line for a string that is not closed", async () => {
      const text = serial.replace('"stay_todo_id": "T1",', '"stay_todo_id": "T1');
      const asking = await about(serial);
      asking.hold(text);
      const [offer] = await asking.ask("complete", { uri: asking.uri, offset: offsetOf(text, '"stay_todo_id": "T', "T1", 2), hasSchema: false });
      assert.ok(offer !== undefined);
      assert.doesNotMatch(covered(text, offer.replace), /\n/);
    });
  });

  it("outlines the parts in the words of the domain", async () => {
    const asking = await about(serial);
    const flat = (symbols: readonly SymbolFact[], depth = 0): readonly string[] => symbols.flatMap(({ name, detail, children }) => [`${"  ".repeat(depth)}${name}: ${detail}`, ...flat(children, depth + 1)]);
    assert.deepEqual(flat(await asking.ask("symbols", { uri: asking.uri })), [
      "rc-1: run-serial",
      "  successor_request: run-serial",
      "    T1: src/alpha.mjs",
      "    T2: src/beta.mjs",
      "    T3: src/gamma.mjs",
      "  task_migration: ",
      "    T1: stay → T1",
      "    T2: stay → T2",
      "    T3: carry → T3",
      "  intentional_serial: T1 → T2",
    ]);
    const check = ({ range, selection, children }: SymbolFact): void => {
      assert.ok(selection.offset >= range.offset && selection.offset + selection.length <= range.offset + range.length);
      children.forEach(check);
    };
    (await asking.ask("symbols", { uri: asking.uri })).forEach(check);
  });

  describe("repairs", () => {
    const wrong = (): string =>
      changed(serial, (document) => {
        document["predecessor_epoch"] = 3;
        ((document["task_migration"] as Fields)["entries"] as unknown[]).reverse();
      });

    it("are of the text as it is now, also when nobody judged it since", async () => {
      const asking = await about(serial);
      const text = wrong();
      asking.hold(text);
      const fix = await asking.ask("fixAll", { uri: asking.uri });
      assert.ok(fix !== null);
      assert.deepEqual((await new Asking().judged(applyEdits(text, fix.edits), { stores: [held.store] })).findings, []);
    });

    it("are given once, however many findings lead to them", async () => {
      const text = wrong();
      const asking = await about(text);
      const { findings } = await asking.judged(text, { stores: [held.store] });
      const fixes = await asking.ask("fixes", { uri: asking.uri, findings });
      assert.equal(new Set(fixes.map(({ title }) => title)).size, fixes.length);
      assert.equal(fixes.filter(({ code }) => code === "reseal-all").length, 1);
    });

    it("are none for a finding that is no longer there, and for a sound request", async () => {
      const asking = await about(serial);
      assert.deepEqual(await asking.ask("fixes", { uri: asking.uri, findings: [{ rule: "recompile.epoch-binding", pointer: "/predecessor_epoch" }] }), []);
      assert.equal(await asking.ask("fixAll", { uri: asking.uri }), null);
    });
  });

  describe("a new request", () => {
    it("is offered for a held run with what is known of the finding", async () => {
      const fact = await new Asking().ask("heldRun", { runDirectory: held.run, dialect: "auto" });
      assert.deepEqual(fact, {
        kind: "held",
        runId: "run-serial",
        epoch: 1,
        dialect: "0.50",
        freshRequestId: "rc-1",
        usedRequestIds: [],
        finding: { todoIds: ["T1", "T2"], path: "src/alpha.mjs", resourceId: null, epoch: 1 },
      });
    });

    for (const [fixture, reason] of [
      ["running-epoch1", /not frozen/],
      ["fresh-0.50", /bundle/],
      ["lib-serial-050-3-frozen", /not held/],
    ] as const) {
      it(`is refused for ${fixture} with the reason`, async () => {
        const fact = await new Asking().ask("heldRun", { runDirectory: project(fixture).run, dialect: "auto" });
        assert.ok(fact.kind === "refused");
        assert.match(fact.reason, reason);
      });
    }

    for (const mode of ["seam_split", "intentional_serial"] as const) {
      it(`of mode ${mode} has no finding but what only a commit can settle`, async () => {
        const asking = new Asking();
        const outcome = await asking.ask("skeleton", { runDirectory: held.run, mode, reason: "Because.", requestId: "rc-7", stayTodoId: mode === "seam_split" ? null : "T2", dialect: "0.50" });
        assert.ok(outcome.kind === "built");
        const document = JSON.parse(outcome.text) as Fields;
        assert.equal(document["request_id"], "rc-7");
        const { findings } = await asking.judged(outcome.text, { stores: [held.store] });
        assert.deepEqual(findings.map(({ rule }) => rule), mode === "seam_split" ? ["apply.seam-base-advanced"] : []);
      });
    }
  });
});
