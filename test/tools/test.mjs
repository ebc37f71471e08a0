// Owns: `npm test`: sets up what is missing, then runs every check and suite and closes with the true sums. `npm test -- core ui` runs those.
// No dependencies: it works on a fresh clone. Leaves to others: set-up (setup.mjs), the sums (summary.mjs), the suites themselves.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { endOnSignals, endProcess, onEnd, repositoryRoot, startNode } from "./processGroup.mjs";
import { SetupError, printFailure, setUp } from "./setup.mjs";
import { allPassed, suiteResult, summaryText } from "./summary.mjs";

const reportsDirectory = path.join(repositoryRoot, "out/reports");
const suiteDeadlineMs = 12 * 60_000;

const report = (name) => path.join(reportsDirectory, `${name}.json`);

/** Each test/mocharc.<name>.json is a suite; those named here run in this order, after the others. */
const lastSuites = ["conformance", "contract", "host", "ui", "package"];
/** Suites that work on what was built. */
const builtSuites = new Set(["contract", "host", "ui", "package"]);

/** Mocha reports to people in the configuration's own style, and to out/reports. */
function mochaSuite(name) {
  const config = `test/mocharc.${name}.json`;
  const { reporter } = JSON.parse(fs.readFileSync(path.join(repositoryRoot, config), "utf8"));
  return {
    name,
    reports: [report(name)],
    args: [
      ...["node_modules/mocha/bin/mocha.js", "--config", config],
      ...["--reporter", "test/tools/mochaReporter.cjs", "--reporter-option", `style=${reporter},output=${report(name)}`],
    ],
  };
}

const hostSuite = { name: "host", reports: ["host", "host-untrusted", "host-activation"].map(report), args: ["--import", "tsx", "test/host/run.ts"] };
const checks = [
  { name: "typecheck", args: ["node_modules/typescript/bin/tsc", "--noEmit"] },
  { name: "lint", args: ["node_modules/eslint/bin/eslint.js", "--config", "test/eslint.config.mjs", "--max-warnings", "0", "src", "test", "esbuild.mjs"] },
];

function allSuites() {
  const configured = fs.readdirSync(path.join(repositoryRoot, "test")).flatMap((file) => /^mocharc\.(.+)\.json$/.exec(file)?.[1] ?? []);
  const first = configured.filter((name) => !lastSuites.includes(name)).sort();
  return [...first.map(mochaSuite), ...lastSuites.map((name) => (name === "host" ? hostSuite : mochaSuite(name)))];
}

const elapsedSeconds = (since) => (performance.now() - since) / 1000;

async function runNode({ name, args }, env = {}) {
  console.log(`\n== ${name} ==`);
  const since = performance.now();
  const group = startNode(args, { cwd: repositoryRoot, env });
  const deadline = setTimeout(() => {
    console.error(`${name}: not finished after ${suiteDeadlineMs / 60_000} minutes, ended`);
    void group.stop();
  }, suiteDeadlineMs);
  const { code } = await group.exited;
  clearTimeout(deadline);
  return { name, code, seconds: elapsedSeconds(since) };
}

/** A check has no tests of its own: it adds nothing when it passes and one failure when it does not. */
const checkResult = ({ name, code, seconds }) => ({ name, passed: 0, failed: code === 0 ? 0 : 1, skipped: 0, seconds, complaint: code === 0 ? null : `exit code ${code}` });

async function buildAndStage() {
  const since = performance.now();
  const build = await runNode({ name: "build", args: ["esbuild.mjs", "--production"] });
  if (build.code !== 0) return { result: checkResult(build), stage: undefined };
  const stage = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-stage-"));
  onEnd(() => fs.rmSync(stage, { recursive: true, force: true, maxRetries: 5 }));
  const [staging, types] = await Promise.all([
    runNode({ name: "stage", args: ["--import", "tsx", "test/tools/stage.ts", stage] }),
    runNode({ name: "types of the library", args: ["node_modules/typescript/bin/tsc", "-p", "test/tsconfig.types.json"] }),
  ]);
  return { result: checkResult({ name: "build", code: staging.code || types.code, seconds: elapsedSeconds(since) }), stage };
}

async function main(names) {
  const suites = allSuites();
  const known = [...checks, ...suites].map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new SetupError(`Unknown suite: ${unknown.join(", ")}. Known: ${known.join(", ")}.`);
  const isWanted = ({ name }) => names.length === 0 || names.includes(name);
  const needsStage = suites.some((suite) => isWanted(suite) && builtSuites.has(suite.name));

  await setUp({ browser: needsStage ? "required" : "wanted" });
  fs.rmSync(reportsDirectory, { recursive: true, force: true });
  fs.mkdirSync(reportsDirectory, { recursive: true });

  const results = [];
  const env = {};
  let isBuilt = false;
  if (needsStage) {
    const { result, stage } = await buildAndStage();
    results.push(result);
    isBuilt = result.failed === 0;
    if (stage !== undefined) env.RUN_STATE_STAGE = stage;
  }
  results.push(...(await Promise.all(checks.filter(isWanted).map((check) => runNode(check)))).map(checkResult));
  for (const suite of suites.filter(isWanted)) {
    // What is left of an earlier build must not pass for this one.
    if (builtSuites.has(suite.name) && !isBuilt) results.push({ ...checkResult({ name: suite.name, code: 1, seconds: 0 }), complaint: "not run: the build failed" });
    else results.push(suiteResult({ ...suite, ...(await runNode(suite, env)) }));
  }
  console.log(`\n${summaryText(results)}`);
  return allPassed(results) ? 0 : 1;
}

endOnSignals();
await endProcess(
  await main(process.argv.slice(2)).catch((error) => {
    printFailure(error);
    console.log("0 passed, 1 failed");
    return 1;
  }),
);
