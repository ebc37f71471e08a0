// Owns: what a fresh machine lacks: npm packages, the VS Code server, Chromium. Each step looks first and does nothing when all is there.
// No dependencies: it runs before npm ci. Leaves to others: building (esbuild.mjs), what is done afterwards (start.mjs, test.mjs).
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { endOnSignals, repositoryRoot, startNode, startProgram } from "./processGroup.mjs";

const leastNodeMajor = 20;

/** Something is missing that this cannot bring: the message says what to do, and a stack would only hide it. */
export class SetupError extends Error {}

/** Where a Chromium may be, best first. Kept in step with nothing else: everyone asks `chromiumPath`. */
export function chromiumPath() {
  const candidates = [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  ];
  return candidates.find((candidate) => candidate !== undefined && candidate !== "" && fs.existsSync(candidate));
}

export function findOnPath(program) {
  const extensions = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  for (const directory of (process.env.PATH ?? "").split(path.delimiter)) {
    for (const extension of extensions) {
      const file = path.join(directory, program + extension);
      if (directory !== "" && fs.existsSync(file)) return file;
    }
  }
  return undefined;
}

function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")).packages ?? {};
  } catch {
    return undefined;
  }
}

/**
 * Whether node_modules holds what the lock file names. Compares with the list that npm itself leaves there, so that a tree
 * installed by any npm command counts. Optional packages (other platforms) may be absent.
 */
export function isInstalled(directory) {
  const wanted = readPackages(path.join(directory, "package-lock.json"));
  const present = readPackages(path.join(directory, "node_modules/.package-lock.json"));
  if (wanted === undefined) throw new Error(`No readable package-lock.json in ${directory}.`);
  if (present === undefined) return false;
  return Object.entries(wanted).every(([name, entry]) => {
    if (!name.startsWith("node_modules/")) return true;
    const found = present[name];
    if (found === undefined) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/** Waits for a step. What it printed into pipes is shown only when it failed. */
async function run(title, group) {
  console.log(`> ${title}`);
  let output = "";
  for (const stream of [group.child.stdout, group.child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const { code, error } = await group.exited;
  if (code !== 0) process.stderr.write(output);
  if (code !== 0) throw new SetupError(`${title} failed${error === null ? ` (exit code ${code})` : `: ${error.message}`}.`);
}

/** npm sets these for the script it runs; a nested npm in another directory would take them for its own. */
const npmScriptEnv = ["npm_config_local_prefix", "npm_package_json", "npm_lifecycle_event", "npm_lifecycle_script", "INIT_CWD"];

async function npmCi(directory) {
  const options = { cwd: directory, withoutEnv: npmScriptEnv };
  const npm = process.env.npm_execpath;
  const args = ["ci", "--no-audit", "--no-fund"];
  const where = path.relative(repositoryRoot, directory) || ".";
  const group = npm?.endsWith(".js") === true ? startNode([npm, ...args], options) : startProgram(findOnPath("npm") ?? "npm", args, options);
  await run(`npm ci (in ${where})`, group);
}

async function ensureChromium() {
  if (chromiumPath() !== undefined) return;
  const isRoot = process.getuid?.() === 0;
  const apt = findOnPath("apt-get");
  if (process.platform !== "linux" || !isRoot || apt === undefined) {
    const how =
      process.platform === "linux" && apt !== undefined
        ? "sudo apt-get install -y --no-install-recommends chromium"
        : "install Chromium or Google Chrome";
    throw new SetupError(`Chromium is missing. Run: ${how}\nIf it is installed elsewhere, set CHROMIUM_PATH to its executable.`);
  }
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, stdout: "pipe", stderr: "pipe" };
  const wait = ["-o", "DPkg::Lock::Timeout=300", "-qq"];
  await run("apt-get update", startProgram(apt, [...wait, "update"], options));
  await run("apt-get install chromium", startProgram(apt, [...wait, "install", "-y", "--no-install-recommends", "chromium"], options));
  if (chromiumPath() === undefined) throw new Error("apt-get installed chromium, but /usr/bin/chromium is not there.");
}

/** Prints what stopped a command. */
export function printFailure(error) {
  console.error(error instanceof SetupError ? error.message : error);
}

/**
 * Brings everything that building, the demo and the tests need. `browser`: "required" throws when Chromium can neither be
 * found nor installed; "wanted" only says so.
 */
export async function setUp({ browser }) {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < leastNodeMajor) throw new SetupError(`Node ${leastNodeMajor} or newer is needed; this is ${process.version}.`);
  for (const directory of [repositoryRoot, path.join(repositoryRoot, "test/vscodeHost")]) {
    if (!isInstalled(directory)) await npmCi(directory);
  }
  try {
    await ensureChromium();
  } catch (error) {
    if (browser === "required") throw error;
    console.log(`${error.message}\n(Needed for npm test only.)`);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  endOnSignals();
  await setUp({ browser: "required" }).catch((error) => {
    printFailure(error);
    process.exitCode = 1;
  });
}
