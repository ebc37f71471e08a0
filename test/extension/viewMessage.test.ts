// The line above the rows: silent in the ordinary case.
import assert from "node:assert/strict";
import { viewMessage, type ViewMessageFacts } from "../../src/extension/status/viewMessage.js";
import { englishText } from "../../src/shared/text.js";

const ordinary: ViewMessageFacts = {
  lookedAt: "14:03:21",
  refresh: "auto",
  pollInterval: 15,
  isTrusted: true,
  filter: null,
  failure: null,
  unwatched: [],
  rejectedRoots: [],
};

function message(facts: Partial<ViewMessageFacts>): string | undefined {
  return viewMessage({ ...ordinary, ...facts }, englishText);
}

describe("the message of the view", () => {
  it("is absent when there is nothing to say", () => {
    assert.equal(message({}), undefined);
  });

  it("is absent without rows, so that the welcome text can be seen", () => {
    assert.equal(message({ lookedAt: null, isTrusted: false, refresh: "manual", failure: "EIO" }), undefined);
  });

  it("says that repairs are off in Restricted Mode", () => {
    assert.equal(message({ isTrusted: false }), "Restricted Mode: you can look, repairs are off.");
  });

  it("says that nothing refreshes by itself, and how old the rows are", () => {
    assert.equal(message({ refresh: "manual", unwatched: ["/x"] }), "Automatic refresh is off. Last look: 14:03:21.");
  });

  it("names the directories that are polled", () => {
    assert.equal(message({ unwatched: ["/mnt/runs", "/other"] }), "Not watched, looked at every 15 s: /mnt/runs, /other.");
  });

  it("says that a look failed and which state is shown", () => {
    assert.equal(message({ failure: "EIO: i/o error" }), "The last look failed: EIO: i/o error. Shown is the state of 14:03:21.");
  });

  it("names what a filter shows, in the order of the tree", () => {
    assert.equal(message({ filter: new Set(["unknown", "stale"] as const) }), "Filtered: stale, unknown.");
  });

  it("names setting entries that are no absolute path, also without rows", () => {
    assert.equal(message({ lookedAt: null, rejectedRoots: ["runs"] }), "Not an absolute path in runState.roots: runs.");
  });
});
