// The command line as a person or a CI job meets it: what it prints, what it asks, what it leaves on disk, how it exits.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { commandShapes, parseArguments } from "../../../src/cli/arguments.js";
import { exitCodes } from "../../../src/cli/exitCodes.js";
import { inspectOutput, listOutput, outputJsonSchema, resultOutput } from "../../../src/cli/outputSchema.js";
import { runCli } from "../../../src/cli/runCli.js";
import { sealLifecycleLock, sealStartIdentity } from "../../../src/core/systems/lattice/lifecycleLock.js";
import type { LifecycleLock } from "../../../src/core/systems/lattice/lifecycleLockRecord.js";
import type { Terminal } from "../../../src/cli/terminal.js";

/** Beyond what any kernel gives out (2^22 on Linux), so no process ever has it. */
const absentPid = 2_147_483_647;

function withoutDigest({ owner_pid, owner_process_start_identity, session_nonce_digest, operation, request_id, acquired_at }: LifecycleLock): Parameters<typeof sealLifecycleLock>[0] {
  return { owner_pid, owner_process_start_identity, session_nonce_digest, operation, request_id, acquired_at };
}

const fixture = fileURLToPath(new URL("../../fixtures/rundirs/lattice/lock-stale-dead-owner", import.meta.url));

class FakeTerminal implements Terminal {
  readonly out: string[] = [];
  readonly err: string[] = [];
  readonly questions: string[] = [];
  constructor(readonly answers: string[] | null = null) {}
  get isInteractive(): boolean {
    return this.answers !== null;
  }
  write(text: string): void {
    this.out.push(text);
  }
  complain(text: string): void {
    this.err.push(text);
  }
  ask(question: string): Promise<string> {
    this.questions.push(question);
    return Promise.resolve(this.answers?.shift() ?? "");
  }
  get said(): string {
    return [...this.out, ...this.err].join("\n");
  }
}

async function run(words: readonly string[], answers: string[] | null = null): Promise<{ code: number; terminal: FakeTerminal }> {
  const terminal = new FakeTerminal(answers);
  return { code: await runCli(words, terminal, new AbortController().signal), terminal };
}

/** Every path below a directory with its bytes: two equal maps mean that nothing was written. */
function contentOf(directory: string): Map<string, string> {
  const content = new Map<string, string>();
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    content.set(path.relative(directory, file), entry.isFile() ? fs.readFileSync(file, "base64") : "");
  }
  return content;
}

