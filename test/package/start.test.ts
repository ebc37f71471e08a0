// Owns: `npm start` as a person types it: it verifies itself, prefers a desktop VS Code, and leaves nothing behind when it ends.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { repositoryRoot, startNode, type GroupOptions, type ProcessGroup } from "../tools/processGroup.mjs";
import { httpGet } from "../vscodeHost/server.js";

const noDisplay = ["DISPLAY", "WAYLAND_DISPLAY"];

function npmStart(args: readonly string[], options: GroupOptions): { readonly group: ProcessGroup; output: () => string } {
  const group = startNode(["test/tools/start.mjs", ...args], { cwd: repositoryRoot, stdout: "pipe", stderr: "pipe", ...options });
  let text = "";
  for (const stream of [group.child.stdout, group.child.stderr]) stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return { group, output: () => text };
}

describe("npm start", () => {
  let scratch: string;

  beforeEach(() => {
    scratch = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-start-"));
  });

  afterEach(() => fs.rmSync(scratch, { recursive: true, force: true }));

  /** Everything that the demo puts into the temporary directory goes here, so that leftovers show. */
  const temporary = (): string => {
    const directory = path.join(scratch, "tmp");
    fs.mkdirSync(directory, { recursive: true });
    return directory;
  };
  const leftovers = (): string[] => fs.readdirSync(temporary()).filter((name) => name.startsWith("run-state-"));

  it("starts, verifies that the workbench answers, stops and leaves nothing behind (--check)", async () => {
    const { group, output } = npmStart(["--check"], { env: { TMPDIR: temporary() }, withoutEnv: noDisplay });
    assert.equal((await group.exited).code, 0, output());
    assert.match(output(), /http:\/\/127\.0\.0\.1:\d+\//);
    assert.match(output(), /Checked: the workbench answers; \d+ claims, \d+ live processes behind them\./);
    assert.deepEqual(leftovers(), []);
  });

  it("serves until it is interrupted, then stops the server and leaves nothing behind", async () => {
    const { group, output } = npmStart(["--browser"], { env: { TMPDIR: temporary() }, withoutEnv: noDisplay });
    while (!output().includes("Ctrl+C ends it.")) {
      assert.equal(group.hasExited, false, output());
      await delay(50);
    }
    const [url] = /http:\/\/127\.0\.0\.1:\d+\//.exec(output()) ?? [];
    assert.ok(url);
    assert.equal((await httpGet(`${url}version`)).status, 200);
    group.child.kill("SIGINT");
    assert.equal((await group.exited).code, 128 + os.constants.signals.SIGINT);
    assert.equal((await httpGet(`${url}version`)).status, 0);
    assert.deepEqual(leftovers(), []);
  });

  it("opens the desktop VS Code when there is one and a display, with a profile of its own", async function () {
    if (process.platform === "win32") this.skip();
    const recorded = path.join(scratch, "arguments.txt");
    const programs = path.join(scratch, "bin");
    fs.mkdirSync(programs);
    fs.writeFileSync(path.join(programs, "code"), `#!/bin/sh\nprintf '%s\\n' "$@" > '${recorded}'\n`, { mode: 0o755 });
    const { group, output } = npmStart([], { env: { TMPDIR: temporary(), DISPLAY: ":0", PATH: `${programs}${path.delimiter}${process.env["PATH"] ?? ""}` } });
    assert.equal((await group.exited).code, 0, output());
    const given = fs.readFileSync(recorded, "utf8").trim().split("\n");
    const development = given.find((argument) => argument.startsWith("--extensionDevelopmentPath="));
    assert.ok(development?.includes("run-state-stage-"), given.join(" "));
    assert.ok(given.at(-1)?.endsWith(".code-workspace"), given.join(" "));
    assert.ok(given.some((argument) => argument.startsWith(`--user-data-dir=${temporary()}`)), given.join(" "));
    assert.deepEqual(leftovers(), []);
  });
});
