// `run-state validate` as pre-commit and CI meet it: what it prints in each format, how it exits, that it writes nothing.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import * as z from "zod/mini";
import { exitCodes } from "../../../src/cli/exitCodes.js";
import { validationOutput } from "../../../src/cli/outputSchema.js";
import { runCli } from "../../../src/cli/runCli.js";
import type { Terminal } from "../../../src/cli/terminal.js";
import type { FileReport } from "../../../src/cli/validation/fileReport.js";
import { githubReport } from "../../../src/cli/validation/githubReport.js";
import { changed, project, removeProjects, validRequest, type Fields, type Project } from "../../extension/requests/asking.js";

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function validate(...words: readonly string[]): Promise<Said> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal: Terminal = { write: (text) => out.push(text), complain: (text) => err.push(text), isInteractive: false, ask: () => Promise.reject(new Error("Nobody is asked.")) };
  const code = await runCli(["validate", ...words], terminal, new AbortController().signal);
  return { code, out: out.join("\n"), err: err.join("\n") };
}

const text = z.strictObject({ text: z.string() });
const position = z.number().check(z.int(), z.gte(1));
const artifactLocation = z.strictObject({ uri: z.string().check(z.regex(/^[!-~]+$/)), uriBaseId: z.optional(z.string()) });
const region = z.strictObject({ startLine: position, startColumn: position, endLine: position, endColumn: position });
const physicalLocation = z.strictObject({ artifactLocation, region: z.optional(region) });
const logicalLocations = z.array(z.strictObject({ fullyQualifiedName: z.string(), kind: z.string() }));
const level = z.enum(["none", "note", "warning", "error"]);

/** The part of SARIF 2.1.0 that is written, as strict as its schema. */
const sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal("2.1.0"),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string(),
          version: z.string(),
          semanticVersion: z.string(),
          rules: z.array(z.strictObject({ id: z.string(), shortDescription: text, fullDescription: text, help: text, defaultConfiguration: z.strictObject({ level }) })),
        }),
      }),
      columnKind: z.enum(["utf16CodeUnits", "unicodeCodePoints"]),
      originalUriBaseIds: z.record(z.string(), z.strictObject({ uri: z.string().check(z.regex(/\/$/)) })),
      invocations: z.array(z.strictObject({ executionSuccessful: z.boolean(), toolExecutionNotifications: z.array(z.strictObject({ level, message: text, locations: z.array(z.strictObject({ physicalLocation })) })) })),
      artifacts: z.array(z.strictObject({ location: artifactLocation })),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.number(),
          level,
          message: text,
          locations: z.array(z.strictObject({ physicalLocation, logicalLocations })),
          relatedLocations: z.optional(z.array(z.strictObject({ id: position, message: text, physicalLocation, logicalLocations }))),
          partialFingerprints: z.record(z.string(), z.string().check(z.regex(/^[0-9a-f]{64}$/))),
        }),
      ),
    }),
  ),
});