describe("run-state on the command line", () => {
  let directory = "";
  let lock = "";

  beforeEach(() => {
    directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "run-state-cli-")));
    fs.cpSync(fixture, directory, { recursive: true });
    lock = path.join(directory, ".lattice/runs/run-serial/.lifecycle.lock");
    const recorded = JSON.parse(fs.readFileSync(lock, "utf8")) as LifecycleLock;
    const identity = sealStartIdentity({ ...recorded.owner_process_start_identity, pid: absentPid });
    fs.writeFileSync(lock, sealLifecycleLock({ ...withoutDigest(recorded), owner_pid: absentPid, owner_process_start_identity: identity }).bytes);
    fs.chmodSync(lock, 0o600);
  });

  afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

  async function idOfLock(): Promise<string> {
    const { terminal } = await run(["inspect", directory, "--json"]);
    const { snapshot } = z.parse(inspectOutput, JSON.parse(terminal.out.join("\n")));
    const id = snapshot.roots[0]?.stores[0]?.runs[0]?.claims[0]?.id;
    assert.ok(id !== undefined);
    return id;
  }

  it("inspects: says word, owner, reason, path and id, exits 1, and writes nothing", async () => {
    const before = contentOf(directory);
    const { code, terminal } = await run(["inspect", directory]);
    assert.equal(code, exitCodes.attention);
    assert.match(terminal.said, /stale {3}/);
    assert.match(terminal.said, /pid 2147483647/);
    assert.ok(terminal.said.includes(lock));
    assert.ok(terminal.said.includes(await idOfLock()));
    assert.deepEqual(contentOf(directory), before);
  });

  it("exits 0 when nothing needs attention", async () => {
    fs.rmSync(lock);
    const { code, terminal } = await run(["inspect", directory]);
    assert.equal(code, exitCodes.done, terminal.said);
  });

  it("prints JSON that fits its own schema", async () => {
    const { terminal } = await run(["inspect", directory, "--json"]);
    z.parse(inspectOutput, JSON.parse(terminal.out.join("\n")));
    assert.equal((outputJsonSchema() as { anyOf: unknown[] }).anyOf.length, 4);
  });

  it("moves nothing when nobody can be asked, and says which id would confirm", async () => {
    const before = contentOf(directory);
    const { code, terminal } = await run(["quarantine", lock]);
    assert.equal(code, exitCodes.refused);
    assert.ok(terminal.said.includes(`--yes ${await idOfLock()}`), terminal.said);
    assert.deepEqual(contentOf(directory), before);
  });

  it("moves nothing for a wrong --yes, an empty answer, or a no", async () => {
    const before = contentOf(directory);
    for (const [words, answers] of [
      [["--yes", "run-serial"], null],
      [[], [""]],
      [[], ["n"]],
      [[], ["yess"]],
    ] as const) {
      const { code } = await run(["quarantine", lock, ...words], answers === null ? null : [...answers]);
      assert.equal(code, exitCodes.refused);
    }
    assert.deepEqual(contentOf(directory), before);
  });

  it("quarantines after a yes, lists the item, and restores the same bytes", async () => {
    const bytes = fs.readFileSync(lock);
    const quarantined = await run(["quarantine", lock], ["y"]);
    assert.equal(quarantined.code, exitCodes.done, quarantined.terminal.said);
    assert.ok(!fs.existsSync(lock));
    const listed = await run(["quarantine", "list", directory, "--json"]);
    const [entry] = z.parse(listOutput, JSON.parse(listed.terminal.out.join("\n"))).entries;
    assert.equal(entry?.kind, "quarantined");
    assert.deepEqual(fs.readFileSync(entry.path), bytes);
    const restored = await run(["restore", entry.path, "--yes", entry.name]);
    assert.equal(restored.code, exitCodes.done, restored.terminal.said);
    assert.deepEqual(fs.readFileSync(lock), bytes);
  });

  it("takes the exact id as --yes, and finds a claim by it", async () => {
    const id = await idOfLock();
    const result = await run(["quarantine", lock, "--yes", id, "--json"]);
    assert.equal(result.code, exitCodes.done, result.terminal.said);
    const { operation, results } = z.parse(resultOutput, JSON.parse(result.terminal.out.join("\n")));
    assert.deepEqual([operation, results[0]?.kind], ["quarantine", "quarantined"]);
  });

  it("needs the typed id to force a claim whose owner is not proved gone", async () => {
    const text = fs.readFileSync(lock, "utf8").trimEnd();
    fs.writeFileSync(lock, text.slice(0, 40));
    const old = new Date(Date.now() - 3_600_000);
    fs.utimesSync(lock, old, old);
    // ctime cannot be set: a torn file that was written a moment ago is never moved, forced or not.
    const { code, terminal } = await run(["quarantine", lock, "--force", "anything"]);
    assert.equal(code, exitCodes.refused);
    assert.match(terminal.said, /within the last minute/);
    assert.ok(fs.existsSync(lock));
  });

  it("says which usage is right for a wrong one, and looks at nothing", async () => {
    for (const words of [["frobnicate"], ["quarantine"], ["quarantine", "a", "b"], ["inspect", "--frobnicate"], ["restore"], ["quarantine", "purge", directory]]) {
      const { code, terminal } = await run(words);
      assert.equal(code, exitCodes.usage, words.join(" "));
      assert.notEqual(terminal.err.length, 0);
    }
  });

  it("purges only what was listed and confirmed by its count", async () => {
    await run(["quarantine", lock], ["y"]);
    const refused = await run(["quarantine", "purge", directory, "--older-than", "0", "--yes", "7"]);
    assert.equal(refused.code, exitCodes.refused);
    const done = await run(["quarantine", "purge", directory, "--older-than", "0", "--yes", "1"]);
    assert.equal(done.code, exitCodes.done, done.terminal.said);
    const { terminal } = await run(["quarantine", "list", directory]);
    assert.equal(terminal.said, "Nothing lies in quarantine.");
  });

  it("never prints a raw control or bidi character from a file name or a record", async () => {
    const hostile = path.join(directory, ".lattice/runs/\u001b[31m\u202Eexe\u0085");
    fs.mkdirSync(hostile);
    fs.writeFileSync(path.join(hostile, ".lifecycle.lock"), "\u001b[2J\u202E");
    for (const words of [["inspect", directory], ["inspect", directory, "--json"], ["quarantine", path.join(hostile, ".lifecycle.lock")]]) {
      const { terminal } = await run(words);
      assert.doesNotMatch(terminal.said, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/, words.join(" "));
    }
  });

  it("explains every command in its help", async () => {
    const { code, terminal } = await run([]);
    assert.equal(code, exitCodes.done);
    for (const { usage } of Object.values(commandShapes)) assert.ok(terminal.said.includes(usage), usage);
    assert.deepEqual(parseArguments(["help"]), { kind: "help" });
  });
});
