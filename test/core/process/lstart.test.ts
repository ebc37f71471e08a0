import assert from "node:assert/strict";
import fc from "fast-check";
import { readStartText, writeStartText } from "../../../src/core/process/lstart.js";

const utc = (...parts: Parameters<typeof Date.UTC>): number => Date.UTC(...parts) / 1000;

describe("start text of ps", () => {
  it("is read with the day padded by a space, by a zero, or not at all", () => {
    for (const text of ["Tue Dec  1 09:19:16 2026", "Tue Dec 01 09:19:16 2026", "Tue Dec 1 09:19:16 2026", "  Tue Dec  1 09:19:16 2026\n"]) {
      assert.equal(readStartText(text), utc(2026, 11, 1, 9, 19, 16), text);
    }
  });

  it("is read with the day before the month, as BSD writes it under an English locale", () => {
    assert.equal(readStartText("Tue  1 Dec 09:19:16 2026"), utc(2026, 11, 1, 9, 19, 16));
  });

  it("knows leap days and centuries", () => {
    assert.equal(readStartText("Thu Feb 29 23:59:59 2024"), utc(2024, 1, 29, 23, 59, 59));
    assert.equal(readStartText("Tue Feb 29 00:00:00 2000"), utc(2000, 1, 29));
    assert.equal(readStartText("Sun Feb 29 00:00:00 2026"), null);
    assert.equal(readStartText("Mon Feb 29 00:00:00 2100"), null);
  });

  it("is not read when it is no time that ps writes", () => {
    const bad = [
      "",
      "start-3010",
      "linux:starttime:12345",
      "Wed Dec  1 09:19:16 2026", // it was a Tuesday
      "Tue Dec  0 09:19:16 2026",
      "Tue Dec 32 09:19:16 2026",
      "Tue Dec  1 24:00:00 2026",
      "Tue Dec  1 09:60:16 2026",
      "Tue Dec  1 09:19:60 2026",
      "Tue Dez  1 09:19:16 2026",
      "Di  1 Dez 09:19:16 2026",
      "火 12/ 1 09:19:16 2026",
      "tue dec  1 09:19:16 2026",
      "Tue Dec  1 09:19:16 2026 UTC",
      "Tue Dec  1 09:19 2026",
      "Tue Dec  1 9:19:16 2026",
      "2026-12-01T09:19:16Z",
      "1796116756",
    ];
    for (const text of bad) assert.equal(readStartText(text), null, text);
  });

  it("comes back the same for every second of the years 100 to 9999", () => {
    fc.assert(
      fc.property(fc.integer({ min: -59_011_459_200, max: 253_402_300_799 }), (seconds) => {
        const text = writeStartText(seconds);
        assert.equal(text.length, 24);
        assert.equal(readStartText(text), seconds);
      }),
      { numRuns: 2000 },
    );
  });
});
