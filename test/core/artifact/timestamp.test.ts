import assert from "node:assert/strict";
import fc from "fast-check";
import { isTimestamp } from "../../../src/core/artifact/syntax.js";

/** The definition of spec/lattice.md section 1.6, word for word. */
function survivesRoundTrip(text: string): boolean {
  const instant = new Date(text);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === text;
}

const digits = (length: number, maximum: number): fc.Arbitrary<string> => fc.nat(maximum).map((value) => String(value).padStart(length, "0"));

describe("isTimestamp", () => {
  it("agrees with a round trip through Date on every well-formed text", () => {
    const text = fc
      .tuple(digits(4, 9999), digits(2, 14), digits(2, 33), digits(2, 25), digits(2, 61), digits(2, 61), digits(3, 999))
      .map(([year, month, day, hour, minute, second, ms]) => `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
    fc.assert(
      fc.property(text, (value) => {
        assert.equal(isTimestamp(value), survivesRoundTrip(value), value);
      }),
      { numRuns: 20_000 },
    );
  });

  it("knows every last day of a month, leap years of four centuries included", () => {
    for (let year = 1600; year <= 2000; year += 1) {
      for (let month = 1; month <= 12; month += 1) {
        for (const day of [28, 29, 30, 31]) {
          const value = `${String(year)}-${String(month).padStart(2, "0")}-${String(day)}T00:00:00.000Z`;
          assert.equal(isTimestamp(value), survivesRoundTrip(value), value);
        }
      }
    }
  });
});
