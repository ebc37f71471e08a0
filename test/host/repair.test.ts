// Owns: the repairs as commands with answered dialogs: what is asked, what moves, what comes back, and that nothing moves without the last answer.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { bytesBelow } from "../demo/bytesBelow.js";
import { actingAs } from "./dialogs.js";
import { hostClaim, hostDemo } from "./demo.js";
import { allRows, api, command, freshRow, rowOfPath, runWithLock, staleRun, until } from "./shell.js";

const move = "Move to Quarantine";
const anyway = "Move Anyway";

function project(): string {
  return hostDemo().projects.checkout;
}

/** Moves a stale lock of its own; gives where it was and what it held. */
async function quarantined(name: string): Promise<{ readonly lock: string; readonly bytes: Buffer }> {
  const made = staleRun(project(), name);
  const row = await freshRow(made.lock);
  await actingAs({ messages: [["Move the stale", move], ["proof is weak", anyway]] }, async () => command("runState.recoverStaleLock", row));
  assert.equal(fs.existsSync(made.lock), false);
  return made;
}

describe("recovering a stale lock", () => {
  it("shows owner, evidence, path and destination before it asks", async () => {
    const { lock } = staleRun(project(), "shown-first");
    const row = await freshRow(lock);
    await actingAs({}, async ({ messages }) => {
      await command("runState.recoverStaleLock", row);
      const [asked] = messages;
      assert.ok(asked);
      assert.equal(asked.message, "Move the stale lifecycle lock of shown-first to quarantine?");
      assert.equal(asked.isModal, true);
      assert.deepEqual(asked.buttons, [move]);
      assert.match(asked.detail ?? "", /^Owner: pid \d+$/m);
      assert.match(asked.detail ?? "", /^Operation: recompile$/m);
      assert.ok(asked.detail?.includes(`Path: ${lock}`));
      assert.ok(asked.detail?.includes(`Moves to: ${path.join(project(), ".lattice/quarantine/shown-first")}`));
    });
  });

  for (const [answer, messages] of [
    ["the dialog is closed", []],
    ["the second question is closed", [["Move the stale", move]]],
  ] as const) {
    it(`changes not one byte when ${answer}`, async () => {
      const { lock } = staleRun(project(), "left-alone");
      const row = await freshRow(lock);
      const before = bytesBelow(path.join(project(), ".lattice"));
      await actingAs({ messages }, async () => command("runState.recoverStaleLock", row));
      assert.deepEqual(bytesBelow(path.join(project(), ".lattice")), before);
    });
  }

  it("asks twice, says what was assumed, moves the lock and records it", async () => {
    const { lock, bytes } = staleRun(project(), "moved");
    const row = await freshRow(lock);
    await actingAs({ messages: [["Move the stale", move], ["proof is weak", anyway]] }, async (dialogs) => {
      await command("runState.recoverStaleLock", row);
      assert.ok((dialogs.with("proof is weak")[0]?.detail?.split("\n").length ?? 0) > 1);
      const [done] = dialogs.with("Moved to quarantine");
      assert.deepEqual(done?.buttons, ["Restore"]);
      assert.equal(done.isModal, false);
    });
    assert.equal(fs.existsSync(lock), false);
    const entry = await rowOfPath(lock);
    assert.ok(entry?.subject.kind === "entry" && entry.subject.entry.kind === "quarantined");
    assert.deepEqual(fs.readFileSync(entry.subject.entry.path), bytes);
    assert.equal(entry.subject.entry.record.forced, false);
  });

  it("puts the very bytes back when Restore is pressed in the notification", async () => {
    const { lock, bytes } = staleRun(project(), "undone");
    const row = await freshRow(lock);
    await actingAs({ messages: [["Move the stale", move], ["proof is weak", anyway], ["Moved to quarantine", "Restore"]] }, async (dialogs) => {
      await command("runState.recoverStaleLock", row);
      await until("the notification that it was restored", () => dialogs.with("Restored:").length > 0);
    });
    assert.deepEqual(fs.readFileSync(lock), bytes);
  });

  it("moves nothing when another owner has taken the lock since the dialog opened", async () => {
    const { lock } = staleRun(project(), "taken-meanwhile");
    const row = await freshRow(lock);
    const successor = fs.readFileSync(hostClaim("live").lock);
    await actingAs({ messages: [["Move the stale", move], ["proof is weak", anyway]] }, async (dialogs) => {
      const ask = vscode.window.showWarningMessage;
      Reflect.set(vscode.window, "showWarningMessage", (...args: Parameters<typeof ask>) => {
        if (args[0].includes("proof is weak")) {
          fs.rmSync(lock);
          fs.writeFileSync(lock, successor, { mode: 0o600 });
        }
        return ask(...args);
      });
      await command("runState.recoverStaleLock", row);
      assert.equal(dialogs.with("Moved to quarantine").length, 0);
      assert.equal(dialogs.messages.filter(({ kind, isModal }) => kind === "warning" && !isModal).length, 1);
    });
    assert.deepEqual(fs.readFileSync(lock), successor);
  });

  it("acts on a selection with one question that lists each, and says what it leaves alone", async () => {
    const one = await freshRow(staleRun(project(), "batch-one").lock);
    const two = await freshRow(staleRun(project(), "batch-two").lock);
    const liveRow = await freshRow(hostClaim("live").lock);
    await actingAs({ messages: [["Move 2 stale claims", move], ["proof is weak", anyway]] }, async (dialogs) => {
      await command("runState.recoverStaleLock", one, [one, two, liveRow]);
      const [asked] = dialogs.messages;
      assert.match(asked?.detail ?? "", /batch-one.*\n.*batch-two/);
      assert.match(asked?.detail ?? "", /Left alone:\n• .*: not stale/);
      assert.equal(dialogs.with("Moved 2 claims").length, 1);
    });
    assert.ok(fs.existsSync(hostClaim("live").lock));
  });

  it("acts on the clicked row only when the click was outside the selection", async () => {
    const clicked = staleRun(project(), "clicked");
    const selected = staleRun(project(), "selected");
    const row = await freshRow(clicked.lock);
    const other = await freshRow(selected.lock);
    await actingAs({ messages: [["Move the stale lifecycle lock of clicked", move], ["proof is weak", anyway]] }, async () =>
      command("runState.recoverStaleLock", row, [other]),
    );
    assert.equal(fs.existsSync(clicked.lock), false);
    assert.equal(fs.existsSync(selected.lock), true);
  });

  it("asks for its target from the palette", async () => {
    const { lock } = staleRun(project(), "from-palette");
    await freshRow(lock);
    await actingAs({ picks: ["from-palette"], messages: [["Move the stale", move], ["proof is weak", anyway]] }, async ({ picks }) => {
      await command("runState.recoverStaleLock");
      assert.ok((picks[0]?.length ?? 0) > 1);
      assert.ok(picks[0]?.every((item) => item.description?.startsWith("stale")));
    });
    assert.equal(fs.existsSync(lock), false);
  });

  it("asks for the id instead of a button press when the setting says so", async () => {
    const configuration = vscode.workspace.getConfiguration("runState");
    await configuration.update("confirmation", "typeId", vscode.ConfigurationTarget.Global);
    try {
      const { lock } = staleRun(project(), "typed");
      const row = await freshRow(lock);
      const id = row.subject.kind === "claim" ? row.subject.claim.id : "";
      const script = { messages: [["Move the stale", move], ["proof is weak", anyway]] } as const;
      await actingAs({ ...script, inputs: ["something else"] }, async () => command("runState.recoverStaleLock", row));
      assert.equal(fs.existsSync(lock), true);
      await actingAs({ ...script, inputs: [id] }, async () => command("runState.recoverStaleLock", row));
      assert.equal(fs.existsSync(lock), false);
    } finally {
      await configuration.update("confirmation", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("says that a row is no longer there instead of guessing", async () => {
    const { lock, run } = staleRun(project(), "vanished");
    const row = await freshRow(lock);
    fs.rmSync(run, { recursive: true });
    await (await api()).refresh();
    await actingAs({}, async (dialogs) => {
      await command("runState.recoverStaleLock", row);
      assert.deepEqual(dialogs.messages.map(({ message }) => message), ["It is no longer there."]);
    });
  });

  it("refuses a live lock and says that there is nothing to recover", async () => {
    const row = await freshRow(hostClaim("live").lock);
    await actingAs({}, async (dialogs) => {
      await command("runState.recoverStaleLock", row);
      assert.deepEqual(dialogs.messages.map(({ isModal }) => isModal), [false]);
    });
    assert.ok(fs.existsSync(hostClaim("live").lock));
  });
});

describe("forcing into quarantine", () => {
  const torn = new TextEncoder().encode('{"schema":"lattice.runtime_lifecycle_lock.v1","owner_pid":');

  /** Old enough to have been left alone: force is not offered for what somebody may be writing. */
  function tornRun(name: string): ReturnType<typeof runWithLock> {
    return runWithLock(project(), name, torn);
  }

  it("is refused for a file that changed less than a minute ago, and says why", async () => {
    const { lock } = tornRun("torn-fresh");
    await until("the lock is corrupt", async () => {
      const row = await freshRow(lock);
      return row.subject.kind === "claim" && row.subject.claim.verdict.kind === "corrupt";
    });
    const row = await freshRow(lock);
    await actingAs({}, async (dialogs) => {
      await command("runState.forceQuarantine", row);
      assert.equal(dialogs.with("Not moved, not even by force").length, 1);
      assert.equal(dialogs.inputs.length, 0);
    });
    assert.ok(fs.existsSync(lock));
  });

  it("moves nothing for a wrong id, and moves for the right one", async () => {
    const { lock } = hostClaim("remote");
    const bytes = fs.readFileSync(lock);
    const row = await freshRow(lock);
    assert.ok(row.subject.kind === "claim");
    const { id } = row.subject.claim;
    const go = { messages: [["Force the lifecycle lock", "Continue…"]] } as const;
    for (const typed of [null, "", `${id} `, id.toUpperCase()]) {
      await actingAs({ ...go, inputs: [typed] }, async (dialogs) => {
        await command("runState.forceQuarantine", row);
        assert.equal(dialogs.inputs.length, 1);
        assert.ok(dialogs.inputs[0]?.prompt?.includes(id), "the id is shown");
      });
      assert.deepEqual(fs.readFileSync(lock), bytes, JSON.stringify(typed));
    }
    await actingAs({ ...go, inputs: [id] }, async () => command("runState.forceQuarantine", row));
    assert.equal(fs.existsSync(lock), false);
    const entry = await rowOfPath(lock);
    assert.ok(entry?.subject.kind === "entry" && entry.subject.entry.kind === "quarantined");
    assert.equal(entry.subject.entry.record.forced, true);
    await actingAs({ messages: [["Restore the", "Restore"]] }, async () => command("runState.restore", entry));
    assert.deepEqual(fs.readFileSync(lock), bytes);
  });

  it("validates what is typed while the box is open", async () => {
    const row = await freshRow(hostClaim("remote").lock);
    assert.ok(row.subject.kind === "claim");
    const { id } = row.subject.claim;
    await actingAs({ messages: [["Force the lifecycle lock", "Continue…"]] }, async ({ inputs }) => {
      await command("runState.forceQuarantine", row);
      const [box] = inputs;
      assert.equal(await box?.validateInput?.("x"), `This is not the id of the claim. Type exactly: ${id}`);
      assert.equal(await box?.validateInput?.(id), undefined);
    });
  });
});

describe("restoring", () => {
  it("asks first, and puts the very bytes back", async () => {
    const { lock, bytes } = await quarantined("restored-by-command");
    const entry = await rowOfPath(lock);
    await actingAs({}, async () => command("runState.restore", entry));
    assert.equal(fs.existsSync(lock), false);
    await actingAs({ messages: [["Restore the lifecycle lock of restored-by-command?", "Restore"]] }, async (dialogs) => {
      await command("runState.restore", entry);
      assert.equal(dialogs.with("Restored:").length, 1);
    });
    assert.deepEqual(fs.readFileSync(lock), bytes);
  });

  it("refuses when the place is taken, and says by whom", async () => {
    const { lock } = await quarantined("place-taken");
    const entry = await rowOfPath(lock);
    const successor = fs.readFileSync(hostClaim("live").lock);
    fs.writeFileSync(lock, successor, { mode: 0o600 });
    await actingAs({ messages: [["Restore the", "Restore"]] }, async (dialogs) => {
      await command("runState.restore", entry);
      const [refused] = dialogs.with("was not restored");
      assert.match(refused?.message ?? "", /Its place is taken: Lock, live · pid \d+/);
    });
    assert.deepEqual(fs.readFileSync(lock), successor);
    fs.rmSync(lock);
  });
});

describe("purging", () => {
  it("deletes nothing before the age, the items and the dialog were answered", async () => {
    const { lock } = await quarantined("purged");
    const entry = await rowOfPath(lock);
    assert.ok(entry?.subject.kind === "entry");
    const { path: item, recordPath } = entry.subject.entry;
    const before = bytesBelow(path.join(project(), ".lattice"));
    await actingAs({}, async (dialogs) => {
      await command("runState.purge", entry);
      assert.equal(dialogs.with("Delete 1 item for good?")[0]?.isModal, true);
      assert.ok(dialogs.messages[0]?.detail?.includes(item), "the item is named");
    });
    assert.deepEqual(bytesBelow(path.join(project(), ".lattice")), before);
    await actingAs({ messages: [["Delete 1 item", "Delete"]] }, async () => command("runState.purge", entry));
    assert.equal(fs.existsSync(item), false);
    assert.equal(fs.existsSync(recordPath), false);
    assert.equal(await rowOfPath(lock), undefined);
  });

  it("offers by age what lies in a quarantine, each item a line that can be left out", async () => {
    await quarantined("kept");
    await quarantined("let-go");
    const group = (await allRows()).find(({ subject }) => subject.kind === "quarantine");
    await actingAs({ picks: ["Everything", ["let-go"]], messages: [["Delete 1 item", "Delete"]] }, async ({ picks }) => {
      await command("runState.purge", group);
      assert.ok((picks[1]?.length ?? 0) >= 2);
    });
    const left = (await allRows()).flatMap(({ subject, row }) => (subject.kind === "entry" ? [row.label] : []));
    assert.ok(left.includes("kept"));
    assert.ok(!left.includes("let-go"));
  });

  it("says so when nothing is that old", async () => {
    const group = (await allRows()).find(({ subject }) => subject.kind === "quarantine");
    await actingAs({ picks: ["Older than a week"] }, async (dialogs) => {
      await command("runState.purge", group);
      assert.equal(dialogs.with("Nothing in quarantine is that old.").length, 1);
    });
  });
});
