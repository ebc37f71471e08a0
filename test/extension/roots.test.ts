// Which directories are looked at.
import assert from "node:assert/strict";
import { chooseRoots, isInside } from "../../src/extension/roots.js";

describe("roots", () => {
  it("are the workspace folders and the extra directories, each once", () => {
    assert.deepEqual(chooseRoots(["/w/a", "/w/b/"], ["/w/a/", "/elsewhere", "~/runs", "/w/b/deeper"], "/home/kim"), {
      roots: [
        { path: "/w/a", isInWorkspace: true },
        { path: "/w/b", isInWorkspace: true },
        { path: "/elsewhere", isInWorkspace: false },
        { path: "/home/kim/runs", isInWorkspace: false },
        { path: "/w/b/deeper", isInWorkspace: true },
      ],
      rejected: [],
    });
  });

  it("do not take an entry that names no absolute directory", () => {
    assert.deepEqual(chooseRoots([], ["runs", "./x", "~other/runs", "~"], "/home/kim"), {
      roots: [{ path: "/home/kim", isInWorkspace: false }],
      rejected: ["runs", "./x", "~other/runs"],
    });
  });

  it("tell what lies below a directory from what only starts alike", () => {
    assert.equal(isInside("/a/b", "/a"), true);
    assert.equal(isInside("/a", "/a"), true);
    assert.equal(isInside("/ab", "/a"), false);
    assert.equal(isInside("/a/..b", "/a"), true);
    assert.equal(isInside("/", "/a"), false);
  });
});
