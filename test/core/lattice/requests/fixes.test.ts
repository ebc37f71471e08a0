import assert from "node:assert/strict";
import fc from "fast-check";
import { fixAll, fixesFor, judgeRequestText, resealAll, type Fix } from "../../../../src/core/systems/lattice/requests/fixes.js";
import { applyEdits, TextChanges, type TextEdit } from "../../../../src/core/systems/lattice/requests/fixes/textChanges.js";
import { sealInPlace } from "../../../../src/core/systems/lattice/requests/seal.js";
import { list, object, validDocument, type Fields } from "./documents.js";
import { randomDocument } from "./randomDocuments.js";

type Kind = Parameters<typeof validDocument>[0];

interface Case {
  readonly text: string;
  readonly options: { readonly context: ReturnType<typeof validDocument>["context"] };
}

/** A document with a mistake, written in a format of its own. */
function broken(kind: Kind, change: (value: Fields) => void, format: (value: Fields) => string = (value) => JSON.stringify(value, null, 3), seal = true): Case {
  const { value, context } = validDocument(kind);
  change(value);
  if (seal) sealInPlace(value);
  return { text: format(value), options: { context } };
}

function fixOf({ text, options }: Case, code: Fix["code"]): string {
  const judged = judgeRequestText(text, options);
  const fix = judged.findings.flatMap((finding) => fixesFor(judged, finding, options)).find((candidate) => candidate.code === code);
  assert.ok(fix !== undefined, `${code} is not offered for ${judged.findings.map(({ rule }) => rule).join(", ")}`);
  return applyEdits(text, fix.edits);
}

const rulesOf = ({ options }: Case, text: string): readonly string[] => judgeRequestText(text, options).findings.map(({ rule }) => rule);

/** Lines that differ. */
function changedLines(before: string, after: string): readonly string[] {
  const old = new Set(before.split("\n"));
  return after.split("\n").filter((line) => !old.has(line));
}

