// Owns: that nothing outlives what started it: a group ends with stop(), with a signal to its starter, and with the starter's SIGKILL.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { repositoryRoot, startNode } from "../tools/processGroup.mjs";

const owner = path.join(repositoryRoot, "test/demo/owner.mjs");
const tools = path.join(repositoryRoot, "test/tools/processGroup.mjs");

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Nobody may collect an orphan here: a zombie has ended all the same.
  const stat = process.platform === "linux" ? fs.readFileSync(`/proc/${pid}/stat`, "utf8") : ") S";
  return !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await delay(10);
}

async function line(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once("exit", (code) => reject(new Error(`ended with ${String(code)}`)));
  });
}

describe("a process group", () => {
  it("ends with stop()", async () => {
    const group = startNode([owner], { stdout: "pipe" });
    assert.equal(await line(group.child), "ready");
    await group.stop();
    assert.equal(group.hasExited, true);
    assert.equal(isAlive(group.child.pid ?? 0), false);
  });

  it("reports the exit code, and 128 + n after a signal", async () => {
    assert.equal((await startNode(["-e", "process.exit(3)"]).exited).code, 3);
    assert.equal((await startNode(["-e", "process.kill(process.pid, 'SIGKILL')"]).exited).code, 128 + os.constants.signals.SIGKILL);
  });

  /** A process that starts a group, tells its pid, and waits. */
  async function starter(): Promise<{ readonly child: ChildProcess; readonly grandchild: number; readonly cleaned: string; readonly exited: Promise<number | null> }> {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-group-"));
    const cleaned = path.join(directory, "cleaned");
    const script = `
      import { writeFileSync } from "node:fs";
      import { endOnSignals, onEnd, startNode } from ${JSON.stringify(tools)};
      endOnSignals();
      onEnd(() => writeFileSync(${JSON.stringify(cleaned)}, "yes"));
      const group = startNode([${JSON.stringify(owner)}], { stdout: "pipe" });
      group.child.stdout.once("data", () => console.log(group.child.pid));
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
    return { child, grandchild: Number(await line(child)), cleaned, exited };
  }

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`ends in good order when its starter gets ${signal}`, async () => {
      const { child, grandchild, cleaned, exited } = await starter();
      assert.equal(isAlive(grandchild), true);
      child.kill(signal);
      assert.equal(await exited, 128 + os.constants.signals[signal]);
      assert.equal(isAlive(grandchild), false);
      assert.equal(fs.readFileSync(cleaned, "utf8"), "yes");
      fs.rmSync(path.dirname(cleaned), { recursive: true });
    });
  }

  it("ends although its starter was killed and could do nothing", async () => {
    const { child, grandchild, cleaned, exited } = await starter();
    child.kill("SIGKILL");
    await exited;
    await untilGone(grandchild);
    fs.rmSync(path.dirname(cleaned), { recursive: true });
  });
});
