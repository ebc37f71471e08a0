// Owns: that the restricted window of these tests is one, and that the extension works in it.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { extensionId } from "../../../src/extension/contract.js";

describe("a workspace that is not trusted", () => {
  it("is not trusted here", () => {
    assert.equal(vscode.workspace.isTrusted, false);
  });

  it("still lets the extension activate: looking is allowed", async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    await extension?.activate();
    assert.equal(extension?.isActive, true);
  });
});
