// Owns: bundling: extension, webview pages, CLI, library, and the tests that run inside VS Code. Says what came out and how large.
// Leaves to others: types (tsc), lint, packaging (vsce). Sizes are judged against test/contract/budgets.json when minified.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { context } from "esbuild";
import { thirdPartyNotices } from "./test/tools/thirdPartyNotices.mjs";

const root = path.dirname(fileURLToPath(import.meta.url));
process.chdir(root);
const isProduction = process.argv.includes("--production");
const isWatching = process.argv.includes("--watch");

const common = {
  bundle: true,
  metafile: true,
  minify: isProduction,
  sourcemap: isProduction ? false : "linked",
  legalComments: "none",
  logLevel: "silent",
  // With the defaults for node, jsonc-parser comes as its UMD build, whose inner require() no bundler can follow.
  mainFields: ["module", "main"],
};
/** VS Code 1.90 runs node 20.9 and Chromium 122. */
const node = { ...common, platform: "node", target: "node20" };
const browser = { ...common, platform: "browser", target: "chrome122", format: "iife", loader: { ".ttf": "file" } };

function filesBelow(directory, accept) {
  if (!fs.existsSync(directory)) return [];
  return fs
    .readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.includes("node_modules") && accept(name))
    .map((name) => path.posix.join(directory, name.split(path.sep).join("/")))
    .sort();
}

const targets = [
  { name: "extension", isShipped: true, entryPoints: ["src/extension/extension.ts"], options: { ...node, format: "cjs", external: ["vscode"], outfile: "dist/extension.cjs" } },
  { name: "worker", isShipped: true, entryPoints: ["src/extension/requests/worker/main.ts"], options: { ...node, format: "cjs", outfile: "dist/validateWorker.cjs" } },
  {
    name: "webview",
    isShipped: true,
    // One page, one entry: files directly in src/webview; what they share lies deeper.
    entryPoints: filesBelow("src/webview", (name) => /^[^/\\]+\.ts$/.test(name) && !name.endsWith(".d.ts")),
    options: { ...browser, outdir: "dist/webview" },
  },
  { name: "cli", entryPoints: ["src/cli/main.ts"], options: { ...node, format: "cjs", outfile: "dist/cli.cjs", banner: { js: "#!/usr/bin/env node" } } },
  { name: "core", entryPoints: ["src/core/index.ts"], options: { ...node, format: "esm", outfile: "dist/core.mjs" } },
  {
    name: "host-tests",
    isForTests: true,
    entryPoints: ["test/host/index.ts", ...filesBelow("test/host", (name) => name.endsWith(".test.ts"))],
    options: { ...node, minify: false, sourcemap: "inline", format: "cjs", external: ["vscode", "mocha"], outbase: "test/host", outdir: "out/host", outExtension: { ".js": ".cjs" } },
  },
];

/** What is over its budget, in words. Only minified bundles are judged. */
function overBudget(outputs) {
  const budgets = JSON.parse(fs.readFileSync("test/contract/budgets.json", "utf8")).bundlesKiB;
  return Object.entries(outputs).flatMap(([file, { bytes }]) => {
    const limit = budgets[file];
    const size = (bytes / 1024).toFixed(1);
    if (limit === undefined) return [`${file} (${size} KiB) has no budget in test/contract/budgets.json`];
    return bytes > limit * 1024 ? [`${file} is ${size} KiB; its budget is ${limit} KiB`] : [];
  });
}

/** The lines that VS Code's problem matchers for esbuild wait for. */
const report = (target) => ({
  name: "report",
  setup(build) {
    build.onStart(() => {
      if (isWatching) console.log(`[watch] build started (${target.name})`);
    });
    build.onEnd((result) => {
      for (const { text, location } of [...result.errors, ...result.warnings]) {
        console.error(`✘ [ERROR] ${text}`);
        if (location !== null) console.error(`    ${location.file}:${location.line}:${location.column}:`);
      }
      // A warning of a bundler is a defect in waiting: it fails the build too.
      const problems = result.errors.length + result.warnings.length;
      if (problems > 0) process.exitCode = 1;
      if (result.metafile !== undefined) {
        fs.mkdirSync("out/meta", { recursive: true });
        fs.writeFileSync(`out/meta/${target.name}.json`, JSON.stringify(result.metafile));
        if (target.name === "cli" && problems === 0) fs.chmodSync("dist/cli.cjs", 0o755);
        const sizes = Object.entries(result.metafile.outputs).filter(([file]) => !file.endsWith(".map") && target.isForTests !== true);
        for (const [file, { bytes }] of sizes) console.log(`${file}  ${(bytes / 1024).toFixed(1)} KiB`);
        if (isProduction && target.isForTests !== true) {
          for (const problem of overBudget(result.metafile.outputs)) {
            console.error(`✘ [ERROR] ${problem}`);
            process.exitCode = 1;
          }
        }
      }
      if (isWatching) console.log(`[watch] build finished (${target.name})`);
    });
  },
});

fs.rmSync("dist", { recursive: true, force: true });
fs.rmSync("out/host", { recursive: true, force: true });
fs.rmSync("out/meta", { recursive: true, force: true });
const shippedInputs = [];
for (const target of targets) {
  const entryPoints = target.entryPoints.filter((file) => fs.existsSync(file));
  if (entryPoints.length === 0) {
    console.log(`${target.name}: no entry point, nothing built`);
    continue;
  }
  const build = await context({ ...target.options, entryPoints, plugins: [report(target)] });
  if (isWatching) {
    await build.watch();
    continue;
  }
  try {
    const { metafile } = await build.rebuild();
    if (target.isShipped === true) shippedInputs.push(...Object.keys(metafile.inputs));
  } catch {
    // Reported by the plugin.
    process.exitCode = 1;
  }
  await build.dispose();
}
if (shippedInputs.length > 0) fs.writeFileSync("dist/thirdPartyNotices.txt", thirdPartyNotices(shippedInputs));