describe("run-state validate", () => {
  let made: Project;
  let valid: string;
  let home: string;

  before(async () => {
    made = project();
    valid = await validRequest(made);
    home = process.cwd();
    process.chdir(made.directory);
  });

  after(() => {
    process.chdir(home);
    removeProjects();
  });

  function write(name: string, content: string | Uint8Array): string {
    fs.writeFileSync(path.join(made.directory, name), content);
    return name;
  }

  const broken = (): string =>
    changed(valid, (document) => {
      document["predecessor_epoch"] = 3;
      document["reason"] = "";
    });

  it("exits 0 for a valid request and says which rules needed a run", async () => {
    const { code, out } = await validate(write("valid.json", valid));
    assert.equal(code, exitCodes.done);
    assert.match(out, /^valid\.json: \d+ rules not judged: they need the run \(--run DIR\)\.\n1 file, 0 errors, 0 warnings$/);
  });

  it("judges everything when the run is given", async () => {
    const { code, out } = await validate(write("valid.json", valid), "--run", made.run);
    assert.equal(code, exitCodes.done);
    assert.equal(out, "1 file, 0 errors, 0 warnings");
  });

  it("exits 1 and points at line and column, in the order of the file, with the place the expected value came from", async () => {
    const { code, out } = await validate(write("broken.json", broken()), "--run", made.run);
    assert.equal(code, exitCodes.attention);
    const lines = out.split("\n");
    assert.equal(lines[0], "broken.json:5:23: error recompile.epoch-binding: Must be the committed epoch, 1.");
    assert.equal(lines[1], "    .lattice/runs/run-serial/epochs/00000001/epoch-bundle.json#/plan_epoch: The committed epoch.");
    assert.match(lines[2] ?? "", /^broken\.json:9:12: error recompile\.reason-nonempty: /);
    assert.match(lines[3] ?? "", /^broken\.json:\d+:20: error recompile\.digest-match: /);
    assert.equal(lines.at(-1), "1 file, 3 errors, 0 warnings");
  });

  it("exits 0 when the worst finding is a warning", async () => {
    const twice = valid.replace('"reason"', '"reason": "Another one.",\n "reason"');
    const { code, out } = await validate(write("twice.json", twice), "--run", made.run);
    assert.equal(code, exitCodes.done, out);
    assert.match(out, /twice\.json:9:2: warning json\.duplicate-key/);
  });

  for (const [what, name, reason] of [
    ["is missing", "missing.json", "There is no such file."],
    ["is a directory", ".lattice", "Is a directory, not a file."],
  ] as const) {
    it(`exits 2 when a file ${what}, and still judges the others`, async () => {
      const { code, out } = await validate(name, write("broken.json", broken()));
      assert.equal(code, exitCodes.usage);
      assert.ok(out.includes(`${name}: ${reason}`), out);
      assert.match(out, /broken\.json:9:12: error/);
    });
  }

  for (const words of [[], ["valid.json", "--dialect", "0.51"], ["valid.json", "--format", "xml"], ["valid.json", "--run", "nowhere"], ["valid.json", "--strict"]]) {
    it(`exits 2 for the arguments ${JSON.stringify(words)}`, async () => {
      const { code, out, err } = await validate(...words);
      assert.equal(code, exitCodes.usage);
      assert.equal(out, "");
      assert.notEqual(err, "");
    });
  }

  it("refuses to judge a request against the run of another", async () => {
    const other = changed(valid, (document) => {
      document["run_id"] = "run-other";
      (document["successor_request"] as Fields)["request_id"] = "run-other";
    });
    const { code, out } = await validate(write("other.json", other), "--run", made.run);
    assert.equal(code, exitCodes.usage);
    assert.match(out, /^other\.json: Is for the run run-other,/);
  });

  it("follows a link that was named, and reads no FIFO", async () => {
    write("valid.json", valid);
    fs.rmSync("link.json", { force: true });
    fs.symlinkSync("valid.json", "link.json");
    assert.equal((await validate("link.json")).code, exitCodes.done);
    if (process.platform === "win32") return;
    const { spawnSync } = await import("node:child_process");
    assert.equal(spawnSync("mkfifo", ["pipe.json"]).status, 0);
    const { code, out } = await validate("pipe.json");
    assert.equal(code, exitCodes.usage);
    assert.match(out, /Is a fifo, not a file/);
    fs.rmSync("pipe.json");
  });

  it("says of a 50 MB file only that it is too large, at once", async () => {
    const { code, out } = await validate(write("huge.json", Buffer.alloc(50 * 1_048_576, 0x20)));
    fs.rmSync("huge.json");
    assert.equal(code, exitCodes.attention);
    assert.match(out, /^huge\.json:1:1: error json\.too-large: /);
  });

  it("judges run requests and task migrations by their own rules", async () => {
    fs.copyFileSync(path.join(made.run, "request.json"), "run.json");
    const migration = (JSON.parse(valid) as Fields)["task_migration"] as Fields;
    write("migration.json", JSON.stringify({ ...migration, migration_digest: "0".repeat(64) }));
    const { code, out } = await validate("run.json", "migration.json", "--format", "json");
    assert.equal(code, exitCodes.attention);
    const { files } = z.parse(validationOutput, JSON.parse(out));
    assert.deepEqual(
      files.map((file) => (file.kind === "judged" ? [file.document, file.findings.map(({ rule }) => rule)] : file.kind)),
      [
        ["run-request", []],
        ["task-migration", ["migration.digest-match"]],
      ],
    );
  });

  it("judges for both versions unless one is named, and then says which one refuses", async () => {
    const request = JSON.parse(fs.readFileSync(path.join(made.run, "request.json"), "utf8")) as Fields;
    const loose = JSON.stringify({ ...request, executor_capability: { anything: 1 } });
    write("loose.json", loose);
    const both = await validate("loose.json");
    assert.match(both.out, /warning run-request\.capability-exact-keys: .*\(Only 0\.50 refuses this\.\)/);
    const older = await validate("loose.json", "--dialect", "0.12");
    assert.doesNotMatch(older.out, /capability/);
    const newer = await validate("loose.json", "--dialect", "0.50");
    assert.equal(newer.code, exitCodes.attention);
    assert.match(newer.out, /error run-request\.capability-exact-keys/);
  });

  it("prints JSON that fits its schema, positions included", async () => {
    const { code, out } = await validate(write("broken.json", broken()), "--run", made.run, "--format", "json");
    assert.equal(code, exitCodes.attention);
    const output = z.parse(validationOutput, JSON.parse(out));
    assert.equal(output.run, made.run);
    assert.equal(output.dialect, "0.50");
    const [file] = output.files;
    assert.ok(file?.kind === "judged");
    assert.deepEqual(file.findings[0]?.range, { start: { line: 4, character: 22 }, end: { line: 4, character: 23 } });
  });

  it("prints a SARIF log with addresses that survive odd names, rules that resolve, and fingerprints that ignore moved lines", async () => {
    const odd = "odd ü#%,1.json";
    write(odd, broken());
    const { code, out } = await validate(odd, "missing.json", "--run", made.run, "--format", "sarif");
    assert.equal(code, exitCodes.usage);
    const log = z.parse(sarif, JSON.parse(out));
    const [run] = log.runs;
    assert.ok(run);
    const base = run.originalUriBaseIds["SRCROOT"]?.uri ?? "";
    for (const result of run.results) {
      assert.equal(run.tool.driver.rules[result.ruleIndex]?.id, result.ruleId);
      const address = result.locations[0]?.physicalLocation.artifactLocation.uri ?? "";
      assert.equal(fileURLToPath(new URL(address, base)), path.join(made.directory, odd));
    }
    const fingerprintsOf = (text: string): readonly string[] => z.parse(sarif, JSON.parse(text)).runs.flatMap(({ results }) => results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints))).sort();
    write(odd, JSON.stringify(JSON.parse(broken()), null, 4));
    assert.deepEqual(fingerprintsOf((await validate(odd, "--run", made.run, "--format", "sarif")).out), fingerprintsOf(out));
    assert.equal(run.invocations[0]?.executionSuccessful, false);
  });

  it("prints workflow commands for GitHub, and nothing when there is nothing", async () => {
    const { out } = await validate(write("broken.json", broken()), "--run", made.run, "--format", "github");
    assert.equal(out.split("\n")[0], "::error file=broken.json,line=5,endLine=5,col=23,endColumn=23,title=recompile.epoch-binding::Must be the committed epoch, 1.");
    const quiet = await validate(write("valid.json", valid), "--run", made.run, "--format", "github");
    assert.equal(quiet.out, "");
  });

  it("escapes whatever a file or a name holds, so that a workflow command stays one line with its own properties", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: fc.constantFrom("%", "\r", "\n", ":", ",", "=", "a", "::", "\u2028") }), (name, message) => {
        const report: FileReport = { name, path: path.join("/elsewhere", `f${name.replaceAll("\0", "")}`), kind: "unreadable", reason: message };
        const line = githubReport([report], "/here") ?? "";
        assert.doesNotMatch(line, /[\r\n]/);
        const [, properties = ""] = /^::error (.*?)::/.exec(line) ?? [];
        assert.deepEqual(properties.split(",").map((property) => property.split("=")[0]), ["file", "title"]);
      }),
    );
  });

  it("writes nothing", async () => {
    write("broken.json", broken());
    const state = (): readonly string[] => fs.readdirSync(made.directory, { recursive: true, withFileTypes: true }).map((entry) => `${entry.parentPath}/${entry.name} ${fs.lstatSync(path.join(entry.parentPath, entry.name)).mtimeMs}`);
    const before = state();
    await validate("broken.json", "--run", made.run);
    assert.deepEqual(state(), before);
  });
});