describe("text changes", () => {
  const edit = fc.record({ offset: fc.nat(20), length: fc.nat(5), text: fc.string({ maxLength: 4 }) });

  it("edits collected over several rounds make the same text at once, without overlap", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 20 }), fc.array(edit, { maxLength: 6 }), (original, rounds) => {
        const changes = new TextChanges(original);
        let expected = original;
        for (const { offset, length, text } of rounds) {
          const start = Math.min(offset, expected.length);
          const clamped: TextEdit = { offset: start, length: Math.min(length, expected.length - start), text };
          changes.apply([clamped]);
          expected = applyEdits(expected, [clamped]);
        }
        assert.equal(changes.text, expected);
        const edits = changes.edits();
        assert.equal(applyEdits(original, edits), expected);
        for (const [index, { offset }] of edits.entries()) {
          const before = edits[index - 1];
          assert.ok(before === undefined || before.offset + before.length <= offset);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("fixes", () => {
  it("recomputing a digest changes that digest and those that contain it, nothing else", () => {
    const item = broken("seam", (value) => void (object(value, "/task_migration")["migration_digest"] = "0".repeat(64)), undefined, false);
    const fixed = fixOf(item, "recompute-digest");
    assert.deepEqual(rulesOf(item, fixed), []);
    assert.deepEqual(changedLines(item.text, fixed).map((line) => line.trim().split(":")[0]), ['"migration_digest"']);
  });

  it("resealing writes every digest in the order of dependency, in one step", () => {
    const item = broken("split", (value) => {
      for (const entry of list(value, "/task_migration/entries") as Fields[]) entry["reason"] = "changed";
      for (const entry of list(value, "/phase_revision/runtime_task_migration/entries") as Fields[]) entry["reason"] = "changed";
      object(value, "/successor_request/capacity")["executors"] = 9;
      list(value, "/seam_split/verifier_refs").splice(0);
    }, undefined, false);
    const judged = judgeRequestText(item.text, item.options);
    assert.ok(judged.findings.length >= 5);
    const fix = resealAll(judged, item.options);
    assert.ok(fix !== null);
    assert.deepEqual(rulesOf(item, applyEdits(item.text, fix.edits)), []);
  });

  it("sorting moves the items as they are written, whatever their format", () => {
    const item = broken(
      "seam",
      (value) => list(value, "/task_migration/entries").reverse(),
      (value) => {
        const text = JSON.stringify(value, null, 3);
        return text.replace('"reason": "planned"', '"reason":      "planned"').replaceAll("\n", "\r\n");
      },
    );
    const fixed = fixOf(item, "sort-array");
    assert.deepEqual(rulesOf(item, fixed), []);
    assert.ok(fixed.includes('"reason":      "planned"'));
    assert.ok(!/[^\r]\n/.test(fixed));
  });

  it("sorting for 0.50 keeps the primary successor first", () => {
    const { value, context } = validDocument("primary");
    object(value, "/task_migration/entries/0")["successor_task_ids"] = ["T9", "T1b", "T1a"];
    object(value, "/phase_revision")["runtime_task_migration"] = structuredClone(value["task_migration"]);
    sealInPlace(value);
    const item: Case = { text: JSON.stringify(value, null, 2), options: { context } };
    const fixed = JSON.parse(fixOf(item, "sort-array")) as Fields;
    assert.deepEqual(list(fixed, "/task_migration/entries/0/successor_task_ids"), ["T9", "T1a", "T1b"]);
    assert.deepEqual(list(fixed, "/phase_revision/runtime_task_migration/entries/0/successor_task_ids"), ["T9", "T1a", "T1b"]);
  });

  it("a missing entry is added in its place with the format of the list", () => {
    for (const format of [(value: Fields) => JSON.stringify(value, null, 3), (value: Fields) => JSON.stringify(value), (value: Fields) => JSON.stringify(value, null, "\t")]) {
      const item = broken("seam", (value) => list(value, "/task_migration/entries").splice(1, 1), format);
      const fixed = fixOf(item, "add-missing-entries");
      assert.deepEqual(rulesOf(item, fixed), []);
      assert.equal(format(JSON.parse(fixed) as Fields), fixed);
    }
  });

  it("a binding is filled from the context, a treatment of the other mode is set to null, an unknown key is removed", () => {
    const cases = [
      ["fill-binding", broken("seam", (value) => void (value["frozen_event_digest"] = "e".repeat(64)))],
      ["remove-treatment", broken("seam", (value) => void (value["intentional_serial"] = { any: [1, 2] }))],
      ["remove-keys", broken("seam", (value) => void (object(value, "/successor_request/repo")["extra"] = { a: 1 }))],
      ["copy-value", broken("seam", (value) => void (object(value, "/successor_request")["request_id"] = "other"))],
      ["remove-duplicate", broken("seam", (value) => void list(value, "/successor_request/todos").push({ todo_id: "T2" }))],
    ] as const;
    for (const [code, item] of cases) {
      const fixed = fixOf(item, code);
      assert.deepEqual(rulesOf(item, fixed), [], code);
      assert.equal(JSON.stringify(JSON.parse(fixed), null, 3), fixed, code);
    }
  });

  it("of a repeated key the ignored member goes, with its comma", () => {
    const item = broken("seam", () => undefined, (value) => JSON.stringify(value, null, 3).replace('"run_id"', '"run_id": {"ignored": []},\n   "run_id"'));
    assert.equal(fixOf(item, "remove-duplicate-key"), JSON.stringify(validDocument("seam").value, null, 3));
  });

  it("fixing everything leaves what needs a person, and nothing else", () => {
    const item = broken("seam", (value) => {
      list(value, "/task_migration/entries").reverse();
      value["frozen_event_digest"] = "e".repeat(64);
      value["predecessor_epoch"] = 77;
      object(value, "/seam_split")["verifier_refs"] = ["b", "a", "b"];
      value["reason"] = "";
    }, (value) => `\uFEFF${JSON.stringify(value, null, 3)}`, false);
    const judged = judgeRequestText(item.text, item.options);
    const fix = fixAll(judged, item.options);
    assert.ok(fix !== null);
    assert.deepEqual(rulesOf(item, applyEdits(item.text, fix.edits)), ["recompile.reason-nonempty"]);
  });

  it("of a valid document there is nothing to fix", () => {
    for (const kind of ["seam", "serial", "split"] as const) {
      const item = broken(kind, () => undefined);
      const judged = judgeRequestText(item.text, item.options);
      assert.equal(fixAll(judged, item.options), null);
      assert.equal(resealAll(judged, item.options), null);
    }
  });

  it("several random mistakes are fixed together as far as they can be, and never made worse", () => {
    const mistakes: readonly ((value: Fields) => void)[] = [
      (value) => list(value, "/task_migration/entries").reverse(),
      (value) => void (value["hold_decision_digest"] = "e".repeat(64)),
      (value) => void (value["request_digest"] = "short"),
      (value) => void (object(value, "/successor_request")["task_migration_digest"] = "short"),
      (value) => void (object(value, "/seam_split")["predecessor_task_ids"] = ["T2", "T1", "T1"]),
      (value) => void (value["intentional_serial"] = []),
      (value) => void (object(value, "/successor_request")["predecessor_request_digest"] = 5),
    ];
    fc.assert(
      fc.property(randomDocument("seam"), fc.subarray(mistakes as ((value: Fields) => void)[], { minLength: 2 }), ({ value, context, indent }, chosen) => {
        for (const mistake of chosen) mistake(value);
        const options = { context };
        const judged = judgeRequestText(JSON.stringify(value, null, indent), options);
        const fix = fixAll(judged, options);
        assert.ok(fix !== null);
        assert.deepEqual(judgeRequestText(applyEdits(judged.text, fix.edits), options).findings.map(({ rule }) => rule), []);
      }),
      { numRuns: 15 },
    );
  });
});
