import assert from "node:assert/strict";
import fc from "fast-check";
import { pointerTo } from "../../../../src/core/artifact/canonical.js";
import { indexText } from "../../../../src/core/systems/lattice/requests/jsonIndex.js";
import { scanStructure } from "../../../../src/core/systems/lattice/requests/jsonScan.js";

/** Every pointer of a value with what is there. */
function pointersOf(value: unknown, pointer = ""): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null) return [[pointer, value]];
  return [[pointer, value], ...Object.entries(value).flatMap(([key, member]) => pointersOf(member, pointerTo(pointer, key)))];
}

const document = fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom("a", "b", "\"", "\\", "/", "~", " ", "\n", "\t", "é", "🙂", "{", "}", "[", "]", ",", ":") });
const formatted = fc.tuple(document, fc.constantFrom<string | number>(0, 1, 2, "\t"), fc.constantFrom("", "\uFEFF")).map(([value, indent, mark]) => ({
  value: JSON.parse(JSON.stringify(value)) as unknown,
  text: mark + JSON.stringify(value, null, indent),
  start: mark.length,
}));

const slice = (text: string, { offset, length }: { readonly offset: number; readonly length: number }): string => text.slice(offset, offset + length);

describe("places in a JSON text", () => {
  it("every pointer leads to the text of its value, and to the text of its key", () => {
    fc.assert(
      fc.property(formatted, ({ value, text, start }) => {
        const all = pointersOf(value);
        const { places } = indexText(text, start, { pointers: all.map(([pointer]) => pointer) });
        for (const [pointer, expected] of all) {
          const place = places.get(pointer);
          assert.ok(place !== undefined, pointer);
          assert.deepEqual(JSON.parse(slice(text, place.value)), expected);
          if (place.key !== null) assert.equal(pointerTo("", JSON.parse(slice(text, place.key)) as string), pointer.slice(pointer.lastIndexOf("/")));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("one pointer is found without the others", () => {
    fc.assert(
      fc.property(formatted, fc.nat(), ({ value, text, start }, choice) => {
        const all = pointersOf(value);
        const [pointer, expected] = all[choice % all.length] ?? ["", value];
        const place = indexText(text, start, { pointers: [pointer, "/nowhere/at/all"] }).places.get(pointer);
        assert.deepEqual(JSON.parse(slice(text, place?.value ?? { offset: 0, length: 0 })), expected);
      }),
      { numRuns: 300 },
    );
  });

  it("an offset leads back to the pointer of the value that begins there", () => {
    fc.assert(
      fc.property(formatted, ({ value, text, start }) => {
        const all = pointersOf(value).map(([pointer]) => pointer);
        const { places } = indexText(text, start, { pointers: all });
        const offsets = all.map((pointer) => places.get(pointer)?.value.offset ?? -1);
        const { pointersAt } = indexText(text, start, { offsets });
        assert.deepEqual(offsets.map((offset) => pointersAt.get(offset)), all);
      }),
      { numRuns: 300 },
    );
  });

  it("the scan counts as many values and levels as there are", () => {
    const depthOf = (value: unknown): number => (typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0);
    fc.assert(
      fc.property(formatted, ({ value, text, start }) => {
        const scan = scanStructure(text, start, { maxDepth: 64, maxValues: 10_000 });
        assert.deepEqual({ values: scan.values, depth: scan.depth, open: scan.openBrackets.length }, { values: pointersOf(value).length, depth: depthOf(value), open: 0 });
      }),
      { numRuns: 500 },
    );
  });

  it("repeated keys are found at any level, three times as two pairs", () => {
    const text = '{"a":[{"k":1,"x":0,"\\u006b":2,"k":3}],"b":{"k":1}}';
    const { repeatedKeys, places } = indexText(text, 0, { repeatedKeys: true, pointers: ["/a/0/k"] });
    assert.deepEqual(repeatedKeys.map(({ pointer, first, again }) => [pointer, slice(text, first.value), slice(text, again.value)]), [
      ["/a/0/k", "1", "2"],
      ["/a/0/k", "1", "3"],
    ]);
    assert.equal(slice(text, places.get("/a/0/k")?.value ?? { offset: 0, length: 0 }), "3");
  });
});
