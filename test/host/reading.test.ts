// Owns: the commands that only read: evidence, clipboard, opening, filter, report. And that none of them changes a byte.
import assert from "node:assert/strict";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { hostClaim, hostDemo } from "./demo.js";
import { bytesBelow } from "../demo/bytesBelow.js";
import { actingAs } from "./dialogs.js";
import { command, freshRow, rowOfPath, staleRun, testing, until } from "./shell.js";

describe("reading", () => {
  let atFirst: ReadonlyMap<string, string>;
  const stores = (): ReadonlyMap<string, string> => new Map(Object.values(hostDemo().projects).flatMap((project) => [...bytesBelow(path.join(project, ".lattice"))]));

  before(() => {
    atFirst = stores();
  });

  after(() => {
    assert.deepEqual(stores(), atFirst);
  });

  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("shows the whole evidence as a document", async () => {
    const row = await freshRow(hostClaim("stale").lock);
    await command("runState.showEvidence", row);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, "run-state-evidence");
    const text = document.getText();
    assert.ok(row.subject.kind === "claim");
    const { claim } = row.subject;
    for (const part of [claim.id, claim.path, claim.sha256 ?? "?", `pid ${String(claim.owner?.pid)}`]) assert.ok(text.includes(part), part);
    assert.equal(text.match(/this decided/g)?.length, 1);
    for (const check of claim.checks) {
      for (const value of [check.recorded, check.observed]) assert.ok(value === null || text.includes(value), `${check.id}: ${String(value)}`);
    }
  });

  it("says in an open document that its claim has gone", async () => {
    const { run, lock } = staleRun(hostDemo().projects.checkout, "evidence-gone");
    const row = await freshRow(lock);
    await command("runState.showEvidence", row);
    const document = vscode.window.activeTextEditor?.document;
    await vscode.workspace.fs.delete(vscode.Uri.file(run), { recursive: true });
    await command("runState.refresh");
    await until("the document says so", () => document?.getText() === "This claim is no longer there.");
  });

  it("copies id, path and evidence as they are, of every selected row", async () => {
    const one = await freshRow(hostClaim("stale").lock);
    const two = await rowOfPath(hostClaim("remote").lock);
    assert.ok(one.subject.kind === "claim" && two?.subject.kind === "claim");
    await command("runState.copyPath", one, [one, two]);
    assert.equal(await vscode.env.clipboard.readText(), `${one.subject.claim.path}\n${two.subject.claim.path}`);
    await command("runState.copyId", one);
    assert.equal(await vscode.env.clipboard.readText(), one.subject.claim.id);
    await command("runState.copyEvidence", one);
    const markdown = await vscode.env.clipboard.readText();
    assert.match(markdown, /^### Lifecycle lock of /);
    assert.match(markdown, /^\| Check +\| Recorded +\| Observed +\| Result +\|$/m);
  });

  it("opens the lock file, and reveals it in the Explorer", async () => {
    const row = await freshRow(hostClaim("stale").lock);
    await command("runState.openFile", row);
    await until("the file is open", () => vscode.window.activeTextEditor?.document.uri.fsPath === hostClaim("stale").lock);
    await command("runState.revealInExplorer", row);
  });

  it("filters by state, and back", async () => {
    const { view } = await testing();
    await actingAs({ picks: [["remote", "live"]] }, async () => command("runState.filter"));
    assert.deepEqual([...(view.filter ?? [])].sort(), ["live", "remote"]);
    await command("runState.clearFilter");
    assert.equal(view.filter, null);
  });

  it("reports versions and counts, and nothing that names this machine, its people or its runs", async () => {
    await freshRow(hostClaim("stale").lock);
    await actingAs({}, async () => {
      await command("runState.reportIssue");
    });
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    assert.match(text, /lifecycle-lock stale pid_absent +\| \d/);
    const secrets = [os.hostname(), os.userInfo().username === "root" ? os.homedir() : os.userInfo().username, os.tmpdir(), path.basename(hostDemo().projects.checkout), path.basename(hostClaim("stale").run)];
    assert.deepEqual(secrets.filter((secret) => secret.length > 1 && text.includes(secret)), []);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
});
