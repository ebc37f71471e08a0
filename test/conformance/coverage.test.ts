import assert from "node:assert/strict";
import { unconsumed } from "./vectors.js";

describe("conformance data", () => {
  it("is read by a test, every file and every category", () => {
    assert.deepEqual(unconsumed(), []);
  });
});
