// How long ago something was, in words that do not change every second.
import assert from "node:assert/strict";
import { englishText } from "../../src/shared/text.js";
import { ageText, millisecondsOf, spokenAge } from "../../src/extension/tree/age.js";
import { now } from "./builders.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe("ages", () => {
  for (const [age, short, spoken] of [
    [-day, "now", "less than a minute"],
    [0, "now", "less than a minute"],
    [minute - 1, "now", "less than a minute"],
    [minute, "1 min", "1 minute"],
    [59 * minute, "59 min", "59 minutes"],
    [hour, "1 h", "1 hour"],
    [day - 1, "23 h", "23 hours"],
    [day, "1 d", "1 day"],
    [400 * day, "400 d", "400 days"],
  ] as const) {
    it(`say ${short} after ${String(age)} ms`, () => {
      assert.equal(ageText(now - age, now, englishText), short);
      assert.equal(spokenAge(now - age, now, englishText), spoken);
    });
  }

  it("read nanoseconds beyond what a number holds", () => {
    assert.equal(millisecondsOf("1772366400123456789"), 1_772_366_400_123);
  });
});
